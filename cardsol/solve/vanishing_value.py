"""An estimate of positions of Vanishing Cross whose weights were found by a search of its own, not by hand.

It knows more of a position than the estimates by hand: also what the corners need next, and how the waste is built.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import mul
from typing import NamedTuple

from .search import jitter

KING = 13
NEAR = 4
"""A card is near if fewer cards than this have to go up before it."""
JITTER = 4
"""The most that a pile's jitter adds."""
LOW = tuple(2.8 * (12 - rank) / 6 + 0.3 * (12 - rank) ** 2 / 36 for rank in range(KING))


class Learned(NamedTuple):
    """The weights; what they stand by is a cost, so a gain has a weight below 0.

    They were found on the deals train-1 to train-250 of wrap=off that narrow beams do not all win, in some 6,500
    trials (direct play: 8,500). In a trial all weights were changed at random, by the same amount up and down, and a
    beam of width 20 ran with each on one deal. A win counted 1, else 0.4 × the share of the cards up. After each 24
    trials the weights moved along the mean gain. Features whose loss cost no win on train-301 to train-400 were then
    left out.
    """

    up: float
    """For a card in a corner."""
    least_up: float
    """For a card of the suit that is furthest behind."""
    most_up: float
    """For a card of the suit that is furthest ahead."""
    started: float
    """For a corner that is started."""
    spaces: tuple[float, float, float, float, float, float]
    """By the number of empty squares."""
    unlike: float
    """For each rank on top of the cross."""
    run: float
    """In a built run of the cross, for each card and each that is built above it."""
    single: float
    """For a square with one card."""
    over: float
    """For a card of the cross over one of lower rank."""
    over_later: float
    """For a card of the cross over one that may go up earlier by what the stock gives when."""
    over_suit: float
    """For a card of the cross over a lower one of its suit."""
    on_suit: float
    """For a card of the cross on one of its suit."""
    on_base: float
    """For a card of the highest rank on a base card."""
    near_depth: float
    """For a near card of the cross, NEAR − the cards before it for each card over it."""
    near_buried: float
    """For a near card of the cross that has a card over it."""
    next_on_top: float
    """For a card on top of a square that can go up."""
    wasted: float
    """For a card of the waste."""
    square: float
    """For the square of the number of cards in the waste, / 20."""
    low: float
    """More for a card of the waste the lower it is."""
    high: float
    """For a card of the waste of the four highest ranks."""
    waste_over: float
    """As `over`, in the waste."""
    waste_over_later: float
    """As `over_later`, in the waste."""
    waste_over_suit: float
    """As `over_suit`, in the waste."""
    waste_builds: float
    """For a card of the waste that goes on the one over it."""
    homeless: float
    """For a card of the waste that goes on no card of the cross, ever."""
    waste_near_depth: float
    """As `near_depth`, in the waste."""
    jitter: int = 1
    """The number of its jitter."""


CLASSIC = Learned(
    up=-3.45, least_up=-14.83, most_up=-3.9, started=-8.01, spaces=(0, -6.5, -22.93, 11.31, 11.31, 11.31),
    unlike=-2.57, run=-0.21, single=-2.67, over=4.25, over_later=1.12, over_suit=1.42, on_suit=-2.41,
    on_base=10.12, near_depth=0.13, near_buried=2.65, next_on_top=-1.9, wasted=1.62, square=0.98, low=2.21,
    high=-0.58, waste_over=-0.98, waste_over_later=0.17, waste_over_suit=1.73, waste_builds=-6.17,
    homeless=-0.55, waste_near_depth=0.48,
)  # fmt: skip
DIRECT = Learned(
    up=-1.21, least_up=0.2, most_up=-5.12, started=-10.57,
    spaces=(0, -5.05, -16.07, -22.79, -22.79, -22.79), unlike=0.35, run=-0.58, single=-4.36, over=6.62,
    over_later=2.93, over_suit=0.09, on_suit=0.34, on_base=11.3, near_depth=0.41, near_buried=-0.55,
    next_on_top=12.93, wasted=2.04, square=-0.38, low=1.4, high=-1.3, waste_over=1.55,
    waste_over_later=1.39, waste_over_suit=1.69, waste_builds=-5.83, homeless=-0.35, waste_near_depth=0.43,
)  # fmt: skip


class _Stage(NamedTuple):
    """What is known for some cards up."""

    board: float
    nearness: bytes
    wastes: dict[bytes, float]
    piles: dict[bytes, float]


