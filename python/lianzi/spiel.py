"""States with the method names of OpenSpiel, so that algorithms written for it run on our games.

>>> import lianzi.spiel
>>> state = lianzi.spiel.load_game("connect4").new_initial_state()
>>> state.apply_action(3)
>>> state.current_player(), state.legal_actions(), state.is_terminal()
(1, [0, 1, 2, 3, 4, 5, 6], False)

Players are 0 (Black) and 1 (White). Nothing of OpenSpiel is needed; where it is installed, get_type() speaks with its words.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lianzi import _lianzi
from lianzi._lianzi import Position

TERMINAL_PLAYER = -4
_SIDES = {"black": 0, "white": 1}


class State:
    """A game in progress, with the methods of pyspiel.State."""

    def __init__(self, game: Game, position: Position) -> None:
        if not isinstance(game, Game) or not isinstance(position, Position) or position.game != game.game:
            raise TypeError("a state has a game of load_game() and a Position of that game")
        self._game, self.position = game, position

    def get_game(self) -> Game:
        """The game that it belongs to."""
        return self._game

    def current_player(self) -> int:
        """0 for Black, 1 for White, −4 after the end."""
        return TERMINAL_PLAYER if self.position.is_over else _SIDES[self.position.to_move]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What the player, or the one to move, may play."""
        if player is not None and player != self.current_player():
            return []
        return self.position.legal_actions()

    def legal_actions_mask(self, player: int | None = None) -> list[int]:
        """The same as a list of zeros and ones."""
        mask = [0] * self.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Plays one stone."""
        self.position.play(int(action))

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last stone back."""
        self.position.undo()

    def child(self, action: int) -> State:
        """The state after an action; this one stays."""
        after = self.clone()
        after.apply_action(action)
        return after

    def clone(self) -> State:
        """A copy."""
        return State(self._game, self.position.copy())

    __copy__ = clone

    def __deepcopy__(self, memo: object) -> State:
        return self.clone()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def is_chance_node(self) -> bool:
        """Never."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Never."""
        return False

    def is_player_node(self) -> bool:
        """Whether somebody is to move."""
        return not self.position.is_over

    def is_initial_state(self) -> bool:
        """Whether nothing was played."""
        return len(self.position) == 0

    def returns(self) -> list[float]:
        """1 for the winner and −1 for the loser; zeros before the end and in a draw."""
        winner = _SIDES.get(self.position.outcome or "")
        return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner == 0 else [-1.0, 1.0]

    rewards = returns

    def player_return(self, player: int) -> float:
        """What the game is worth to a player."""
        return self.returns()[player]

    player_reward = player_return

    def history(self) -> list[int]:
        """The actions so far."""
        start = Position(self.position.game)
        actions = []
        for move in self.position.moves:
            actions.append(start.action(move))
            start.play(move)
        return actions

    def history_str(self) -> str:
        """The same as a text."""
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        """How many stones were played."""
        return len(self.position)

    def action_to_string(self, player: int, action: int | None = None) -> str:
        """The name of the cell on which an action puts its stone."""
        return self.position.cell(player if action is None else action)

    def string_to_action(self, player: int | str, text: str | None = None) -> int:
        """The action of a cell's name."""
        return self.position.action(str(player) if text is None else text)

    def observation_tensor(self, player: int | None = None) -> NDArray[np.float32]:
        """The planes of VectorEnv as one row of numbers, from the side of a player or of the one to move."""
        planes = self.position.planes()
        if player is not None and player != _SIDES[self.position.to_move]:
            planes[[0, 1]] = planes[[1, 0]]
        return planes.ravel().astype(np.float32)

    information_state_tensor = observation_tensor

    def observation_string(self, player: int | None = None) -> str:
        """The board."""
        return str(self.position)

    def information_state_string(self, player: int | None = None) -> str:
        """What was played."""
        return self.history_str()

    def num_players(self) -> int:
        """2."""
        return 2

    def num_distinct_actions(self) -> int:
        """How many actions the game has."""
        return self._game.num_distinct_actions()

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"State({self.position!r})"


class Game:
    """A game, with the methods of pyspiel.Game."""

    def __init__(self, game: _lianzi.Game | str) -> None:
        self.game = _lianzi.Game(game)

    def new_initial_state(self) -> State:
        """The empty board."""
        return State(self, Position(self.game))

    def num_players(self) -> int:
        """2."""
        return 2

    def num_distinct_actions(self) -> int:
        """How many actions there are."""
        return self.game.actions

    def max_game_length(self) -> int:
        """How many stones the board holds."""
        return self.game.width * self.game.height - len(self.game.blocked)

    def min_utility(self) -> float:
        """What losing is worth."""
        return -1.0

    def max_utility(self) -> float:
        """What winning is worth."""
        return 1.0

    def utility_sum(self) -> float:
        """What both players get together."""
        return 0.0

    def observation_tensor_shape(self) -> list[int]:
        """Planes, rows and columns."""
        return list(Position(self.game).planes().shape)

    def observation_tensor_size(self) -> int:
        """How many numbers an observation has."""
        return int(np.prod(self.observation_tensor_shape()))

    def get_parameters(self) -> dict[str, Any]:
        """The name of the game."""
        return {"game": str(self.game)}

    def get_type(self) -> SimpleNamespace:
        """What kind of game it is: two players in turns, nothing hidden, nothing left to chance, worth something at its end."""
        kind: dict[str, Any] = {
            "dynamics": "SEQUENTIAL",
            "chance_mode": "DETERMINISTIC",
            "information": "PERFECT_INFORMATION",
            "utility": "ZERO_SUM",
            "reward_model": "TERMINAL",
        }
        try:
            import pyspiel
        except ImportError:
            pass
        else:
            names = ("Dynamics", "ChanceMode", "Information", "Utility", "RewardModel")
            for (key, word), name in zip(kind.items(), names):
                kind[key] = getattr(getattr(pyspiel.GameType, name), word)
        return SimpleNamespace(short_name="lianzi", long_name=str(self.game), max_num_players=2, min_num_players=2, **kind)

    def __str__(self) -> str:
        return f"lianzi({self.game})"


def load_game(name: str) -> Game:
    """The game of a name."""
    return Game(name)
