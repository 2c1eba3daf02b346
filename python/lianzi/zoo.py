"""PettingZoo: both sides of a game as agents that take turns. `pip install lianzi[zoo]`.

>>> import lianzi.zoo
>>> env = lianzi.zoo.env("connect4")
>>> env.reset(seed=1)
>>> env.agent_selection, env.observe("black")["observation"].shape
('black', (2, 6, 7))
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from lianzi._lianzi import Game, IllegalMove, Position


class Lianzi(AECEnv):  # type: ignore[misc]
    """An AEC environment with the agents "black" and "white".

    Each sees {"observation": the planes of VectorEnv from its own side, "action_mask"}; the mask of the agent that is not to move
    is empty. A step is one stone, so in Connect6 an agent steps twice in a row. Winning is worth 1, losing −1. An action that
    is not allowed loses the game.
    """

    metadata = {"render_modes": ["ansi", "svg"], "name": "lianzi_v0", "is_parallelizable": False, "render_fps": 1}

    def __init__(self, game: Game | str = "connect4", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = Game(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self.possible_agents = ["black", "white"]
        self.position = Position(self.game)
        shape, actions = self.position.planes().shape, self.game.actions
        space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 1, shape, np.uint8),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = Position(self.game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.position.to_move

    def observe(self, agent: str) -> dict[str, Any]:
        if agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; there are black and white")
        planes = self.position.planes()
        mask = np.zeros(self.game.actions, np.int8)
        if self.position.to_move == agent:
            mask[self.position.legal_actions()] = 1
        else:
            planes[[0, 1]] = planes[[1, 0]]
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | np.int64 | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        try:
            self.position.play(int(action))  # type: ignore[arg-type]
            winner = self.position.outcome
        except IllegalMove as error:
            winner = "white" if agent == "black" else "black"
            self.infos[agent]["words"] = str(error)
        if winner is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if winner != "draw":
                self.rewards = {side: 1 if side == winner else -1 for side in self.agents}
        self._accumulate_rewards()
        over = winner is not None
        self.agent_selection = ("white" if agent == "black" else "black") if over else self.position.to_move

    def render(self) -> str:
        return self.position.svg() if self.render_mode == "svg" else str(self.position)

    def close(self) -> None:
        pass


def env(game: Game | str = "connect4", render_mode: str | None = None) -> Lianzi:
    """The environment of a game."""
    return Lianzi(game, render_mode)
