"""Games as arrays, and labels."""

import random

import numpy as np
import pytest
from conftest import random_game

import lianzi


def test_self_played_games_are_read(binary, tmp_path):
    file = tmp_path / "games.lzsp"
    binary("dev", "selfplay", "gomoku:9", "--games", 3, "--nodes", 200, "--out", file)
    games = lianzi.data.read_selfplay(file)
    assert len(games) == 3 and games.game == lianzi.Game("gomoku:9")
    assert len(games.actions) == len(games.scores) == len(games.quiet) == games.starts[-1]
    examples = games.positions()
    assert len(examples) == games.starts[-1] - games.openings.sum() == len(examples.actions)
    assert set(np.unique(examples.values)) <= {-1.0, 0.0, 1.0} and not np.isnan(examples.scores).all()
    for n in range(3):
        position = lianzi.Position(games.game, games.actions[games.starts[n] : games.starts[n + 1]].tolist())
        assert {"black": 1, "white": 2, "draw": 0}[position.outcome] == games.winners[n]


def test_records_become_positions(tmp_path):
    draw, records = random.Random(1), []
    for _ in range(5):
        *_, position = random_game("connect6:7", draw)
        records.append(lianzi.Record(position))
    lianzi.write(records, tmp_path / "games.jsonl")
    for name in ("contest.json", "summary.json"):  # as in the folder of a contest
        (tmp_path / name).write_text("{}")
    examples = lianzi.data.read_games(tmp_path).positions()
    n = 0
    for record in records:
        for ply, move in enumerate(record.moves):
            position = record.position(ply)
            assert np.array_equal(examples.planes[n], position.planes()) and examples.actions[n] == position.action(move)
            won = record.outcome == position.to_move
            assert examples.values[n] == (0 if record.outcome == "draw" else 1 if won else -1)
            n += 1
    assert n == len(examples)


def test_labels_do_not_depend_on_threads():
    draw, positions = random.Random(2), []
    while len(positions) < 40:
        game = [position.copy() for position in random_game("connect4", draw)]
        if len(game) > 18:
            positions.append(game[18])
    one, two = (lianzi.data.label(positions, threads=threads) for threads in (1, 3))
    assert one.known.all() and np.array_equal(one.scores, two.scores)
    solver = lianzi.Solver("connect4", table=16)
    assert one.scores[:5].tolist() == [solver.solve(position).score for position in positions[:5]]
    open_ones = [position for position in positions if not position.is_over]
    a, b = (lianzi.data.label(open_ones, "strong@level=4", nodes=200, threads=threads) for threads in (1, 3))
    assert np.array_equal(a.actions, b.actions) and np.array_equal(a.scores, b.scores)
    assert all(int(action) in position.legal_actions() for action, position in zip(a.actions, open_ones))


def test_weights_go_out_and_come_back(tmp_path):
    initiative, worths = lianzi.data.weights("gomoku")
    lianzi.data.write_weights(tmp_path / "same", initiative, worths)
    lianzi.data.write_weights(tmp_path / "other", initiative, np.roll(worths, 1, axis=0))
    position = lianzi.Position("gomoku", "h8 i9 j8")
    answers = [
        lianzi.engine("strong", **options).analyze(position, nodes=2000).score
        for options in ({"net": "off"}, {"weights": tmp_path / "same"}, {"weights": tmp_path / "other"})
    ]
    assert answers[0] == answers[1] != answers[2]


@pytest.mark.parametrize(("game", "moves"), [
    ("gomoku", "h8 i9 j8"), ("standard", "h8 i9 j8"), ("renju", "h8 i9 j8"), ("connect6", "j10 i9 i11 h10 i10 k10 h9"),
])
def test_a_network_goes_out_and_comes_back(tmp_path, game, moves):
    network = lianzi.data.network(game)
    lianzi.data.write_network(tmp_path / "same", network, game)
    lianzi.data.write_network(tmp_path / "none", network._replace(out=network.out * 0), game)
    position = lianzi.Position(game, moves)
    built_in, off, same, none = (
        lianzi.engine("strong", game=game, **options).analyze(position, nodes=2000).score
        for options in ({}, {"net": "off"}, {"net": tmp_path / "same"}, {"net": tmp_path / "none"})
    )
    assert built_in == same != off == none


def test_wrong_arguments(tmp_path):
    (tmp_path / "odd").write_bytes(b"no games")
    position = lianzi.Position("gomoku")
    for call, error in (
        (lambda: lianzi.data.read_selfplay(tmp_path / "none"), FileNotFoundError),
        (lambda: lianzi.data.read_selfplay(tmp_path / "odd"), lianzi.LianziError),
        (lambda: lianzi.data.from_records([]), lianzi.LianziError),
        (lambda: lianzi.data.label([position, lianzi.Position("connect4")]), lianzi.LianziError),
        (lambda: lianzi.data.label([position], "nobody"), lianzi.LianziError),
        (lambda: lianzi.data.label([position], "human"), lianzi.LianziError),
        (lambda: lianzi.data.label(["h8"]), TypeError),
        (lambda: lianzi.data.write_weights(tmp_path / "w", np.zeros(3), np.zeros((2, 4))), lianzi.LianziError),
        (lambda: lianzi.data.label([lianzi.Position("connect:9,9,4,1,1")]), lianzi.LianziError),
        (lambda: lianzi.data.weights("connect4"), lianzi.LianziError),
        (lambda: lianzi.data.weights("chess"), lianzi.LianziError),
        (lambda: lianzi.data.network("renju:19"), lianzi.LianziError),
        (lambda: lianzi.data.write_network(tmp_path / "n", lianzi.data.network()[:3]), lianzi.LianziError),
    ):
        with pytest.raises(error):
            call()
    assert len(lianzi.data.label([])) == 0
