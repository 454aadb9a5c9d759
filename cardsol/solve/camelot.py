"""Solves Camelot: without a search from an empty grid, by an exact search over classes of cells from later on.

Which cards come when is nearly the whole game: what can be removed stays removable until it is removed, and
each rank has one partner rank. So the order of the cards alone says how far they can take a player, as long as
each court card finds a place. Only for these places a search is needed, and only because of the cards that
lie on the grid already.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..games.camelot import CELLS, COURT, NONE, OWNER, RANK, TEN, State
from .limits import Meter
from .model import Found, Goal

STATES = 1_500_000
WON = 40
"""The cards removed in a won game."""
CLASSES = ("K", "Q", "J", "")
"""The cells of a class are alike: those for Kings, Queens and Jacks, and the middle."""
MIDDLE = 3
PIPS = range(1, TEN + 1)
CELLS_OF = tuple(tuple(cell for cell in CELLS if OWNER[cell] == name) for name in CLASSES)
ONE = (0, *(1 << 3 * place for place in range(TEN)))
"""One card of a rank below Jack, in a number of octal digits: how many there are of each rank."""
PAIRS = tuple((ONE[low].bit_length() - 1, ONE[TEN - low].bit_length() - 1) for low in range(1, 5))
"""Where the digits of the two ranks of a pair are."""
FIVES, TENS = ONE[5].bit_length() - 1, ONE[TEN].bit_length() - 1

Step = tuple[tuple[int, int], ...]
"""Class and rank: of one card drawn and placed, after (-1, 0), or of a Ten or two cards removed."""
PLACING = (-1, 0)


class Position(NamedTuple):
    drawn: int
    """Cards of the waste and the stock that have been placed."""
    phase: int
    corners: int
    """The cards below Jack on the cells of a class, in octal digits, as in ONE."""
    queens: int
    jacks: int
    middle: int


def has(cards: int, rank: int) -> int:
    """Returns how many cards of a rank there are."""
    return cards >> 3 * (rank - 1) & 7


@lru_cache(maxsize=1 << 16)
def removable(cards: int, there: int) -> int:
    """Returns how many of some cards can go at most, if the cards there, themselves among them, are partners."""
    count = cards >> TENS & 7
    if there >> FIVES & 7 > 1:
        count += cards >> FIVES & 7
    for low, high in PAIRS:
        count += min(cards >> low & 7, there >> high & 7) + min(cards >> high & 7, there >> low & 7)
    return count


def whole(cards: int) -> int:
    """Returns how many of these cards go if all that can be removed is: of Fives an even number."""
    return removable(cards, cards) - (1 if (cards >> FIVES & 7) in (3, 5, 7) else 0)


class CamelotModel:
    """A game from some moment on. A card is drawn and placed in one step; one without a place is not drawn."""

    def __init__(self, state: State) -> None:
        self.state = state
        cards = state.waste + state.stock
        self.ranks = tuple(RANK[card] for card in cards)
        self.courts = tuple(CLASSES.index(card[0]) if card[0] in COURT else -1 for card in cards)
        grid = [0] * len(CLASSES)
        places = [len(cells) for cells in CELLS_OF]
        for cell, card in zip(CELLS, state.grid):
            if card and card[0] in COURT:
                places[CLASSES.index(card[0])] -= 1
            elif card:
                grid[CLASSES.index(OWNER[cell])] += ONE[RANK[card]]
        self.start = Position(0, 2 if state.phase == 2 and not state.waste else 1, *grid)
        self.came = [0]
        """For each number of cards drawn those below Jack among them."""
        self.places = [tuple(places)]
        """The cells of each class that no court card lies on."""
        for rank, court in zip(self.ranks, self.courts):
            self.came.append(self.came[-1] + (ONE[rank] if court < 0 else 0))
            if court >= 0:
                places[court] -= 1
            self.places.append(tuple(places))
        self.most = [len(state.removed) + whole(sum(grid) + came) for came in self.came]
        """For each number of cards drawn what has been removed at most."""
        filled = sum(map(bool, state.grid)) + len(state.removed) - len(CELLS)
        self.end = next((n for n in range(len(cards)) if self.most[n] <= filled + n), len(cards))
        """No line draws more cards: see `nameless`."""

    def expand(self, position: Position) -> Iterator[tuple[Step, Position]]:
        """Yields the places of the next card by class, then the removals by classes and ranks."""
        drawn, phase, *grid = position
        if drawn < len(self.ranks):
            rank, court = self.ranks[drawn], self.courts[drawn]
            for name in range(len(CLASSES)) if court < 0 else (court,):
                if grid[name] % 7 < self.places[drawn][name]:
                    after = grid.copy()
                    after[name] += ONE[rank] if court < 0 else 0
                    yield (PLACING, (name, rank)), self.placed(drawn + 1, after)
        if phase == 2:
            for cards in removals(grid):
                after = grid.copy()
                for name, rank in cards:
                    after[name] -= ONE[rank]
                yield cards, Position(drawn, 2, *after)

    def placed(self, drawn: int, grid: list[int]) -> Position:
        full = all(cards % 7 == places for cards, places in zip(grid, self.places[drawn]))
        return Position(drawn, 2 if full or drawn == len(self.ranks) else 1, *grid)

    def key(self, position: Position) -> Hashable:
        return position

    def is_won(self, position: Position) -> bool:
        return position.drawn == len(self.ranks) and self.score(position) == WON

    def score(self, position: Position) -> int:
        before, now = sum(self.start[2:]) + self.came[position.drawn], sum(position[2:])
        return len(self.state.removed) + count(before) - count(now)

    def bound(self, position: Position) -> int:
        return self.most[self.end]

    def layer(self, position: Position) -> int:
        return position.drawn

    def forced(self, position: Position) -> tuple[Step, Position] | None:
        return None

    def estimate(self, position: Position) -> float:
        return -position.drawn

    def tokens(self, steps: Sequence[Step]) -> list[str]:
        """Names the first free cell of a class, and the first cell with a card of the rank."""
        grid = dict(zip(CELLS, (RANK[card] if card else 0 for card in self.state.grid)))
        waste = bool(self.state.waste)
        tokens: list[str] = []
        for step in steps:
            if step[0] == PLACING:
                name, rank = step[1]
                cell = next(cell for cell in CELLS_OF[name] if not grid[cell])
                grid[cell] = rank
                tokens += [f"w-{cell}"] if waste else ["draw", f"w-{cell}"]
                waste = False
            else:
                cells = []
                for name, rank in step:
                    cells.append(next(cell for cell in CELLS_OF[name] if grid[cell] == rank))
                    grid[cells[-1]] = 0
                tokens.append("+".join(sorted(cells)))
        return tokens


def count(cards: int) -> int:
    """Returns how many cards a number in octal digits stands for."""
    return sum(int(digit) for digit in oct(cards)[2:])


def removals(grid: Sequence[int]) -> Iterator[Step]:
    """Yields all that can be removed, by class and rank."""
    there = [(name, rank) for name, cards in enumerate(grid) for rank in PIPS if has(cards, rank)]
    for name, rank in there:
        if rank == TEN:
            yield ((name, rank),)
        for other, partner in there:
            if rank + partner == TEN and (name, rank) <= (other, partner):
                if (name, rank) != (other, partner) or has(grid[name], rank) > 1:
                    yield (name, rank), (other, partner)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Finds a win, or the most cards that can be removed; both proved."""
    model = CamelotModel(state)
    total = len(model.ranks)
    if goal == "win" and (model.end < total or model.most[total] != WON):
        return Found("impossible", [], len(state.removed), True)
    line = nameless(model) if not any(model.start[2:]) and not state.waste else None
    if line is not None:
        meter.count(total)
    else:
        line = Search(model, goal, meter).run()
    if line is None:
        return Found("impossible", [], len(state.removed), True)
    removed = len(state.removed) + sum(
        token.count("+") + 1 for token in line if token != "draw" and token[0] != "w"
    )
    return Found("won" if goal == "win" else "best", line, removed, True)


