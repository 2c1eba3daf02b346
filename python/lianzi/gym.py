"""Gymnasium: one agent against a player of any strength. `pip install lianzi[gym]`.

>>> import gymnasium, lianzi.gym
>>> env = gymnasium.make("lianzi/Connect4-v0", opponent="strong@level=2")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((2, 6, 7), 7)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from lianzi._lianzi import Engine, Game, IllegalMove, Position
from lianzi.arena import Player

Observation = NDArray[np.uint8]


class LianziEnv(gymnasium.Env[Observation, np.int64]):
    """A game against an opponent: a graded engine ("strong@level=3"), an Engine, or anything that takes a Position and returns a
    move. A step is one stone of the agent's; where it ends the agent's turn, the opponent's turn follows.

    The observation has the planes of VectorEnv, from the agent's side; info["action_mask"] says what may be played. The reward
    is 1 for a win, −1 for a loss and 0 otherwise. An action that is not allowed loses, and info["words"] says why.
    `side` is "black", "white" or None, which draws one for each game.
    """

    metadata = {"render_modes": ["ansi", "svg"], "render_fps": 1}

    def __init__(
        self,
        game: Game | str = "connect4",
        opponent: Player = "strong@level=3",
        *,
        side: str | None = None,
        nodes: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if side not in (None, "black", "white"):
            raise ValueError("side is black, white or None")
        self.game = Game(game) if isinstance(game, str) else game
        self.opponent = _player(opponent, self.game)
        self.render_mode = render_mode
        self._nodes, self._side = nodes, side
        self.agent = side or "black"
        self.position = Position(self.game)
        shape = self.position.planes().shape
        self.observation_space = gymnasium.spaces.Box(0, 1, shape, np.uint8)
        self.action_space = gymnasium.spaces.Discrete(self.game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self.agent = self._side or ("black", "white")[int(self.np_random.integers(2))]
        if isinstance(self.opponent, Engine):
            self.opponent.begin(int(self.np_random.integers(2**63)))
        self.position = Position(self.game)
        self._answer()
        return self._observe(), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        try:
            self.position.play(int(action))
        except IllegalMove as error:
            return self._observe(), -1.0, True, False, {**self._info(), "words": str(error)}
        self._answer()
        outcome = self.position.outcome
        reward = 0.0 if outcome in (None, "draw") else 1.0 if outcome == self.agent else -1.0
        return self._observe(), reward, outcome is not None, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """What the agent may play, under the name that sb3-contrib's MaskablePPO calls."""
        mask = np.zeros(self.game.actions, np.bool_)
        if self.position.to_move == self.agent:
            mask[self.position.legal_actions()] = True
        return mask

    def render(self) -> Any:
        """The board as text, or as SVG."""
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def _answer(self) -> None:
        """The opponent plays until the agent is to move."""
        while not self.position.is_over and self.position.to_move != self.agent:
            if isinstance(self.opponent, Engine):
                answer: Any = self.opponent.analyze(self.position, nodes=self._nodes).turn
            else:
                answer = self.opponent(self.position)  # type: ignore[operator]
            for move in answer if isinstance(answer, list) else [answer]:
                self.position.play(move)

    def _observe(self) -> Observation:
        return self.position.planes()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "to_move": self.position.to_move, "outcome": self.position.outcome}


def _player(player: Player, game: Game) -> Player:
    """The engine of a name, or what was given."""
    return Engine.named(player, game) if isinstance(player, str) else player


def _register() -> None:
    for name, game in (("Connect4", "connect4"), ("Gomoku", "gomoku"), ("Renju", "renju"), ("Connect6", "connect6")):
        gymnasium.register(f"lianzi/{name}-v0", entry_point="lianzi.gym:LianziEnv", kwargs={"game": game})


_register()
