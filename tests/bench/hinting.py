"""How good hints are: games played by cheap hints, greedily and at random, side by side.

    python -m tests.bench.hinting [GAME…] [--deals N] [--worlds N]

Each set is a game with its options, dealt from the seeds 1, 2, …; all players play the same deals. Shares won
stand with Wilson's 95 % interval, mean scores with theirs. Times are CPU seconds of this process, and only of
hints that have more than one move to choose from.
"""

from __future__ import annotations

import argparse
import statistics
import time
from math import sqrt
from typing import NamedTuple

import cardsol
from cardsol.game import Game
from cardsol.hint import Adviser
from cardsol.survey.players import CHEAP_WORLDS, PLAYERS, Seat, by_hints
from cardsol.survey.summary import Z, wilson

SETS: list[tuple[str, dict[str, str]]] = [
    *(("universal", {"draw": draw}) for draw in "123"),
    ("three-peaks", {}),
    ("vanishing-cross", {"play": "classic"}),
    ("vanishing-cross", {"play": "direct"}),
    ("rouge-et-noir", {}),
    ("camelot", {}),
]


class Result(NamedTuple):
    """How one deal ended."""

    won: bool
    score: int
    moves: int


def main() -> None:
    """Plays set after set and prints a line for each player."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(cardsol.names()))
    parser.add_argument("--deals", type=int, default=200, help="seeds 1 to N (200)")
    parser.add_argument("--worlds", type=int, default=CHEAP_WORLDS, help=f"worlds a hint ({CHEAP_WORLDS})")
    asked = parser.parse_args()
    print("set: player: won of deals [95 %] | mean score ± 95 % | moves, mean and most")
    for name, options in SETS:
        if name in asked.games:
            compare(name, options, asked.deals, asked.worlds)


def compare(name: str, options: dict[str, str], deals: int, worlds: int) -> None:
    """Lets the players play the same deals."""
    times: list[float] = []
    for player in ("hint", "greedy", "random"):
        results = []
        for seed in range(1, deals + 1):
            game = cardsol.deal(name, seed=seed, options=options)
            if player == "hint":
                play_by_hints(game, worlds, times)
            else:
                PLAYERS[player](Seat(game))
            results.append(Result(game.status == "won", game.score, len(game.moves)))
        print(f"{' '.join([name, *options.values()])}: {player}: {told(results)}", flush=True)
    times.sort()
    marks = (times[len(times) // 2], times[int(0.95 * (len(times) - 1))], times[-1])
    print(
        "    ms a hint, median / 95 % / most: " + " / ".join(f"{1000 * mark:.1f}" for mark in marks),
        flush=True,
    )


def play_by_hints(game: Game, worlds: int, times: list[float]) -> None:
    """Plays by hints of so many worlds, and notes the time of each hint that is a choice."""

    def advise(player: Adviser) -> str:
        start = time.process_time()
        found = player.hint(worlds)
        if len(found.candidates) > 1:
            times.append(time.process_time() - start)
        return found.token

    by_hints(Seat(game), advise)


def told(results: list[Result]) -> str:
    """Puts the results of one player into words."""
    n, won = len(results), sum(result.won for result in results)
    low, high = wilson(won, n)
    scores = [result.score for result in results]
    reach = Z * statistics.stdev(scores) / sqrt(n) if n > 1 else 0.0
    moves = [result.moves for result in results]
    return (
        f"{won} of {n} [{low:.1%}, {high:.1%}] | {statistics.mean(scores):.2f} ± {reach:.2f}"
        f" | {statistics.mean(moves):.0f}, {max(moves)}"
    )


if __name__ == "__main__":
    main()