Free = tuple[int, ...]
Bag = tuple[int, Free]
"""Cards, and how many cells of each class they lie on: which card on which is left open."""
Taken = tuple[int, int, int]
"""A card that goes: the number of the bag or -1, class, rank."""
Plan = list[tuple[Taken, ...]]
"""Removals; an empty one is drawing until the grid is full."""


class Node(NamedTuple):
    """A moment at which things may be removed."""

    drawn: int
    free: Free
    grid: tuple[int, ...]
    bags: tuple[Bag, ...]


class Search:
    """Goes through all that can matter, depth first, and proves what it returns.

    *Bags.* From the first removal on a full grid until it is full again, cards are placed on the cells that were
    freed: each of the court cards among them on one of its class, the others on the rest in any way. These
    ways are not gone through. The cards and the cells make a bag, and which card lay where is said when one of
    them goes: for every way there are such choices, and for all such choices there is a way, because all cells of
    a bag were free when its first card was placed. So the only choice in the game is what to remove.

    *Worth.* Where things may be removed, going on to remove all makes `most`, whatever has gone before: each
    rank has one partner rank, so that every order of removing ends alike. So only drawing on can gain.

    *Reach.* A court card needs a cell of its class that is free, or that is freed before it is drawn; what lies
    there is removed only if its partner is on the grid or drawn before. A node that by this
    can't lead to more than the best so far is cut.
    """

    def __init__(self, model: CamelotModel, goal: Goal, meter: Meter) -> None:
        self.model, self.goal, self.meter = model, goal, meter
        self.total = len(model.ranks)
        self.calls = [
            [[at for at in range(drawn, self.total) if model.courts[at] == name] for name in range(MIDDLE)]
            for drawn in range(self.total + 1)
        ]
        """For each number of cards drawn, and each court rank, which cards to come are of it."""

    def run(self) -> list[str] | None:
        """Returns the best line; None if there is no win."""
        model, win = self.model, self.goal == "win"
        worth = [int(drawn == self.total) for drawn in range(self.total + 1)] if win else model.most
        best, line = (0, None) if win else (len(model.state.removed), list[str]())
        start: Node | None = first(model)
        path: Plan = []
        if model.start.phase == 1:
            start, path = self.fill(first(model)), [()]
        if start is None:
            return line
        seen = {start}
        stack = [iter([(path, start)])]
        while stack:
            for plan, node in stack[-1]:
                if worth[self.reach(node)] <= best:
                    continue
                self.meter.count()
                if worth[node.drawn] > best:
                    best, line = worth[node.drawn], self.line(plan)
                    self.meter.keep(model.most[node.drawn], line)
                    if best == worth[model.end]:
                        return line
                after = [item for item in self.expand(node) if item[1] not in seen]
                seen.update(there for _, there in after)
                after.sort(key=lambda item: self.estimate(item[1]))
                stack.append(iter([([*plan, step], there) for step, there in after]))
                break
            else:
                stack.pop()
        return line

    def expand(self, node: Node) -> Iterator[tuple[tuple[Taken, ...], Node]]:
        """Yields drawing until the grid is full, and the removals."""
        drawn, free, grid, bags = node
        if drawn == self.total:
            return
        if any(free) and (filled := self.fill(node)) is not None:
            yield (), filled
        there = [(-1, name, rank) for name in range(4) for rank in PIPS if has(grid[name], rank)]
        for number, (cards, cells) in enumerate(bags):
            there += [(number, name, rank) for name in range(4) if cells[name] for rank in PIPS if has(cards, rank)]
        for at, one in enumerate(there):
            if one[2] == TEN:
                yield (one,), without(node, (one,))
            for other in there[at:]:
                if one[2] + other[2] == TEN and may_both(node, one, other):
                    yield (one, other), without(node, (one, other))

    def fill(self, node: Node) -> Node | None:
        """Draws until the grid is full or the stock out; None where a court card finds no place."""
        cells, cards, until = node.free, 0, min(node.drawn + sum(node.free), self.total)
        for drawn in range(node.drawn, until):
            court = self.model.courts[drawn]
            if court < 0:
                cards += ONE[self.model.ranks[drawn]]
            elif cells[court]:
                cells = less(cells, court)
            else:
                return None
        if until == self.total:
            return Node(until, cells, node.grid, ())
        return settled(until, [0] * 4, list(node.grid), [*node.bags, (cards, cells)])

    def reach(self, node: Node) -> int:
        """Returns how many cards can be drawn at most."""
        drawn, empty, grid, bags = node
        reach, came = self.model.end, self.model.came
        here = sum(grid) + sum(bag[0] for bag in bags) - came[drawn]
        for name in range(MIDDLE):
            needed = empty[name]
            for at in self.calls[drawn][name][needed:]:
                if at >= reach:
                    break
                needed += 1
                there = here + came[at]
                free = empty[name] + removable(grid[name], there)
                if free < needed:
                    free += sum(min(cells[name], removable(cards, there)) for cards, cells in bags)
                if free < needed:
                    reach = at
                    break
        return reach

    def estimate(self, node: Node) -> float:
        """Returns a measure of how many cards that can't go yet lie where court cards are soon to come."""
        drawn, empty, grid, bags = node
        there = sum(grid) + sum(bag[0] for bag in bags)
        bad = 0.0
        for name in range(MIDDLE):
            calls, cards = self.calls[drawn][name], grid[name]
            stuck = cards % 7 - removable(cards, there)
            for cards, cells in bags:
                stuck += max(0, cells[name] - removable(cards, there))
            for number in range(empty[name], len(calls)):
                weight = 1.0 if number >= len(calls) - stuck else 0.1
                bad += weight / (1 + calls[number] - drawn)
            bad += 0.01 * empty[name]
        return bad

    def line(self, plan: Plan) -> list[str]:
        """Says which card of a bag lay where, then gives the tokens, with all removed at the end that can be."""
        replay = Replay(self.model)
        for removal in plan:
            if removal:
                replay.remove(removal)
            else:
                replay.fill()
        return self.model.tokens(replay.steps())


