"""How fast surveys are: deals a second in a bare loop, in one process of the pool and in two.

    python tests/bench/surveying.py [GAME…] [--seconds S] [--player NAME]

The same deals are done three times: by calling the solver or player in a bare loop of this process, then through
`cardsol.survey.run` with one process and with two, from its call to its last record. `overhead` is what one process
of the pool takes more than the bare loop, its start included; `second` is the efficiency of the second process: the
deals a second of two, to twice those of one. Wall-clock times, so on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import time

import cardsol
from cardsol.game import choose_options
from cardsol.registry import rules_of
from cardsol.survey import PLAYER_NAMES, Survey, processes, record_of, run

STATES = 20_000
"""The solver's limit, so that no single deal is most of a run."""
MOST = 20_000


def main() -> None:
    """Measures every game with every player."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(cardsol.names()))
    parser.add_argument("--seconds", type=float, default=5, help="how long the bare loop lasts (5)")
    parser.add_argument("--player", choices=PLAYER_NAMES, help="this player alone")
    asked = parser.parse_args()
    print(
        f"{'':32}{'deals':>7}{'ms a deal':>11}{'bare/s':>10}{'1/s':>10}{'2/s':>10}{'overhead':>10}{'second':>8}"
    )
    for game in asked.games:
        for player in PLAYER_NAMES:
            if asked.player in (None, player):
                measure(game, player, asked.seconds)


def measure(game: str, player: str, seconds: float) -> None:
    """Prints a line for one game and player."""
    options = choose_options(rules_of(game), {})
    survey = Survey(game, options, player, max_states=STATES if player == "solve" else None)
    record_of(survey, "0")
    deals, bare = bare_loop(survey, seconds)
    one, two = (through_the_pool(survey, deals, jobs) for jobs in (1, 2))
    print(
        f"{game + ' ' + player:32}{deals:7}{1000 * bare / deals:11.3f}{deals / bare:10.1f}{deals / one:10.1f}"
        f"{deals / two:10.1f}{one / bare - 1:10.1%}{one / two / 2:8.2f}",
        flush=True,
    )


def bare_loop(survey: Survey, seconds: float) -> tuple[int, float]:
    """Returns how many deals were done in about so many seconds, and the seconds that they took."""
    start = time.perf_counter()
    for seed in range(1, MOST + 1):
        record_of(survey, str(seed))
        spent = time.perf_counter() - start
        if spent >= seconds:
            break
    return seed, spent


def through_the_pool(survey: Survey, deals: int, jobs: int) -> float:
    """Returns the seconds that the same deals take in so many processes."""
    start = time.perf_counter()
    for _ in run(survey, map(str, range(1, deals + 1)), jobs, processes):
        pass
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
