"""The batch of games against the referee."""

import gc
import os
import random

import numpy as np
import pytest
from conftest import GAMES

import lianzi

OUTCOMES = {0: None, 1: "black", 2: "white", 3: "draw"}


@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_the_referees(game):
    """Random games side by side: at every step all that is seen is what the referee says."""
    games = 6
    env = lianzi.VectorEnv(game, games, seed=1)
    positions = [lianzi.Position(game) for _ in range(games)]
    observations, info = env.reset()
    ended = 0
    for _ in range(150):
        for n, position in enumerate(positions):
            assert np.array_equal(observations[n], position.planes())
            assert np.flatnonzero(info["mask"][n]).tolist() == position.legal_actions()
            assert ("black", "white")[info["to_move"][n]] == position.to_move
            assert (info["stones_left"][n], info["plies"][n]) == (position.stones_left, len(position))
        actions = env.sample()
        observations, rewards, terminated, truncated, info = env.step(actions)
        for n, action in enumerate(actions):
            mover = positions[n].to_move
            positions[n].play(int(action))
            outcome = positions[n].outcome
            assert OUTCOMES[int(info["outcome"][n])] == outcome and terminated[n] == (outcome is not None)
            assert rewards[n] == (outcome == mover) and not truncated[n]
            if outcome:
                positions[n] = lianzi.Position(game)
                ended += 1
    assert ended or game == "gomoku"


def test_what_is_drawn_is_uniform_and_repeats_by_seed():
    env = lianzi.VectorEnv("connect4", 7000, seed=3)
    first = env.sample().copy()
    counts = np.bincount(first, minlength=7)
    assert abs(counts - 1000).max() < 150
    env.reset(seed=3)
    assert np.array_equal(env.sample(), first) and not np.array_equal(env.sample(), first)


def test_nothing_is_copied_and_nothing_can_be_broken():
    env = lianzi.VectorEnv("gomoku", 4)
    first, _ = env.reset()
    second = env.step([0, 1, 2, 3])[0]
    assert second is first and np.shares_memory(first, env.observations)
    for array in (first, env.mask, env.rewards, env.terminated, *env.info.values()):
        with pytest.raises(ValueError):
            array[...] = 0


@pytest.mark.parametrize(
    "actions, words",
    [([225, 0, 0], "game 0: action 225"), ([0, -1, 0], "game 1: action -1"), ([112, 0, 0], "game 0: action 112")],
)
def test_a_step_is_all_or_nothing(actions, words):
    env = lianzi.VectorEnv("gomoku", 3)
    env.step([112, 113, 114])
    before = env.observations.copy()
    with pytest.raises(lianzi.IllegalMove, match=words) as raised:
        env.step(actions)
    assert "不能下" in raised.value.zh
    assert np.array_equal(env.observations, before) and env.info["plies"].tolist() == [1, 1, 1]


def test_wrong_arguments():
    env = lianzi.VectorEnv("connect4", 2)
    for call in (
        lambda: lianzi.VectorEnv("chess"),
        lambda: lianzi.VectorEnv("connect4:random"),
        lambda: lianzi.VectorEnv("connect4", 0),
        lambda: lianzi.VectorEnv("connect4", 10**9),
        lambda: lianzi.VectorEnv("connect4", -1),
        lambda: lianzi.VectorEnv("connect:1,1,1,1,1/a1", 1),
        lambda: env.step([0]),
        lambda: env.step([0, 0, 0]),
        lambda: env.step([0.5, 1.0]),
        lambda: env.step([True, False]),
        lambda: env.step("ab"),
        lambda: env.step(None),
        lambda: env.reset(seed="x"),
    ):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            call()


@pytest.mark.parametrize("game", ["gomoku:7", "connect4", "connect6:7", "connect:6,4,4,1,1"])
def test_symmetries_of_observations(game):
    """A game played through a symmetry looks like the same game seen through it."""
    env = lianzi.VectorEnv(game, 5, seed=2)
    ways = lianzi.Game(game).action_symmetries()
    mirrors = [lianzi.VectorEnv(game, 5) for _ in ways]
    for _ in range(6):
        actions = env.sample().copy()
        env.step(actions)
        for mirror, way in zip(mirrors, ways):
            mirror.step(np.array(way)[actions])
    seen, masks = env.augment(env.observations, env.mask)
    assert np.array_equal(seen, np.concatenate([mirror.observations for mirror in mirrors]))
    assert np.array_equal(masks, np.concatenate([mirror.mask for mirror in mirrors]))


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system does not tell")
def test_nothing_leaks_over_a_million_steps():
    env = lianzi.VectorEnv("connect4", 1000, seed=1)

    def work(steps):
        for _ in range(steps):
            env.step(env.sample())
        position, draw = lianzi.Position("connect4"), random.Random(1)
        for _ in range(50 * steps):
            if position.is_over:
                position = lianzi.Position("connect4")
            position.play(draw.choice(position.legal_actions()))
            position.planes()
            try:
                position.play(99)
            except lianzi.IllegalMove:
                pass
        gc.collect()

    work(50)
    before = resident()
    work(1000)
    assert resident() - before < 16 << 20
