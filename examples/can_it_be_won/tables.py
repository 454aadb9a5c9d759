"""Makes the tables of README.md in this folder, from surveys of every game.

    python examples/can_it_be_won/tables.py                      writes the tables of results.json into README.md
    python examples/can_it_be_won/tables.py FOLDER [--deals N] [--jobs N] [--only TEXT] [--results FILE]

With FOLDER it makes the surveys first, and notes their figures in results.json. Each set of deals has a file of records
in FOLDER; the deals are those of the seeds test-1, test-2 and so on. The script can be stopped at any moment: started
again, it continues from these files. `--deals` limits the deals of a set; `--only` makes only the sets whose words
contain that text. With `--results` the figures go to another file, and README.md stays as it is.

The digest of a set is the SHA-256 of its records in the order of the seeds, without the seconds that they took. So a
survey that is made again has the same digest, on any machine.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
README = HERE / "README.md"
SEEDS = "test-"
"""What the seeds of the surveys begin with. No deal of such a seed decided anything in the solver or the players."""
LARGE, DEALS, SMALL = 10_000, 2_000, 200
"""Deals of a set, for deals that take milliseconds, less than a second, or longer."""
STATES = "--max-states 300000"
DIGITS = 16
"""Hexadecimal digits of a digest that a table shows."""

Facts = dict[str, Any]
"""What `cardsol stats --json` tells of a set, with its words, commit and digest."""


class Set(NamedTuple):
    """One survey: the words of its command, without the seeds."""

    words: str
    deals: int

    @property
    def file(self) -> str:
        return self.words.replace("-o ", "").replace("--", "").replace(" ", "-") + ".jsonl"


class Table(NamedTuple):
    """A table of README.md."""

    name: str
    """What its place in README.md is marked by."""
    heads: Sequence[str]
    cells: Callable[[Facts], Iterable[str]]
    """Returns the cells of a row, without the first and the last two."""
    sets: Sequence[Set]


def winnable(facts: Facts) -> Iterable[str]:
    """Returns the cells of a row on deals that were solved for a win."""
    unknown = f"{facts['unknown']:,}"
    return [count(facts), percent(facts["share"]), span(facts), f"{facts['impossible']:,}", unknown]


def best(facts: Facts) -> Iterable[str]:
    """Returns the cells of a row on best scores."""
    score = facts["score"]
    quartiles = " ".join(f"{score[name]:,.10g}" for name in ("q1", "median", "q3"))
    return [
        count(facts), f"{score['mean']:,.1f}", f"{score['least']:,}", quartiles, f"{score['greatest']:,}",
        str(facts["unknown"]),
    ]  # fmt: skip


def played(facts: Facts) -> Iterable[str]:
    """Returns the cells of a row on deals that were played."""
    return [count(facts), percent(facts["share"]), span(facts), f"{facts['score']['mean']:.1f}"]


TABLES = [
    Table(
        "winnable",
        ["deals", "winnable", "95 % interval", "impossible", "unknown"],
        winnable,
        [
            *(Set(f"universal -o draw={draw} {STATES}", DEALS) for draw in (1, 2, 3)),
            Set("three-peaks", LARGE),
            *(
                Set(f"vanishing-cross -o play={play} -o wrap={wrap} {STATES}", deals)
                for play, wrap, deals in (
                    ("classic", "on", DEALS),
                    ("classic", "off", SMALL),
                    ("direct", "on", DEALS),
                    ("direct", "off", SMALL),
                )
            ),
            Set(f"rouge-et-noir {STATES}", DEALS),
            Set("camelot", LARGE),
        ],
    ),
    Table(
        "best",
        ["deals", "mean", "least", "quartiles", "greatest", "not proved"],
        best,
        [
            Set("three-peaks -o scoring=classic --goal score", DEALS),
            Set("three-peaks -o scoring=multiplier --goal score", DEALS),
            Set("camelot --goal score", LARGE),
        ],
    ),
    Table(
        "played",
        ["deals", "won", "95 % interval", "mean score"],
        played,
        [
            Set(
                f"{words} --player {player}",
                (LARGE if words == "camelot" else DEALS) if player == "hint" else LARGE,
            )
            for words in (
                *(f"universal -o draw={draw}" for draw in (1, 2, 3)),
                "three-peaks",
                *(
                    f"vanishing-cross -o play={play} -o wrap={wrap}"
                    for play in ("classic", "direct")
                    for wrap in ("on", "off")
                ),
                "rouge-et-noir",
                "camelot",
            )
            for player in ("hint", "greedy", "random")
        ],
    ),
]


def main() -> None:
    """Makes the surveys, notes their figures and writes the tables."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head -n 1` ends the program, without a traceback
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--deals", type=int, default=LARGE, help="the most deals of a set")
    parser.add_argument("--jobs", type=int, help="processes (default: one for each processor)")
    parser.add_argument("--only", default="", help="make only sets whose words contain this text")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where to note the figures")
    asked = parser.parse_args()
    if asked.deals < 1:
        parser.error("--deals takes a number from 1")
    chosen = [each for table in TABLES for each in table.sets if asked.only in each.words]
    if not chosen:
        parser.error(f"no set has {asked.only!r} in its words")
    if asked.folder:
        asked.folder.mkdir(parents=True, exist_ok=True)
        for each in chosen:
            results = noted(asked.results)
            results[each.words] = made(each, asked)
            asked.results.write_text(as_json(results), encoding="utf-8")
    tables = markdown(noted(asked.results))
    if asked.results.resolve() == RESULTS:
        README.write_text(with_tables(README.read_text(encoding="utf-8"), tables), encoding="utf-8")
    else:
        print(*tables.values(), sep="\n")