def first(model: CamelotModel) -> Node:
    grid = model.start[2:]
    return Node(0, tuple(places - cards % 7 for places, cards in zip(model.places[0], grid)), grid, ())


def less(free: Free, name: int) -> Free:
    return (*free[:name], free[name] - 1, *free[name + 1 :])


def may_both(node: Node, one: Taken, other: Taken) -> bool:
    """Tells whether two cards can be two cards on two cells, also where they come from one place."""
    bag, name, rank = one
    if bag != other[0]:
        return True
    if bag < 0:
        return one != other or has(node.grid[name], rank) > 1
    cards, cells = node.bags[bag]
    return (rank != other[2] or has(cards, rank) > 1) and (name != other[1] or cells[name] > 1)


def without(node: Node, taken: tuple[Taken, ...]) -> Node:
    """Removes cards."""
    free, grid, bags = list(node.free), list(node.grid), list(node.bags)
    for bag, name, rank in taken:
        free[name] += 1
        if bag < 0:
            grid[name] -= ONE[rank]
        else:
            cards, cells = bags[bag]
            bags[bag] = cards - ONE[rank], less(cells, name)
    return settled(node.drawn, free, grid, bags)


def is_plain(bag: Bag) -> bool:
    """Tells whether a bag leaves nothing open: cards of one rank or cells of one class (or none)."""
    cards, cells = bag
    return cells.count(0) >= 3 or any(cards == has(cards, rank) * ONE[rank] for rank in PIPS)


