"""What survey records add up to: shares with their error, scores, lengths."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from math import sqrt
from typing import Any, NamedTuple

VERDICTS = ("won", "impossible", "unknown", "lost", "best", "error")
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution, for intervals of 95 %."""
MOST = 10**12
"""Above any number of a record."""
BARS = 12
WIDTH = 40


class Run(NamedTuple):
    """One run of a survey: the seconds that it has lasted, and the deals that were done in it."""

    seconds: float
    deals: int


class Summary:
    """Adds up records one at a time, keeping a number a seed and not the records."""

    def __init__(self) -> None:
        self.verdicts: Counter[str] = Counter()
        self.scores: Counter[int] = Counter()
        self.moves: Counter[int] = Counter()
        self.seconds = 0.0
        self.share_is_told = True
        """Whether all deals were for a win: where the best score was looked for, wins are not counted."""
        self.twice: list[str] = []
        self.surveys: dict[str, int] = {}
        """What was surveyed, with which options, by whom and for what, and how many deals of it there are."""
        self.failure = ""
        self._seen: dict[int, str] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        """Adds a record; one whose seed was done before is only noted, but for one that mends an error."""
        key = hash(_identity(record))
        before = self._seen.get(key)
        if before is not None and before != "error":
            self.twice.append(str(record["seed"]))
            return
        if before == "error":
            self.verdicts["error"] -= 1
        self._seen[key] = record["verdict"]
        survey = _survey(record)
        self.surveys[survey] = self.surveys.get(survey, 0) + (before is None)
        if record["verdict"] == "error" and not self.failure:
            self.failure = f"seed {record['seed']}: {record.get('error')}"
        self.share_is_told = self.share_is_told and record["goal"] == "win"
        self.verdicts[record["verdict"]] += 1
        if record["verdict"] != "error":
            self.scores[record["score"]] += 1
            if record["line"] is not None:
                self.moves[record["moves"]] += 1
            self.seconds += record["seconds"]

    @property
    def n(self) -> int:
        """How many deals there are, errors left out."""
        return self.verdicts.total() - self.verdicts["error"]

    def as_dict(self, run: Run | None = None) -> dict[str, object]:
        """Returns the summary; the deals a second are those of a run, else of all deals one after the other."""
        n, won = self.n, self.verdicts["won"]
        seconds, deals = run or Run(self.seconds, n)
        told = n and self.share_is_told
        return {
            "n": n,
            **{verdict: self.verdicts[verdict] for verdict in VERDICTS},
            "share": won / n if told else None,
            "interval": list(interval(won, self.verdicts["unknown"], n)) if told else None,
            "score": spread(self.scores),
            "moves": spread(self.moves),
            "seconds": round(seconds, 3),
            "deals_a_second": round(deals / seconds, 3) if seconds and deals else None,
            "twice": self.twice,
            "surveys": self.surveys,
        }

    def lines(self, run: Run | None = None) -> Iterator[str]:
        """Yields the summary in words, with histograms."""
        facts: dict[str, Any] = self.as_dict(run)
        counted = ", ".join(f"{facts[name]} {name}" for name in VERDICTS if facts[name])
        yield f"{_deals(facts['n'])}: {counted or 'none'}"
        if self.verdicts["error"]:
            yield f"failed, and tried again by --resume: {self.failure}{' ...' * (self.verdicts['error'] > 1)}"
        if len(self.surveys) > 1:
            yield "different surveys are added together:"
            yield from (f"  {_deals(deals)} of {survey}" for survey, deals in self.surveys.items())
        if facts["interval"]:
            low, high = facts["interval"]
            yield f"won {facts['share']:.2%}, 95 % interval {low:.2%} to {high:.2%}"
        for name, values in (("score", self.scores), ("moves", self.moves)):
            if values:
                yield f"{name}: " + ", ".join(f"{key} {value:g}" for key, value in facts[name].items())
                yield from histogram(values)
        if facts["deals_a_second"]:
            yield f"{facts['deals_a_second']:g} deals a second"
        if self.twice:
            yield f"done twice, counted once: {' '.join(self.twice[:10])}{' ...' if len(self.twice) > 10 else ''}"


