"""Three Peaks for the search: the tableau as bits, and the tableaus that can come of one.

Only 22,932 can occur, because a card is played after those that lie on it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...cards import STANDARD
from ...games.three_peaks import BONUS, COVERS, DRAW_COSTS, INDEX, PEAKS, POSITIONS, State

DRAW = -1
"""The step that is a draw; every other is the index of a position."""
RANKS = len(STANDARD.ranks)
OVER = tuple(sum(1 << INDEX[over] for over in COVERS[name]) for name in POSITIONS)
"""For each position the bits of those that lie on it."""
UNDER = tuple(
    tuple((1 << below, OVER[below]) for below in range(len(OVER)) if OVER[below] >> i & 1)
    for i in range(len(OVER))
)
"""For each position the bits of the cards that it lies on, and all that lie on those."""
NEXT_TO = tuple(((r - 1) % RANKS, (r + 1) % RANKS) for r in range(RANKS))


def opened(open_: int, i: int, rest: int) -> int:
    """Returns which cards lie open once a card is played and the rest left."""
    open_ ^= 1 << i
    for below, over in UNDER[i]:
        if not over & rest:
            open_ |= below & rest
    return open_


class Position(NamedTuple):
    left: int
    """A bit for each card of the tableau."""
    open: int
    """Those that no card lies on."""
    top: int
    drawn: int
    """Draws since the start of the search."""
    run: int
    """Cards played since the last draw."""
    points: int


class ThreePeaksModel:
    """A round from some moment of it to its end; the rounds that follow are not looked at."""

    def __init__(self, state: State) -> None:
        ranks = STANDARD.ranks.index
        self.stock = tuple(ranks(card[0]) for card in state.stock)
        self.rank = tuple(ranks(card[0]) if card else DRAW for card in state.tableau)
        left = sum(1 << i for i, rank in enumerate(self.rank) if rank != DRAW)
        open_ = sum(1 << i for i, over in enumerate(OVER) if left >> i & 1 and not over & left)
        self.beside = tuple(
            sum(1 << i for i, other in enumerate(self.rank) if other in NEXT_TO[rank])
            for rank in range(RANKS)
        )
        """For each rank the bits of the cards that may be played on it."""
        bonus = BONUS[state.scoring]
        self.multiplier = state.scoring == "multiplier"
        self.bonus = tuple(bonus * (name in PEAKS) for name in POSITIONS)
        self.cleared = bonus
        self.draw_costs = DRAW_COSTS[state.scoring]
        self.floor = state.floor == "zero"
        self.start = Position(left, open_, ranks(state.run[-1][0]), 0, len(state.run) - 1, state.points)

    def expand(self, position: Position) -> Iterator[tuple[int, Position]]:
        """Yields the draw first, then the plays."""
        left, open_, top, drawn, run, points = position
        if not left:
            return
        if drawn < len(self.stock):
            after = points - self.draw_costs
            if self.floor and after < 0:
                after = 0
            yield DRAW, Position(left, open_, self.stock[drawn], drawn + 1, 0, after)
        playable = open_ & self.beside[top]
        while playable:
            bit = playable & -playable
            playable ^= bit
            i = bit.bit_length() - 1
            rest = left ^ bit
            after = points + self.place(run) + self.extra(i, rest)
            yield i, Position(rest, opened(open_, i, rest), self.rank[i], drawn, run + 1, after)

    def place(self, run: int) -> int:
        """Returns what a card scores for its place, after a run of so many."""
        return 1 << run if self.multiplier else run + 1

    def extra(self, i: int, rest: int) -> int:
        """Returns what a card scores for its position, and for being the last."""
        return self.bonus[i] + (0 if rest else self.cleared)

    def key(self, position: Position) -> Hashable:
        return position.left, position.top, position.drawn

    def is_won(self, position: Position) -> bool:
        return not position.left

    def score(self, position: Position) -> int:
        return position.points

    def estimate(self, position: Position) -> float:
        return bin(position.left).count("1") + position.drawn / 4

    def bound(self, position: Position) -> int:
        """Returns the score if all cards left could be played in the present run.

        Lemma (one run). No line scores more. Proof. A card scores for its position, which counts here too, and for
        its place in the run, more the later. The n-th card that is played from here has a place of at most the
        present run + n. A draw scores nothing.
        """
        left, run = position.left, position.run
        cards = [i for i in range(len(OVER)) if left >> i & 1]
        places = sum(self.place(run + n) for n in range(len(cards)))
        return position.points + places + sum(self.bonus[i] for i in cards) + (self.cleared if cards else 0)

    def layer(self, position: Position) -> int:
        return position.drawn

    def forced(self, position: Position) -> tuple[int, Position] | None:
        return None

    def after(self, steps: Sequence[int]) -> Position:
        """Returns the position after legal steps."""
        position = self.start
        for step in steps:
            position = next(there for made, there in self.expand(position) if made == step)
        return position

    def tokens(self, steps: Sequence[int]) -> list[str]:
        return ["draw" if step == DRAW else POSITIONS[step] for step in steps]


@lru_cache(maxsize=2)
def graph(left: int, open_: int) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Lists the tableaus that can come of one, each after all that it can come of, the empty one last.

    The second list has for each its plays: the position, and the number of the tableau that comes of it.
    """
    masks, opens, plays = [left], [open_], []
    number = {left: 0}
    for mask, playable in zip(masks, opens):  # both grow
        here = []
        for i in range(playable.bit_length()):
            if not playable >> i & 1:
                continue
            rest = mask ^ 1 << i
            if rest not in number:
                number[rest] = len(masks)
                masks.append(rest)
                opens.append(opened(playable, i, rest))
            here.append((i, number[rest]))
        plays.append(here)
    return masks, plays
