"""Solves Camelot: from an empty grid without a search, from later on by an exact one over classes of cells.

Which cards come when is nearly the whole game: what can be removed stays removable, and each rank has one
partner rank. So the order of the cards alone says how far they can take a player, as long as each court card
finds a place. Only for these places a search is needed, and only because of the cards that lie on the grid.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ...games.camelot import CELLS, COURT, RANK, TEN, State
from ..limits import Meter
from ..model import Found, Goal
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
from .naming import Replay, nameless

STATES = 150_000
WON = 40
"""The cards removed in a won game."""


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

    *Bags.* From the first removal on a full grid until it is full again, cards are placed on the cells then
    freed: the court cards among them on cells of their class, the others on the rest in any way. These ways
    are not gone through. Cards and cells make a bag, and which card lay where is said when one goes. Each
    way allows such answers, and to any answers there is a way, because all these cells were free when the
    first of the cards was placed.
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
        """No line draws more cards: these, without all that can have been removed, fill the grid."""

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
        return settled(until, [0] * len(CLASSES), list(node.grid), [*node.bags, (cards, cells)])

    def key(self, node: Node) -> Hashable:
        return node

    def is_won(self, node: Node) -> bool:
        return node.drawn == len(self.ranks) and self.most[node.drawn] == WON

    def score(self, node: Node) -> int:
        """Returns what has been removed after all that can be here is removed too.

        Whatever went before: each rank has one partner rank, so that every order of removing ends alike. So
        only drawing on can gain.
        """
        return self.most[node.drawn] if node != self.start or self.may_remove else len(self.state.removed)

    def bound(self, node: Node) -> int:
        drawn, free, *_ = node
        there = sum(node.grid) + sum(bag[0] for bag in node.bags)
        tens = has(sum(self.start.grid) + self.came[drawn] - there, TEN)
        full = self.last_full(drawn + sum(free), tens, self.reach(node))
        return self.most[full] if full >= 0 else self.score(node)

    def last_full(self, drawn: int, tens: int, reach: int) -> int:
        """Returns at how many cards drawn, at most `reach`, the grid can be full for the last time, or -1.

        It is full now, and so many Tens are gone: a Ten more leaves one card to draw, a pair two. What is
        gone in all follows from the cards drawn. Removing more at once only leaves out some such moments.
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

        A court card needs a cell of its class that is free, or freed before it is drawn; what lies there goes
        only if its partner lies on the grid or is drawn before. So many of its class there must be; and so
        many of all classes that are short of cells, as they may count on the same partners.
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
        """Returns a measure of how many cards that can't go yet lie where court cards are soon to come."""
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
        """Gives every card its cell; at the end removes all that can be, if a removal is possible there."""
        replay = Replay(self.state, self.ranks, self.courts, self.may_remove)
        for step in steps:
            if step:
                replay.remove(step)
            else:
                replay.fill()
        return replay.tokens()


def are_two(node: Node, one: Taken, other: Taken) -> bool:
    """Tells whether two cards can be two cards on two cells, also where they come from one place."""
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
    return settled(node.drawn, free, grid, bags)


def settled(drawn: int, free: list[int], grid: list[int], bags: list[Bag]) -> Node:
    """Makes a node; bags that leave nothing open are dissolved."""
    kept = []
    for cards, cells in bags:
        if is_plain((cards, cells)):
            for name, places in enumerate(cells):
                grid[name] += cards * places // max(1, sum(cells))  # of one rank, or all
        else:
            kept.append((cards, cells))
    return Node(drawn, tuple(free), tuple(grid), tuple(sorted(kept)))


def model(state: State) -> CamelotModel:
    """Returns the search model of a position."""
    return CamelotModel(state)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Finds a win, or the most cards that can be removed; both proved."""
    model = CamelotModel(state)
    total, removed = len(model.ranks), len(state.removed)
    if goal == "win" and (model.end < total or model.most[total] != WON):
        return Found("impossible", [], removed, True)
    line = None if any(model.start.grid) or state.waste else nameless(state, model.ranks)
    if line is None:
        line = search(model, goal, meter)
    if line is None:
        return Found("impossible", [], removed, True)
    removed += sum(token.count("+") + 1 for token in line if token != "draw" and token[0] != "w")
    return Found("won" if goal == "win" else "best", line, removed, True)


def search(model: CamelotModel, goal: Goal, meter: Meter) -> list[str] | None:
    """Goes depth first through what may lead further than the best so far; None if there is no win."""
    total, win = len(model.ranks), goal == "win"
    best, most = (0, 1) if win else (-1, model.most[model.end])
    line: list[str] | None = None
    seen = {model.start}
    stack: list[Iterator[tuple[list[Step], Node]]] = [iter([(list[Step](), model.start)])]
    while stack:
        for path, node in stack[-1]:
            if (model.reach(node) == total if win else model.bound(node)) <= best:
                continue
            meter.count()
            worth = model.is_won(node) and (bool(path) or model.may_remove) if win else model.score(node)
            if worth > best:
                best, line = int(worth), model.tokens(path)
                meter.keep(model.score(node), line)
                if best == most:
                    return line
            after = [(step, there) for step, there in model.expand(node) if there not in seen]
            seen.update(there for _, there in after)
            after.sort(key=lambda item: model.estimate(item[1]))
            stack.append(iter([([*path, step], there) for step, there in after]))
            break
        else:
            stack.pop()
    return line
