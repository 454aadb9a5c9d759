"""A policy as a package of a plug-in may bring it: hints for the ladder are planned by it."""

from __future__ import annotations

from collections.abc import Sequence

from cardsol.cards import STANDARD, Card, Cards
from cardsol.hint.outlook import UNKNOWN, Seen
from cardsol.hint.policies.any_game import judge as judge
from tests.hint.ladders import COLUMNS, STOCK

Position = tuple[tuple[Cards, ...], Card, int]
"""The columns, the top of the waste, and how many cards can be turned."""


class LadderOutlook:
    """The fewer cards are left, the better."""

    def position(self, seen: Seen) -> Position:
        turns = len(seen.piles["stock"]) - (len(STANDARD.cards) - 10 - STOCK)
        return tuple(seen.piles[name] for name in COLUMNS), seen.piles["waste"][-1], turns

    def expand(self, position: Position) -> list[tuple[str, Position, bool]]:
        columns, top, turns = position
        found: list[tuple[str, Position, bool]] = []
        if not any(columns):
            return found
        if turns:
            found.append(("turn", (columns, UNKNOWN, turns - 1), True))
        for i, column in enumerate(columns):
            if column and abs(STANDARD.ranks.index(column[-1][0]) - STANDARD.ranks.index(top[0])) in (1, 12):
                left = (*columns[:i], column[:-1], *columns[i + 1 :])
                found.append((COLUMNS[i], (left, column[-1], turns), left[i][-1:] == (UNKNOWN,)))
        return found

    def key(self, position: Position) -> Position:
        return position

    def is_won(self, position: Position) -> bool:
        return not any(position[0])

    def value(self, position: Position) -> float:
        return position[2] / 10 - sum(map(len, position[0])) / 2

    def reveal(self, position: Position, cards: Sequence[Card]) -> Position:
        columns, top, turns = position
        if top == UNKNOWN:
            return columns, cards[0], turns
        seen = tuple((*c[:-1], cards[0]) if c[-1:] == (UNKNOWN,) else c for c in columns)
        return seen, top, turns

    def tokens(self, seen: Seen, steps: Sequence[str]) -> list[str]:
        return list(steps)

    def words(self, before: Position, after: Position) -> str:
        return ""


def outlook(seen: Seen) -> LadderOutlook:
    return LadderOutlook()
