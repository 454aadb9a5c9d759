"""How fast the environments are: steps a second of random play through Gymnasium and through the library.

    python -m tests.bench.gym [GAME...] [--episodes N] [--runs N]

Both play the same deals with the same random choices among the legal moves, to the end or for 300 moves. Each run
plays all episodes in the library, then all through `gymnasium.make`, wrappers included; the median of the runs'
ratios is told, once with the deals and once without (moves alone). CPU seconds of this process; a ratio
of 1 is as fast as the library. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median
from typing import NamedTuple

import gymnasium

import cardsol
import cardsol.gym

MOST_MOVES = 300


class Spent(NamedTuple):
    """CPU seconds of dealing and of playing, and the moves played."""

    deals: float
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
    """Plays in turn, so that both meet the same moods of the machine."""
    pairs = [(in_library(game, episodes), in_environment(game, episodes)) for _ in range(runs)]
    assert all(one.steps == two.steps for one, two in pairs), "the two did not play the same games"
    alone = median(one.moves / two.moves for one, two in pairs)
    whole = median((one.deals + one.moves) / (two.deals + two.moves) for one, two in pairs)
    rates = [median(pair[i].steps / pair[i].moves for pair in pairs) for i in (0, 1)]
    print(f"{game:16}{rates[0]:12,.0f}{rates[1]:13,.0f}{alone:17.2f}{whole:12.2f}", flush=True)


def in_library(name: str, episodes: int) -> Spent:
    """Plays with `legal_moves` and `push`."""
    chance = random.Random(name)
    deals = moves = 0.0
    steps = 0
    for seed in range(episodes):
        start = time.process_time()
        game = cardsol.deal(name, seed=seed)
        dealt = time.process_time()
        for _ in range(MOST_MOVES):
            legal = game.legal_moves
            if not legal:
                break
            game.push(chance.choice(legal))
            steps += 1
        deals += dealt - start
        moves += time.process_time() - dealt
    return Spent(deals, moves, steps)


def in_environment(name: str, episodes: int) -> Spent:
    """Plays the same through `reset` and `step`."""
    env = gymnasium.make(cardsol.gym.environment_id(name))
    actions = env.unwrapped.table.actions
    chance = random.Random(name)
    deals = moves = 0.0
    steps = 0
    for seed in range(episodes):
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
        deals += dealt - start
        moves += time.process_time() - dealt
    return Spent(deals, moves, steps)


if __name__ == "__main__":
    main()
