"""The plainest model: any game as its own rules have it. For games that bring no model of their own."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from ..rules import Rules
from .limits import Meter
from .model import Found, Goal
from .search import Beam, Search

STATES = 400_000
ROUNDS = ((30, 0), (300, 0))
BEAMS = (Beam(),)
UNBOUNDED = 10**9


class AnyGame:
    """A position is the game's own state, a step a token; nothing is known of the game but its rules."""

    def __init__(self, rules: Rules[Any], state: Any, most: int | None = None) -> None:
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


def solve(rules: Rules[Any], state: Any, most: int | None, goal: Goal, meter: Meter) -> Found:
    """Looks for a win with beams, then goes through everything; for the best score at once."""
    model = AnyGame(rules, state, most)
    if goal == "score":
        with Search(model, goal, meter, model.most) as search:
            search.exhaust()
    else:  # a win need not be worth a point
        with Search(model, goal, meter, True, worth=model.is_won, bound=lambda _: True) as search:
            if not search.run_rounds(ROUNDS, BEAMS):
                search.exhaust()
    return search.found()
