"""Checks the records that tables.py made, by replaying some of them.

    python examples/can_it_be_won/check.py FOLDER [--records N] [--choice TEXT] [--again]

From each file of records in FOLDER it takes N records at random (20 by default), deals their seeds and plays their
lines: each move must be legal, and the end as the record tells it. The digest of each file must be the one in
results.json. `--again` makes the records again with `cardsol survey`, those without a line too, and compares all but
the seconds. `--choice` is the seed of that choice: the same TEXT chooses the same records.

Prints a line a file; the exit status is 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tables import RESULTS, TABLES, Set, digest, noted, records_of
from tables import cardsol as command

import cardsol

Record = dict[str, Any]


def wrong(record: Record) -> str:
    """Returns what is wrong with a record, or nothing."""
    game = cardsol.deal(record["game"], seed=record["seed"], options=record["options"])
    if record["line"] is None:
        return ""
    scores = [game.score]
    for token in record["line"]:
        try:
            game.push(token)
        except cardsol.CardsolError as error:
            return f"seed {record['seed']}: {error}"
        scores.append(game.score)
    found: dict[str, object] = {"score": max(scores) if record["verdict"] == "best" else game.score}
    if record["verdict"] in ("won", "lost"):  # lost: the player had no move left, or would make none
        found["verdict"] = "won" if game.status == "won" else "lost"
    if record["moves"] is not None:
        found["moves"] = len(record["line"])
    return "; ".join(
        f"seed {record['seed']}: the record's {name} is {record[name]}, the replay's {value}"
        for name, value in found.items()
        if record[name] != value
    )


def differing(each: Set, records: Sequence[Record]) -> list[str]:
    """Makes records again, and returns what differs."""
    seeds = "\n".join(record["seed"] for record in records)
    made = command("survey", *shlex.split(each.words), "--seeds", "-", given=seeds, quiet=True)
    again = {record["seed"]: record for record in map(json.loads, made.splitlines())}
    return [
        f"seed {record['seed']}: another record is made now"
        for record in records
        if {**again[record["seed"]], "seconds": None} != {**record, "seconds": None}
    ]


def main() -> int:
    """Checks each file, and returns the exit status."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head -n 1` ends the program, without a traceback
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--records", type=int, default=20, help="records of each file")
    parser.add_argument("--choice", help="the seed of the choice")
    parser.add_argument("--again", action="store_true", help="make the records again, too")
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the digests are noted")
    asked = parser.parse_args()
    dice, results = random.Random(asked.choice), noted(asked.results)
    sets = [each for table in TABLES for each in table.sets if (asked.folder / each.file).exists()]
    if not sets:
        parser.error(f"{asked.folder} has no records of a set")
    failed = False
    for each in sets:
        records = records_of(asked.folder / each.file)
        some = dice.sample(records, min(asked.records, len(records)))
        faults = [fault for record in some if (fault := wrong(record))]
        if asked.again:
            faults += differing(each, some)
        if digest(asked.folder / each.file) != results.get(each.words, {}).get("sha256"):
            faults.append("the digest is not the one that was noted")
        failed |= bool(faults)
        print(
            f"{each.file}: {len(some)} of {len(records):,} records",
            *faults or ["right"],
            sep="\n  ",
            flush=True,
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
