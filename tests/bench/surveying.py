"""How fast surveys are: deals a second in a bare loop, in one process of the pool and in two.

    python -m tests.bench.surveying [GAME…] [--seconds S] [--player NAME]

The same deals are done by calling the solver or player in a bare loop of this process, then through
`cardsol.survey.run` with one process and with two, from its call to its last record; all that in turn, several
times, and the median of each ratio is told. `overhead` is what one process of the pool takes more than the bare
loop, its start included; `second` is the efficiency of the second process: the deals a second of two, to twice those
of one. The yardstick is `machine`: the same efficiency for a fixed loop in plain processes. Wall-clock times, so on
a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from math import inf
from statistics import median

import cardsol
from cardsol.game import choose_options
from cardsol.registry import rules_of
from cardsol.survey.players import PLAYERS, SOLVER
from cardsol.survey.pools import processes, record_of, run
from cardsol.survey.records import Survey

STATES = 5_000
"""The solver's limit, so that no single deal is most of a run."""
MOST = 20_000
NAMES = (SOLVER, *PLAYERS)
LOOP = 4_000_000
"""Turns of the yardstick."""


def main() -> None:
    """Measures every game with every player."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(cardsol.names()))
    parser.add_argument("--seconds", type=float, default=5, help="how long the bare loop lasts (5)")
    parser.add_argument("--runs", type=int, default=3, help="how often each is done (3)")
    parser.add_argument("--player", choices=NAMES, help="this player alone")
    asked = parser.parse_args()
    print(
        f"{'':32}{'deals':>7}{'ms a deal':>11}{'1/s':>10}{'2/s':>10}{'overhead':>10}{'second':>8}{'machine':>9}"
    )
    for game in asked.games:
        for player in NAMES:
            if asked.player in (None, player):
                measure(game, player, asked.seconds, asked.runs)


def measure(game: str, player: str, seconds: float, runs: int) -> None:
    """Prints a line for one game and player."""
    options = choose_options(rules_of(game), {})
    survey = Survey(game, options, player, max_states=STATES if player == SOLVER else None)
    record_of(survey, "0")
    deals, _ = bare_loop(survey, seconds, MOST)
    rounds = [
        (
            bare_loop(survey, inf, deals)[1],
            *(through_the_pool(survey, deals, jobs) for jobs in (1, 2)),
            machine(),
        )
        for _ in range(runs)
    ]
    bare, one, two, yardstick = (median(column) for column in zip(*rounds))
    overhead = median(one / bare for bare, one, _, _ in rounds) - 1
    second = median(one / two / 2 for _, one, two, _ in rounds)
    print(
        f"{game + ' ' + player:32}{deals:7}{1000 * bare / deals:11.3f}{deals / one:10.1f}"
        f"{deals / two:10.1f}{overhead:10.1%}{second:8.2f}{yardstick:9.2f}",
        flush=True,
    )


def machine() -> float:
    """Returns the efficiency of a second process on this machine now: of a fixed loop in one, then in two."""
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(loop, [1, 1]))
        start = time.perf_counter()
        pool.submit(loop, LOOP).result()
        middle = time.perf_counter()
        list(pool.map(loop, [LOOP, LOOP]))
        return (middle - start) / (time.perf_counter() - middle)


def loop(turns: int) -> int:
    """Does work that is always the same."""
    return sum(turn & 7 for turn in range(turns))


def bare_loop(survey: Survey, seconds: float, most: int) -> tuple[int, float]:
    """Returns how many deals were done, `most` or in about so many seconds, and the seconds that they took."""
    start = time.perf_counter()
    for seed in range(1, most + 1):
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
