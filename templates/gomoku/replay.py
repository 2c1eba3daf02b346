"""Calls ai() once more, as it was called in a saved game, for a debugger to watch:

    python3 -m pdb replay.py games/games.jsonl 3        the last call of the third game
    python3 -m pdb replay.py games/games.jsonl 3 10     the call after 10 stones

在调试器中重现一局中的一次调用。
"""
import importlib
import json
import sys

NUMBER = "{{number}}"


def cell(name):
    """h8 as (7, 7): the column by its letter, the row from the bottom."""
    return (ord(name[0]) - ord("a"), int(name[1:]) - 1)


def arguments(game, stones):
    """List_me, List_enemy and List_all after so many stones."""
    side = int(game["game"].partition(":")[2] or 15)
    played = [cell(move["cell"]) for move in game["moves"]][:stones]
    even, odd = played[0::2], played[1::2]
    own, enemy = (even, odd) if len(played) % 2 == 0 else (odd, even)
    return own, enemy, [(x, y) for x in range(side) for y in range(side)]


file, number, stones = (sys.argv[1:] + ["1", None])[:3] if len(sys.argv) < 4 else sys.argv[1:4]
games = [json.loads(line) for line in open(file, encoding="utf-8")]
game = games[int(number) - 1]
ai = importlib.import_module(NUMBER).ai
print("ai:", ai(*arguments(game, len(game["moves"]) if stones is None else int(stones))))
