"""What a search may spend, and what it has spent."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import NamedTuple

CHECK_EVERY = 1024
"""How many states are counted between two looks at the clock and the memory."""


class Limits(NamedTuple):
    """The most that a search may use; None means unlimited."""

    states: int | None = None
    """Positions expanded: the only limit that gives the same answer on every machine."""
    seconds: float | None = None
    """Wall-clock time."""
    memory: float | None = None
    """MB of resident memory of the whole process."""

    def after(self, states: int, seconds: float) -> Limits:
        """Returns what is left of the limits when this much has been used; not below 0."""
        return Limits(
            None if self.states is None else max(0, self.states - states),
            None if self.seconds is None else max(0.0, self.seconds - seconds),
            self.memory,
        )

    def halved(self) -> Limits:
        """Returns half of each limit; that of memory stays."""
        return Limits(
            None if self.states is None else self.states // 2,
            None if self.seconds is None else self.seconds / 2,
            self.memory,
        )


class LimitReached(Exception):
    """A limit ended the search; `limit` is `states`, `seconds` or `memory`."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class Meter:
    """Counts the states of one search and ends it at a limit by raising LimitReached.

    It also keeps the best line found so far, for a search that is ended early.
    """

    def __init__(self, limits: Limits, progress: Callable[[int, float], None] | None = None) -> None:
        self.limits = limits
        self.progress = progress
        self.states = 0
        self.best_score: int | None = None
        self.best_line: list[str] = []
        self._start = time.monotonic()
        self._next_check = self._check_after(0)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def count(self, states: int = 1) -> None:
        """Adds states; raises LimitReached. Cheap enough to be called for each state."""
        self.states += states
        if self.states >= self._next_check:
            self._check()

    def limits_left(self) -> Limits:
        """Returns what is left of the limits."""
        return self.limits.after(self.states, self.seconds)

    def keep(self, score: int, line: list[str]) -> None:
        """Keeps a line and the score that it reaches, if that is the best so far."""
        if self.best_score is None or score > self.best_score:
            self.best_score, self.best_line = score, line

    def _check_after(self, states: int) -> int:
        most = self.limits.states
        return states + CHECK_EVERY if most is None else min(states + CHECK_EVERY, most)

    def _check(self) -> None:
        if self.limits.states is not None and self.states >= self.limits.states:
            raise LimitReached("states")
        seconds = self.seconds
        if self.limits.seconds is not None and seconds >= self.limits.seconds:
            raise LimitReached("seconds")
        if self.limits.memory is not None and resident_mb() >= self.limits.memory:
            raise LimitReached("memory")
        if self.progress is not None:
            self.progress(self.states, seconds)
        self._next_check = self._check_after(self.states)


def resident_mb() -> float:
    """Returns the resident memory of this process in MB: now on Linux, the most it ever was elsewhere."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        import resource
        import sys

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / 2**20 if sys.platform == "darwin" else peak / 1024
