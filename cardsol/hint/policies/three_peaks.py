"""Plays Three Peaks to its end as a careful player would, who does not know what comes: for judging moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from ...games.three_peaks import INDEX, POSITIONS
from ...solve.three_peaks.model import DRAW, NEXT_TO, RANKS, UNDER, Position, ThreePeaksModel, opened
from ..playout import Judgement, judged

PLAYOUTS = 80
"""Playouts for each world, of all moves together: of its own order of the unseen cards, then of others."""
ROW = tuple("abcd".index(name[0]) for name in POSITIONS)
OPENS, GOES_ON = 0.6, 0.3
"""What a play is worth for each card that it turns up, and where another can follow; a lower row is worth 1."""


class Order(NamedTuple):
    """The ranks of the cards in some order of those that were never seen."""

    tableau: Sequence[int]
    beside: Sequence[int]
    """For each rank the bits of the cards that may be played on it."""
    stock: Sequence[int]

    def shuffled(self, hidden: Sequence[int], chance: Random) -> Order:
        unseen = [*self.stock, *(self.tableau[i] for i in hidden)]
        chance.shuffle(unseen)
        tableau = [*self.tableau]
        for i in hidden:
            tableau[i] = unseen.pop()
        bits = [0] * RANKS
        for i, rank in enumerate(tableau):
            if rank != DRAW:
                bits[rank] |= 1 << i
        return Order(tableau, [bits[low] | bits[high] for low, high in NEXT_TO], unseen)

    def choice(self, left: int, open_: int, top: int) -> int:
        """Returns the best-looking play, or a draw for want of plays.

        The lower rows lie on the upper ones, so they come first: then the most is open when it matters.
        """
        playable = open_ & self.beside[top]
        best, most = DRAW, -1.0
        while playable:
            bit = playable & -playable
            playable ^= bit
            i = bit.bit_length() - 1
            worth: float = ROW[i]
            if (open_ ^ bit) & self.beside[self.tableau[i]]:
                worth += GOES_ON
            for _, over in UNDER[i]:
                if over & left == bit:
                    worth += OPENS
            if worth > most:
                best, most = i, worth
        return best

    def run(self, position: Position, step: int) -> int:
        """Plays to the end from that step on, and returns the number of cards left."""
        left, open_, top, drawn = position[:4]
        while True:
            if step == DRAW:
                if drawn == len(self.stock):
                    return bin(left).count("1")
                top, drawn = self.stock[drawn], drawn + 1
            else:
                left ^= 1 << step
                if not left:
                    return 0
                open_ = opened(open_, step, left)
                top = self.tableau[step]
            step = self.choice(left, open_, top)


def judge(model: ThreePeaksModel, tokens: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts over the same few orders of what was not seen, and by the cards that they leave."""
    start = model.start
    own = Order(model.rank, model.beside, model.stock)
    usual = own.choice(start.left, start.open, start.top)
    hidden = [i for i in range(len(POSITIONS)) if start.left & ~start.open & 1 << i]
    chance = Random(repr((model.rank, model.stock)))
    orders = [own, *(own.shuffled(hidden, chance) for _ in range(1, PLAYOUTS // len(tokens)))]
    found = {}
    for token in tokens:
        step = DRAW if token == "draw" else INDEX[token]
        left = [order.run(start, step) for order in orders]
        ends = [(not cards, 1 - cards / len(POSITIONS)) for cards in left]
        found[token] = judged(ends, float(step == usual))
    return found
