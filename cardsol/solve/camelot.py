"""Solves Camelot: from an empty grid without a search, from later on by an exact one over classes of cells.

Which cards come when is nearly the whole game: what can be removed stays removable, and each rank has one
partner rank. So the order of the cards alone says how far they can take a player, as long as each court card
finds a place. Only for these places a search is needed, and only because of the cards that lie on the grid.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ..games.camelot import CELLS, COURT, OWNER, RANK, TEN, State
from .camelot_play import judge as judge_plays
from .limits import Meter
from .model import Found, Goal, Judgement

STATES = 150_000
WON = 40
"""The cards removed in a won game."""
CLASSES = ("K", "Q", "J", "")
"""The cells of a class are alike: those for Kings, Queens and Jacks, and the middle."""
NAMES = range(len(CLASSES))
COURTS = range(3)
MIDDLE = 3
CLASS_OF = {cell: CLASSES.index(OWNER[cell]) for cell in CELLS}
PIPS = range(1, TEN + 1)
ONE = (0, *(1 << 3 * place for place in range(TEN)))
"""One card of a rank below Jack, in a number of octal digits: how many there are of each rank."""
PAIRS = tuple((3 * low - 3, 3 * (TEN - low) - 3) for low in range(1, 5))
"""Where the digits of the two ranks of a pair are."""
FIVES, TENS = 3 * 5 - 3, 3 * TEN - 3

Cells = tuple[int, ...]
"""How many cells of each class."""
Bag = tuple[int, Cells]
"""Cards, and the cells that they lie on; which card on which is left open."""
Taken = tuple[int, int, int]
"""A card that goes: the number of its bag or -1, class, rank."""
Step = tuple[Taken, ...]
"""A Ten or two cards that go; none is drawing until the grid is full."""


class Node(NamedTuple):
    """A moment at which things may be removed; or the start of the search."""

    drawn: int
    """Cards of waste and stock that have been placed."""
    free: Cells
    grid: tuple[int, ...]
    """For each class the cards below Jack that are known to lie on its cells, in octal digits as in ONE."""
    bags: tuple[Bag, ...]


def has(cards: int, rank: int) -> int:
    """Returns how many cards of a rank there are."""
    return cards >> 3 * rank - 3 & 7


@lru_cache(maxsize=1 << 16)
def removable(cards: int, there: int) -> int:
    """Returns how many of some cards can go at most, where there are these cards, themselves among them."""
    count = cards >> TENS & 7
    if there >> FIVES & 7 > 1:
        count += cards >> FIVES & 7
    for low, high in PAIRS:
        count += min(cards >> low & 7, there >> high & 7) + min(cards >> high & 7, there >> low & 7)
    return count


def whole(cards: int) -> int:
    """Returns how many of these cards go if all that can be removed is: of Fives an even number."""
    return removable(cards, cards) - (has(cards, 5) % 2 if has(cards, 5) > 1 else 0)


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
        there = [(-1, name, rank) for name in NAMES for rank in PIPS if has(grid[name], rank)]
        for bag, (cards, cells) in enumerate(bags):
            there += [(bag, name, rank) for name in NAMES if cells[name] for rank in PIPS if has(cards, rank)]
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
        replay = Replay(self)
        for step in steps:
            if step:
                replay.remove(step)
            else:
                replay.fill()
        return replay.tokens()


def less(cells: Cells, name: int) -> Cells:
    return (*cells[:name], cells[name] - 1, *cells[name + 1 :])


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


def is_plain(bag: Bag) -> bool:
    """Tells whether a bag leaves nothing open: cards of one rank or cells of one class (or none)."""
    cards, cells = bag
    return cells.count(0) >= 3 or any(cards == has(cards, rank) * ONE[rank] for rank in PIPS)


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


@dataclass(eq=False)
class Lying:
    """A card on the grid."""

    rank: int
    cell: str | None = None
    """None while it is in a bag."""


class Replay:
    """Follows steps card by card and cell by cell, with the bags in the same order as in the nodes."""

    def __init__(self, model: CamelotModel) -> None:
        self.model, self.drawn = model, 0
        grid = list(zip(CELLS, model.state.grid))
        self.empty = [cell for cell, card in grid if not card]
        self.lying = [Lying(RANK[card], cell) for cell, card in grid if card]
        self.bags: list[tuple[list[Lying], list[str]]] = []
        self.made: list[Lying | list[Lying]] = []
        """Cards placed, and lists of those removed."""
        self.may_remove = model.may_remove

    def fill(self) -> None:
        cards, cells, drawn = list[Lying](), self.empty, self.drawn
        self.drawn = min(drawn + len(cells), len(self.model.ranks))
        for at in range(drawn, self.drawn):
            court = self.model.courts[at]
            card = Lying(self.model.ranks[at])
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
            return sum(ONE[card.rank] for card in bag[0]), tuple(map(classes.count, NAMES))

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
        return tokens[1:] if self.model.state.waste else tokens


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


def model(state: State) -> CamelotModel:
    """Returns the search model of a position."""
    return CamelotModel(state)


def judge(model: CamelotModel, fresh: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts on places, which the model leaves open: see `camelot_play`."""
    return judge_plays(model.state, fresh)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Finds a win, or the most cards that can be removed; both proved."""
    model = CamelotModel(state)
    total, removed = len(model.ranks), len(state.removed)
    if goal == "win" and (model.end < total or model.most[total] != WON):
        return Found("impossible", [], removed, True)
    line = None if any(model.start.grid) or state.waste else nameless(model)
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


def nameless(model: CamelotModel) -> list[str] | None:
    """Plays on nameless cells and names them afterwards: exact where only court cards lie on the grid.

    What can be removed does not depend on the cells, and every order of removing comes to the same. So one
    thing is removed when the grid is full, until nothing can be (see `end`) or the stock is out. Then each
    cell is named for the court card that lies there at last; court cards stay, so that no cell has two. None
    if a class has too few cells, which needs more than four cards of a rank.
    """
    free = [cell for cell, card in zip(CELLS, model.state.grid) if not card]
    slots = [0] * len(free)
    plan: list[tuple[int, ...]] = []
    for rank in model.ranks:
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
