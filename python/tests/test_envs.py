"""Gymnasium, PettingZoo and OpenSpiel's names."""

import random
import warnings

import numpy as np
import pytest

import lianzi
import lianzi.spiel


@pytest.mark.parametrize("game", ["connect4", "gomoku:7", "connect6:7", "renju:7"])
def test_gymnasium_checks_it(game):
    from gymnasium.utils.env_checker import check_env

    import lianzi.gym

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(lianzi.gym.LianziEnv(game, "random"), skip_render_check=True)


def test_an_agent_against_a_graded_opponent():
    import gymnasium

    import lianzi.gym

    env = gymnasium.make("lianzi/Connect4-v0", opponent="strong@level=1", side="white")
    observation, info = env.reset(seed=4)
    assert info["to_move"] == "white" and observation[1].sum() == 1 and info["action_mask"].all()
    draw, over = random.Random(1), False
    while not over:
        legal = np.flatnonzero(info["action_mask"])
        observation, reward, over, truncated, info = env.step(draw.choice(legal))
        assert env.observation_space.contains(observation) and not truncated
    assert reward == {"white": 1.0, "black": -1.0, "draw": 0.0}[info["outcome"]]
    # What is not allowed loses, and says why.
    plain = env.unwrapped
    plain.reset(seed=1)
    plain.step(0)
    column = [0] * 7
    for _ in range(7):
        _, reward, over, _, info = plain.step(column[0])
        if over:
            break
    assert over
    with pytest.raises(ValueError):
        lianzi.gym.LianziEnv(side="red")


def test_sides_are_drawn_and_functions_play():
    import lianzi.gym

    env = lianzi.gym.LianziEnv("connect6:9", lambda position: position.legal_actions()[0], render_mode="ansi")
    sides = []
    for seed in range(20):
        env.reset(seed=seed)
        sides.append(env.agent)
        env.step(40)
    assert 4 < sides.count("black") < 16 and "●" in env.render()


@pytest.mark.parametrize("game", ["connect4", "gomoku:7", "connect6:7"])
def test_pettingzoo_checks_it(game):
    from pettingzoo.test import api_test

    import lianzi.zoo

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(lianzi.zoo.env(game), num_cycles=200, verbose_progress=False)


def test_pettingzoo_plays_whole_games():
    import lianzi.zoo

    env, draw = lianzi.zoo.env("connect6:7"), random.Random(2)
    env.reset(seed=1)
    agents, total = [], {"black": 0, "white": 0}
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        agents.append(agent)
        env.step(None if terminated or truncated else draw.choice(np.flatnonzero(seen["action_mask"])))
    assert agents[:5] == ["black", "white", "white", "black", "black"]
    winner = env.position.outcome
    assert total == ({"black": 0, "white": 0} if winner == "draw" else {side: 1 if side == winner else -1 for side in total})
    env.reset()
    env.step(0)
    env.step(0)
    assert env.rewards == {"black": 1, "white": -1} and env.infos["white"]["words"] == "there is a stone already"


def test_states_have_openspiels_methods():
    game = lianzi.spiel.load_game("connect4")
    state, draw = game.new_initial_state(), random.Random(3)
    assert state.is_initial_state() and game.num_distinct_actions() == 7 and game.max_game_length() == 42
    while not state.is_terminal():
        player, actions = state.current_player(), state.legal_actions()
        assert player == state.move_number() % 2 and state.legal_actions(1 - player) == []
        assert sum(state.legal_actions_mask()) == len(actions)
        action = draw.choice(actions)
        assert state.string_to_action(player, state.action_to_string(player, action)) == action
        assert state.child(action).history() == [*state.history(), action]
        state.apply_action(action)
        state.undo_action(player, action)
        state.apply_action(action)
        assert state.observation_tensor(0).shape == (game.observation_tensor_size(),)
    assert sum(state.returns()) == 0 and state.player_return(0) == state.returns()[0]
    assert state.current_player() == lianzi.spiel.TERMINAL_PLAYER and state.legal_actions() == []


def test_the_same_games_as_openspiels():
    pyspiel = pytest.importorskip("pyspiel")
    draw, theirs = random.Random(4), pyspiel.load_game("connect_four")
    ours = lianzi.spiel.load_game("connect4")
    for _ in range(200):
        a, b = ours.new_initial_state(), theirs.new_initial_state()
        while not b.is_terminal():
            assert a.legal_actions() == b.legal_actions() and a.current_player() == b.current_player()
            action = draw.choice(b.legal_actions())
            a.apply_action(action)
            b.apply_action(action)
        assert a.is_terminal() and a.returns() == b.returns()


def test_openspiels_mcts_plays_our_games():
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts

    for name, moves, best in (("connect4", "1212 12", 0), ("gomoku:7", "a1 a7 b1 b7 c1 c7 d1 d7", 4)):
        game = lianzi.spiel.load_game(name)
        evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
        bot = mcts.MCTSBot(game, 1.4, 400, evaluator, random_state=np.random.RandomState(2))
        state = lianzi.spiel.State(game, lianzi.Position(name, moves))
        assert bot.step(state) == best
