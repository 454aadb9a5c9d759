"""A line on stderr that tells how far a survey is. It fits the terminal, also when that is resized."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ..survey.summary import Summary

PAUSE = 0.1
"""Seconds between two lines."""
BAR = 30
"""Cells of the bar, at most."""
LEAST_BAR = 5


class Progress:
    """How far a survey is: `add` after each deal."""

    def __init__(self, summary: Summary, total: int | None, shown: bool) -> None:
        self.summary = summary
        self.total = total
        self._old = summary.n
        self._start = time.monotonic()
        self._next = self._start if shown else float("inf")
        self._length = 0

    def add(self) -> None:
        """Draws the line anew, if the last one is old enough."""
        now = time.monotonic()
        if now >= self._next:
            self._draw(self.line(_columns() - 1, now - self._start))
            self._next = now + PAUSE

    def line(self, width: int, seconds: float) -> str:
        """Returns the line after so many seconds, in at most `width` characters; the least important parts go first."""
        summary, done = self.summary, self.summary.n + self.summary.outcomes["error"]
        rate = (summary.n - self._old) / max(seconds, 1e-9)
        parts = [f"{done}/{self.total}" if self.total is not None else f"{done} deals"]
        if self.total and rate:
            parts.append(f"{_clock((self.total - done) / rate)} left")
        if summary.survey.goal == "win" and summary.n:
            parts.append(f"{summary.outcomes['won'] / summary.n:.1%} won")
        parts.append(f"{rate:.1f} deals/s")
        while len(parts) > 1 and len("  ".join(parts)) > width:
            parts.pop()
        text = "  ".join(parts)
        cells = min(BAR, width - len(text) - 4)
        if self.total and cells >= LEAST_BAR:
            text = f"[{'#' * (cells * done // self.total):-<{cells}}]  {text}"
        return text[: max(0, width)]

    def clear(self) -> None:
        """Takes the line away."""
        if self._length:
            self._draw("")
            _write("\r")
        self._next = float("inf")

    def _draw(self, line: str) -> None:
        blanks = min(self._length, _columns() - 1) - len(line)
        _write("\r" + line + " " * blanks)
        self._length = len(line)


@contextmanager
def progress(summary: Summary, total: int | None, on_stdout: bool) -> Iterator[Progress]:
    """Shows how far a survey is while it runs; `on_stdout` says whether records go to stdout.

    Nothing is shown where stderr is not a terminal, or where the records themselves go to a terminal.
    """
    bar = Progress(summary, total, _is_terminal(sys.stderr) and not (on_stdout and _is_terminal(sys.stdout)))
    try:
        yield bar
    finally:
        bar.clear()


def _write(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


def _is_terminal(stream: object) -> bool:
    is_terminal = getattr(stream, "isatty", None)
    return bool(is_terminal and is_terminal())


def _columns() -> int:
    """Returns the width of the terminal of stderr; stdout may be a file."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError, AttributeError):
        return 80


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
