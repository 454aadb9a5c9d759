"""Camelot for the search: cells by class, cards by rank."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ...games.camelot import CELLS, COURT, RANK, TEN, State
from .cells import (
    CLASS_NUMBERS,
    CLASS_OF,
    CLASSES,
    COURTS,
    ONE,
    PIPS,
    Bag,
    Cells,
    Step,
    Taken,
    has,
    is_plain,
    less,
    removable,
    whole,
)
from .naming import Replay

WON = 40
"""How many cards are removed in a won game."""


class Node(NamedTuple):
    """A moment at which things may be removed; or the start of the search."""

    drawn: int
    """Cards of waste and stock that have been placed."""
    free: Cells
    grid: tuple[int, ...]
    """For each class the cards below Jack that are known to lie on its cells, in octal digits as in ONE."""
    bags: tuple[Bag, ...]


class CamelotModel:
    """A game from some moment on, in which the only choice is what to remove.

    The cards that are placed from one full grid to the next, and the cells that they take, make a *bag*: which of
    the cards lies where is left open until one of them is removed.

    Lemma (bags). What can be done from a node with bags is what can be done from some way of laying the cards of
    each bag on its cells. Proof. All the cells of a bag were free when the first of its cards was placed, since
    nothing is removed until the grid is full. Court cards among them have taken cells of their class, which are
    not in the bag; the others may lie anywhere. So every one-to-one laying is legal. Each removal names a card of
    the bag and the class of a cell of it; cards and cells that are named leave the bag in pairs, and any such
    pairs, with the rest laid in any way, are one of the layings.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        cards = state.waste + state.stock
        self.ranks = tuple(RANK[card] for card in cards)
        self.courts = tuple(CLASSES.index(card[0]) if card[0] in COURT else -1 for card in cards)
        free, grid = [0] * len(CLASSES), [0] * len(CLASSES)
        for cell, card in zip(CELLS, state.grid):
            free[CLASS_OF[cell]] += not card
            grid[CLASS_OF[cell]] += ONE[RANK[card]] if card and card[0] not in COURT else 0
        self.start = Node(0, tuple(free), tuple(grid), ())
        self.may_remove = state.phase == 2 and not state.waste
        """Whether the start is a moment at which things may be removed."""
        self.came = [0]
        """For each number of cards drawn those below Jack among them."""
        for rank, court in zip(self.ranks, self.courts):
            self.came.append(self.came[-1] + (ONE[rank] if court < 0 else 0))
        self.most = [len(state.removed) + whole(sum(grid) + came) for came in self.came]
        """For each number of cards drawn what has been removed at most."""
        more = len(state.removed) - sum(free)
        self.end = next((n for n in range(len(cards)) if self.most[n] <= more + n), len(cards))
        """Lemma (end). No line places more cards than this. Proof. Of the cards of the start and the first n that are
        placed no more than most[n] can have gone, by the lemma of `score`. Where these leave no cell free, no card
        more is placed, whatever was removed."""
        self.known: dict[tuple[int, int, int], int] = {}

    def expand(self, node: Node) -> Iterator[tuple[Step, Node]]:
        """Yields drawing until the grid is full, and the removals; none of them once all cards are drawn."""
        drawn, free, grid, bags = node
        if drawn == len(self.ranks):
            return
        if any(free) and (filled := self.fill(node)) is not None:
            yield (), filled
        if node == self.start and not self.may_remove:
            return
        there = [(-1, name, rank) for name in CLASS_NUMBERS for rank in PIPS if has(grid[name], rank)]
        for bag, (cards, cells) in enumerate(bags):
            there += [
                (bag, name, rank)
                for name in CLASS_NUMBERS
                if cells[name]
                for rank in PIPS
                if has(cards, rank)
            ]
        for at, one in enumerate(there):
            if one[2] == TEN:
                yield (one,), without(node, (one,))
            for other in there[at:]:
                if one[2] + other[2] == TEN and are_two(node, one, other):
                    yield (one, other), without(node, (one, other))

    def fill(self, node: Node) -> Node | None:
        """Draws until the grid is full or the stock out; None where a court card finds no place."""
        cells, cards, until = node.free, 0, min(node.drawn + sum(node.free), len(self.ranks))
        for at in range(node.drawn, until):
            court = self.courts[at]
            if court < 0:
                cards += ONE[self.ranks[at]]
            elif cells[court]:
                cells = less(cells, court)
            else:
                return None
        if until == len(self.ranks):  # all places are alike now
            return Node(until, (), (sum(node.grid) + sum(bag[0] for bag in node.bags) + cards,), ())
        return node_of(until, [0] * len(CLASSES), list(node.grid), [*node.bags, (cards, cells)])

    def key(self, node: Node) -> Hashable:
        return node

    def is_won(self, node: Node) -> bool:
        """Tells whether the game is won when all that can be removed here is removed."""
        return node.drawn == len(self.ranks) and self.score(node) == WON

    def score(self, node: Node) -> int:
        """Returns what has been removed when all that can be removed here is removed too.

        Lemma (order). That is the same whatever was removed before, and in whatever order. Proof. A Ten goes alone,
        so in the end none is left. A pair takes one card of each of two partner ranks, of which neither has another
        partner, so their difference stays; in the end one of the two ranks has none left. Of Fives a pair takes two,
        so one is left of an odd number. So what is left in the end is determined by the cards that came.
        """
        return self.most[node.drawn] if node != self.start or self.may_remove else len(self.state.removed)

    def bound(self, node: Node) -> int:
        """Returns the score of the last moment from here on at which the grid can be full: see `last_full`.

        Lemma (bound). No line ends with more. Proof. Cards are removed only at moments when the grid is full or the
        stock is out. What has gone at such a moment is at most the score there, by the lemma of `score`, and that
        does not fall with the cards drawn.
        """
        drawn, free, *_ = node
        there = sum(node.grid) + sum(bag[0] for bag in node.bags)
        tens = has(sum(self.start.grid) + self.came[drawn] - there, TEN)
        full = self.last_full(drawn + sum(free), tens, self.reach(node))
        return self.most[full] if full >= 0 else self.score(node)

    def last_full(self, drawn: int, tens: int, reach: int) -> int:
        """Returns at how many cards drawn, at most `reach`, the grid can be full for the last time, or -1.

        It is full now, after `drawn` cards, and `tens` Tens have gone since the start.

        Lemma (full grids). No line that draws at most `reach` cards has a full grid at a later moment. Proof. Between
        two full grids as many cards are drawn as were removed. Take the removals one by one, each followed by
        drawing until the grid is full: that passes the moments of the line and others. A Ten leaves one card to
        draw, a pair two; so by the cards drawn and the Tens gone one knows how many others have gone, and another
        thing can go only if there is a Ten left, or if fewer others have gone than ever can of the cards that came.
        """
        if drawn > reach or drawn == len(self.ranks):
            return reach if reach == len(self.ranks) else -1
        known = drawn, tens, reach
        if known not in self.known:
            last, came = drawn, sum(self.start.grid) + self.came[drawn]
            if tens < has(came, TEN):
                last = max(last, self.last_full(drawn + 1, tens + 1, reach))
            if drawn - sum(self.start.free) - tens + has(came, TEN) < whole(came):
                last = max(last, self.last_full(drawn + 2, tens, reach))
            self.known[known] = last
        return self.known[known]

    def reach(self, node: Node) -> int:
        """Returns how many cards can be drawn at most.

        Lemma (reach). No line draws more. Proof. Take any set of court classes, and the court cards of these that are
        drawn up to some moment. They stay on the grid, each on a cell of its own, and of these cells only those that
        are free now need not be freed. All others bear now a card below Jack that goes before that moment. A Ten
        can go; a Five if there is another, any other card together with one of its partner rank; and all these are
        on the grid now or are drawn before that moment. So not more can go than `removable` counts. Of a bag not
        more go from those cells than it has of them either. The sets that are tried are the class of the court card,
        and all classes that lack cells, since they may need the same partners.
        """
        drawn, empty, grid, bags = node
        if drawn >= self.end:
            return self.end
        here = sum(grid) + sum(bag[0] for bag in bags) - self.came[drawn]
        needed = [-cells for cells in empty]
        for at in range(drawn, self.end):
            court = self.courts[at]
            if court < 0:
                continue
            needed[court] += 1
            if needed[court] <= 0:
                continue
            there = here + self.came[at]
            short = [name for name in COURTS if needed[name] > 0]
            for names in ([court], short) if len(short) > 1 else (short,):
                free = removable(sum(grid[name] for name in names), there)
                need = sum(needed[name] for name in names)
                if free < need:
                    for cards, cells in bags:
                        free += min(sum(cells[name] for name in names), removable(cards, there))
                if free < need:
                    return at
        return self.end

    def estimate(self, node: Node) -> float:
        """Returns a measure of the cards that can't be removed yet and lie where court cards will soon come."""
        drawn, empty, grid, bags = node
        if drawn == len(self.ranks):
            return 0.0
        there = sum(grid) + sum(bag[0] for bag in bags)
        bad = 0.0
        for name in COURTS:
            calls = [at for at in range(drawn, len(self.courts)) if self.courts[at] == name]
            stuck = sum(has(grid[name], rank) for rank in PIPS) - removable(grid[name], there)
            stuck += sum(max(0, cells[name] - removable(cards, there)) for cards, cells in bags)
            for number in range(empty[name], len(calls)):
                bad += (1.0 if number >= len(calls) - stuck else 0.1) / (1 + calls[number] - drawn)
            bad += 0.01 * empty[name]
        return bad

    def layer(self, node: Node) -> int:
        return node.drawn

    def forced(self, node: Node) -> tuple[Step, Node] | None:
        return None

    def tokens(self, steps: Sequence[Step]) -> list[str]:
        """Gives every card its cell; at the end removes all that can be removed, if cards may be removed there."""
        replay = Replay(self.state, self.ranks, self.courts, self.may_remove)
        for step in steps:
            if step:
                replay.remove(step)
            else:
                replay.fill()
        return replay.tokens()


