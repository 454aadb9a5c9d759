"""Tables of command lines: from which game, what is typed, and all that must come of it."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

import cardsol
from cardsol.game import Game
from tests.support import harness
from tests.support.harness import Result

Expected = str | re.Pattern[str]
"""A whole text, or a pattern that it must match from end to end."""

SAVE = "cardsol.json"
SAVE_ALONE = "cardsol: with -f - only the save goes to stdout: for the JSON of --json name a file, -f FILE\n"
"""What a command that changes a save says where it has no place for its JSON."""
FILL = " ".join(f"draw w-{row}{column}" for row in "abcd" for column in "1234")

STARTS: dict[str, tuple[str, dict[str, str], str, str]] = {
    "peaks": ("three-peaks", {}, "1", ""),
    "peaks played": ("three-peaks", {}, "1", "d4 draw d1"),
    "peaks multiplied": ("three-peaks", {"scoring": "multiplier"}, "1", ""),
    "peaks progressive": ("three-peaks", {"rounds": "progressive"}, "1", ""),
    "universal": ("universal", {}, "1", ""),
    "universal played": (
        "universal", {}, "1", "t1-f t4-t1 draw t6-t4 w-t6 draw draw draw draw t2-f t5-f draw t3-t5",
    ),
    "universal to slip": ("universal", {}, "8", "t3-f t3-t1 t3-t6 t3-t1 draw draw"),
    "cross": ("vanishing-cross", {}, "1", ""),
    "cross played": (
        "vanishing-cross", {}, "1",
        "b1-b2 b3-b2 b2-b1 draw b2-b3 b3-b2 b1-b2 b2-b1 b1-b2 b2-b1 b2-b3 s-w b3-b2 b1-b2",
    ),
    "cross drawn": ("vanishing-cross", {}, "7", "draw"),
    "cross to its corner": ("vanishing-cross", {}, "3", "draw"),
    "rouge": ("rouge-et-noir", {}, "1", ""),
    "rouge played": (
        "rouge-et-noir", {}, "1",
        "t4-t10 t3-t5 draw t9-t4 t4-t3 t3-t6 t1-t7 draw draw draw t6-t7 t3-f t3-t10 draw t2-t7",
    ),
    "camelot": ("camelot", {}, "1", ""),
    "camelot drawn": ("camelot", {}, "1", "draw w-c2 draw w-d1 draw w-b4 draw"),
    "camelot full": ("camelot", {}, "282", FILL),
}  # fmt: skip
"""Name → game, options, seed, and the tokens played."""


class Line(NamedTuple):
    """A line of a table."""

    words: str
    """What follows `cardsol`, as a shell reads it."""
    out: Expected = ""
    err: Expected = ""
    status: int = 0
    moves: str | None = None
    """The moves of the save afterwards; None where it must be as before, byte for byte."""
    given: str = ""
    start: str = "peaks"


def starts_with(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text) + ".*", re.DOTALL)


def holds(text: str) -> re.Pattern[str]:
    return re.compile(".*" + re.escape(text) + ".*", re.DOTALL)


def table(*lines: Line) -> pytest.MarkDecorator:
    """Makes a test run once a line."""
    return pytest.mark.parametrize("line", lines, ids=[line.words or "nothing" for line in lines])


def game(start: str) -> Game:
    """Returns one of STARTS."""
    name, options, seed, tokens = STARTS[start]
    found = cardsol.deal(name, seed=seed, options=options)
    for token in tokens.split():
        found.push(token)
    return found


def put(start: str, folder: Path, name: str = SAVE) -> Path:
    """Saves one of STARTS in a folder."""
    cardsol.save(game(start), folder / name)
    return folder / name


def saved(folder: Path, name: str = SAVE) -> Any:
    """Returns the JSON of a save."""
    return json.loads((folder / name).read_text("utf-8"))


def in_process(
    *words: str, folder: Path, given: str | bytes = b"", env: Mapping[str, str] | None = None
) -> Result:
    """Does what `harness.run` does, in this process: for tables of hundreds of lines."""
    kept = {name: value for name, value in os.environ.items() if name != "CARDSOL_SAVE"}
    before = os.getcwd()
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, {**kept, **(env or {})}, clear=True):
            return harness.run_inside(*words, given=given.encode() if isinstance(given, str) else given)
    finally:
        os.chdir(before)


def check(line: Line, folder: Path, run: Callable[..., Result] = harness.run_loaded) -> Result:
    """Runs a line of a table on its start, and holds everything that came of it to what the line says."""
    save = put(line.start, folder)
    before = save.read_bytes()
    result = run(*shlex.split(line.words), folder=folder, given=line.given)
    came = (result.status, _as(line.err, result.err), _as(line.out, result.out))
    assert came == (line.status, line.err, line.out), came
    if line.moves is None:
        assert save.read_bytes() == before
    else:
        assert saved(folder)["moves"] == line.moves.split()
    if line.status in (2, 3, 4):
        assert len(result.err.splitlines()) == 1
    return result


def _as(expected: Expected, actual: str) -> Expected:
    """Returns the expected pattern where the text matches it: a report then shows only what does not."""
    if isinstance(expected, re.Pattern):
        return expected if expected.fullmatch(actual) else actual
    return actual
