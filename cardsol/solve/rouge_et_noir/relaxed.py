"""How far a game of Rouge et Noir could come if nothing were ever covered again: the bound of the search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...games.rouge_et_noir import KING

FIRST_KING, SPACE = 2 * KING, 2 * KING + 2
"""The classes of a black King and of what stands for an empty column."""
Run = tuple[int, ...]
"""The classes of a built run as bits, from the last card to its head."""


def parent(card: int) -> int:
    """Returns the class that a class may be put on."""
    return (card + 2) ^ 1


PARENT = {1 << card: 1 << parent(card) for card in range(2, SPACE)}
SEQUENCE = {
    1 << king: sum(1 << (card ^ (KING - (card >> 1)) % 2) for card in range(2 + king % 2, SPACE, 2))
    for king in (FIRST_KING, FIRST_KING + 1)
}
"""Parent and whole sequence by class, of the King there; here classes are bits."""


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
        self.ups = 0
        self.space = False

    def run(self, columns: Sequence[Sequence[Run]]) -> int:
        """Lets cards leave until no more can; returns their number."""
        while True:
            before = self.tops, self.runs, self.space
            self._rise()
            leaving = sum([self.dig(column) for column in columns])
            if before == (self.tops, self.runs, self.space):
                return leaving

    def _rise(self) -> None:
        """Raises the foundations as far as there were tops for them."""
        for i, height in enumerate(self.heights):
            bit = 1 << 2 * height + 2 + (i < 2)
            while self.heights[i] < KING and self.tops & bit:
                self.heights[i] += 1
                self.ups |= bit
                bit <<= 2

    def dig(self, column: Sequence[Run]) -> int:
        """Returns how many cards of a column can leave by what is known so far."""
        leaving = 0
        for run in column:
            self.tops |= run[0]
            for bit, under in pairwise(run):
                self.runs |= bit
                if self.ups & bit:
                    self.tops |= under
            self.runs |= run[-1]
            if not self._leaves(run[-1]):
                return leaving + max((i for i, bit in enumerate(run, 1) if self._leaves(bit)), default=0)
            leaving += len(run)
        self.space = True
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
