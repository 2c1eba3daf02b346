"""Many games at once, for learning: numpy in and out, nothing copied."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lianzi import _lianzi
from lianzi._lianzi import Game

Step = tuple[
    NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, NDArray[Any]]
]


class VectorEnv:
    """So many games of one kind, side by side; a step puts one stone on every board, and a game that ends begins anew.

    What step() returns are views of arrays that the next step changes: copy what is to be kept.

    observations  (games, planes, height, width), uint8: plane 0 the stones of the side to move, plane 1 the other side's; then,
                  where the game has them, "more" (all ones while another stone of this turn follows), "black" (all ones when
                  Black is to move) and "blocked". `planes` names them. Row 0 is the bottom row.
    rewards       (games,), float32: 1 for the side that has just moved if it won, else 0.
    terminated    (games,), bool: whether the stone ended its game. The observation is that of the next game already.
    truncated     (games,), bool: never.
    info          "mask" (games, actions), bool: what may be played now. "outcome" (games,), uint8: 0 goes on, 1 Black won,
                  2 White, 3 a draw. "to_move" (games,), uint8: 0 Black, 1 White. "stones_left" (games,), uint8: of this turn.
                  "plies" (games,), int32: stones on the board.

    An action is a column where stones drop, otherwise row × width + column. A step is one stone in every game, in Connect6 too.

    >>> import lianzi
    >>> env = lianzi.VectorEnv("connect4", games=3)
    >>> observations, info = env.reset()
    >>> observations.shape, info["mask"].shape
    ((3, 2, 6, 7), (3, 7))
    >>> _, rewards, terminated, _, info = env.step([3, 0, 6])
    >>> info["to_move"].tolist(), rewards.tolist()
    ([1, 1, 1], [0.0, 0.0, 0.0])
    >>> env.step([7, 0, 0])
    Traceback (most recent call last):
    ...
    lianzi.IllegalMove: game 0: action 7 cannot be played; nothing was played
    """

    def __init__(self, game: Game | str, games: int = 1, *, seed: int = 0) -> None:
        self.game = Game(game) if isinstance(game, str) else game
        self._batch = _lianzi._Batch(self.game, games, seed)
        self.games = games
        self.planes: list[str] = self._batch.planes
        self.actions = self.game.actions
        shape = (games, len(self.planes), self.game.height, self.game.width)
        observations = np.zeros(shape, np.uint8)
        mask = np.zeros((games, self.actions), np.uint8)
        rewards = np.zeros(games, np.float32)
        ends = np.zeros(games, np.uint8)
        outcome, to_move, stones_left = (np.zeros(games, np.uint8) for _ in range(3))
        plies = np.zeros(games, np.int32)
        self._drawn = np.zeros(games, np.int64)
        self._batch.share([observations, mask, rewards, ends, outcome, to_move, stones_left, plies, self._drawn])
        self.observations = _seen(observations)
        self.rewards = _seen(rewards)
        self.terminated = _seen(ends.view(np.bool_))
        self.truncated = _seen(np.zeros(games, np.bool_))
        self.info: dict[str, NDArray[Any]] = {
            "mask": _seen(mask.view(np.bool_)),
            "outcome": _seen(outcome),
            "to_move": _seen(to_move),
            "stones_left": _seen(stones_left),
            "plies": _seen(plies),
        }
        self._batch.reset(None)

    @property
    def mask(self) -> NDArray[np.bool_]:
        """What may be played now, (games, actions)."""
        return self.info["mask"]

    def reset(self, *, seed: int | None = None) -> tuple[NDArray[np.uint8], dict[str, NDArray[Any]]]:
        """Begins all games anew; a seed is where sample() starts."""
        self._batch.reset(seed)
        return self.observations, self.info

    def step(self, actions: ArrayLike) -> Step:
        """Puts one stone on every board. If one action cannot be played, none is."""
        given = np.asarray(actions)
        # numpy would cut 2.9 down to 2, and nobody would see that something is amiss.
        if given.dtype.kind not in "iu":
            error = _lianzi.LianziError("actions are whole numbers, one for each game")
            error.zh = "动作须为整数，每局一个"
            raise error
        self._batch.step(np.ascontiguousarray(given, np.int64))
        return self.observations, self.rewards, self.terminated, self.truncated, self.info

    def sample(self) -> NDArray[np.int64]:
        """A legal action for every game, each with the same chance; the next call writes over it."""
        self._batch.sample()
        return self._drawn

    def augment(
        self, observations: NDArray[Any], policies: NDArray[Any] | None = None
    ) -> tuple[NDArray[Any], NDArray[Any] | None]:
        """Every observation (n, planes, height, width) seen through all symmetries of the game, one after another, and with them
        numbers by action (n, actions), such as visits or probabilities.

        >>> import lianzi
        >>> env = lianzi.VectorEnv("connect4")
        >>> env.augment(env.step([0])[0])[0][:, 1, 0].tolist()
        [[1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 1]]
        """
        flat = observations.reshape(*observations.shape[:2], -1)
        # A symmetry says where each cell comes; its inverse, from where.
        cells = [np.argsort(image) for image in self.game.symmetries()]
        seen = np.concatenate([flat[:, :, image] for image in cells]).reshape(-1, *observations.shape[1:])
        if policies is None:
            return seen, None
        return seen, np.concatenate([policies[:, np.argsort(image)] for image in self.game.action_symmetries()])

    def __len__(self) -> int:
        return self.games

    def __repr__(self) -> str:
        return f"VectorEnv({str(self.game)!r}, games={self.games})"


def _seen(array: NDArray[Any]) -> NDArray[Any]:
    """A view that nobody writes to: what it shows is the games' own."""
    view = array.view()
    view.flags.writeable = False
    return view
