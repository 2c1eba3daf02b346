"""Strategies of courses in this process: the verdicts are those of the caged arena."""

import json
import time

import pytest

import lianzi
from lianzi import course

FIRST = "def ai(me, enemy, every):\n    return next(c for c in every if c not in me and c not in enemy)\n"
#: What can be wrong with a file, for Gomoku and for ConnectX.
FILES = {
    "gomoku": {
        "plays": FIRST,
        "list": "def ai(a, b, c):\n    return [7, 7]\n",
        "none": "def ai(a, b, c):\n    pass\n",
        "float": "def ai(a, b, c):\n    return 7.5, 7\n",
        "whole_float": FIRST.replace("return next", "x, y = next").rstrip() + "\n    return float(x), y\n",
        "off": "def ai(a, b, c):\n    return 99, 0\n",
        "beyond": "def ai(a, b, c):\n    return 10 ** 30, 0\n",
        "taken": "def ai(a, b, c):\n    return (b or [(0, 0)])[0] if b or a else (0, 0)\n",
        "raises": "def ai(a, b, c):\n    x = 1\n    return c[x / 0]\n",
        "exits": "import sys\n\ndef ai(a, b, c):\n    sys.exit(3)\n",
        "no_ai": "def agent(a, b, c):\n    return 7, 7\n",
        "syntax": "def ai(a, b, c)\n    return 7, 7\n",
        "import": "import no_such_module\n\ndef ai(a, b, c):\n    return 7, 7\n",
    },
    "connect4": {
        "plays": "def agent(observation, configuration):\n    board = observation.board\n"
        "    return next(c for c in range(configuration.columns) if board[c] == 0)\n",
        "one_argument": "def agent(observation):\n    return next(c for c in range(7) if observation['board'][c] == 0)\n",
        "full": "def agent(observation):\n    return 0\n",
        "off": "def agent(observation):\n    return 9\n",
        "tuple": "def agent(observation):\n    return 3, 3\n",
        "text": "def agent(observation):\n    return '3'\n",
        "raises": "def agent(observation):\n    raise ValueError('a\\nb')\n",
        "empty": "x = 3\n",
    },
}
CASES = [(game, name) for game, files in FILES.items() for name in files]


@pytest.mark.parametrize("game, name", CASES)
def test_verdicts_are_those_of_the_caged_arena(game, name, binary, tmp_path):
    file = tmp_path / f"{name}.py"
    file.write_text(FILES[game][name])
    kind = {"gomoku": "py", "connect4": "kaggle"}[game]
    out = tmp_path / "out"
    binary("match", game, f"{kind}:{file}", "random", "--games", 2, "--time", "5s", "--seed", 1, "--out", out)
    games = out / "games.jsonl"
    if not games.exists() or not games.read_text():
        # The command tries everybody before the first game, and refuses who cannot start.
        (ours, _) = course.play(str(file), "random", time=5, kind={"py": "ai", "kaggle": "connectx"}[kind]).records
        assert ours.ending == "not-started" and ours.blame == "black"
        return
    theirs = [json.loads(line) for line in games.read_text().splitlines()]
    ours = course.play(str(file), "random", time=5, kind={"py": "ai", "kaggle": "connectx"}[kind]).records
    mine = [json.loads(record.write("json")) for record in ours]
    assert [game["verdict"] for game in mine] == [game["verdict"] for game in theirs]
    cells = [[[stone["cell"] for stone in game["moves"]] for game in games] for games in (mine, theirs)]
    assert cells[0] == cells[1], "the same seed plays the same games"


def test_functions_are_strategies():
    def ai(List_me, List_enemy, List_all):
        cell = next(cell for cell in List_all if cell not in List_me and cell not in List_enemy)
        List_all.clear()
        return cell

    def my_agent(observation, configuration):
        assert observation.mark in (1, 2) and observation.step == sum(cell != 0 for cell in observation.board)
        return next(c for c in range(configuration.columns) if observation.board[c] == 0)

    gomoku = course.play(ai, "random")
    assert gomoku.games == 2 and gomoku.summary["faults"] == 0
    assert {str(record.game) for record in gomoku.records} == {"gomoku"}
    four = course.play(my_agent, "greedy", games=4)
    assert four.games == 4 and four.summary["faults"] == 0 and str(four.records[0].game) == "connect4"
    both = course.play(my_agent, course.strategy(my_agent))
    assert both.games == 2


def test_a_late_strategy_is_ended():
    def ai(List_me, List_enemy, List_all):
        while True:
            pass

    start = time.monotonic()
    (record, _) = course.play(ai, "random", time=0.2).records
    assert (record.ending, record.blame) == ("timeout", "black") and time.monotonic() - start < 20


def test_tracebacks_are_kept_and_lines_told():
    def ai(List_me, List_enemy, List_all):
        return List_all[0][9]

    (record, _) = course.play(ai, "random").records
    assert "IndexError" in record.words() and "(line " in record.words() and "List_all[0][9]" in record.said("black")


def test_files_are_loaded_anew_for_every_game(tmp_path):
    file = tmp_path / "counts.py"
    file.write_text("calls = []\n\ndef ai(me, enemy, every):\n    assert len(calls) == len(me)\n    calls.append(1)\n" + FIRST.split("\n", 1)[1])
    assert course.play(str(file), "random", games=4).summary["faults"] == 0


def test_wrong_arguments(tmp_path):
    with pytest.raises(lianzi.LianziError, match="is no kind of strategy"):
        course.strategy(lambda a, b, c: 0, "chess")
    with pytest.raises(FileNotFoundError):
        course.play(str(tmp_path / "none.py"))
    record = course.play(lambda a, b, c: (0, 0), "random", game="connect4", time=1).records[0]
    assert record.ending == "not-started" and "does not play connect4" in record.words()
