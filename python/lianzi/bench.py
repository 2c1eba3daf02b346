"""How fast it is: `python -m lianzi.bench`. Peers that are installed are measured in the same run, by CPU time, on one core.

What is counted as a step is one stone, drawn at random among the legal ones, with all that a learner needs after it; games that
end begin anew. A loop of Python that asks one state is measured apart from batches.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from lianzi._lianzi import Position
from lianzi.vector import VectorEnv

#: A piece of work: it returns how many steps it did.
Work = Callable[[], int]


def rate(work: Work, seconds: float) -> float:
    """Steps for each second of CPU time: the best of three measurements."""
    work()
    best = 0.0
    for _ in range(3):
        steps, start = 0, time.process_time()
        while (used := time.process_time() - start) < seconds / 3:
            steps += work()
        best = max(best, steps / used)
    return best


def ours_batched(game: str, games: int) -> Work:
    """A batch of our games, observations and masks included."""
    env = VectorEnv(game, games, seed=1)

    def work() -> int:
        for _ in range(16):
            env.step(env.sample())
        return 16 * games

    return work


def random_games(game: str, count: int) -> list[list[int]]:
    """Whole games of random actions."""
    draw, played = random.Random(1), []
    for _ in range(count):
        position, actions = Position(game), []
        while not position.is_over:
            actions.append(draw.choice(position.legal_actions()))
            position.play(actions[-1])
        played.append(actions)
    return played


def ours_single(game: str, games: list[list[int]]) -> Work:
    """`play` alone: the actions are known."""

    def work() -> int:
        steps = 0
        for actions in games:
            position = Position(game)
            for action in actions:
                position.play(action)
            steps += len(actions)
        return steps

    return work


def ours_loop(game: str) -> Work:
    """The usual loop of Python over one state."""
    draw = random.Random(1)

    def work() -> int:
        position = Position(game)
        while not position.is_over:
            position.play(draw.choice(position.legal_actions()))
        return len(position)

    return work


def spiel_single(games: list[list[int]]) -> Work:
    """OpenSpiel's apply_action alone, with the same actions."""
    import pyspiel

    game = pyspiel.load_game("connect_four")

    def work() -> int:
        steps = 0
        for actions in games:
            state = game.new_initial_state()
            for action in actions:
                state.apply_action(action)
            steps += len(actions)
        return steps

    return work


def spiel_loop() -> Work:
    """The usual loop of Python over one state of OpenSpiel."""
    import pyspiel

    game, draw = pyspiel.load_game("connect_four"), random.Random(1)

    def work() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            steps += 1
        return steps

    return work


def pgx_batched(name: str, games: int) -> Work:
    """A batch of pgx, with its own auto-reset and random legal actions, all within one compiled loop of steps."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make(name)
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any, key: Any) -> tuple[Any, None]:
        draw, reset = jax.random.split(key)
        logits = jnp.log(carry.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(draw, logits, axis=-1)
        return step(carry, actions, jax.random.split(reset, games)), None

    run = jax.jit(lambda state, keys: jax.lax.scan(one, state, keys)[0])
    key = jax.random.PRNGKey(1)
    state = [init(jax.random.split(key, games))]

    def work() -> int:
        nonlocal key
        key, sub = jax.random.split(key)
        state[0] = jax.block_until_ready(run(state[0], jax.random.split(sub, 16)))
        return 16 * games

    return work


def zoo_work(env: Any) -> Work:
    """Random games in an environment of PettingZoo's kind."""
    draw = random.Random(1)

    def work() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            done = terminated or truncated
            legal = [] if done else [n for n, allowed in enumerate(observation["action_mask"]) if allowed]
            env.step(None if done else draw.choice(legal))
            steps += not done
        return steps

    return work


def zoo_loop() -> Work:
    """PettingZoo's Connect Four."""
    from pettingzoo.classic import connect_four_v3

    return zoo_work(connect_four_v3.env())


def our_zoo_loop() -> Work:
    """The same loop over ours."""
    from lianzi import zoo

    return zoo_work(zoo.env("connect4"))


def rows(seconds: float) -> Iterator[tuple[str, float | None]]:
    """Each measurement, with its name; None for a peer that is not installed."""
    games = random_games("connect4", 200)
    for name, sizes in (("connect4", (256, 1024, 4096)), ("gomoku", (256, 1024, 4096)), ("renju", (256,)), ("connect6", (1024,))):
        for size in sizes:
            yield f"lianzi {name}, batch of {size}", rate(ours_batched(name, size), seconds)
    for size in (256, 1024, 4096, 16384):
        yield f"pgx connect_four, batch of {size}", _peer(partial(pgx_batched, "connect_four", size), seconds)
    yield "lianzi connect4, loop of Python", rate(ours_loop("connect4"), seconds)
    yield "OpenSpiel connect_four, loop of Python", _peer(spiel_loop, seconds)
    yield "lianzi connect4, play() alone", rate(ours_single("connect4", games), seconds)
    yield "OpenSpiel connect_four, apply_action() alone", _peer(partial(spiel_single, games), seconds)
    yield "lianzi connect4, PettingZoo", _peer(our_zoo_loop, seconds)
    yield "PettingZoo connect_four_v3", _peer(zoo_loop, seconds)


def _peer(make: Callable[[], Work], seconds: float) -> float | None:
    try:
        work = make()
    except ImportError:
        return None
    return rate(work, seconds)


def ratios(found: dict[str, float | None]) -> Iterator[tuple[str, float]]:
    """What is compared."""

    def best(begin: str) -> float:
        return max((rate or 0.0 for name, rate in found.items() if name.startswith(begin)), default=0.0)

    for words, ours, theirs in (
        ("batched Connect Four to pgx's best batch", "lianzi connect4, batch", "pgx"),
        ("batched Connect Four to OpenSpiel's loop", "lianzi connect4, batch", "OpenSpiel connect_four, loop"),
        ("play() to OpenSpiel's apply_action()", "lianzi connect4, play", "OpenSpiel connect_four, apply"),
        ("loop of Python to OpenSpiel's", "lianzi connect4, loop", "OpenSpiel connect_four, loop"),
        ("PettingZoo's interface to its own game", "lianzi connect4, PettingZoo", "PettingZoo"),
    ):
        if best(theirs):
            yield words, best(ours) / best(theirs)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m lianzi.bench", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time for each row")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        # One core for everybody, threads of peers included.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = {}
    for name, steps in rows(arguments.seconds):
        found[name] = steps
        if arguments.json:
            print(json.dumps({"bench": name, "steps_per_s": steps}), flush=True)
        else:
            print(f"{name:<48}" + (f"{steps:>14,.0f} steps/s" if steps else "   not installed"), flush=True)
    for words, ratio in ratios(found):
        print(json.dumps({"ratio": words, "value": ratio}) if arguments.json else f"{words:<48}{ratio:>14.1f} ×")


if __name__ == "__main__":
    main()
