"""Makes the tables "Can it be won?" of the README: surveys of every game, and what they add up to.

    python examples/can_it_be_won.py FOLDER [--deals N] [--jobs N] [--only TEXT]

The records go to a file a set in FOLDER. What is there already is gone on with, so the script may be stopped at
any moment and started again; the tables are printed as they are done, as Markdown, and on standard error how far
the surveys are. With `--deals` no set has more deals than that (nor fewer than its file has already); with `--only`
only the sets are made whose words hold that text. All of it takes some hours.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

FAST, DEALS, SLOW = 10_000, 1_000, 200
"""Deals of a set: where one takes milliseconds, under a second, longer."""
STATES = "--max-states 300000"


class Set(NamedTuple):
    """One survey: the words of its command but for the seeds."""

    words: str
    deals: int

    @property
    def file(self) -> str:
        return self.words.replace("-o ", "").replace("--", "").replace(" ", "-") + ".jsonl"


WINNABLE = [
    *(Set(f"universal -o draw={draw} {STATES}", SLOW if draw == 1 else DEALS) for draw in (1, 2, 3)),
    Set("three-peaks", FAST),
    *(
        Set(f"vanishing-cross -o play={play} -o wrap={wrap} {STATES}", deals)
        for play, wrap, deals in (
            ("classic", "on", DEALS),
            ("classic", "off", SLOW),
            ("direct", "on", SLOW),
            ("direct", "off", SLOW),
        )
    ),
    Set(f"rouge-et-noir {STATES}", SLOW),
    Set("camelot", FAST),
]
BEST = [
    Set("three-peaks -o scoring=classic --goal score", SLOW),
    Set("three-peaks -o scoring=multiplier --goal score", SLOW),
    Set("camelot --goal score", FAST),
]
PLAYED = [
    Set(f"{words} --player {player}", SLOW if player == "hint" else DEALS)
    for words in (
        *(f"universal -o draw={draw}" for draw in (1, 2, 3)),
        "three-peaks",
        *(f"vanishing-cross -o play={play}" for play in ("classic", "direct")),
        "rouge-et-noir",
        "camelot",
    )
    for player in ("hint", "greedy", "random")
]


def main() -> None:
    """Makes the surveys and prints the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=FAST, help="at most so many deals a set")
    parser.add_argument("--jobs", type=int, help="processes (one a processor)")
    parser.add_argument("--only", default="", help="sets whose words hold this text")
    asked = parser.parse_args()
    if asked.deals < 1:
        parser.error("--deals takes a number from 1")
    if not any(asked.only in each.words for each in (*WINNABLE, *BEST, *PLAYED)):
        parser.error(f"no set has {asked.only!r} in its words")
    asked.folder.mkdir(parents=True, exist_ok=True)
    tables = [
        (WINNABLE, ["deals", "winnable", "95 % interval", "impossible", "unknown"], winnable),
        (BEST, ["deals", "mean", "least", "quartiles", "greatest", "not proved"], best),
        (PLAYED, ["deals", "won", "95 % interval", "mean score"], played),
    ]
    for sets, heads, cells in tables:
        chosen = [each for each in sets if asked.only in each.words]
        rows = [[f"`{each.words}`", *cells(made(each, asked))] for each in chosen]
        if not rows:
            continue
        print(
            row(["survey", *heads]),
            row(["---"] * (len(heads) + 1)),
            *map(row, rows),
            "",
            sep="\n",
            flush=True,
        )


def made(each: Set, asked: argparse.Namespace) -> dict[str, Any]:
    """Makes one survey, or the rest of it, and returns its summary."""
    path = asked.folder / each.file
    jobs = [] if asked.jobs is None else ["--jobs", str(asked.jobs)]
    print(each.words, file=sys.stderr)
    seeds = f"1..{min(each.deals, asked.deals)}"
    cardsol("survey", *shlex.split(each.words), "--seeds", seeds, *jobs, "--out", str(path), "--resume")
    found: dict[str, Any] = json.loads(cardsol("stats", "--json", str(path)))
    return found


def cardsol(*words: str) -> bytes:
    """Runs a command and returns what it prints; one that fails ends the program with its message and status."""
    done = subprocess.run([sys.executable, "-m", "cardsol", *words], stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout


def winnable(facts: dict[str, Any]) -> Iterable[str]:
    """Returns the cells of a row on deals that were solved for a win."""
    return [
        count(facts),
        percent(facts["share"]),
        span(facts),
        f"{facts['impossible']:,}",
        f"{facts['unknown']:,}",
    ]


def best(facts: dict[str, Any]) -> Iterable[str]:
    """Returns the cells of a row on best scores."""
    score = facts["score"]
    quartiles = " ".join(f"{score[name]:,.10g}" for name in ("q1", "median", "q3"))
    return [
        count(facts), f"{score['mean']:,.1f}", f"{score['least']:,}", quartiles, f"{score['greatest']:,}",
        str(facts["unknown"]),
    ]  # fmt: skip


def played(facts: dict[str, Any]) -> Iterable[str]:
    """Returns the cells of a row on deals that were played."""
    return [count(facts), percent(facts["share"]), span(facts), f"{facts['score']['mean']:.1f}"]


def count(facts: dict[str, Any]) -> str:
    return f"{facts['n']:,}"


def percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")


def span(facts: dict[str, Any]) -> str:
    return " to ".join(percent(bound) for bound in facts["interval"])


def row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