def made(each: Set, asked: argparse.Namespace) -> Facts:
    """Makes one survey, or the rest of it, and returns its figures."""
    path = asked.folder / each.file
    print(each.words, file=sys.stderr)
    seeds = [f"{SEEDS}{number}" for number in range(1, min(each.deals, asked.deals) + 1)]
    jobs = [] if asked.jobs is None else ["--jobs", str(asked.jobs)]
    words = ["survey", *shlex.split(each.words), "--seeds", "-", *jobs, "--out", str(path), "--resume"]
    cardsol(*words, given="\n".join(seeds))
    facts: Facts = json.loads(cardsol("stats", "--json", str(path)))
    if facts["n"] != len(seeds):
        sys.exit(f"tables.py: {path} has records of {facts['n']:,} deals, not {len(seeds):,}")
    del facts["seconds"], facts["deals_a_second"]
    return {"commit": commit(), "sha256": digest(path), **facts}


def cardsol(*words: str, given: str = "", quiet: bool = False) -> str:
    """Runs a command and returns what it prints; one that fails ends the program with its message and status.

    `quiet` keeps progress and summaries off standard error.
    """
    done = subprocess.run(
        [sys.executable, "-m", "cardsol", *words],
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if quiet else None,
        encoding="utf-8",
    )
    if done.returncode:
        sys.stderr.write(done.stderr or "")
        sys.exit(done.returncode)
    return done.stdout


def commit() -> str:
    """Returns the commit of the checkout that this script is in, `-dirty` after it where files differ from it."""
    words = ["git", "-C", str(HERE), "describe", "--always", "--abbrev=12", "--exclude=*", "--dirty"]
    try:
        return subprocess.run(words, capture_output=True, check=True, encoding="utf-8").stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "not known"


def records_of(path: Path) -> list[dict[str, Any]]:
    """Returns the records of a file in the order of their seeds."""
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return sorted(records, key=lambda record: int(record["seed"].removeprefix(SEEDS)))


def digest(path: Path) -> str:
    """Returns the SHA-256 of a file's records in the order of the seeds, without their seconds."""
    found = hashlib.sha256()
    for record in records_of(path):
        del record["seconds"]
        found.update(json.dumps(record, sort_keys=True, separators=(",", ":")).encode() + b"\n")
    return found.hexdigest()


def noted(path: Path) -> dict[str, Facts]:
    """Returns the figures of each set, by its words."""
    found: dict[str, Facts] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def as_json(results: Mapping[str, Facts]) -> str:
    """Returns figures as text, one set a line, in the order of the tables."""
    known = [each.words for table in TABLES for each in table.sets]
    lines = [f"{json.dumps(words)}: {json.dumps(results[words])}" for words in known if words in results]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def markdown(results: Mapping[str, Facts]) -> dict[str, str]:
    """Returns the tables by their names; a set that has no figures has no row."""
    tables = {}
    for table in TABLES:
        rows = [row(["survey", *table.heads, "commit", "records"]), row(["---"] * (len(table.heads) + 3))]
        for each in table.sets:
            if each.words in results:
                facts = results[each.words]
                rows.append(
                    row(
                        [
                            f"`{each.words}`",
                            *table.cells(facts),
                            facts["commit"],
                            f"`{facts['sha256'][:DIGITS]}`",
                        ]
                    )
                )
        tables[table.name] = "\n".join(rows) + "\n"
    return tables


def with_tables(page: str, tables: Mapping[str, str]) -> str:
    """Returns a page with these tables between its marks."""
    for name, table in tables.items():
        before, begin, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        if not end:
            sys.exit(f"tables.py: README.md has no place for the table {name!r}")
        page = f"{before}{begin}\n{table}\n{end}{after}"
    return page


def count(facts: Facts) -> str:
    return f"{facts['n']:,}"


def percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")


def span(facts: Facts) -> str:
    return " to ".join(percent(bound) for bound in facts["interval"])


def row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
