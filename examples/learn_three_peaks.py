"""Learns to play Three Peaks, and measures what it learned against random play.

    python examples/learn_three_peaks.py [--generations N] [--test-deals N]

It needs the packages gymnasium and numpy, and takes under two minutes on one CPU core. The policy is linear: each legal
move has a handful of features, read from the observation alone, and the move with the greatest weighted sum
is played. The weights are found by the cross-entropy method (Rubinstein & Kroese, "The Cross-Entropy Method",
2004): draw weights from a normal distribution, play the same deals with each, fit the distribution to the
best of them, and so on. Training deals have the seeds train-1, train-2, …, and those of the test test-1, test-2, ….
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

try:
    import gymnasium
    import numpy as np

    import cardsol.gym
except ModuleNotFoundError as error:
    sys.exit(f"learn_three_peaks.py: {error}")

from cardsol.games.three_peaks import COVERS, PILES, POSITIONS

SAMPLES, BEST, DEALS = 32, 8, 32
"""Weights tried in a generation, how many of them the next one is made from, and the deals each plays."""
RANKS = 13
ROW = {name: PILES.index(name) for name in PILES}
UNDER = {name: [below for below, covers in COVERS.items() if name in covers] for name in POSITIONS}
FEATURES = (
    *("draw", "draw in a run", "row a", "row b", "row c", "row d"),
    *("turns up", "can follow", "two can follow", "same rank left", "stock left"),
)

Choose = Callable[[Any], int]
"""Takes an observation and returns an action."""


def features(observation: Any, tokens: tuple[str, ...], actions: list[int]) -> Any:
    """Returns an array (actions, FEATURES) of what each action would do, from what is seen."""
    board = observation["board"][:, :2].tolist()
    run = float(observation["facts"][2])
    stock = board[ROW["stock"]][0] / 23
    ranks = {name: (board[ROW[name]][1] - 1) % RANKS for name in POSITIONS if board[ROW[name]][1]}
    found = np.zeros((len(actions), len(FEATURES)))
    for line, action in zip(found, actions):
        token = tokens[action]
        if token == "draw":
            line[:2] = 1, run
            continue
        follow = sum(_beside(rank, ranks[token]) for name, rank in ranks.items() if name != token)
        line[2 + "abcd".index(token[0])] = 1
        line[6] = sum(_is_last_cover(board, token, below) for below in UNDER[token])
        line[7:9] = follow > 0, follow > 1
        line[9] = sum(rank == ranks[token] for rank in ranks.values()) - 1
        line[10] = stock * line[6]
    return found


def _beside(rank: int, other: int) -> bool:
    return (rank - other) % RANKS in (1, RANKS - 1)


def _is_last_cover(board: list[list[int]], token: str, below: str) -> bool:
    """Tells whether no other card lies on the position below."""
    return not any(any(board[ROW[over]]) for over in COVERS[below] if over != token)


def linear(weights: Any, tokens: tuple[str, ...]) -> Choose:
    """Returns the policy of these weights."""

    def choose(observation: Any) -> int:
        actions: list[int] = np.flatnonzero(observation["action_mask"]).tolist()
        if len(actions) == 1:
            return actions[0]
        return actions[int(np.argmax(features(observation, tokens, actions) @ weights))]

    return choose


def at_random(chance: random.Random) -> Choose:
    """Returns the policy that plays any legal move."""
    return lambda observation: chance.choice(np.flatnonzero(observation["action_mask"]).tolist())


def play(env: Any, seed: str, choose: Choose) -> tuple[float, bool]:
    """Plays a deal, and returns its score and whether it was won."""
    observation, _ = env.reset(options={"seed": seed})
    score, over = 0.0, False
    while not over:
        observation, reward, terminated, truncated, info = env.step(choose(observation))
        score += reward
        over = terminated or truncated
    return score, info["status"] == "won"


def learn(env: Any, generations: int) -> Any:
    """Returns the weights found, the mean of the last distribution; each generation has deals of its own."""
    dice = np.random.default_rng(1)
    middle, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    for generation in range(generations):
        seeds = [f"train-{generation * DEALS + number}" for number in range(1, DEALS + 1)]
        samples = middle + spread * dice.standard_normal((SAMPLES, len(FEATURES)))
        scores = np.array(
            [
                np.mean([play(env, seed, linear(weights, env.unwrapped.tokens))[0] for seed in seeds])
                for weights in samples
            ]
        )
        best = samples[np.argsort(scores)[-BEST:]]
        # The spread is kept from falling at once, so that a lucky generation does not end the search.
        middle, spread = best.mean(axis=0), 0.5 * spread + 0.5 * best.std(axis=0)
        print(
            f"generation {generation + 1}: mean score {scores.mean():.1f}, best {scores.max():.1f}",
            flush=True,
        )
    return middle


def measure(env: Any, name: str, choose: Choose, deals: int) -> None:
    """Prints mean score and share won over the test deals, with 95 % intervals."""
    results = [play(env, f"test-{number}", choose) for number in range(1, deals + 1)]
    scores = np.array([score for score, _ in results])
    won = sum(won for _, won in results)
    error = 1.96 * scores.std(ddof=1) / deals**0.5
    low, high = wilson(won, deals)
    print(
        f"{name:8} mean score {scores.mean():6.1f} ± {error:.1f}"
        f"   won {won} of {deals}, {won / deals:.1%} [{low:.1%}, {high:.1%}]",
        flush=True,
    )


def wilson(won: int, of: int) -> tuple[float, float]:
    """Returns Wilson's 95 % interval of a share (E. B. Wilson, JASA 22, 1927)."""
    z = 1.96
    middle = (won + z * z / 2) / (of + z * z)
    half = z / (of + z * z) * (won * (of - won) / of + z * z / 4) ** 0.5
    return max(middle - half, 0.0), min(middle + half, 1.0)


def main() -> None:
    """Learns, then measures."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head -n 1` ends the program, without a traceback
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--generations", type=int, default=15, help="rounds of training (15)")
    parser.add_argument("--test-deals", type=int, default=2_000, help="seeds test-1 to test-N (2000)")
    asked = parser.parse_args()
    env: Any = gymnasium.make(cardsol.gym.environment_id("three-peaks"))
    start = time.process_time()
    weights = learn(env, asked.generations)
    print(f"trained in {time.process_time() - start:.0f} s of CPU; the weights:")
    print("  " + ", ".join(f"{name} {weight:+.2f}" for name, weight in zip(FEATURES, weights)))
    measure(env, "random", at_random(random.Random(1)), asked.test_deals)
    measure(env, "learned", linear(weights, env.unwrapped.tokens), asked.test_deals)


if __name__ == "__main__":
    main()
