"""How fast the environments are: steps a second of random play through Gymnasium and through the library.

    python -m tests.bench.gym [GAME...] [--episodes N] [--runs N]

Both play the same deals with the same random choices among the legal moves, to the end or for 300 moves. Each
episode is played by the library (`legal_moves` and `push`), then by the environment that `gymnasium.make` returns
(`step`), and again, `--runs` times; the quickest time of each counts, so that other programs on the machine weigh
little. The ratio of the rates is shown once for the moves alone and once with the deals. CPU seconds of this process;
a ratio of 1 is as fast as the library. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any, NamedTuple

import gymnasium

import cardsol
import cardsol.gym

MOST_MOVES = 300


class Spent(NamedTuple):
    """CPU seconds of a deal and of playing it, and the moves played."""

    deal: float
    moves: float
    steps: int


def main() -> None:
    """Prints a line for each game."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(cardsol.names()))
    parser.add_argument("--episodes", type=int, default=100, help="seeds 0 to N - 1 (100)")
    parser.add_argument("--runs", type=int, default=5, help="how often each is played (5)")
    asked = parser.parse_args()
    print(f"{'':16}{'library':>12}{'environment':>13}  steps/s{'ratio':>8}{'with deals':>12}")
    for game in asked.games:
        measure(game, asked.episodes, asked.runs)


def measure(game: str, episodes: int, runs: int) -> None:
    """Plays each episode in both ways by turns, and sums up the quickest times."""
    env = gymnasium.make(cardsol.gym.environment_id(game))
    library, environment = [], []
    for seed in range(episodes):
        pairs = [(in_library(game, seed), in_environment(env, seed)) for _ in range(runs)]
        assert all(one.steps == two.steps for one, two in pairs), "the two did not play the same games"
        library.append(quickest([one for one, _ in pairs]))
        environment.append(quickest([two for _, two in pairs]))
    one, two = total(library), total(environment)
    whole = (one.deal + one.moves) / (two.deal + two.moves)
    print(
        f"{game:16}{one.steps / one.moves:12,.0f}{two.steps / two.moves:13,.0f}"
        f"{one.moves / two.moves:17.2f}{whole:12.2f}",
        flush=True,
    )


def quickest(runs: list[Spent]) -> Spent:
    return Spent(min(run.deal for run in runs), min(run.moves for run in runs), runs[0].steps)


def total(episodes: list[Spent]) -> Spent:
    deals, moves, steps = zip(*episodes)
    return Spent(sum(deals), sum(moves), sum(steps))


def in_library(name: str, seed: int) -> Spent:
    """Plays an episode with `legal_moves` and `push`."""
    chance = random.Random(seed)
    steps = 0
    start = time.process_time()
    game = cardsol.deal(name, seed=seed)
    dealt = time.process_time()
    for _ in range(MOST_MOVES):
        legal = game.legal_moves
        if not legal:
            break
        game.push(chance.choice(legal))
        steps += 1
    return Spent(dealt - start, time.process_time() - dealt, steps)


def in_environment(env: gymnasium.Env[Any, Any], seed: int) -> Spent:
    """Plays the same through `reset` and `step`."""
    table = getattr(env.unwrapped, "table")  # noqa: B009
    actions = table.actions
    chance = random.Random(seed)
    steps = 0
    start = time.process_time()
    _, info = env.reset(seed=seed)
    dealt = time.process_time()
    over = not info["legal"]
    for _ in range(MOST_MOVES):
        if over:
            break
        action = actions[chance.choice(info["legal"])]
        _, _, over, _, info = env.step(action)
        steps += 1
    return Spent(dealt - start, time.process_time() - dealt, steps)


if __name__ == "__main__":
    main()