def settled(drawn: int, free: list[int], grid: list[int], bags: list[Bag]) -> Node:
    """Makes a node; bags that leave nothing open are dissolved."""
    kept = []
    for bag in bags:
        if is_plain(bag):
            cards, cells = bag
            size = sum(cells)
            for name, places in enumerate(cells):
                grid[name] += cards * places // size if places else 0
        else:
            kept.append(bag)
    return Node(drawn, tuple(free), tuple(grid), tuple(sorted(kept)))


Lying = list[int]
"""A card that is placed: the class of its cell, -1 while that is open, and the rank."""


class Replay:
    """Follows a plan card by card, with the bags in the same order as in the nodes."""

    def __init__(self, model: CamelotModel) -> None:
        self.model, self.drawn = model, 0
        start = first(model)
        self.empty = [name for name, free in enumerate(start.free) for _ in range(free)]
        pips = [(name, rank) for name in range(4) for rank in PIPS]
        self.single = [[name, rank] for name, rank in pips for _ in range(has(start.grid[name], rank))]
        self.bags: list[tuple[list[Lying], list[int]]] = []
        self.made: list[list[Lying]] = []

    def fill(self) -> None:
        model, cells, drawn = self.model, self.empty, self.drawn
        self.drawn = min(drawn + len(cells), len(model.ranks))
        cards = [[model.courts[at], model.ranks[at]] for at in range(drawn, self.drawn)]
        self.made += [[[*PLACING], card] for card in cards]
        for name, _ in cards:
            if name >= 0:
                cells.remove(name)
        self.empty = []
        self.bags.append(([card for card in cards if card[0] < 0], cells))
        self.settle()

    def remove(self, taken: tuple[Taken, ...]) -> None:
        self.made.append([])
        for bag, name, rank in taken:
            cards, cells = self.bags[bag] if bag >= 0 else (self.single, [name])
            card = next(card for card in cards if card in ([name, rank], [-1, rank]))
            cards.remove(card)
            cells.remove(name)
            card[0] = name
            self.made[-1].append(card)
            self.empty.append(name)
        self.settle()

    def settle(self, all_of_them: bool = False) -> None:
        """Puts the cards of bags that leave nothing open on their cells as they come."""

        def value(bag: tuple[list[Lying], list[int]]) -> Bag:
            return sum(ONE[rank] for _, rank in bag[0]), tuple(bag[1].count(name) for name in range(4))

        bags, self.bags = sorted(self.bags, key=value), []
        for bag in bags:
            if all_of_them or is_plain(value(bag)):
                for card, name in zip(*bag):
                    card[0] = name
                    self.single.append(card)
            else:
                self.bags.append(bag)

    def steps(self) -> list[Step]:
        """Returns all that was made, and then removes what can be."""
        self.settle(all_of_them=True)
        steps: list[Step] = [tuple((name, rank) for name, rank in made) for made in self.made]
        grid = [sum(ONE[rank] for lies, rank in self.single if lies == name) for name in range(4)]
        while removal := next(removals(grid), None):
            for name, rank in removal:
                grid[name] -= ONE[rank]
            steps.append(removal)
        return steps


