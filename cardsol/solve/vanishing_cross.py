"""Vanishing Cross as a search sees it, and its solver.

A position is three values: a number that packs the cards up of each suit, whether a stock card is turned up,
and how many have been drawn; the waste; and the five squares of the cross in sorted order, since which square
a pile lies on decides nothing. Cards are bytes, 13 × suit + rank counted from the base.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush, nsmallest
from typing import Any

from ..games.vanishing_cross import CROSS, KING, PARENT, RANK, State, apply
from .limits import Meter
from .model import Found, Goal

STATES = 1_500_000
"""Worth about a minute."""

Position = tuple[int, bytes, tuple[bytes, ...]]
Step = int
"""64 × the card moved (of several: the undermost) + the card that it goes on, or one of the four below."""
SPACE, CORNER, WASTE, DRAW = 52, 53, 54, 55

SUITS = "CDHS"
HAND = 1 << 16
"""The bit that says: a stock card is turned up. Under it four bits a suit, above it the count of draws."""
DRAWN = 17
ALL_UP = 0xDDDD
REL = tuple(card % KING for card in range(52))
SHIFT = tuple(4 * (card // KING) for card in range(52))
ONE = tuple(bytes([card]) for card in range(52))
TOTAL = tuple((byte & 15) + (byte >> 4) for byte in range(256))
"""The sum of two packed counts."""


class VanishingCrossModel:
    """One game from one of its states."""

    def __init__(self, state: State) -> None:
        base = RANK[state.corners[0][0]]
        self.state = state
        self.names: list[str] = [""] * 52
        self.number: dict[str, int] = {}
        for card, rank in RANK.items():
            number = KING * SUITS.index(card[1]) + (rank - base) % KING
            self.names[number], self.number[card] = card, number
        self.direct = state.direct
        parents = PARENT[state.wrap]
        self.host = tuple((parents[c] - base) % KING if parents[c] <= KING else -1 for c in self.names)
        """The relative rank that each card goes on in the cross; -1 where it goes on none."""
        self.bare = tuple(c % KING not in self.host for c in range(52))
        """Whether no card ever goes on this one in the cross."""
        self.stock = self._bytes(state.drawn + state.stock)
        self.costs: dict[bytes, float] = {}
        self.waste_costs: dict[bytes, float] = {}
        self.start = self._start(state)

    def _bytes(self, cards: Sequence[str]) -> bytes:
        return bytes([self.number[card] for card in cards])

    def _start(self, state: State) -> Position:
        head = HAND | 1 << DRAWN if state.drawn else 0
        for corner in state.corners:
            if corner:
                head += len(corner) << SHIFT[self.number[corner[0]]]
        return head, self._bytes(state.waste), tuple(sorted(map(self._bytes, state.cross)))

    def key(self, position: Position) -> Position:
        """Returns the position: piles with equal cards have equal futures, whatever squares they lie on."""
        return position

    def is_won(self, position: Position) -> bool:
        return position[0] & 0xFFFF == ALL_UP

    def score(self, position: Position) -> int:
        return TOTAL[position[0] & 255] + TOTAL[position[0] >> 8 & 255]

    def layer(self, position: Position) -> int:
        """Returns the number of cards drawn."""
        return position[0] >> DRAWN

    def expand(self, position: Position) -> list[tuple[Step, Position]]:
        """Returns the moves; those that differ in like squares only are given once."""
        head, waste, cross = position
        found: list[tuple[Step, Position]] = []
        if head & 0xFFFF == ALL_UP:
            return found
        drawn = head >> DRAWN
        ranks = [REL[pile[-1]] if pile else -2 for pile in cross]
        if head & HAND:
            self._place(found, self.stock[drawn - 1], head ^ HAND, waste, cross, ranks)
            if cross[0]:
                card = self.stock[drawn - 1]
                found.append((card << 6 | WASTE, (head ^ HAND, waste + ONE[card], cross)))
        elif drawn < len(self.stock):
            found.append(self._draw(position))
        if waste:
            self._place(found, waste[-1], head, waste[:-1], cross, ranks)
        for index in range(5):
            if cross[index]:
                self._from_cross(found, index, position, ranks)
        return found

    def _draw(self, position: Position) -> tuple[Step, Position]:
        head, waste, cross = position
        card = self.stock[head >> DRAWN]
        head += 1 << DRAWN
        after = (head, waste + ONE[card], cross) if self.direct else (head | HAND, waste, cross)
        return card << 6 | DRAW, after

    def _place(
        self, found: list[tuple[Step, Position]], card: int, head: int, waste: bytes,
        cross: tuple[bytes, ...], ranks: list[int],
    ) -> None:  # fmt: skip
        """Adds the uses of a card from stock or waste, already taken from there, but for the discard."""
        if head >> SHIFT[card] & 15 == REL[card]:
            found.append((card << 6 | CORNER, (head + (1 << SHIFT[card]), waste, cross)))
        if self.host[card] in ranks:
            for there in range(5):
                if ranks[there] == self.host[card]:
                    piles = list(cross)
                    piles[there] += ONE[card]
                    piles.sort()
                    found.append((card << 6 | cross[there][-1], (head, waste, tuple(piles))))
        if not cross[0]:
            piles = list(cross)
            piles[0] = ONE[card]
            piles.sort()
            found.append((card << 6 | SPACE, (head, waste, tuple(piles))))

    def _from_cross(
        self, found: list[tuple[Step, Position]], index: int, position: Position, ranks: list[int]
    ) -> None:
        """Adds the moves of a pile's cards."""
        head, waste, cross = position
        pile = cross[index]
        card = pile[-1]
        if head >> SHIFT[card] & 15 == REL[card]:
            piles = list(cross)
            piles[index] = pile[:-1]
            piles.sort()
            found.append((card << 6 | CORNER, (head + (1 << SHIFT[card]), waste, tuple(piles))))
        if self.host[card] in ranks:
            for there in range(5):
                if ranks[there] == self.host[card]:
                    piles = list(cross)
                    piles[index] = pile[:-1]
                    piles[there] += ONE[card]
                    piles.sort()
                    found.append((card << 6 | cross[there][-1], (head, waste, tuple(piles))))
        if not cross[0]:
            for kept in range(len(pile) - 1, 0, -1):
                piles = list(cross)
                piles[index], piles[0] = pile[:kept], pile[kept:]
                piles.sort()
                found.append((pile[kept] << 6 | SPACE, (head, waste, tuple(piles))))
                if self.direct:
                    break

    def forced(self, position: Position) -> tuple[Step, Position] | None:
        """Returns a move that costs nothing, for either goal.

        Classic, stock left, no card turned up: draw. A turned-up card takes no move away but the next draw, so
        every line that makes other moves first can draw first and make them then, through the same scores.

        Direct, and classic when the stock is gone: a card to its corner, if it is of relative rank r ≥ 2
        and every suit has r − 1 cards up, or r = 1 and every suit has one, or if nothing ever goes on it in
        the cross (an Ace without wrap). Take any line from here and play the card first. All that the line
        could put on it are cards of rank r − 1, which can go to their corners instead at that moment and on
        which nothing could lie, the cards of rank r − 2 (for r = 1: of rank r − 1 themselves) being up.
        The rest of the line stays legal, because every pile is what it was without some of its top cards: a
        top that was built on is still one, a space still a space, and no rule asks that there be none. Score
        is never behind. In classic with stock left a space forbids the discard, so there it is not safe.
        A base card is not, since the highest rank goes on it.
        """
        head, waste, cross = position
        if not self.direct:
            if head & HAND:
                return None
            if head >> DRAWN < len(self.stock):
                return self._draw(position)
        least = min(head & 15, head >> 4 & 15, head >> 8 & 15, head >> 12 & 15)
        for index in range(-1, 5):
            pile = waste if index < 0 else cross[index]
            if not pile:
                continue
            card = pile[-1]
            rank = REL[card]
            if head >> SHIFT[card] & 15 != rank:
                continue
            if (rank <= least + 1 if rank > 1 else rank <= least and rank == 1) or self.bare[card]:
                up = head + (1 << SHIFT[card])
                if index < 0:
                    return card << 6 | CORNER, (up, waste[:-1], cross)
                piles = list(cross)
                piles[index] = pile[:-1]
                piles.sort()
                return card << 6 | CORNER, (up, waste, tuple(piles))
        return None

    def estimate(self, position: Position) -> float:
        """Returns the work that the piles look like, a sum over piles that are worked out once each."""
        head, waste, cross = position
        costs = self.costs
        total = 0.0
        for pile in cross:
            cost = costs.get(pile)
            total += self._cost(pile) if cost is None else cost
        cost = self.waste_costs.get(waste)
        total += self._waste_cost(waste) if cost is None else cost
        return total - UP * (TOTAL[head & 255] + TOTAL[head >> 8 & 255])

    def _cost(self, pile: bytes) -> float:
        cost = -EMPTY if not pile else 0.0
        least = 99
        above = -1
        for card in pile:
            rank = REL[card]
            if rank > least:
                cost += OVER
            if above >= 0 and self.host[card] != above:
                cost += BREAK
            least = min(least, rank)
            above = rank
        self.costs[pile] = cost
        return cost

    def _waste_cost(self, waste: bytes) -> float:
        cost = WASTED * len(waste)
        least = 99
        for card in waste:
            if REL[card] > least:
                cost += WASTE_OVER
            least = min(least, REL[card])
        self.waste_costs[waste] = cost
        return cost


UP, EMPTY, OVER, BREAK, WASTED, WASTE_OVER = 1.0, 4.0, 2.0, 1.0, 2.0, 1.0
