"""Engines and provers by name."""

from __future__ import annotations

from lianzi._lianzi import Engine, Game, Position, Solution, Solver


def engine(name: str = "strong", *, game: Game | str | None = None, seed: int = 0, **options: object) -> Engine:
    """One of our engines, with the options that the command line writes behind an @: level, threads, hash, weights and so on.

    >>> import lianzi
    >>> lianzi.engine("strong", level=7)
    Engine("strong")
    >>> lianzi.engine("strong", level=11)
    Traceback (most recent call last):
    ...
    lianzi.LianziError: '11' is no value for the option level; levels are 1 to 10
    """
    return Engine(name, game, seed, **options)


def prove(position: Position, *, nodes: int | None = None, time: float | str | None = None) -> Solution | None:
    """A win of the side to move that was proven, and replayed against every defence; None if none was found.

    Without a limit it goes on until it is certain, in Connect6 for two million positions.

    >>> import lianzi
    >>> proof = lianzi.prove(lianzi.Position("gomoku", "i8 a1 j8 a15 h9 o1 h10 o15"), nodes=100_000)
    >>> proof.result, len(proof.line) % 2
    ('win', 1)
    """
    solution = Solver(position.game, table=64).solve(position, nodes=nodes, time=time)
    return solution if solution.result == "win" else None
