"""Matches, tournaments and single games between any players.

A player is a name of the command line ("strong@level=5", "piskvork:./engine", "connect6:CMD", "gtp:CMD"), an Engine, or
anything that can be called with a Position and returns a move; in games with several stones a turn also a list of them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from lianzi import _lianzi
from lianzi._lianzi import Engine, Game, Position, Record

Move = str | int | tuple[int, int]
Player = str | Engine | Callable[[Position], Move | list[Move] | list[str]] | Callable[..., Any]
Time = float | str


@dataclass(frozen=True)
class Contest:
    """What came of a match or a tournament; the figures of a match are from the first player's side.

    `summary` has everything that `lianzi match --json` tells at the end.
    """

    summary: dict[str, Any] = field(repr=False)
    records: list[Record] = field(repr=False)

    @property
    def games(self) -> int:
        """How many games count."""
        return int(self.summary["games"])

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return int(self.summary["wins"])

    @property
    def draws(self) -> int:
        """Games that nobody won."""
        return int(self.summary["draws"])

    @property
    def losses(self) -> int:
        """Games that the first player lost."""
        return int(self.summary["losses"])

    @property
    def score(self) -> float:
        """The first player's share of the points, from 0 to 1."""
        return float(self.summary["score"])

    @property
    def elo(self) -> tuple[float | None, float | None]:
        """The difference in Elo and its error at 95 %; None where all games went one way."""
        return self.summary["elo"], self.summary["elo_error"]

    @property
    def sprt(self) -> str | None:
        """"H0" or "H1", as soon as a sequential test has accepted one."""
        return cast("str | None", self.summary.get("sprt"))

    @property
    def standings(self) -> list[dict[str, Any]]:
        """Everybody's points, rating and faults, the best first."""
        return cast("list[dict[str, Any]]", self.summary["standings"])

    def __str__(self) -> str:
        if "wins" not in self.summary:
            rows = (f"{row['rank']:>3} {row['name']:<24} {row['points']:>6}  Elo {row['elo'] or 0:+.0f}" for row in self.standings)
            return "\n".join(rows)
        elo, error = self.elo
        words = f"+{self.wins} ={self.draws} -{self.losses}, {100 * self.score:.1f} %"
        if elo is not None:
            words += f", Elo {elo:+.0f}" + (f" ± {error:.0f}" if error is not None else "")
        return words + (f", {self.sprt} accepted" if self.sprt else "")


def _run(game: Game | str, players: Sequence[Player], format: str, pairs: int, **terms: Any) -> Contest:
    terms.setdefault("program", shutil.which("lianzi"))
    summary, records = _lianzi._contest(game, list(players), format, pairs, **terms)
    return Contest(json.loads(summary), records)


def match(
    game: Game | str,
    a: Player,
    b: Player,
    *,
    games: int = 100,
    time: Time | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    clock: tuple[Time, Time] | None = None,
    margin: Time | None = None,
    openings: str | None = None,
    seed: int = 1,
    sprt: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
    concurrency: int = 1,
    max_plies: int | None = None,
) -> Contest:
    """A match of two players in colour-swapped pairs, as `lianzi match` plays it.

    `openings` is "random" (fair ones), "none" (the empty board) or the text of a file of openings, one a line. `sprt=(0, 10)`
    ends the match as soon as a sequential test decides between the two differences. The same seed plays the same games.

    >>> import lianzi, random
    >>> def scatterbrain(position):
    ...     return random.choice(position.legal_moves())
    >>> result = lianzi.match("connect4", "greedy", scatterbrain, games=10, nodes=100)
    >>> result.games, result.score > 0.7
    (10, True)
    """
    if games < 2 or games % 2:
        error = _lianzi.LianziError("games are played in pairs: games must be an even number")
        error.zh = "对局成对进行：games 须为偶数"
        raise error
    test = None if sprt is None else (*sprt, alpha, beta)
    return _run(
        game, [a, b], "round-robin", games // 2, time=time, nodes=nodes, depth=depth, clock=clock, margin=margin, seed=seed,
        openings=openings, sprt=test, concurrency=concurrency, max_plies=max_plies,
    )  # fmt: skip


def tournament(
    game: Game | str,
    players: Sequence[Player],
    *,
    format: str = "round-robin",
    pairs: int = 1,
    time: Time | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    openings: str | None = None,
    seed: int = 1,
    concurrency: int = 1,
) -> Contest:
    """A tournament: round-robin, gauntlet (the first against all others), knockout or swiss:ROUNDS, so many pairs an encounter.

    >>> import lianzi
    >>> table = lianzi.tournament("connect4", ["strong@level=4", "greedy", "random"], nodes=200)
    >>> table.standings[-1]["name"]
    'random'
    """
    terms = {"time": time, "nodes": nodes, "depth": depth, "openings": openings, "seed": seed, "concurrency": concurrency}
    return _run(game, players, format, pairs, **terms)


def play(
    game: Game | str,
    black: Player,
    white: Player,
    *,
    time: Time | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 1,
) -> Record:
    """One game from the empty board.

    >>> import lianzi
    >>> record = lianzi.play("connect4", "strong@level=5", lambda position: "a9", nodes=500)
    >>> record.words()
    'Yellow loses: illegal move at a9, that is not on the board'
    """
    terms = {"time": time, "nodes": nodes, "depth": depth, "seed": seed}
    return _run(game, [black, white], "round-robin", 1, openings="none", single=True, **terms).records[0]
