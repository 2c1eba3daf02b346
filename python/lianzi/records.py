"""Records of games: files in every format, and the judge."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lianzi import _lianzi
from lianzi._lianzi import Game, Record

_Path = str | os.PathLike[str]
_ENDINGS = {".json", ".jsonl", ".sgf", ".psq", ".txt", ".lib"}


def _pair(path: Path) -> Path | None:
    """The folder of black.csv and white.csv, if the path names it or one of them."""
    folder = path if path.is_dir() else path.parent if path.name in ("black.csv", "white.csv") else None
    if folder and ((folder / "black.csv").exists() or (folder / "white.csv").exists()):
        return folder
    return None


def _bytes(path: Path) -> tuple[bytes, bytes | None]:
    folder = _pair(path)
    if folder is None:
        return path.read_bytes(), None
    black, white = (half.read_bytes() if half.exists() else b"" for half in (folder / "black.csv", folder / "white.csv"))
    return black, white


def _files(path: Path) -> list[Path]:
    """The file itself, or the records of a folder in the order of their names."""
    if not path.is_dir() or _pair(path):
        return [path]
    # What else lies in the folder of a contest tells of it, or has the same games once more.
    if (path / "contest.json").is_file() and (path / "games.jsonl").is_file():
        return [path / "games.jsonl"]
    return [file for file in sorted(path.iterdir()) if file.suffix.lower() in _ENDINGS or file.is_dir() and _pair(file)]


def _named(path: Path, error: _lianzi.LianziError) -> _lianzi.LianziError:
    named = _lianzi.LianziError(f"{path}: {error}")
    named.zh = f"{path}: {error.zh}"
    return named


def read(path: _Path, *, game: Game | str | None = None, format: str | None = None) -> list[Record]:
    """All games of a file or of a folder of files; one that breaks the rules is an error, which judge() explains.

    The format is recognised by name and content. `game` says which game it is where the format does not.

    >>> import lianzi, tempfile, os
    >>> file = os.path.join(tempfile.mkdtemp(), "games.txt")
    >>> lianzi.write([lianzi.Record(lianzi.Position("connect4", "4453"))], file, format="columns")
    >>> [record.moves for record in lianzi.read(file)]
    [['d1', 'd2', 'e1', 'c1']]
    """
    records: list[Record] = []
    for file in _files(Path(path)):
        black, white = _bytes(file)
        try:
            records += _lianzi._read(file.name, black, white, format, game)
        except _lianzi.LianziError as error:
            raise _named(file, error) from None
    return records


def write(records: Iterable[Record] | Record, path: _Path, *, format: str | None = None) -> None:
    """Writes games to a file; the format is the one its name asks for, json where it asks for none. csv makes a folder."""
    path = Path(path)
    records = [records] if isinstance(records, Record) else list(records)
    by_ending = {".sgf": "sgf", ".psq": "psq", ".json": "json", ".jsonl": "json"}
    black, white = _lianzi._write(records, format or by_ending.get(path.suffix.lower(), "json"))
    if white is None:
        path.write_bytes(black)
    else:
        path.mkdir(parents=True, exist_ok=True)
        (path / "black.csv").write_bytes(black)
        (path / "white.csv").write_bytes(white)


def judge(
    source: _Path | bytes, *, game: Game | str | None = None, format: str | None = None, language: str = "en"
) -> list[dict[str, Any]]:
    """What the referee says of every game of a file, a folder, or of bytes: a dictionary for each game, as `lianzi judge --json`
    has it (game, outcome, ending, plies, words, foul, blame, line, winning_line), and the record up to the first foul.

    >>> import lianzi
    >>> lianzi.judge(b"h8 i9 h8", game="gomoku")[0]["words"]
    'Black loses: illegal move at h8, there is a stone already'
    """
    if isinstance(source, bytes):
        return _lianzi._judge("", source, None, format, game, language)
    judged: list[dict[str, Any]] = []
    for file in _files(Path(source)):
        black, white = _bytes(file)
        try:
            games = _lianzi._judge(file.name, black, white, format, game, language)
        except _lianzi.LianziError as error:
            raise _named(file, error) from None
        judged += [{"file": str(file), **found} for found in games]
    return judged
