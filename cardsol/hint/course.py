"""The course of a game since an unknown card was last seen, and the plans for it.

A plan is made where something was learned, and kept until something new is: the history alone decides, so it is found
again by planning from there. A player who leaves it gets a new one, made where the plan was left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ..rules import Rules
from ..solve import winning_line
from .knowledge import Guess
from .outlook import Outlook
from .plan import CAP, Way, looked_ahead, ways
from .policies import has_outlook, outlook_of

STATES_ON_A_WIN = 3000
"""Where every card is known, a search for a win takes so many states at first."""
STATES_A_WORLD = 100
"""And so many for each world that was asked for; later, when the first search has failed, these alone."""
PLANS = 12
"""Plans that are told of."""
DETOURS = 8
"""So often a plan is left and made anew before an unknown card is seen; after that it is made anew for each move."""


class Plan(NamedTuple):
    """Moves up to the next unknown card, or to a win."""

    tokens: tuple[str, ...]
    chance: float
    """The chance of winning, 0 to 1."""
    wins: bool = False
    """Whether the moves win, with no unknown card."""
    outlook: Outlook[Any, Any] | None = None
    """Where the plan is one by the value of what is seen: what it was made by."""
    way: Way | None = None


class Course:
    """Follows a game, and plans."""

    def __init__(self, rules: Rules[Any], options: Mapping[str, str], guess: Guess) -> None:
        self.rules = rules
        self.options = options
        self._begin(guess)

    def _begin(self, guess: Guess) -> None:
        self.guess = guess
        self._states = [guess.states]
        """The guessed states since an unknown card was last seen."""
        self._tokens: list[str] = []
        self._plans: dict[tuple[int, int, float | None], list[Plan]] = {}

    def follow(self, token: str, guess: Guess) -> None:
        """Takes note of a move; `guess` is another one where the move showed an unknown card."""
        if guess is not self.guess:
            self._begin(guess)
        else:
            self._tokens.append(token)
            self._states.append(guess.states)

    def plans(self, allowed: Sequence[str], worlds: int, seconds: float | None) -> list[Plan]:
        """Returns the plan to follow from here, then others, best first; none where nothing can be planned.

        The first moves of all of them are allowed. Plans that were left out as worse where the first one was made
        are told of as far as they begin with the moves made since.
        """
        if not self.guess.settled and not has_outlook(self.rules):
            return []
        now, root = len(self._tokens), 0
        for _ in range(DETOURS):
            made = self._from(root, worlds, seconds)
            if not made:
                if not root and not self.guess.settled:
                    return []  # what was not found from here is not looked for again after each move
                break
            since = tuple(self._tokens[root:])
            if made[0].tokens[: len(since)] == since:
                kept = [
                    plan._replace(tokens=plan.tokens[len(since) :])
                    for plan in made
                    if plan.tokens[: len(since)] == since and plan.tokens[len(since) : len(since) + 1]
                ]
                if made[0].tokens[len(since) :] and kept[0].tokens[0] in allowed:
                    return [plan for plan in kept if plan.tokens[0] in allowed]
                break
            root += 1 + _alike(made[0].tokens, since)
        return [plan for plan in self._from(now, worlds, seconds) if plan.tokens[0] in allowed]

    def words(self, plan: Plan) -> str:
        """Returns what a plan does for the player from here, and its chance."""
        if plan.outlook is None or plan.way is None:
            return "every card is known, and this wins"
        if plan.wins:
            return "this wins"
        now = plan.outlook.position(self.guess.seen(self.options))
        does = plan.outlook.words(now, plan.way.before)
        return "; ".join(filter(None, (does, f"wins {odds(plan.chance)} from here")))

    def _from(self, root: int, worlds: int, seconds: float | None) -> list[Plan]:
        """Returns the plans from the position so many moves after an unknown card was seen; each is made once."""
        asked = root, worlds, seconds
        if asked not in self._plans:
            self._plans[asked] = self._wins(root, worlds) or self._ways(root, worlds, seconds)
        return self._plans[asked]

    def _wins(self, root: int, worlds: int) -> list[Plan]:
        """Returns a plan that wins, where every card is known and one is found."""
        if not self.guess.settled:
            return []
        states = worlds * STATES_A_WORLD + (0 if root else STATES_ON_A_WIN)
        line = winning_line(self.rules, self._states[root][0], states)
        return [Plan(tuple(line), 1.0, True)] if line else []

    def _ways(self, root: int, worlds: int, seconds: float | None) -> list[Plan]:
        """Returns the plans that the game's outlook leads to, where it has one."""
        if not has_outlook(self.rules):
            return []
        seen = self.guess.seen(self.options, self._states[root])
        outlook = outlook_of(self.rules, seen)
        if outlook is None:
            return []
        had = {
            outlook.key(outlook.position(self.guess.seen(self.options, states)))
            for states in self._states[:root]
        }
        start = outlook.position(seen)
        found = ways(outlook, start, getattr(outlook, "CAP", CAP), had)
        found = looked_ahead(outlook, found, seen.unseen, worlds, seconds)
        return [
            Plan(tuple(outlook.tokens(seen, way.steps)), way.chance, outlook.is_won(way.after), outlook, way)
            for way in found[:PLANS]
        ]


def _alike(tokens: Sequence[str], others: Sequence[str]) -> int:
    """Returns how many moves at the beginning are the same."""
    for count, (token, other) in enumerate(zip(tokens, others)):
        if token != other:
            return count
    return min(len(tokens), len(others))


def odds(chance: float) -> str:
    """Returns a chance in words: `about 3 in 5`."""
    if chance < 0.01:
        return "less than 1 in 100"
    if chance > 0.99:
        return "nearly always"
    if chance < 0.1:
        return f"about 1 in {round(1 / chance)}"
    share = min(
        (Fraction(n, m) for m in (2, 3, 4, 5, 10) for n in range(1, m)), key=lambda f: abs(f - chance)
    )
    return f"about {share.numerator} in {share.denominator}"
