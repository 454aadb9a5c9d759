"""The record of one deal of a survey: its shape, its line of JSON, and which survey it belongs to."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import Any, Literal, NamedTuple, get_args

from ..text import printable, quoted
from .players import MOST_MOVE_SECONDS

Verdict = Literal["won", "impossible", "unknown", "lost", "best", "error"]
"""How a deal ended. `best` is the best score, proved; `error` is a deal whose worker or player failed."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
LIMIT = 10**12
"""Larger than any number of a record."""
LONGEST_ERROR = 1000
"""Characters of what a failure is described by."""
PLAIN_SEED = re.compile(r"[\w.:+@/-]+")

Key = tuple[object, ...]


class Survey(NamedTuple):
    """What is done with each seed. Together with the seed it decides the record."""

    game: str
    options: Mapping[str, str]
    player: str
    """`solve`, or the name of a player."""
    goal: str = "win"
    max_states: int | None = None
    """The solver's limit, in positions; None for players."""
    move_seconds: float | None = None
    """The most that a program may take for a move; None for all other players."""

    @property
    def key(self) -> Key:
        """The survey as a value that can be hashed: the order of the options does not matter."""
        return self.game, tuple(sorted(self.options.items())), *self[2:]

    @property
    def words(self) -> str:
        """The survey as words of the command line: `camelot --player greedy`."""
        settings = _settings(self)
        return " ".join(words for words in settings.values() if words)

    @property
    def is_for_scores(self) -> bool:
        """Whether scores mean something: a solver that looks for a win stops at the first one."""
        return self.player != "solve" or self.goal == "score"


class Record(NamedTuple):
    """What became of one seed."""

    survey: Survey
    seed: str
    verdict: Verdict
    score: int | None
    moves: int | None
    """The length of `line`; 0 where the solver has no line."""
    line: tuple[str, ...] | None
    """The tokens played, or those of the solver's line."""
    states: int | None
    """Positions that the solver looked at."""
    seconds: float
    """Wall-clock time. This alone may differ from run to run."""
    error: str | None = None
    """What failed, where the verdict is `error`."""
    fault: str | None = None
    """What a program that plays did wrong, so that the deal counts as lost."""

    @property
    def key(self) -> Key:
        """What two records of the same deal have in common."""
        return *self.survey.key, self.seed

    def as_dict(self) -> dict[str, Any]:
        """Returns the record as JSON has it, keys in their order.

        `move_seconds`, `error` and `fault` are there only where they have a value.
        """
        survey = self.survey
        limit = {} if survey.move_seconds is None else {"move_seconds": survey.move_seconds}
        error = {} if self.error is None else {"error": self.error}
        fault = {} if self.fault is None else {"fault": self.fault}
        return {
            "game": survey.game,
            "options": dict(survey.options),
            "seed": self.seed,
            "player": survey.player,
            "goal": survey.goal,
            "max_states": survey.max_states,
            **limit,
            "verdict": self.verdict,
            "score": self.score,
            "moves": self.moves,
            "line": None if self.line is None else list(self.line),
            "states": self.states,
            **error,
            **fault,
            "seconds": self.seconds,
        }

    def as_line(self) -> str:
        """Returns the record as a line of a survey file."""
        return json.dumps(self.as_dict(), ensure_ascii=False) + "\n"

    def as_row(self) -> dict[str, object]:
        """Returns the record as a row of CSV: options as words, the line blank-separated."""
        return {
            **self.as_dict(),
            "options": options_in_words(self.survey.options),
            "line": " ".join(self.line or ()),
            "error": self.error,
            "fault": self.fault,
            "move_seconds": self.survey.move_seconds,
        }


COLUMNS = (
    *("game", "options", "seed", "player", "goal", "max_states", "move_seconds"),
    *("verdict", "score", "moves", "line", "states", "error", "fault", "seconds"),
)
"""The columns of `survey --csv`."""