def _identity(record: Mapping[str, Any]) -> tuple[object, ...]:
    options = tuple(sorted(record["options"].items()))
    asked = (record.get("player"), record.get("goal"), record.get("max_states"))
    return record["game"], options, asked, record["seed"], record.get("deck")


def _survey(record: Mapping[str, Any]) -> str:
    """Returns what a record is of, as words of the command; a save has no player."""
    options = [f"-o {key}={value}" for key, value in sorted(record["options"].items())]
    player = [f"--player {record['player']}"] if record.get("player") else []
    goal = ["--goal score"] if record["goal"] == "score" else []
    states = [f"--max-states {record['max_states']}"] if record.get("max_states") else []
    return " ".join([record["game"], *options, *player, *goal, *states])


def _deals(n: int) -> str:
    return f"{n} deal{'s' * (n != 1)}"


def wilson(won: int, n: int) -> tuple[float, float]:
    """Returns Wilson's 95 % interval for a share; `n` above 0.

    >>> [round(bound, 3) for bound in wilson(8, 10)]
    [0.49, 0.943]
    """
    share = won / n
    middle = share + Z * Z / (2 * n)
    reach = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    whole = 1 + Z * Z / n
    return (middle - reach) / whole if won else 0.0, (middle + reach) / whole if won < n else 1.0


def interval(won: int, unknown: int, n: int) -> tuple[float, float]:
    """Returns Wilson's interval with the unknown once counted as lost, once as won."""
    return wilson(won, n)[0], wilson(won + unknown, n)[1]


def spread(values: Counter[int]) -> dict[str, float] | None:
    """Returns mean, least, quartiles and greatest of counted values; None where there are none."""
    n = values.total()
    if not n:
        return None
    quartiles = {
        name: _ranked(values, share * (n - 1))
        for name, share in (("q1", 0.25), ("median", 0.5), ("q3", 0.75))
    }
    mean = sum(value * count for value, count in values.items()) / n
    return {"mean": round(mean, 3), "least": min(values), **quartiles, "greatest": max(values)}


def _ranked(values: Counter[int], place: float) -> float:
    """Returns the value at a place, from 0, of the sorted values; between two places what lies between."""
    low = int(place)
    found: list[int] = []
    passed = 0
    for value in sorted(values):
        passed += values[value]
        while len(found) < 2 and passed > low + len(found):
            found.append(value)
        if len(found) == 2:
            break
    return found[0] + (found[-1] - found[0]) * (place - low)


def histogram(values: Counter[int]) -> Iterator[str]:
    """Yields a bar a class of values, at most BARS classes of equal width."""
    least, greatest = min(values), max(values)
    step = max(1, -(-(greatest - least + 1) // BARS))
    classes: Counter[int] = Counter()
    for value, count in values.items():
        classes[(value - least) // step] += count
    most = max(classes.values())
    for i in range(max(classes) + 1):
        low = least + i * step
        label = f"{low}" if step == 1 else f"{low} to {low + step - 1}"
        bar = "#" * round(WIDTH * classes[i] / most)
        yield f"  {label:>24} {classes[i]:7} {bar}".rstrip()


def read_records(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yields the records of a survey file; raises ValueError with the number of a line that is none."""
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not is_record(record):
            raise ValueError(f"line {number} is no record of a survey")
        yield record


def is_record(record: Any) -> bool:
    """Tells whether a value has what a summary needs of a record, each of its kind."""
    if not isinstance(record, dict) or record.get("verdict") not in VERDICTS:
        return False
    options = record.get("options")
    if not isinstance(options, dict) or not all(isinstance(value, str) for value in options.values()):
        return False
    texts = [record.get("game"), record.get("seed"), record.get("player"), record.get("goal")]
    numbers = [] if record["verdict"] == "error" else [record.get("score"), record.get("moves")]
    return (
        all(isinstance(text, str) for text in texts)
        and all(type(number) is int and abs(number) < MOST for number in numbers)
        and isinstance(record.get("seconds"), (int, float))
        and 0 <= record["seconds"] < MOST
        and type(record.get("max_states")) in (int, type(None))
        and isinstance(record.get("line"), (list, type(None)))
        and "deck" not in record
    )