class Estimate:
    """The estimate for one deal by one set of weights; lower is better."""

    def __init__(self, weights: Learned, host: Sequence[int], by_stock: Sequence[int]) -> None:
        """`host` is the relative rank that each card goes on, -1 for none; `by_stock` orders the cards by when they may
        go up for what the stock gives.
        """
        self.weights, self.host, self.by_stock = weights, host, by_stock
        self.stages: dict[int, _Stage] = {}
        self.tops: dict[tuple[int, ...], float] = {}
        self.built: dict[bytes, float] = {b"": 0.0}
        self.laid: dict[bytes, float] = {}

    def __call__(self, ups: int, waste: bytes, cross: tuple[bytes, ...]) -> float:
        """Returns the estimate; `ups` holds the cards up, four bits a suit."""
        stage = self.stages.get(ups)
        if stage is None:
            stage = self.stages[ups] = _Stage(self._board(ups), _nearness(ups), {}, {})
        total = stage.board
        part = stage.wastes.get(waste)
        if part is None:
            part = stage.wastes[waste] = self._waste(waste, stage.nearness)
        total += part
        piles = stage.piles
        for pile in cross:
            part = piles.get(pile)
            if part is None:
                part = piles[pile] = self._pile(pile, stage.nearness)
            total += part
        tops = tuple([pile[-1] if pile else -1 for pile in cross])
        part = self.tops.get(tops)
        if part is None:
            ranks = len({top % KING for top in tops if top >= 0})
            part = self.tops[tops] = self.weights.spaces[tops.count(-1)] + self.weights.unlike * ranks
        return total + part

    def _board(self, ups: int) -> float:
        counts = ups & 15, ups >> 4 & 15, ups >> 8 & 15, ups >> 12
        w = self.weights
        started = 4 - counts.count(0)
        return w.up * sum(counts) + w.least_up * min(counts) + w.most_up * max(counts) + w.started * started

    def _pile(self, pile: bytes, nearness: bytes) -> float:
        """Returns the part of a pile of the cross."""
        built = self.built.get(pile)
        if built is None:
            built = self.built[pile] = self._built(pile)
        depth, buried = _near(pile, nearness)
        cost = built + self.weights.near_depth * depth + self.weights.near_buried * buried
        if pile and nearness[pile[-1]] == NEAR:
            cost += self.weights.next_on_top
        return cost

    def _built(self, pile: bytes) -> float:
        """Returns what does not depend on the cards up."""
        w, size = self.weights, len(pile)
        over, later, suit = _over(pile, self.by_stock)
        on_suit = on_base = 0
        for under, card in pairwise(pile):
            on_suit += under // KING == card // KING
            on_base += card % KING == KING - 1 and under % KING == 0
        return (
            w.run * ((size - 1) * (size - 2) // 2)
            + w.single * (size == 1)
            + (w.over * over + w.over_later * later + w.over_suit * suit)
            + (w.on_suit * on_suit + w.on_base * on_base)
            + JITTER * jitter(w.jitter, pile)
        )

    def _waste(self, waste: bytes, nearness: bytes) -> float:
        laid = self.laid.get(waste)
        if laid is None:
            laid = self.laid[waste] = self._laid(waste)
        return laid + self.weights.waste_near_depth * _near(waste, nearness)[0]

    def _laid(self, waste: bytes) -> float:
        """Returns the part of the waste that does not depend on the cards up."""
        w, host, size = self.weights, self.host, len(waste)
        over, later, suit = _over(waste, self.by_stock)
        low, high, homeless = 0.0, 0, 0
        for card in waste:
            rank = card % KING
            low += LOW[rank]
            high += rank >= KING - 4
            homeless += host[card] < 0
        builds = 0
        for under, card in pairwise(waste):
            builds += host[under] == card % KING
        return (
            (w.wasted * size + w.square * (size * size / 20) + w.low * low + w.high * high)
            + (w.waste_over * over + w.waste_over_later * later + w.waste_over_suit * suit)
            + (w.waste_builds * builds + w.homeless * homeless)
        )


def _over(pile: bytes, by_stock: Sequence[int]) -> tuple[int, int, int]:
    """Counts the cards over one of lower rank, over one earlier by the stock, over a lower one of their suit."""
    over = later = own = 0
    least = earliest = 999
    suits = [KING] * 4
    for card in pile:
        suit, rank = divmod(card, KING)
        place = by_stock[card]
        if rank > least:
            over += 1
        else:
            least = rank
        if place > earliest:
            later += 1
        else:
            earliest = place
        if rank > suits[suit]:
            own += 1
        else:
            suits[suit] = rank
    return over, later, own


def _nearness(ups: int) -> bytes:
    """Returns for each card NEAR − the number of cards that have to go up before it, 0 for a card that is not near.

    It is as long as a table for `bytes.translate` has to be.
    """
    counts = ups & 15, ups >> 4 & 15, ups >> 8 & 15, ups >> 12
    needs = [card % KING - counts[card // KING] for card in range(4 * KING)]
    return bytes([max(0, NEAR - need) if need >= 0 else 0 for need in needs]).ljust(256, b"\0")


def _near(pile: bytes, nearness: bytes) -> tuple[int, int]:
    """Returns, for the near cards of a pile, their depth weighted by how near they are, and how many are buried."""
    buried = pile[:-1].translate(nearness)
    near = len(buried) - buried.count(0)
    return sum(map(mul, buried, range(len(buried), 0, -1))) if near else 0, near
