"""Gives the cards of Camelot their cells, which the search leaves open: so that its lines can be played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...games.camelot import CELLS, RANK, TEN, State
from .cells import CLASS_NUMBERS, CLASS_OF, CLASSES, ONE, Bag, Step, is_plain


@dataclass(eq=False)
class Lying:
    """A card on the grid."""

    rank: int
    cell: str | None = None
    """None while it is in a bag."""


class Replay:
    """Follows steps card by card and cell by cell, with the bags in the same order as in the nodes."""

    def __init__(self, state: State, ranks: Sequence[int], courts: Sequence[int], may_remove: bool) -> None:
        """Starts from a state; ranks and courts are those of the cards to come, as in the model."""
        self.state, self.ranks, self.courts, self.drawn = state, ranks, courts, 0
        grid = list(zip(CELLS, state.grid))
        self.empty = [cell for cell, card in grid if not card]
        self.lying = [Lying(RANK[card], cell) for cell, card in grid if card]
        self.bags: list[tuple[list[Lying], list[str]]] = []
        self.made: list[Lying | list[Lying]] = []
        """Cards placed, and lists of those removed."""
        self.may_remove = may_remove

    def fill(self) -> None:
        cards, cells, drawn = list[Lying](), self.empty, self.drawn
        self.drawn = min(drawn + len(cells), len(self.ranks))
        for at in range(drawn, self.drawn):
            court = self.courts[at]
            card = Lying(self.ranks[at])
            self.made.append(card)
            if court < 0:
                cards.append(card)
            else:
                card.cell = next(cell for cell in cells if CLASS_OF[cell] == court)
                cells.remove(card.cell)
        self.empty, self.may_remove = [], True
        self.bags.append((cards, cells))
        self.settle()

    def remove(self, taken: Step) -> None:
        going = []
        for bag, name, rank in taken:
            cards, cells = self.bags[bag] if bag >= 0 else (self.lying, [])
            card = next(c for c in cards if c.rank == rank and (not c.cell or CLASS_OF[c.cell] == name))
            cards.remove(card)
            if card.cell is None:
                card.cell = next(cell for cell in cells if CLASS_OF[cell] == name)
                cells.remove(card.cell)
            self.empty.append(card.cell)
            going.append(card)
        self.made.append(going)
        self.settle()

    def settle(self, all_of_them: bool = False) -> None:
        """Puts the cards of bags that leave nothing open on their cells as they come."""

        def value(bag: tuple[list[Lying], list[str]]) -> Bag:
            classes = [CLASS_OF[cell] for cell in bag[1]]
            return sum(ONE[card.rank] for card in bag[0]), tuple(map(classes.count, CLASS_NUMBERS))

        bags, self.bags = sorted(self.bags, key=value), []
        for bag in bags:
            if all_of_them or is_plain(value(bag)):
                for card, cell in zip(*bag):
                    card.cell = cell
                    self.lying.append(card)
            else:
                self.bags.append(bag)

    def tokens(self) -> list[str]:
        self.settle(all_of_them=True)
        ranks = [card.rank for card in self.lying]
        while self.may_remove and (going := take(ranks)):
            self.made.append([self.lying[n] for n in going])
        tokens: list[str] = []
        for made in self.made:
            if isinstance(made, list):
                tokens.append("+".join(sorted(str(card.cell) for card in made)))
            else:
                tokens += ["draw", f"w-{made.cell}"]
        return tokens[1:] if self.state.waste else tokens


def take(ranks: list[int]) -> tuple[int, ...]:
    """Removes a Ten or a pair, if there is one, leaving 0; returns their places."""
    for place, rank in enumerate(ranks):
        if rank == TEN:
            ranks[place] = 0
            return (place,)
        if 0 < rank < TEN and TEN - rank in ranks[place + 1 :]:
            partner = ranks.index(TEN - rank, place + 1)
            ranks[place] = ranks[partner] = 0
            return place, partner
    return ()


def nameless(state: State, ranks: Sequence[int]) -> list[str] | None:
    """Plays on nameless cells and names them afterwards: exact where only court cards lie on the grid.

    What can be removed does not depend on the cells, and every order of removing comes to the same. So one
    thing is removed when the grid is full, until nothing can be (see `end`) or the stock is out. Then each
    cell is named for the court card that lies there at last; court cards stay, so that no cell has two. None
    if a class has too few cells, which needs more than four cards of a rank.
    """
    free = [cell for cell, card in zip(CELLS, state.grid) if not card]
    slots = [0] * len(free)
    plan: list[tuple[int, ...]] = []
    for rank in ranks:
        if 0 not in slots:
            if not (going := take(slots)):
                break
            plan.append(going)
        plan.append((-1, slots.index(0)))
        slots[slots.index(0)] = rank
    while going := take(slots):
        plan.append(going)
    names: dict[int, str] = {}
    for slot in sorted(range(len(slots)), key=lambda slot: -slots[slot]):  # court cards first
        wanted = CLASSES.index("JQK"[slots[slot] - TEN - 1]) if slots[slot] > TEN else None
        cell = next((cell for cell in free if wanted in (None, CLASS_OF[cell])), None)
        if cell is None:
            return None
        free.remove(cell)
        names[slot] = cell
    tokens: list[str] = []
    for step in plan:
        placed = ["draw", f"w-{names[step[-1]]}"]
        tokens += placed if step[0] < 0 else ["+".join(sorted(names[slot] for slot in step))]
    return tokens
