"""What the tests share."""

import os
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import lianzi

ROOT = Path(__file__).resolve().parents[2]

#: One of every kind of rules: stones that drop or not, several stones a turn, exact rows, fouls, blocked cells, odd boards.
GAMES = [
    "gomoku", "standard:9", "renju:9", "connect6:11", "connect4", "connect4:9x10/d4", "connect4:4x5/a1,b3", "gomoku:7/d4,a1",
    "connect:5,4,4,1,1", "connect:6,6,4,3,2", "connect:7,6,4,1,1,drop,exact", "connect:5,5,4,2,1,drop",
]  # fmt: skip


@pytest.fixture(scope="session")
def binary() -> Callable[..., str]:
    """Runs the program `lianzi` that was built with the package, and returns what it prints."""
    program = Path(os.environ.get("LIANZI_BINARY", ROOT / "target/debug/lianzi"))
    if not program.exists():
        pytest.skip(f"{program} is not built")

    def run(*arguments: object) -> str:
        command = [str(program), "--lang", "en", *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    return run


def random_game(game: str | lianzi.Game, draw: random.Random) -> Iterator[lianzi.Position]:
    """A game of random moves; the position before each of them and at the end."""
    position = lianzi.Position(game)
    yield position
    while not position.is_over:
        position.play(draw.choice(position.legal_actions()))
        yield position
