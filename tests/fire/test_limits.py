"""The largest saves that are taken, of 20,000 moves or of 4 MB, keep no command waiting."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import cardsol
from cardsol import files, saves
from cardsol.game import MOST_MOVES
from tests.bench.speed import long_game
from tests.support import harness

MOST_SECONDS = 3.0
"""Of one command, in time of the processor."""
SAVE = "{save}"
COMMANDS: tuple[tuple[tuple[str, ...], int], ...] = (
    (("show",), 0),
    (("show", "--json"), 0),
    (("show", "--at", str(MOST_MOVES // 2)), 0),
    (("moves", "--json"), 0),
    (("score", "--json"), 0),
    (("log",), 0),
    (("log", "--script"), 0),
    (("log", "--json"), 0),
    (("log", "--share"), 0),
    (("check", SAVE), 0),
    (("stats", SAVE), 0),
    (("scores", SAVE), 0),
    (("hint", "--worlds", "1"), 0),
    (("solve", "--max-states", "10"), 6),
    (("deal", "vanishing-cross", "--force", "--deck", f"@{SAVE}", "-f", "-"), 0),
    (("move", "draw"), 4),
    (("undo",), 0),
    (("move", "draw"), 0),
    (("undo",), 0),
    (("redo",), 0),
    (("undo", "--all"), 0),
    (("show",), 0),
    (("redo", "--all"), 0),
    (("deal", "camelot", "--force"), 0),
)
"""Each command with the status that it ends with, one after the other on the same save; that one is full at first."""


@cache
def longest() -> bytes:
    """A save of as many moves as there may be. The last one draws, so that there is something to advise."""
    game = long_game(MOST_MOVES - 1)
    game.push("draw")
    return saves.dump(game)


def largest() -> bytes:
    """The same with blanks between its parts, and of as many bytes as a save may have."""
    data = longest()
    padding = b" " * ((files.LARGEST - len(data)) // data.count(b", "))
    data = data.replace(b", ", b", " + padding)
    return data + b" " * (files.LARGEST - len(data))


SAVES: dict[str, Callable[[], bytes]] = {"moves": longest, "bytes": largest}


def played(save: Path, run: Callable[..., harness.Result], spent: Callable[[], float]) -> None:
    slowest = (0.0, "")
    for words, status in COMMANDS:
        before = spent()
        words = tuple(word.replace(SAVE, str(save)) for word in words)
        with_save = words if str(save) in " ".join(words) else (*words, "-f", str(save))
        result = run(*with_save)
        seconds = spent() - before
        assert result.status == status, (words, result.err)
        assert result.err.count("\n") <= 1
        assert seconds < MOST_SECONDS, words
        slowest = max(slowest, (seconds, words[0]))
    assert cardsol.load(save).name == "camelot"
    harness.figure("limits", commands=len(COMMANDS), slowest=slowest[1], seconds=slowest[0])


@pytest.mark.long
def test_the_limits_are_met_to_the_last_move_and_byte() -> None:
    assert len(saves.parse(longest(), "longest").moves) == MOST_MOVES
    assert len(largest()) == files.LARGEST


@pytest.mark.long
@pytest.mark.parametrize("name", SAVES)
def test_every_command_takes_a_save_at_the_limits(name: str, tmp_path: Path) -> None:
    save = tmp_path / "save.json"
    save.write_bytes(SAVES[name]())
    played(save, harness.run_inside, time.process_time)


@pytest.mark.long
@pytest.mark.parametrize("name", SAVES)
def test_every_command_as_a_process_takes_a_save_at_the_limits(name: str, tmp_path: Path) -> None:
    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    save = tmp_path / "save.json"
    save.write_bytes(SAVES[name]())
    played(save, lambda *words: harness.run(*words, folder=tmp_path), spent)


@pytest.mark.parametrize("words", [("show",), ("move", "-q", "draw"), ("check", SAVE)], ids=" ".join)
def test_one_byte_more_is_refused_unread(words: tuple[str, ...], tmp_path: Path) -> None:
    save = tmp_path / "save.json"
    data = saves.dump(cardsol.deal("vanishing-cross", seed="1"))
    words = tuple(word.replace(SAVE, str(save)) for word in words)
    words = words if "check" in words else (*words, "-f", str(save))
    save.write_bytes(data.ljust(files.LARGEST))
    assert harness.run_inside(*words).status == 0
    save.write_bytes(data.ljust(files.LARGEST + 1))
    result = harness.run_inside(*words)
    assert result.status == 3
    assert "larger than 4 MB" in result.out + result.err