def failure(survey: Survey, seed: str, error: BaseException) -> Record:
    """Returns the record of a seed whose worker or player failed."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return Record(
        survey, seed, "error", None, None, None, None, 0, text[:LONGEST_ERROR] or type(error).__name__
    )


def read(lines: Iterable[str]) -> Iterator[Record]:
    """Yields the records of a survey file; raises ValueError with the number of a line that is not a record."""
    for number, line in enumerate(lines, start=1):
        try:
            facts = json.loads(line)
        except (ValueError, RecursionError):
            facts = None
        if not _is_record(facts):
            raise ValueError(f"line {number} is not a record of a survey")
        line_played = facts.get("line")
        yield Record(
            survey_of(facts),
            facts["seed"],
            facts["verdict"],
            facts.get("score"),
            facts.get("moves"),
            None if line_played is None else tuple(line_played),
            facts.get("states"),
            facts["seconds"],
            facts.get("error"),
            facts.get("fault"),
        )


def survey_of(facts: Mapping[str, Any]) -> Survey:
    """Returns the survey that a record in JSON belongs to."""
    return Survey(
        facts["game"],
        facts["options"],
        facts["player"],
        facts["goal"],
        facts.get("max_states"),
        facts.get("move_seconds"),
    )


def beginning(survey: Survey) -> bytes:
    """Returns the bytes that every line of a survey's file begins with."""
    head = json.dumps({"game": survey.game, "options": dict(survey.options)}, ensure_ascii=False)
    return head[:-1].encode()


def difference(found: Survey, asked: Survey) -> str:
    """Says in what the first survey differs from the second; an empty text where it does not."""
    there, here = _settings(found), _settings(asked)
    for name in there:
        if getattr(found, name) != getattr(asked, name):
            return f"{there[name] or f'no {name}'}, not {here[name] or f'no {name}'}"
    return ""


def options_in_words(options: Mapping[str, str]) -> str:
    """Returns the options of a game in one text: `play=direct wrap=off`."""
    return " ".join(f"{key}={value}" for key, value in options.items())


def in_one_line(text: object, limit: int = 200) -> str:
    """Returns a text of anybody's, cut to `limit` characters, on one line and printable."""
    whole = " ".join(str(text)[: limit * 10].split())
    return printable(whole[:limit]) + ("..." if len(whole) > limit else "")


def seed_in_words(seed: str) -> str:
    """Returns a seed for a list in a message: in quotes where it has blanks or unusual characters."""
    return seed if PLAIN_SEED.fullmatch(seed) else quoted(seed, 200)


def _settings(survey: Survey) -> dict[str, str]:
    """Returns each setting of a survey as the words that ask for it; nothing for a default."""
    return {
        "game": survey.game,
        "options": " ".join(f"-o {key}={value}" for key, value in sorted(survey.options.items())),
        "player": f"--player {shlex.quote(survey.player)}" if survey.player else "",
        "goal": "--goal score" if survey.goal == "score" else "",
        "max_states": f"--max-states {survey.max_states}" if survey.max_states else "",
        "move_seconds": f"--move-seconds {survey.move_seconds:g}" if survey.move_seconds else "",
    }


def _is_record(facts: Any) -> bool:
    """Tells whether a value has all that a record needs, each of its type."""
    if not isinstance(facts, dict) or facts.get("verdict") not in VERDICTS:
        return False
    options, line = facts.get("options"), facts.get("line")
    texts = [facts.get(name) for name in ("game", "seed", "player", "goal")]
    numbers = [] if facts["verdict"] == "error" else [facts.get("score"), facts.get("moves")]
    seconds = facts.get("seconds")
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 <= seconds < LIMIT:
        return False
    return (
        isinstance(options, dict)
        and all(isinstance(text, str) for text in (*texts, *options.values()))
        and all(type(number) is int and abs(number) < LIMIT for number in numbers)
        and _is_number(facts.get("max_states"), int, 1, inf)
        and _is_number(facts.get("states"), int, 0)
        and _is_number(facts.get("move_seconds"), (int, float), 0, MOST_MOVE_SECONDS)
        and facts.get("move_seconds") != 0
        and (line is None or (isinstance(line, list) and all(isinstance(token, str) for token in line)))
        and all(isinstance(facts.get(name), (str, type(None))) for name in ("error", "fault"))
    )


def _is_number(value: Any, kind: Any, least: int, most: float = LIMIT) -> bool:
    """Tells whether a value is a number from `least` to `most`, which NaN is not, or None."""
    return value is None or (
        not isinstance(value, bool) and isinstance(value, kind) and least <= value <= most
    )
