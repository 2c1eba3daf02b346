"""Gomoku, renju, Connect6 and Connect Four: rules, engines, solvers, matches and fast environments.

>>> import lianzi
>>> position = lianzi.Position("connect4", "d1 d2 d3")
>>> print(position.ascii())
 6 . . . . . . .
 5 . . . . . . .
 4 . . . . . . .
 3 . . .[X]. . .
 2 . . . O . . .
 1 . . . X . . .
   a b c d e f g
<BLANKLINE>
>>> lianzi.engine("strong", level=3).analyze(position, nodes=500).done
True

Engines and matches: engine, Solver, prove, match, tournament, play. Records: read, write, judge. Environments: VectorEnv,
lianzi.gym, lianzi.zoo, lianzi.spiel. Data: lianzi.data. Courses: lianzi.course. Speed: python -m lianzi.bench.
"""

from lianzi import course, data
from lianzi._lianzi import (
    Analysis,
    Engine,
    Game,
    IllegalMove,
    LianziError,
    Line,
    Position,
    Record,
    Solution,
    Solver,
    Thinking,
    Threat,
    __version__,
    players,
    signature,
)
from lianzi.arena import Contest, match, play, tournament
from lianzi.engines import engine, prove
from lianzi.records import judge, read, write
from lianzi.vector import VectorEnv

__all__ = [
    "Analysis",
    "Contest",
    "Engine",
    "Game",
    "IllegalMove",
    "LianziError",
    "Line",
    "Position",
    "Record",
    "Solution",
    "Solver",
    "Thinking",
    "Threat",
    "VectorEnv",
    "__version__",
    "course",
    "data",
    "engine",
    "judge",
    "match",
    "play",
    "players",
    "prove",
    "read",
    "signature",
    "tournament",
    "write",
]