def are_two(node: Node, one: Taken, other: Taken) -> bool:
    """Tells whether two cards can be different cards on different cells, also if both are of one bag or class."""
    bag, name, rank = one
    if bag != other[0]:
        return True
    if bag < 0:
        return one != other or has(node.grid[name], rank) > 1
    cards, cells = node.bags[bag]
    return (rank != other[2] or has(cards, rank) > 1) and (name != other[1] or cells[name] > 1)


def without(node: Node, taken: Step) -> Node:
    """Removes cards."""
    free, grid, bags = list(node.free), list(node.grid), list(node.bags)
    for bag, name, rank in taken:
        free[name] += 1
        if bag < 0:
            grid[name] -= ONE[rank]
        else:
            bags[bag] = bags[bag][0] - ONE[rank], less(bags[bag][1], name)
    return node_of(node.drawn, free, grid, bags)


def node_of(drawn: int, free: list[int], grid: list[int], bags: list[Bag]) -> Node:
    """Makes a node; cards of bags that leave nothing open go to the grid."""
    kept = []
    for cards, cells in bags:
        if is_plain((cards, cells)):
            for name, places in enumerate(cells):
                grid[name] += cards * places // max(1, sum(cells))  # of one rank, or all
        else:
            kept.append((cards, cells))
    return Node(drawn, tuple(free), tuple(grid), tuple(sorted(kept)))
