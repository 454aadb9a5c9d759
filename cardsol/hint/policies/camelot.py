"""Plays Camelot to its end as a careful player would, who does not know what comes: for judging moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...games.camelot import CELLS, COURT, RANK, TEN, State
from ...solve.camelot import CamelotModel
from ...solve.camelot.cells import CLASS_OF, CLASSES, COURTS
from ..playout import Judgement, judged

MIDDLE, KING = 3, 13
EDGE = 1.0
"""How many cells of a class must be spare for a card that soon goes again."""
ORDERS = 24
"""Orders of the stock tried for each world, its own first: nothing of it is known, and a playout is quick."""
REMOVABLE = 40

Taken = tuple[tuple[int, int], ...]
"""The class of the cell and the rank, of a Ten or of both cards of a pair."""


class Play:
    """A game in counts; what is drawn comes from a list, the next card last."""

    def __init__(self, state: State) -> None:
        self.free = [0] * len(CLASSES)
        self.grid = [[0] * (TEN + 1) for _ in CLASSES]
        """For each class and rank the cards that lie there."""
        self.ranks = [0] * (TEN + 1)
        self.needs = [4, 4, 4]
        """For each court rank how many are not yet placed."""
        for cell, card in zip(CELLS, state.grid):
            if not card:
                self.free[CLASS_OF[cell]] += 1
            elif card[0] in COURT:
                self.needs[CLASS_OF[cell]] -= 1
            else:
                self.grid[CLASS_OF[cell]][RANK[card]] += 1
                self.ranks[RANK[card]] += 1
        self.coming = [RANK[card] for card in reversed(state.waste + state.stock)]
        self.removed = len(state.removed)

    def copy(self, coming: list[int]) -> Play:
        new = Play.__new__(Play)
        new.free, new.ranks, new.needs = [*self.free], [*self.ranks], [*self.needs]
        new.grid = [[*ranks] for ranks in self.grid]
        new.coming, new.removed = [*coming], self.removed
        return new

    def place(self, rank: int, name: int) -> None:
        self.free[name] -= 1
        if rank > TEN:
            self.needs[name] -= 1
        else:
            self.grid[name][rank] += 1
            self.ranks[rank] += 1

    def take(self, taken: Taken) -> None:
        for name, rank in taken:
            self.free[name] += 1
            self.grid[name][rank] -= 1
            self.ranks[rank] -= 1
            self.removed += 1

    def run(self, clear: bool) -> bool:
        """Plays to the end, first removing or first filling the grid; returns whether all cards were placed."""
        while True:
            if clear or not any(self.free) or not self.coming:
                self.clear()
            if not self.coming:
                return True
            if not any(self.free) or not self.fill():
                return False
            clear = True

    def fill(self) -> bool:
        """Places cards until the grid is full or none is left; returns whether each found a place."""
        while self.coming and any(self.free):
            rank = self.coming.pop()
            name = self.where(rank)
            if not self.free[name]:
                return False
            self.place(rank, name)
        return True

    def where(self, rank: int) -> int:
        """Chooses the class of cells for a card.

        The middle takes what has no partner yet. A card that will go once the grid is full may lie on an
        edge meanwhile, where more cells are free than court cards are likely to be drawn until then.
        """
        if rank > TEN:
            return KING - rank
        left = len(self.coming) + 1
        share = min(1.0, sum(self.free) / left)
        best, most = MIDDLE, -99.0
        pairs = self.pairs(rank)
        for name in COURTS:
            if self.free[name]:
                spare = self.free[name] - self.needs[name] * (share if pairs else 1.0)
                if spare > most:
                    best, most = name, spare
        if self.free[MIDDLE] and not (pairs and most >= EDGE):
            return MIDDLE
        return best

    def pairs(self, rank: int) -> bool:
        """Tells whether a card placed now could go when the grid is full."""
        if rank == TEN:
            return True
        if rank == 5:
            return self.ranks[5] % 2 == 1
        return self.ranks[TEN - rank] > self.ranks[rank]

    def clear(self) -> None:
        """Removes all that can be, of equal ranks those first whose cells are wanted most."""
        while taken := self.choice():
            self.take(taken)

    def choice(self) -> Taken:
        """Returns what to remove next, or nothing."""
        ranks = self.ranks
        if ranks[TEN]:
            return ((self.pick(TEN), TEN),)
        for rank in range(1, 5):
            if ranks[rank] and ranks[TEN - rank]:
                return ((self.pick(rank), rank), (self.pick(TEN - rank), TEN - rank))
        if ranks[5] > 1:
            first = self.pick(5)
            self.grid[first][5] -= 1
            second = self.pick(5)
            self.grid[first][5] += 1
            return ((first, 5), (second, 5))
        return ()

    def pick(self, rank: int) -> int:
        """Returns the class from which a card of that rank goes: where cells are wanted most."""
        best, most = MIDDLE, -99
        for name in COURTS:
            if self.grid[name][rank]:
                wanted = self.needs[name] - self.free[name]
                if wanted > most:
                    best, most = name, wanted
        if most <= 0 and self.grid[MIDDLE][rank]:
            return MIDDLE
        return best


def judge(model: CamelotModel, tokens: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts over the same few orders of the stock; moves to cells of one class are alike."""
    state = model.state
    play = Play(state)
    chance = Random(repr(play.coming))
    stock, waste = play.coming[: len(state.stock)], play.coming[len(state.stock) :]
    orders = [play.coming]
    while len(orders) < ORDERS:
        chance.shuffle(stock)
        orders.append(stock + waste)
    moves: dict[Taken, str] = {}
    for token in tokens:
        moves.setdefault(_what(state, token), token)
    return {token: _judged(play, token, what, orders) for what, token in moves.items()}


def _what(state: State, token: str) -> Taken:
    """Returns what a move comes to: class and rank of the cards placed or removed; nothing for a draw."""
    if token == "draw":
        return ()
    if token.startswith("w-"):
        return ((CLASS_OF[token[2:]], RANK[state.waste[0]]),)
    cells = token.split("+")
    return tuple(sorted((CLASS_OF[cell], RANK[state.grid[CELLS.index(cell)]]) for cell in cells))


def _judged(play: Play, token: str, what: Taken, orders: list[list[int]]) -> Judgement:
    """Judges a move by all orders, that of the world first."""
    placed, ends = token.startswith("w-"), []
    for order in orders:
        after = play.copy(order)
        if placed:
            after.place(after.coming.pop(), what[0][0])
        else:
            after.take(what)
        placed_all = after.run(clear=not placed and token != "draw")
        ends.append((placed_all and after.removed == REMOVABLE, after.removed / REMOVABLE))
    usual = play.where(what[0][1]) == what[0][0] if placed else what == tuple(sorted(play.choice()))
    return judged(ends, float(usual))
