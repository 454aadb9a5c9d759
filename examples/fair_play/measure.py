"""Measures play by hints: wins with their 95 % interval, time a move, and how true the told chances are.

    python examples/fair_play/measure.py GAME [-o KEY=VALUE]... [--worlds N] [--deals N] [--seeds WORD] [--processes N]

The deals have the seeds WORD-1, WORD-2, …; published figures are those of the word `test`. A chance is noted where a
card is turned up, so once for each decision; they are counted by tenths.
"""

from __future__ import annotations

import argparse
import math
import signal
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import cardsol
from cardsol.errors import NoHint
from cardsol.hint import Adviser

Z = 1.96


class Record(NamedTuple):
    won: bool
    times: list[float]
    """CPU seconds of each hint."""
    chances: list[float]
    """The chance told with each plan that was made."""


def play(name: str, options: Mapping[str, str], worlds: int, seed: str) -> Record:
    """Plays a deal by hints, each made from what was seen."""
    game = cardsol.deal(name, seed=seed, options=options)
    adviser = Adviser(game.view(hide_seed=True))
    times, chances = [], []
    plan: tuple[str, ...] = ()
    try:
        while game.legal_moves:
            start = time.process_time()
            hint = adviser.hint(worlds)
            times.append(time.process_time() - start)
            if hint.chance is not None and hint.plan != plan:
                chances.append(hint.chance)
            plan = hint.plan[1:]
            game.push(hint.token)
            adviser.follow(hint.token, game.view(hide_seed=True))
    except NoHint:
        pass
    return Record(game.status == "won", times, chances)


def interval(won: int, deals: int) -> tuple[float, float]:
    """Returns the 95 % interval of a share, by Wilson's method."""
    share = won / deals
    middle = share + Z * Z / (2 * deals)
    half = Z * math.sqrt(share * (1 - share) / deals + Z * Z / (4 * deals * deals))
    return (middle - half) / (1 + Z * Z / deals), (middle + half) / (1 + Z * Z / deals)


@contextmanager
def spread(processes: int) -> Iterator[Callable[[Callable[[str], Any], Sequence[str]], Iterator[Any]]]:
    """Gives a `map` that spreads its work over so many processes."""
    if processes == 1:
        yield map
    else:
        with ProcessPoolExecutor(processes) as pool:
            yield partial(pool.map, chunksize=5)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures play by hints.")
    parser.add_argument("game", choices=cardsol.names())
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--worlds", type=int, default=1)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seeds", default="test")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    options = dict(pair.split("=", 1) for pair in asked.option)
    seeds = [f"{asked.seeds}-{i}" for i in range(1, asked.deals + 1)]
    records: list[Record] = []
    with spread(asked.processes) as each_of:
        for record in each_of(partial(play, asked.game, options, asked.worlds), seeds):
            records.append(record)
            if len(records) % 100 == 0:
                print(f"  {len(records)} deals, {sum(each.won for each in records)} won", flush=True)
    won = sum(record.won for record in records)
    low, high = interval(won, len(records))
    times = [t for record in records for t in record.times]
    print(f"{asked.game} {' '.join(asked.option)} worlds={asked.worlds}: {won} of {len(records)} won,"
          f" {won / len(records):.1%} [{low:.1%}, {high:.1%}]")  # fmt: skip
    print(f"a hint: median {1000 * statistics.median(times):.1f} ms, mean {1000 * statistics.mean(times):.1f} ms,"
          f" longest {1000 * max(times):.0f} ms")  # fmt: skip
    for tenth in range(10):
        told = [
            (chance, record.won)
            for record in records
            for chance in record.chances
            if min(int(chance * 10), 9) == tenth
        ]
        if told:
            mean = statistics.mean(chance for chance, _ in told)
            share = statistics.mean(won for _, won in told)
            print(
                f"told {tenth * 10} to {tenth * 10 + 10} %: {len(told)} times, mean {mean:.3f}, won {share:.3f}"
            )


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends quietly where nobody reads on
    main()
