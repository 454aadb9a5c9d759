"""Solves Camelot: without a search from an empty grid, by an exact search over classes of cells from later on.

Which cards come when is nearly the whole game: what can be removed stays removable until it is removed, and
each rank has one partner rank. So the order of the cards alone says how far they can take a player, as long as
each court card finds a place. Only for these places a search is needed, and only because of the cards that
lie on the grid already.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
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
        self.calls = [
            [tuple(at for at in range(drawn, len(cards)) if self.courts[at] == name) for name in range(MIDDLE)]
            for drawn in range(len(cards) + 1)
        ]
        """For each number of cards drawn, and each court rank, which cards to come are of it."""
        self.most = [len(state.removed) + whole(sum(grid) + came) for came in self.came]
        """For each number of cards drawn what has been removed at most."""
        filled = sum(map(bool, state.grid)) + len(state.removed) - len(CELLS)
        self.end = next((n for n in range(len(cards)) if self.most[n] <= filled + n), len(cards))
        """No line draws more cards: see `nameless`."""
        self.known: dict[tuple[int, int], int] = {}

    def removable(self, cards: int, there: int) -> int:
        count = self.known.get((cards, there))
        if count is None:
            count = self.known[cards, there] = removable(cards, there)
        return count

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
        return self.most[self.reach(position)]

    def layer(self, position: Position) -> int:
        return position.drawn

    def forced(self, position: Position) -> tuple[Step, Position] | None:
        return None

    def reach(self, position: Position) -> int:
        """Returns how many cards can be drawn at most, so that each court card before may find a place.

        A court card needs a cell of its class that is free now, or that is freed before it is drawn; a card
        lying there is removed only if its partner lies on the grid or is drawn before; and nothing is removed
        before the grid is full again.
        """
        drawn, phase, *grid = position
        reach, places, calls = self.end, self.places[drawn], self.calls[drawn]
        here = sum(grid) - self.came[drawn]
        full = drawn if phase == 2 else drawn + sum(places) - sum(cards % 7 for cards in grid)
        for name in range(MIDDLE):
            cards = grid[name]
            free = places[name] - cards % 7
            for at in calls[name][free:]:
                if at >= reach:
                    break
                free += 1
                if at < full or self.removable(cards, here + self.came[at]) + places[name] - cards % 7 < free:
                    reach = at
                    break
        return reach

    def estimate(self, position: Position) -> float:
        """Returns a measure of how many cards that can't go yet lie where court cards are soon to come."""
        drawn, _, *grid = position
        there = sum(grid)
        bad = 0.0
        for name in range(MIDDLE):
            calls, cards = self.calls[drawn][name], grid[name]
            stuck = cards % 7 - self.removable(cards, there)
            free = self.places[drawn][name] - cards % 7
            for number in range(free, len(calls)):
                weight = 1.0 if number >= len(calls) - stuck else 0.1
                bad += weight / (1 + calls[number] - drawn)
            bad += 0.01 * free
        return bad

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
    for name, cards in enumerate(grid):
        if cards >> TENS & 7:
            yield ((name, TEN),)
        for other in range(name, len(grid)):
            fives = cards >> FIVES & 7, grid[other] >> FIVES & 7
            if min(fives) > (1 if other == name else 0):
                yield (name, 5), (other, 5)
        for low, high in PAIRS:
            if cards >> low & 7:
                for other, others in enumerate(grid):
                    if others >> high & 7:
                        yield (name, low // 3 + 1), (other, high // 3 + 1)


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
        line = search(model, goal, meter)
    if line is None:
        return Found("impossible", [], len(state.removed), True)
    removed = len(state.removed) + sum(
        token.count("+") + 1 for token in line if token != "draw" and token[0] != "w"
    )
    return Found("won" if goal == "win" else "best", line, removed, True)


def search(model: CamelotModel, goal: Goal, meter: Meter) -> list[str] | None:
    """Goes through all positions that may lead further than the best line so far, depth first.

    Where things may be removed, all that can be is worth as much as `most` says, whatever has been removed before:
    each rank has one partner rank, so that every order of removing ends alike. So only drawing on can gain.
    """
    total = len(model.ranks)
    worth = model.most if goal == "score" else [int(drawn == total) for drawn in range(total + 1)]
    best, line = (len(model.state.removed), list[str]()) if goal == "score" else (0, None)
    seen = {model.start}
    path: list[Step] = []
    stack: list[Iterator[tuple[Step, Position]]] = [iter(((((-1, -1),), model.start),))]
    while stack:
        for step, position in stack[-1]:
            if worth[model.reach(position)] <= best:
                continue
            meter.count()
            path.append(step)
            if position.phase == 2 and worth[position.drawn] > best:
                best = worth[position.drawn]
                line = model.tokens(path[1:] + clear(position))
                meter.keep(model.most[position.drawn], line)
                if best == worth[model.end]:
                    return line
            after = [item for item in model.expand(position) if item[1] not in seen]
            seen.update(there for _, there in after)
            after.sort(key=lambda item: model.estimate(item[1]))
            stack.append(iter(after))
            break
        else:
            stack.pop()
            if path:
                path.pop()
    return line


def clear(position: Position) -> list[Step]:
    """Removes all that can be."""
    grid = list(position[2:])
    steps: list[Step] = []
    while step := next(removals(grid), None):
        for name, rank in step:
            grid[name] -= ONE[rank]
        steps.append(step)
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
    plan, slots = play_out(model)
    free = [cell for cell, card in zip(CELLS, model.state.grid) if card == NONE]
    names: dict[int, str] = {}
    for slot in sorted(range(len(slots)), key=lambda slot: -slots[slot]):  # court cards first
        rank = slots[slot]
        wanted = "JQK"[rank - TEN - 1] if rank > TEN else None
        cell = next((cell for cell in free if wanted is None or OWNER[cell] == wanted), None)
        if cell is None:
            return None
        free.remove(cell)
        names[slot] = cell
    tokens: list[str] = []
    for going in plan:
        if len(going) == 1 and going[0] < 0:
            tokens += ["draw", f"w-{names[~going[0]]}"]
        else:
            tokens.append("+".join(sorted(names[slot] for slot in going)))
    return tokens


def play_out(model: CamelotModel) -> tuple[list[tuple[int, ...]], list[int]]:
    """Plays on nameless cells; returns which are filled (as ~number) and emptied, and the ranks there at last."""
    slots = [0] * sum(card == NONE for card in model.state.grid)
    plan: list[tuple[int, ...]] = []
    ranks = list(model.ranks)
    while True:
        while ranks and 0 in slots:
            slot = slots.index(0)
            slots[slot] = ranks.pop(0)
            plan.append((~slot,))
        going = next(
            (
                (slot, other) if other != slot else (slot,)
                for slot, rank in enumerate(slots)
                for other, partner in enumerate(slots[slot:], slot)
                if (rank == TEN if other == slot else rank and partner and rank + partner == TEN)
            ),
            None,
        )
        if going is None:
            return plan, slots
        for slot in going:
            slots[slot] = 0
        plan.append(going)
