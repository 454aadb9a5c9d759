"""What the records of surveys add up to: shares with their error, scores, lengths. Saves are added up too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any, NamedTuple

from ..game import Game
from ..text import counted
from .records import Key, Record, Survey, in_one_line, options_in_words, seed_in_words

OUTCOMES = ("won", "impossible", "unknown", "lost", "best", "playing", "error")
"""How deals end, with `playing` for saves of games that have not ended."""
SPREAD = ("mean", "least", "q1", "median", "q3", "greatest")
Z = 1.959963984540054
"""The 97.5 % point of the normal distribution, for intervals of 95 %."""
FEWEST = 10
"""Deals of which a histogram shows anything."""
BARS = 12
WIDTH = 40
SHOWN = 10
"""How many seeds a message lists."""


class Run(NamedTuple):
    """One run of a survey: how long it has lasted, in seconds, and how many deals were done in it."""

    seconds: float
    deals: int


class Summary:
    """What the records of one survey add up to. It keeps a number per seed, not the records.

    The saves of one game with the same options make a summary too; their survey has no player and no goal.
    """

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self.outcomes: Counter[str] = Counter()
        self.scores: Counter[int] = Counter()
        self.moves: Counter[int] = Counter()
        self.seconds = 0.0
        self.twice: list[str] = []
        """Seeds that have more than one record."""
        self.failure = ""
        self.faults = 0
        """Deals that a program lost by doing something wrong."""
        self.fault = ""
        self._seen: dict[int, str] = {}

    def add(self, record: Record) -> None:
        """Adds a record of this survey.

        Of several records of a seed only the first counts, but a later one replaces an error.
        """
        key = hash(record.seed)
        before = self._seen.get(key)
        if before is not None and before != "error":
            self.twice.append(record.seed)
            return
        if before == "error":
            self.outcomes["error"] -= 1
        self._seen[key] = record.verdict
        self.outcomes[record.verdict] += 1
        if record.verdict == "error":
            self.failure = self.failure or f"seed {seed_in_words(record.seed)}: {in_one_line(record.error)}"
            return
        if record.fault is not None:
            self.faults += 1
            self.fault = self.fault or f"seed {seed_in_words(record.seed)}: {in_one_line(record.fault)}"
        self._count(record.score, None if record.line is None else record.moves)
        self.seconds += record.seconds

    def add_save(self, game: Game) -> None:
        """Adds the game of a save; every save counts, whatever its seed."""
        self.outcomes[game.status] += 1
        self._count(game.score, len(game.moves))

    def _count(self, score: int | None, moves: int | None) -> None:
        if score is not None:
            self.scores[score] += 1
        if moves is not None:
            self.moves[moves] += 1

    @property
    def n(self) -> int:
        """How many deals there are, without errors."""
        return self.outcomes.total() - self.outcomes["error"]

    @property
    def is_of_saves(self) -> bool:
        return not self.survey.player

    @property
    def title(self) -> str:
        """What was surveyed: the words of the command, or whose saves they are."""
        words = in_one_line(self.survey.words, 1000)
        return f"saves of {words}" if self.is_of_saves else words

    def as_dict(self, run: Run | None = None) -> dict[str, Any]:
        """Returns the summary as JSON has it.

        Deals a second are those of `run`, or of all deals as if done one after the other. There is no share where
        wins are not what was looked for (best scores, saves), and no score where only a win was.
        """
        survey, n, won = self.survey, self.n, self.outcomes["won"]
        seconds, deals = run or Run(self.seconds, n)
        has_share = n > 0 and survey.goal == "win"
        return {
            "game": survey.game,
            "options": dict(survey.options),
            "player": survey.player or None,
            "goal": survey.goal or None,
            "max_states": survey.max_states,
            "n": n,
            **{outcome: self.outcomes[outcome] for outcome in OUTCOMES},
            "share": won / n if has_share else None,
            "interval": list(interval(won, self.outcomes["unknown"], n)) if has_share else None,
            "score": spread(self.scores) if survey.is_for_scores else None,
            "moves": spread(self.moves),
            "seconds": round(seconds, 3),
            "deals_a_second": round(deals / seconds, 3) if seconds and deals else None,
            "twice": self.twice,
            "faults": self.faults,
        }

    def as_row(self, run: Run | None = None) -> dict[str, object]:
        """Returns the summary as a row of CSV, with the columns COLUMNS."""
        facts = self.as_dict(run)
        low, high = facts["interval"] or (None, None)
        return {
            **{name: value for name, value in facts.items() if name in COLUMNS},
            "options": options_in_words(self.survey.options),
            "low": low,
            "high": high,
            **{
                f"{name}_{part}": (facts[name] or {}).get(part)
                for name in ("score", "moves")
                for part in SPREAD
            },
            "twice": len(self.twice),
        }

    def lines(self, run: Run | None = None) -> Iterator[str]:
        """Yields the summary in words, with histograms where there are enough deals."""
        facts = self.as_dict(run)
        found = ", ".join(f"{facts[name]} {name}" for name in OUTCOMES if facts[name])
        yield f"{counted(self.n, 'save' if self.is_of_saves else 'deal')}: {found or 'none'}"
        if self.outcomes["error"]:
            more = " ..." if self.outcomes["error"] > 1 else ""
            yield f"failed, and tried again by --resume: {self.failure}{more}"
        if self.faults:
            yield f"lost by a fault of the player: {self.faults}, first {self.fault}"
        if facts["interval"]:
            low, high = facts["interval"]
            yield f"won {facts['share']:.2%}, 95 % interval {low:.2%} to {high:.2%}"
        for name, values in (("score", self.scores), ("moves", self.moves)):
            if facts[name]:
                yield f"{name}: " + ", ".join(f"{part} {value:.10g}" for part, value in facts[name].items())
                if values.total() >= FEWEST:
                    yield from histogram(values)
        if facts["deals_a_second"]:
            yield f"{facts['deals_a_second']:g} deals a second"
        if self.twice:
            listed = " ".join(map(seed_in_words, self.twice[:SHOWN]))
            yield f"found twice, counted once: {listed}{' ...' if len(self.twice) > SHOWN else ''}"


COLUMNS = (
    *("game", "options", "player", "goal", "max_states", "n", *OUTCOMES, "share", "low", "high"),
    *(f"{name}_{part}" for name in ("score", "moves") for part in SPREAD),
    *("seconds", "deals_a_second", "twice", "faults"),
)
"""The columns of `stats --csv`."""


class Summaries:
    """A summary for each survey that there are records of, in the order in which they are met."""

    def __init__(self) -> None:
        self._found: dict[Key, Summary] = {}

    def __iter__(self) -> Iterator[Summary]:
        return iter(self._found.values())

    def add(self, record: Record) -> None:
        """Adds a record to the summary of its survey."""
        self._of(record.survey).add(record)

    def add_save(self, game: Game) -> None:
        """Adds a save to the summary of the saves of the same game with the same options."""
        self._of(Survey(game.name, game.options, player="", goal="")).add_save(game)

    def _of(self, survey: Survey) -> Summary:
        found = self._found.get(survey.key)
        if found is None:
            found = self._found[survey.key] = Summary(survey)
        return found

    def lines(self) -> Iterator[str]:
        """Yields all summaries in words, each under its title where there are several."""
        several = len(self._found) > 1
        for number, summary in enumerate(self):
            if several:
                yield from ("", summary.title) if number else (summary.title,)
            yield from summary.lines()
        if not self._found:
            yield f"{counted(0, 'deal')}: none"


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
    """Returns the value at a place, from 0, of the sorted values; interpolated between two places."""
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
    """Yields a bar for each class of values, at most BARS; nothing where there are no more than two values.

    Classes are equally wide, 1, 2 or 5 times a power of ten, and begin at multiples of their width.
    """
    if len(values) <= 2:
        return
    least, greatest = min(values), max(values)
    step = next(step for step in _round_steps() if greatest // step - least // step < BARS)
    classes: Counter[int] = Counter()
    for value, count in values.items():
        classes[value // step] += count
    most = max(classes.values())
    for i in range(least // step, greatest // step + 1):
        low = i * step
        label = f"{low}" if step == 1 else f"{low} to {low + step - 1}"
        bar = "#" * round(WIDTH * classes[i] / most)
        yield f"  {label:>24} {classes[i]:7} {bar}".rstrip()


def _round_steps() -> Iterator[int]:
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10
