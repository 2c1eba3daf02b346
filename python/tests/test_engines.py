"""Engines, solvers and provers."""

import os
import signal
import threading
import time

import pytest
from conftest import ROOT

import lianzi


def test_the_signature_is_the_binarys():
    rows, total = lianzi.signature()
    assert rows == (ROOT / "data/signatures.txt").read_text().splitlines()
    assert total.split()[0] == str(sum(int(row.split()[2]) for row in rows))


def test_answers_are_the_binarys(binary):
    import json

    for game, moves in (("gomoku", "h8 i9 j8"), ("connect6", "j10"), ("renju", "h8 i9")):
        theirs = json.loads(binary("analyze", game, "--moves", moves, "--nodes", 3000, "--json").splitlines()[-1])
        best = lianzi.engine("strong", game=game).analyze(lianzi.Position(game, moves), nodes=3000)
        assert (best.turn, best.lines[0].cells) == (theirs["best"], theirs["pv"])
        assert (best.score, best.nodes, best.depth) == (theirs["score"], theirs["nodes"], theirs["depth"])


def test_levels_lines_and_limits():
    position = lianzi.Position("gomoku", "h8 i9 j8 i7")
    best = lianzi.engine("strong").analyze(position, nodes=4000, lines=3)
    assert best.done and len(best.lines) == 3 and best.turn == best.lines[0].cells[:1]
    assert best.lines[0].score >= best.lines[1].score and 0 < best.lines[0].chance < 1
    assert lianzi.engine("strong", level=1).analyze(position).nodes <= 400
    assert lianzi.engine("strong").analyze(position, depth=2).depth == 2
    assert lianzi.engine("uct", seed=4).analyze(position, time=0.02).nodes > 0
    assert lianzi.engine("uct", seed=4).analyze(position, time="20ms").nodes > 0
    two = lianzi.engine("strong").analyze(lianzi.Position("connect6", "j10"), nodes=500)
    assert len(two.turn) == 2
    assert lianzi.engine("greedy")(position)[0] in position.legal_moves()


def test_every_player_answers():
    for name in lianzi.players():
        game = "connect6" if "connect6" in name else "connect4" if name in ("solver",) else "gomoku"
        try:
            engine = lianzi.engine(name)
        except lianzi.LianziError:
            engine = lianzi.engine(name, game="connect6")
            game = "connect6"
        moves = "d1 d2 d3 d4 d5 d6 c1 c2" if game == "connect4" else ""
        position = lianzi.Position(game, moves)
        try:
            assert engine.analyze(position, nodes=50, depth=1).turn[0] in position.legal_moves(), name
        except lianzi.LianziError as error:
            assert "does not play" in str(error)


def test_thoughts_come_while_it_thinks():
    engine = lianzi.engine("strong")
    thoughts = list(engine.think(lianzi.Position("gomoku", "h8 i9"), nodes=20_000))
    assert len(thoughts) > 2 and [thought.done for thought in thoughts[-2:]] == [False, True]
    assert all(thought.turn for thought in thoughts)
    assert [t.nodes for t in thoughts] == sorted(t.nodes for t in thoughts)
    # Whoever leaves the loop ends the search, and the engine is there for the next question.
    start = time.monotonic()
    for thought in engine.think(lianzi.Position("gomoku", "h8 i9"), time=600):
        break
    stopped = engine.think(lianzi.Position("gomoku", "h8 i9"), time=600)
    stopped.stop()
    assert list(stopped)[-1].done
    del thought
    assert engine.analyze(lianzi.Position("gomoku"), nodes=100).turn
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("how", ["analyze", "think", "solve", "match"])
def test_ctrl_c_stops_it(how):
    """A signal in the middle of a long search raises KeyboardInterrupt soon."""
    position = lianzi.Position("gomoku", "h8 i9")
    work = {
        "analyze": lambda: lianzi.engine("strong").analyze(position, time=600),
        "think": lambda: list(lianzi.engine("strong").think(position, time=600)),
        "solve": lambda: lianzi.Solver("connect4:9x9", table=16).solve(lianzi.Position("connect4:9x9"), time=600),
        "match": lambda: lianzi.match("gomoku", "strong", "strong", time=600),
    }[how]
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    # A shell that starts us in the background has the signal ignored, and Python then leaves it so.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - start < 30