def nameless(model: CamelotModel) -> list[str] | None:
    """Plays on nameless cells and names them afterwards: exact where only court cards lie on the grid.

    Which cells the cards lie on does not matter to what can be removed. And as what can be removed stays
    removable and each rank has one partner rank, every order of removing comes to the same: the grid is full
    with nothing to remove as soon as the cards drawn so far, all that can go removed, fill it. So one thing
    is removed when the grid is full, until that happens or the stock is out. Then each cell is
    named for the court card that lies there at last; court cards stay, so that there is never more than one to a
    cell. None if a class has not cells enough, which is so only where there are more than four of a rank.
    """
    slots = [0] * sum(card == NONE for card in model.state.grid)
    plan: list[tuple[int, ...]] = []
    for rank in model.ranks:
        if 0 not in slots and not take(slots, plan):
            break
        plan.append((-1, slots.index(0)))
        slots[slots.index(0)] = rank
    while take(slots, plan):
        pass
    free = [cell for cell, card in zip(CELLS, model.state.grid) if card == NONE]
    names: dict[int, str] = {}
    for slot in sorted(range(len(slots)), key=lambda slot: -slots[slot]):  # court cards first
        wanted = "JQK"[slots[slot] - TEN - 1] if slots[slot] > TEN else None
        cell = next((cell for cell in free if wanted is None or OWNER[cell] == wanted), None)
        if cell is None:
            return None
        free.remove(cell)
        names[slot] = cell
    tokens: list[str] = []
    for step in plan:
        tokens += ["draw", f"w-{names[step[1]]}"] if step[0] < 0 else ["+".join(sorted(names[n] for n in step))]
    return tokens


def take(slots: list[int], plan: list[tuple[int, ...]]) -> bool:
    """Removes a Ten or a pair, if there is one, and notes it in the plan."""
    for slot, rank in enumerate(slots):
        partner = slots.index(TEN - rank, slot + 1) if 0 < rank < TEN and TEN - rank in slots[slot + 1 :] else slot
        if rank == TEN or partner != slot:
            slots[slot] = slots[partner] = 0
            plan.append((slot,) if rank == TEN else (slot, partner))
            return True
    return False
