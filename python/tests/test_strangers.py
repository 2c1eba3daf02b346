"""What nobody should give a function: every public function and method, every argument of it, one at a time.

Each call ends, and either it answers or it raises one of Python's own errors for arguments: nothing panics, nothing hangs, nothing
takes the process along.
"""

import inspect
import subprocess
import sys
import textwrap

import gymnasium
import pytest
from conftest import ROOT
from test_house import MODULES

import lianzi
import lianzi.bench
import lianzi.gym
import lianzi.spiel
import lianzi.zoo

#: None of these is what a function of ours asks for, or only one of them is.
JUNK = [None, True, -1, 0, 2**31, 2**70, 1.5, float("nan"), "", "\0", "nonsense", "z99", b"x", [], [[]], {}, (1, 2, 3), object(), print]

ERRORS = (TypeError, ValueError, OverflowError, AttributeError, OSError, KeyError, IndexError, gymnasium.error.Error)

#: What stands for an argument of this name where another one is tried.
USUAL = {
    "game": "connect4", "name": "connect4", "moves": "", "move": "d1", "action": 0, "actions": [0], "position": "POSITION",
    "positions": "POSITIONS", "record": "RECORD", "records": "RECORDS", "a": "random", "b": "random", "black": "random",
    "white": "random", "players": ["random", "greedy"], "player": "random", "path": "PATH", "source": "PATH", "games": 2, "nodes": 20,
    "depth": 1, "by": "strong@level=1", "ai": "STRATEGY", "opponent": "random", "table": 1, "threads": 1, "plies": 0, "side": "black",
    "language": "en", "format": "json", "concurrency": 1, "initiative": "ARRAY", "worths": "ARRAY", "network": "NETWORK", "observations": "PLANES",
    "policies": None, "seconds": 0.01, "info_state": None,
}  # fmt: skip

#: These are no functions of ours to call: exceptions, types of answers that nobody makes, and what runs for long by its nature.
ANSWERS = {"Analysis", "Line", "Solution", "Thinking", "Threat", "Contest", "Games", "Examples", "Labels", "Network", "LianziError", "IllegalMove"}
SLOW = {"signature", "perft", "divide"}


def strategy(List_me, List_enemy, List_all):
    return next(cell for cell in List_all if cell not in List_me and cell not in List_enemy)


def usual(name, given, path):
    """A value that an argument of this name may have."""
    if name not in USUAL:
        return given
    position = lianzi.Position("connect4", "44444466")
    made = {
        "POSITION": position, "POSITIONS": [position], "RECORD": lianzi.Record(position), "RECORDS": [lianzi.Record(position)],
        "PATH": str(path / "file.json"), "STRATEGY": strategy, "ARRAY": lianzi.data.weights("gomoku")[0],
        "PLANES": position.planes()[None], "NETWORK": lianzi.data.network(),
    }  # fmt: skip
    value = USUAL[name]
    return made.get(value, value) if isinstance(value, str) else value


def things():
    """Whatever is public, with the object that a method is asked of."""
    four = lianzi.Position("connect4")
    objects = [
        lianzi.Game("connect4"), four, lianzi.Record(four), lianzi.engine("greedy"), lianzi.Solver("connect4", table=1),
        lianzi.VectorEnv("connect4", 1), lianzi.gym.LianziEnv("connect4", "random"), lianzi.zoo.env("connect4"),
        lianzi.spiel.load_game("connect4"), lianzi.spiel.load_game("connect4").new_initial_state(),
    ]  # fmt: skip
    seen = []
    # The benchmark is a program: what it is made of measures for as long as it is told.
    for module in (module for module in MODULES if module is not lianzi.bench):
        for name, thing in vars(module).items():
            home = getattr(thing, "__module__", None) or ""
            ours = home.startswith("lianzi") and callable(thing) and not name.startswith("_")
            if ours and name not in ANSWERS | SLOW and thing not in seen:
                seen.append(thing)
                yield f"{module.__name__}.{name}", thing
    for thing in objects:
        for name in vars(type(thing)):
            method = getattr(thing, name, None)
            if not name.startswith("_") and callable(method) and name not in SLOW:
                yield f"{type(thing).__name__}.{name}", method


def parameters(thing):
    try:
        listed = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):
        return []
    return [one for one in listed if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]


def call(thing, wanted, place, junk, path):
    """Calls it with one odd argument; the others are what they should be."""
    positional, named = [], {}
    for n, one in enumerate(wanted):
        if n != place and one.default is not one.empty and one.name not in USUAL:
            continue
        value = junk if n == place else usual(one.name, junk, path)
        if one.kind is one.POSITIONAL_ONLY:
            positional.append(value)
        else:
            named[one.name] = value
    return thing(*positional, **named)


THINGS = {name: thing for name, thing in things()}


@pytest.mark.parametrize("name", THINGS)
def test_every_argument_of_every_function(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    thing = THINGS[name]
    wanted = parameters(thing)
    for place in range(len(wanted)):
        raised = 0
        for junk in JUNK:
            try:
                call(thing, wanted, place, junk, tmp_path)
            except ERRORS:
                raised += 1
        # Not all of them can be right. (OpenSpiel names a player, and what is taken back, and does not look at them; nor do we.)
        unread = wanted[place].name == "player" or name == "State.undo_action"
        free = unread or wanted[place].default is not inspect.Parameter.empty
        assert raised > 0 or free, f"{name}({wanted[place].name})"
    with pytest.raises((TypeError, lianzi.LianziError)):
        thing(no_such_argument=1)


def test_all_of_them_were_asked():
    names = " ".join(THINGS)
    for some in ("lianzi.match", "lianzi.data.label", "Position.play", "Engine.analyze", "VectorEnv.step", "State.apply_action"):
        assert some in names
    assert len(THINGS) > 90 and sum(len(parameters(thing)) for thing in THINGS.values()) > 150


def alone(code):
    """Runs a piece of code in a process of its own: what it does to the process is seen from outside."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, cwd=ROOT / "python/tests")


@pytest.mark.parametrize(
    "call",
    [
        "lianzi.Solver('connect4', table=2**40)",
        "lianzi.Solver('gomoku', table=2**40)",
        "lianzi.engine('strong', hash=2**40)",
        "lianzi.data.label([lianzi.Position('connect4', '4444444')], table=2**40, threads=2**40, nodes=10)",
        "lianzi.match('connect4', 'random', 'random', games=4, concurrency=2**40)",
    ],
)
def test_more_than_the_machine_has_is_refused(call):
    ended = alone(f"import lianzi\ntry:\n    {call}\nexcept (ValueError, MemoryError, OverflowError) as error:\n    print(error)\n")
    assert ended.returncode == 0, ended.stderr[-2000:]
