"""Makes the tables of "Can it be won?" in the README, from surveys of every game.

    python examples/can_it_be_won.py FOLDER [--deals N] [--jobs N] [--only TEXT]

Each set of deals has a file of records in FOLDER. The script can be stopped at any moment: started again, it
continues from these files. The tables are printed as Markdown as soon as they are done; progress goes to standard
error. `--deals` limits the deals of a set (records already there are kept); `--only` makes only the sets whose
words contain that text. The whole takes some hours.
"""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

FAST, DEALS, SLOW = 10_000, 1_000, 200
"""Deals of a set, for deals that take milliseconds, less than a second, or longer."""
STATES = "--max-states 300000"


class Set(NamedTuple):
    """One survey: the words of its command, without the seeds."""

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
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head -n 1` ends the program, without a traceback
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=FAST, help="the most deals of a set")
    parser.add_argument("--jobs", type=int, help="processes (default: one for each processor)")
    parser.add_argument("--only", default="", help="make only sets whose words contain this text")
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
