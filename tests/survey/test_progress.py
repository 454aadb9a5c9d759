"""The line that tells how far a survey is fits the terminal, and keeps out of the records' way."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
from pathlib import Path
from typing import IO

import pytest

from cardsol.cli.progress import Progress
from cardsol.survey.records import Record, Survey
from cardsol.survey.summary import Summary
from tests.support import harness

SURVEY = ("survey", "camelot", "--player", "random", "--seeds", "1..40", "--jobs", "1")


def shown(folder: Path, columns: int, *more: str, stdout: IO[bytes] | None = None) -> str:
    """Runs a survey whose stderr is a terminal of this width, and stdout too if no file is given for it."""
    screen, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    parts: list[bytes] = []

    def read() -> None:
        try:
            while part := os.read(screen, 4096):
                parts.append(part)
        except OSError:  # the way Linux tells that the other end is closed
            pass

    reader = threading.Thread(target=read)
    reader.start()
    try:
        process = subprocess.Popen(
            [harness.COMMAND, *SURVEY, *more],
            cwd=folder, env=harness.environment(), stdin=subprocess.DEVNULL,
            stdout=stdout or terminal, stderr=terminal,
        )  # fmt: skip
        assert process.wait(60) == 0
    finally:
        os.close(terminal)
        reader.join()
        os.close(screen)
    return b"".join(parts).decode()


@pytest.mark.parametrize("columns", harness.some([200, 80, 40], 2))
def test_the_line_fits_the_terminal_and_is_gone_at_the_end(columns: int, tmp_path: Path) -> None:
    text = shown(tmp_path, columns, "--out", "out.jsonl")
    before, _, summary = text.partition("40 deals: ")
    lines = before.split("\r")
    assert any("/40" in line for line in lines)
    assert all(len(line) < columns and "\n" not in line for line in lines)
    assert lines[-1] == "" and not lines[-2].strip()
    assert "/40" not in summary


def test_nothing_is_shown_where_the_records_go_to_the_terminal(tmp_path: Path) -> None:
    assert "/40" not in shown(tmp_path, 80)
    assert "/40" in shown(tmp_path, 80, "--summary-only")
    with (tmp_path / "records").open("wb") as file:
        assert "/40" in shown(tmp_path, 80, stdout=file)


@pytest.mark.parametrize("goal", ["win", "score"])
@pytest.mark.parametrize("total", [None, 3, 1_000_000])
@pytest.mark.parametrize("width", harness.some(range(0, 200, 7), 3))
def test_no_line_is_wider_than_it_may_be(width: int, total: int | None, goal: str) -> None:
    survey = Survey("camelot", {}, "solve", goal)
    summary = Summary(survey)
    bar = Progress(summary, total, shown=False)
    for seed in range(3):
        summary.add(Record(survey, str(seed), "won", 40, 90, (), 1, 0.5))
    line = bar.line(width, 0.5)
    assert len(line) <= width
    assert not (goal == "score" and "won" in line)
