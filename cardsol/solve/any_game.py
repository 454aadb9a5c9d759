"""Solves any game by its own rules, for games that have no solver of their own."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from ..rules import Rules
from .limits import LimitReached, Meter
from .model import BestWin, Found, Goal
from .search import Beam, Search

STATES = 400_000
"""Worth about a minute, more or less: a state costs as much as the game's rules make it."""
ROUNDS = ((30, 0), (300, 0))
"""Widths of the beams that look for a win before everything is gone through."""
BEAMS = (Beam(),)
UNBOUNDED = 10**9
"""Stands for the highest score where the game knows none."""


class AnyGame:
    """A position is the game's own state, a step a token; nothing is known of the game but its rules."""

    def __init__(self, rules: Rules[Any], state: Any, most: int | None = None) -> None:
        """`most` is the highest score that there is, None where it has no limit."""
        self.rules = rules
        self.start = state
        self.most = UNBOUNDED if most is None else most

    def expand(self, position: Any) -> Iterator[tuple[str, Any]]:
        for token in sorted(self.rules.moves(position)):
            yield token, self.rules.apply(position, token)

    def key(self, position: Any) -> Hashable:
        key: Hashable = position
        return key

    def is_won(self, position: Any) -> bool:
        return self.rules.is_won(position)

    def score(self, position: Any) -> int:
        return self.rules.score(position)

    def estimate(self, position: Any) -> float:
        return -self.rules.score(position)

    def bound(self, position: Any) -> int:
        return self.most

    def layer(self, position: Any) -> int:
        return 0

    def forced(self, position: Any) -> tuple[str, Any] | None:
        return None

    def tokens(self, steps: Sequence[str]) -> list[str]:
        return list(steps)


class WinsAlone(AnyGame):
    """The same game, in which nothing but a win scores."""

    def score(self, position: Any) -> int:
        return self.rules.score(position) if self.rules.is_won(position) else -UNBOUNDED


class AnyGameSolver:
    """A solver like any other, made of a game's rules."""

    STATES = STATES

    def __init__(self, rules: Rules[Any], most: int | None = None) -> None:
        """`most` is the highest score that there is, None where it has no limit or is not known."""
        self.rules, self.most = rules, most

    def model(self, state: Any) -> AnyGame:
        return AnyGame(self.rules, state, self.most)

    def solve(self, state: Any, goal: Goal, meter: Meter) -> Found:
        """Looks for a win with beams, then goes through everything; for the best score at once.

        Where the line to the best score does not win, another search looks for the best score among wins.
        """
        model = self.model(state)
        with Search(model, goal, meter, model.most) as search:
            if goal == "score" or not search.run_rounds(ROUNDS, BEAMS):
                search.exhaust()
        found = search.found()
        if goal == "score" and not found.winnable:
            return self._with_best_win(found, state, meter)
        return found

    def _with_best_win(self, found: Found, state: Any, meter: Meter) -> Found:
        model = WinsAlone(self.rules, state, self.most)
        search = Search(model, "score", Meter(meter.limits_left()), model.most)
        optimal = False
        with suppress(LimitReached), search:
            optimal = search.exhaust()
        if model.is_won(search.node[0]):
            win = BestWin(search.best, tuple(search.line), optimal)
            return found._replace(winnable=True, best_winning=win)
        return found._replace(winnable=False if optimal else None)
