"""Matches between any players."""

import random
import sys

import pytest

import lianzi


def first(position):
    return position.legal_moves()[0]


def test_a_match_is_counted_and_can_be_repeated():
    result = lianzi.match("connect4", "strong@level=4", "random", games=20, nodes=100, seed=3)
    assert result.games == 20 and result.wins + result.draws + result.losses == 20 and result.score > 0.8
    again = lianzi.match("connect4", "strong@level=4", "random", games=20, nodes=100, seed=3, concurrency=2)
    assert [game.moves for game in again.records] == [game.moves for game in result.records]
    assert result.summary["los"] > 0.99 and "Elo" in str(result) or result.elo[0] is None
    assert [row["name"] for row in result.standings] == ["strong@level=4", "random"]


def test_the_same_match_as_the_binarys(binary):
    import json

    printed = binary("match", "connect4", "strong@level=3", "greedy", "--games", 6, "--nodes", 100, "--seed", 9, "--json")
    theirs = json.loads(printed.splitlines()[-1])
    ours = lianzi.match("connect4", "strong@level=3", "greedy", games=6, nodes=100, seed=9).summary
    for key in ("wins", "draws", "losses", "elo", "pairs", "score"):
        assert ours[key] == theirs[key], key


def test_functions_and_engines_play():
    result = lianzi.match("gomoku:9", first, lianzi.engine("greedy"), games=4)
    assert result.losses == 4 and {record.ending for record in result.records} == {"line"}
    assert {name for record in result.records for name in record.players} == {"first", "greedy"}
    six = lianzi.match("connect6:9", first, lambda position: position.legal_moves()[: position.stones_left], games=2)
    assert all(record.ending in ("line", "full") for record in six.records)


@pytest.mark.parametrize(
    "player, ending, words",
    [
        (lambda position: position.moves[-1] if position.moves else "h8", "illegal", "there is a stone already"),
        (lambda position: 10_000, "illegal", "illegal move at 10000, that is not on the board"),
        (lambda position: None, "garbled", "the answer 'None' cannot be understood"),
        (lambda position: 1.5, "garbled", "the answer 'float 1.5' cannot be understood"),
        (lambda position: 1 // 0, "crashed", "exception ZeroDivisionError"),
        (lambda position: ["a1", "a2"], "stones", "a turn of 2 stones instead of 1"),
        (lambda position: sys.exit(), "crashed", "exception SystemExit"),
        (lambda position: "resign", "resigned", "resigned"),
    ],
)
def test_what_a_function_does_wrong_loses(player, ending, words):
    record = lianzi.play("gomoku:9", player, "greedy")
    assert (record.outcome, record.ending) == ("white", ending) and words in record.words()
    if ending == "crashed":
        assert "Traceback" in record.said("black")


def test_an_engine_keeps_to_the_limits_of_the_match():
    record = lianzi.play("gomoku", lianzi.engine("strong"), "random", nodes=200)
    assert record.outcome == "black" and any(score is not None for score in record.scores)
    named = lianzi.match("connect4", "strong@level=4", "greedy", games=4, nodes=100)
    given = lianzi.match("connect4", lianzi.engine("strong", level=4), "greedy", games=4, nodes=100)
    assert [game.moves for game in named.records] == [game.moves for game in given.records]


def test_a_late_function_loses():
    import time

    def slow(position):
        time.sleep(0.3)
        return position.legal_moves()[0]

    assert lianzi.play("gomoku:9", slow, "greedy", time=0.1).ending == "timeout"


def test_a_sequential_test_ends_a_match():
    result = lianzi.match("connect4", "greedy", first, games=400, sprt=(0, 200), seed=2)
    assert result.sprt == "H1" and result.games < 400 and result.summary["llr"] > 0


def test_tournaments():
    table = lianzi.tournament("connect4", ["greedy", "random", first, "strong@level=2"], pairs=1, nodes=50)
    assert len(table.standings) == 4 and table.games == 12 and len(str(table).splitlines()) == 4
    gauntlet = lianzi.tournament("connect4", ["greedy", "random", first], format="gauntlet")
    assert gauntlet.games == 4
    assert lianzi.tournament("connect4", ["greedy", "random", first, "uct"], format="swiss:2", nodes=20).games == 8


def test_programs_play_by_their_protocols(binary, tmp_path):
    """Our own binary as somebody else's engine."""
    import os

    from conftest import ROOT

    program = os.environ.get("LIANZI_BINARY", ROOT / "target/debug/lianzi")
    result = lianzi.match("gomoku", f"piskvork:{program} engine --protocol piskvork --player greedy", "random", games=2, time=1)
    assert result.wins == 2 and result.summary["faults"] == 0


def test_openings():
    given = lianzi.match("gomoku", "greedy", "greedy", games=2, openings="h8 i9 j7\n").records
    assert all(record.moves[:3] == ["h8", "i9", "j7"] and record.opening == 3 for record in given)
    assert lianzi.match("gomoku", "greedy", "greedy", games=2, openings="none").records[0].opening == 0


def test_wrong_arguments():
    for call, words in (
        (lambda: lianzi.match("connect4", "greedy", "random", games=3), "games are played in pairs"),
        (lambda: lianzi.match("connect4", "greedy", "random", games=0), "games are played in pairs"),
        (lambda: lianzi.match("connect4", "greedy", "nobody"), "there is no player 'nobody'"),
        (lambda: lianzi.match("connect4", "greedy", "human"), "people play with lianzi play"),
        (lambda: lianzi.match("connect4", "greedy", 7), "a player is a name such as"),
        (lambda: lianzi.match("connect4", "greedy", "random", sprt=(10, 0)), "the Elo bounds must satisfy"),
        (lambda: lianzi.match("connect4", "greedy", "random", openings="z9"), "opening in line 1"),
        (lambda: lianzi.match("gomoku", "greedy", "solver"), "solver does not play gomoku"),
        (lambda: lianzi.match("gomoku", "greedy", "piskvork:/no/such/engine"), "there is no program /no/such/engine"),
        (lambda: lianzi.tournament("connect4", ["greedy"]), "at least two players"),
        (lambda: lianzi.tournament("connect4", ["greedy", "random"], format="cup"), "is no format of a tournament"),
        (lambda: lianzi.match("connect4", "greedy", "random", time="soon"), "is not a time"),
    ):
        with pytest.raises(lianzi.LianziError, match=words) as raised:
            call()
        assert raised.value.zh


def test_random_numbers_are_the_players_own():
    draw = random.Random(1)
    result = lianzi.match("connect4", lambda position: draw.choice(position.legal_actions()), "random", games=6)
    assert result.games == 6 and result.summary["faults"] == 0