def test_eight_threads_analyse_at_once():
    """Python runs on meanwhile, each engine answers as it would alone, and one that is shared answers everybody."""
    position = lianzi.Position("gomoku", "h8 i9 j8 i7")
    alone = lianzi.engine("strong").analyze(position, nodes=3000)
    shared, found, ticks = lianzi.engine("strong"), [], 0

    def work():
        own = lianzi.engine("strong").analyze(position, nodes=3000)
        found.append((own.turn, own.nodes, own.score))
        assert shared.analyze(position, nodes=500).turn[0] in position.legal_moves()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        ticks += 1
        time.sleep(0.001)
    assert found == [(alone.turn, alone.nodes, alone.score)] * 8 and ticks > 2


def test_exact_scores():
    solver = lianzi.Solver("connect4", table=16)
    start = lianzi.Position("connect4")
    assert solver.solve(start).result == "win" and solver.solve(start).score == 1
    late = lianzi.Position("connect4", "4444443335551")
    scores = solver.scores(late)
    assert max(scores.values()) == solver.solve(late).score and set(scores) == set(late.legal_moves())
    assert solver.solve(lianzi.Position("connect4", "1212121")).result == "loss"
    limited = lianzi.Solver("connect4:9x9", table=1, book=False).solve(lianzi.Position("connect4:9x9"), nodes=1000)
    assert (limited.result, limited.score, limited.exhausted) == ("unknown", None, False)
    with pytest.raises(lianzi.LianziError, match="this solver knows connect4"):
        solver.solve(lianzi.Position("gomoku"))
    with pytest.raises(lianzi.LianziError, match="only Connect Four has exact scores"):
        lianzi.Solver("gomoku").scores(lianzi.Position("gomoku"))


@pytest.mark.parametrize(
    "game, moves",
    [("gomoku", "i8 a1 j8 a15 h9 o1 h10 o15"), ("connect6", "j10 a1 a3 k10 l10 a5 s1 m10 j9 a9 s3")],
)
def test_proofs_win_against_the_best_defence_they_know(game, moves):
    position = lianzi.Position(game, moves)
    proof = lianzi.prove(position, nodes=200_000)
    assert proof is not None and proof.result == "win"
    side = position.to_move
    for move in proof.line:
        position.play(move)
    assert position.outcome in (side, None)
    assert lianzi.prove(lianzi.Position(game), nodes=1000) is None


def test_wrong_arguments():
    position, over = lianzi.Position("gomoku"), lianzi.Position("connect4", "1212121")
    engine = lianzi.engine("greedy")
    for call, words in (
        (lambda: lianzi.engine("deep"), "there is no player 'deep'"),
        (lambda: lianzi.engine("strong", speed=9), "strong has no option 'speed'"),
        (lambda: lianzi.engine("strong", level="high"), "'high' is no value for the option level"),
        (lambda: lianzi.engine("solver", game="gomoku"), "solver does not play gomoku"),
        (lambda: engine.analyze(over), "the game is over"),
        (lambda: engine.analyze(position, time="soon"), "'soon' is not a time"),
        (lambda: engine.analyze(position, time=-1), "is not a time"),
        (lambda: lianzi.Solver("connect:9,9,4,1,1"), "has no solver"),
        (lambda: lianzi.engine("solver").analyze(position), "solver does not play gomoku"),
        (lambda: lianzi.Engine.named("human", "gomoku"), "human is none of our engines"),
        (lambda: lianzi.Engine.named("deep", "gomoku"), "there is no player 'deep'"),
    ):
        with pytest.raises(lianzi.LianziError, match=words) as raised:
            call()
        assert raised.value.zh
    for call in (
        lambda: engine.analyze("gomoku"),
        lambda: engine.analyze(position, nodes=-1),
        lambda: engine.analyze(position, nodes="many"),
        lambda: engine.analyze(position, 100),
        lambda: lianzi.engine(3),
        lambda: lianzi.Solver("connect4").solve(None),
    ):
        with pytest.raises((TypeError, OverflowError)):
            call()
