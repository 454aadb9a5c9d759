"""How far a game of Rouge et Noir could come if nothing were ever covered again: the bound of the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...games.rouge_et_noir import KING

FIRST_KING, SPACE = 2 * KING, 2 * KING + 2
"""The classes of a black King and of what stands for an empty column."""


def parent(card: int) -> int:
    """Returns the class that a class may be put on."""
    return (card + 2) ^ 1


PARENT = {1 << card: 1 << parent(card) for card in range(2, SPACE)}
BLACK = sum(1 << card for card in range(2, SPACE, 2))
SEQUENCE = {
    1 << king: sum(1 << (card ^ (KING - (card >> 1)) % 2) for card in range(2 + king % 2, SPACE, 2))
    for king in (FIRST_KING, FIRST_KING + 1)
}
"""Parent and whole sequence by class, of the King there; here classes are bits."""


class Run(NamedTuple):
    """A built run of a column, in classes as bits."""

    bits: tuple[int, ...]
    """The cards from the last to the head."""
    all: int
    """The same together."""
    built: int
    """All but the head: each of them lies on its parent."""
    head: int
    wanted: int
    """What lets the head leave if it was a top: its parent; 0 for a King."""

    @classmethod
    def of(cls, bits: Sequence[int]) -> Run:
        """Returns a run by its classes as bits, the last card first."""
        together = sum({*bits})
        head = bits[-1]
        return cls(
            tuple(bits), together, together ^ head, head, PARENT[head] if head < 1 << FIRST_KING else 0
        )


class Relaxed:
    """What could be reached if a card that once was a top could ever after be built on and go up.

    A run at an end can move on if its head's parent was a top; under a King, if there is a space, or away if each
    class of the sequence was in a run at an end. Its head goes up if a foundation comes to it. A card in a run
    becomes a top if the one on it goes up.

    Lemma (relaxed game). A class that is a top at some moment of a line from here is one here (`tops`); one that is
    in a run at an end there was in one here (`runs`); no foundation is higher there; a card that leaves its place
    there does here; and if a column is empty there, one is here (`space`). Proof. All sets here only grow, and start
    with all of the stock. So by induction over the moves of the line: each move needs tops, runs, foundations or
    spaces that are here by then, and what it adds to them is added here. Where a card in a run becomes a top because
    the one on it moves rather than goes up, it is the parent of that one's class, which was a top before.
    """

    def __init__(self, gone: Sequence[int], coming: int, free: int) -> None:
        self.gone, self.free = gone, free
        self.heights = [*gone[:4]]
        self.tops = self.runs = coming
        self.built = self.ups = 0
        self.space = False

    def run(self, columns: Sequence[Sequence[Run]]) -> list[int]:
        """Lets cards leave until no more can; returns their number for each column."""
        waiting = []
        for column in columns:
            if column:
                self._lay_open(column[0])
                waiting.append((column, 0))
            else:
                self.space = True
        while True:
            before = self.tops, self.runs, self.space
            self._rise()
            waiting = [
                (column, at) for column, first in waiting if (at := self._dig(column, first)) < len(column)
            ]
            if before == (self.tops, self.runs, self.space):
                break
        stuck = {id(column): at for column, at in waiting}
        return [self._leaving(column, stuck.get(id(column), len(column))) for column in columns]

    def _lay_open(self, run: Run) -> None:
        """Notes a run that is at an end now."""
        self.tops |= run.bits[0]
        self.runs |= run.all
        self.built |= run.built

    def _rise(self) -> None:
        """Raises the foundations as far as there were tops for them; then what lay under the cards is a top."""
        for i, height in enumerate(self.heights):
            bit = 1 << 2 * height + 2 + (i < 2)
            while self.heights[i] < KING and self.tops & bit:
                self.heights[i] += 1
                self.ups |= bit
                bit <<= 2
        under = self.ups & self.built
        self.tops |= (under & BLACK) << 3 | (under & ~BLACK) << 1

    def _dig(self, column: Sequence[Run], at: int) -> int:
        """Takes off the runs of a column that can leave, from the one at an end on; returns which one stays."""
        while True:
            run = column[at]
            if not (
                run.wanted & self.tops or self.ups & run.head or (not run.wanted and self._leaves(run.head))
            ):
                return at
            at += 1
            if at == len(column):
                self.space = True
                return at
            self._lay_open(column[at])

    def _leaving(self, column: Sequence[Run], stuck: int) -> int:
        """Returns how many cards of a column leave, if this run is the one that stays, whole or in part."""
        leaving = sum([len(run.bits) for run in column[:stuck]])
        if stuck < len(column):
            leaving += max((i for i, bit in enumerate(column[stuck].bits, 1) if self._leaves(bit)), default=0)
        return leaving

    def _leaves(self, bit: int) -> bool:
        """Tells whether a card of a run at an end leaves its place, with what lies on it."""
        if bit < 1 << FIRST_KING:
            return (self.ups & bit | self.tops & PARENT[bit]) != 0
        return self.space or self.ups & bit != 0 or (self.free & bit != 0 and self._complete(bit))

    def _complete(self, king: int) -> bool:
        return SEQUENCE[king] & ~self.runs == 0

    def room(self, most: int) -> int:
        """Returns the points that foundations and sequences have room for, so many sequences of a colour."""
        black, red = (most - self.gone[5 - i] if self._complete(1 << FIRST_KING + i) else 0 for i in (0, 1))
        left = 4 - sum(self.gone[4:])
        return sum(self.heights) - sum(self.gone[:4]) + KING * min(red + black, left)
