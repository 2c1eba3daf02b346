"""Data for learning: games and positions as numpy arrays, and labels by solver or engine on several threads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lianzi import _lianzi
from lianzi._lianzi import Game, Position, Record
from lianzi.records import read

_Path = str | os.PathLike[str]
_WINNERS = {"black": 1, "white": 2}
_UNASKED = -(2**15)


@dataclass(frozen=True)
class Games:
    """Games of one kind, one after another: `actions[starts[n]:starts[n + 1]]` are the stones of game n."""

    game: Game
    #: Where each game begins, and at last where they end: (games + 1,).
    starts: NDArray[np.int64] = field(repr=False)
    #: How many stones of each game were a given opening: (games,).
    openings: NDArray[np.int32] = field(repr=False)
    #: 0 nobody, 1 Black, 2 White, 3 broken off: (games,).
    winners: NDArray[np.int32] = field(repr=False)
    #: The action of every stone: (stones,).
    actions: NDArray[np.int32] = field(repr=False)
    #: What the search thought before every stone, from the side that moved; nan where it was not asked: (stones,).
    scores: NDArray[np.float32] = field(repr=False)
    #: Whether a short and a long search agreed: (stones,).
    quiet: NDArray[np.bool_] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def positions(self) -> Examples:
        """Every position after the openings, with what was played and how the game ended (nan if it was broken off)."""
        moves = [self.actions[a:b].tolist() for a, b in zip(self.starts, self.starts[1:])]
        planes, sides = _lianzi._replay(self.game, moves, self.openings.tolist())
        lengths = np.diff(self.starts)
        kept = np.concatenate([np.arange(n) >= skip for n, skip in zip(lengths, self.openings)] or [np.zeros(0, np.bool_)])
        of_game = np.repeat(np.arange(len(self)), lengths)[kept]
        side = np.frombuffer(sides, np.uint8)
        winner = self.winners[of_game]
        results = [winner == 0, winner == 3, winner == side + 1]
        values = np.select(results, [0.0, np.nan, 1.0], -1.0).astype(np.float32)
        shape = Position(self.game).planes().shape
        seen = np.frombuffer(planes, np.uint8).reshape(-1, *shape)
        return Examples(self.game, seen, self.actions[kept], values, self.scores[kept], of_game)


@dataclass(frozen=True)
class Examples:
    """Positions to learn from, each from its side to move."""

    game: Game
    #: The planes of VectorEnv: (positions, planes, height, width), uint8.
    planes: NDArray[np.uint8] = field(repr=False)
    #: What was played: (positions,).
    actions: NDArray[np.int32] = field(repr=False)
    #: How the game ended for the side to move: 1, 0 or −1.
    values: NDArray[np.float32] = field(repr=False)
    #: What the search thought; nan where it was not asked.
    scores: NDArray[np.float32] = field(repr=False)
    #: Which game a position is of: to keep whole games apart when splitting.
    games: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.planes)


@dataclass(frozen=True)
class Labels:
    """What a solver or an engine says of positions, each from its side to move."""

    #: Whether anything is known: (positions,).
    known: NDArray[np.bool_] = field(repr=False)
    #: The exact score, the result (1, 0, −1), or the engine's score; 0 where nothing is known.
    scores: NDArray[np.int32] = field(repr=False)
    #: The best action; −1 where none is known.
    actions: NDArray[np.int32] = field(repr=False)

    def __len__(self) -> int:
        return len(self.known)


def read_selfplay(path: _Path) -> Games:
    """The games of a file that `lianzi dev selfplay` has written."""
    game, arrays = _lianzi._selfplay(os.fspath(path))
    lengths, openings, winners, actions, scores, quiet = (np.frombuffer(array, np.int32) for array in arrays)
    asked = np.where(scores == _UNASKED, np.nan, scores).astype(np.float32)
    return Games(Game(game), _starts(lengths), openings, winners, actions, asked, quiet.astype(np.bool_))


def from_records(records: Iterable[Record]) -> Games:
    """Records of one kind of game as arrays.

    >>> import lianzi
    >>> games = lianzi.data.from_records([lianzi.Record(lianzi.Position("connect4", "1212121"))])
    >>> games.winners.tolist(), games.positions().values.tolist()
    ([1], [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    """
    records = list(records)
    kinds = {str(record.game) for record in records}
    if len(kinds) != 1:
        raise _refused(f"the records are of {len(kinds)} kinds of games, not of one", f"这些棋谱属于 {len(kinds)} 种棋，须为一种")
    actions: list[int] = []
    scores: list[float] = []
    for record in records:
        position = record.position(0)
        for move, score in zip(record.moves, record.scores):
            actions.append(position.action(move))
            position.play(move)
            scores.append(np.nan if score is None else score)
    return Games(
        records[0].game,
        _starts(np.array([len(record) for record in records])),
        np.array([record.opening for record in records], np.int32),
        np.array([_WINNERS.get(record.outcome or "", 0) for record in records], np.int32),
        np.array(actions, np.int32),
        np.array(scores, np.float32),
        np.zeros(len(actions), np.bool_),
    )


def read_games(path: _Path, *, game: Game | str | None = None) -> Games:
    """The games of a file or a folder, such as one that `lianzi match --out` has made, as arrays."""
    return from_records(read(path, game=game))


def label(
    positions: Sequence[Position],
    by: str = "solver",
    *,
    nodes: int | None = None,
    depth: int | None = None,
    time: float | str | None = None,
    threads: int | None = None,
    table: int = 64,
) -> Labels:
    """Labels positions of one game by its solver, or by an engine as the command line names it, on several threads.

    Each label depends on its position and the limits alone, so the number of threads changes nothing. `table` is the MiB of a
    solver, for each thread.

    >>> import lianzi
    >>> positions = [lianzi.Position("connect4", "44444466"), lianzi.Position("connect4", "1212121")]
    >>> lianzi.data.label(positions).scores.tolist()
    [16, -1]
    """
    threads = threads or os.cpu_count() or 1
    found = _lianzi._label(list(positions), by, nodes, depth, time, threads, table)
    return Labels(
        np.array([score is not None for score, _, _ in found], np.bool_),
        np.array([score or 0 for score, _, _ in found], np.int32),
        np.array([-1 if action is None else action for _, _, action in found], np.int32),
    )


def weights(game: Game | str = "gomoku") -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The weights of the engine for five in a row: what sets of threats add (4096,), and what shapes are worth (shapes, 4):
    to the evaluation when their side is to move and when the other is, to the order of moves when attacking and when defending.

    >>> import lianzi
    >>> initiative, worths = lianzi.data.weights("gomoku")
    >>> initiative.shape, worths.shape[1]
    ((4096,), 4)
    """
    numbers = np.frombuffer(_lianzi._weights(game), np.int16, offset=4).copy()
    return numbers[:4096], numbers[4096:].reshape(-1, 4)


def write_weights(path: _Path, initiative: NDArray[Any], worths: NDArray[Any]) -> None:
    """Writes weights to a file for `lianzi.engine("strong", weights=path)`."""
    parts = [np.ascontiguousarray(part, np.dtype("<i2")).tobytes() for part in (initiative, worths)]
    content = b"LZG1" + b"".join(parts)
    if not _lianzi._are_weights(content):
        raise _refused("these are no weights: their numbers are too few or too many", "这不是权重：数目不对")
    Path(path).write_bytes(content)


class Network(NamedTuple):
    """The network that puts the value of a position right: two tables of rows by the code of a cell, as whole
    numbers in parts of 1024, and the three layers behind their sums, each with its constants last."""

    tables: NDArray[np.int16]
    first: NDArray[np.float32]
    second: NDArray[np.float32]
    out: NDArray[np.float32]


def network(game: Game | str = "gomoku") -> Network:
    """The network of the engine for Gomoku, exactly five, renju or Connect6; write_network() makes a file of it.

    >>> import lianzi
    >>> network = lianzi.data.network("gomoku")
    >>> network.tables.shape[::2], network.first.shape, network.second.shape, network.out.shape
    ((2, 16), (31, 32), (33, 16), (17,))
    """
    content = _lianzi._network(game)
    shapes = [(31, 32), (33, 16), (17,)]
    sizes = [int(np.prod(shape)) for shape in shapes]
    rows, numbers = content[4 : -4 * sum(sizes)], content[-4 * sum(sizes) :]
    layers = np.split(np.frombuffer(numbers, np.dtype("<f4")).astype(np.float32), np.cumsum(sizes)[:-1])
    tables = np.frombuffer(rows, np.dtype("<i2")).astype(np.int16).reshape(2, -1, 16)
    return Network(tables, *(layer.reshape(shape) for layer, shape in zip(layers, shapes)))


def write_network(path: _Path, network: Network, game: Game | str | None = None) -> None:
    """Writes a network to a file for `lianzi.engine("strong", net=path)`. Its size tells the game, but for exactly
    five, whose networks are as large as those of free style."""
    tables, *layers = network
    parts = [np.ascontiguousarray(tables, "<i2").tobytes(), *(np.ascontiguousarray(layer, "<f4").tobytes() for layer in layers)]
    numbers = b"".join(parts)
    magics = [b"LZN1", b"LZNR", b"LZN6"] if game is None else [_lianzi._network(game)[:4]]
    content = next(filter(_lianzi._is_network, (magic + numbers for magic in magics)), None)
    if content is None:
        raise _refused(
            "this is no network: its numbers are too few, too many or too large", "这不是网络：数目不对，或数值过大"
        )
    Path(path).write_bytes(content)


def _starts(lengths: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _refused(english: str, chinese: str) -> _lianzi.LianziError:
    error = _lianzi.LianziError(english)
    error.zh = chinese
    return error
