"""Universal Solitaire for the search: columns as bytes, the bar as a bit mask."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any, NamedTuple

from ..games import universal as rules
from .limits import LimitReached, Meter
from .model import Found, Goal

STATES = 2_500_000
WIDTHS = (100, 1000, 8000)
"""How many positions enter each layer of the sweeps, one sweep after the other."""
CLOSURE = 8
"""How many times the width are expanded within a layer, at most."""

SUITS = 6
CARDS = tuple(rank + suit for rank in rules.UNIVERSAL.ranks for suit in rules.UNIVERSAL.suits)
NUMBER = {card: number for number, card in enumerate(CARDS, SUITS)}
"""A card's number is 6 × rank + suit + 6: the card that goes up before it is 6 lower."""
TOP = SUITS + len(CARDS)
FIRST_GALAXY = TOP - SUITS
FLOOR = (1 << SUITS) - 1
"""Bits of the bar that are always set: what the lowest cards go up on."""
FULL = (1 << TOP) - 1
SPACE = 1 << (TOP + SUITS)
"""The bit that stands for the end of an empty column."""
BIT = tuple(1 << number for number in range(TOP))
ROW = tuple(FLOOR << (number - number % SUITS) for number in range(TOP))
"""All cards of the same rank."""
NEEDS = tuple(
    0 if number < SUITS else SPACE if number >= FIRST_GALAXY else (ROW[number] << SUITS) & ~(1 << (number + SUITS))
    for number in range(TOP)
)
"""What a card may be put on: one rank higher, another suit; a Galaxy on a space."""
BUILDERS = tuple(
    0 if number < 2 * SUITS else (ROW[number] >> SUITS) & ~(1 << (number - SUITS)) for number in range(TOP)
)
"""What may be put on a card."""
GALAXIES = FLOOR << FIRST_GALAXY
BELOW = 128
BEHIND = TOP
"""A step is 0 for a draw, else BELOW × card + target: 0 the bar, 1 a space, the number of the card that is
built on, or BEHIND + the number of the head that is slipped behind."""
PASS = 64

Column = bytes
"""How much lies face down (a number of `_Columns.under`, 0 for nothing), then the run from its head on."""
Position = tuple[tuple[Column, ...], int, bytes, int]
"""Columns in the order of their bytes, the bar, waste and stock in the order of drawing, and the number of
the pass × PASS + the size of the waste.

The columns may be sorted, and so are taken for alike where only their places differ: the rules name no
place, and every face-down pile has a number of its own."""
Step = int
Node = tuple[Position, "Node | None", Step]


class Gate(NamedTuple):
    """In the relaxed game: what lies open once a card is gone."""

    card: int
    """The bit of the card that must go."""
    opens: int
    """The bit of the card over which it lay, or of the space that it leaves."""
    builders: int
    """What may be put there."""


class Facts(NamedTuple):
    """What there is to know of a column."""

    end: int
    needs: int
    """Ends on which the run may be put."""
    under: int
    """The card that the last card goes up on."""
    slips: int
    """Cards that may slip behind the head."""
    lowered: Column
    """The column without its last card,"""
    lifted: Column
    """and without the run."""
    last: int
    head: int
    held: int
    """The cards of the run that lie on another card of it."""
    anchors: int
    """Cards that may slip behind the last card, where that is all there is."""
    cost: float
    run: tuple[Gate, ...]
    """From the last card on: cards of the run that must go up."""
    gates: tuple[Gate, ...]
    """The head and the face-down cards, down to the ground: each must leave the column."""
    fixed: int
    """The bit of a Galaxy on the ground, which does not leave its column but for the bar."""
    ground: int
    """The bit of the card that is, or will be, the head of the column with nothing face down."""


class Columns(dict[Column, Facts]):
    """The facts of every column that was met, each computed once."""

    def __init__(self, columns: Sequence[rules.Pile]) -> None:
        self.under: list[tuple[int, ...]] = [()]
        self.start: list[Column] = []
        for down, up in columns:
            numbers = [NUMBER[card] for card in down]
            first = len(self.under)
            self.under += [tuple(numbers[:size]) for size in range(1, len(numbers) + 1)]
            mark = first + len(numbers) - 1 if numbers else 0
            self.start.append(bytes([mark, *(NUMBER[card] for card in up)]))

    def __missing__(self, column: Column) -> Facts:
        facts = self[column] = self._facts(column)
        return facts

    def _facts(self, column: Column) -> Facts:
        down, run = self.under[column[0]], column[1:]
        if not run:
            return Facts(SPACE, 0, 0, 0, column, column, 0, 0, 0, 0, EMPTY_COST, (), (), 0, 0)
        head, last = run[0], run[-1]
        lifted = bytes([column[0] - 1 if len(down) > 1 else 0, down[-1]]) if down else b"\0"
        alone = len(run) == 1
        ground = down[0] if down else head
        return Facts(
            end=BIT[last],
            needs=0 if head >= FIRST_GALAXY and not down else NEEDS[head],
            under=BIT[last - SUITS],
            slips=0 if down or head >= FIRST_GALAXY else NEEDS[head],
            lowered=lifted if alone else column[:-1],
            lifted=lifted,
            last=last,
            head=head,
            held=sum(BIT[card] for card in run[1:]),
            anchors=NEEDS[last] if alone and not down and last < FIRST_GALAXY else 0,
            cost=_cost(down, run),
            run=tuple(Gate(BIT[a], BIT[b], BUILDERS[b]) for a, b in zip(run[:0:-1], run[-2::-1])),
            gates=_gates(down, run),
            fixed=BIT[ground] & GALAXIES,
            ground=BIT[ground],
        )


def _gates(down: tuple[int, ...], run: bytes) -> tuple[Gate, ...]:
    cards = (run[0], *reversed(down))
    gates = [Gate(BIT[over], BIT[card], BUILDERS[card]) for over, card in zip(cards, cards[1:])]
    return (*gates, Gate(BIT[cards[-1]], SPACE, GALAXIES))


EMPTY_COST = -1.0
DOWN_COST = 1.5
BLOCK_COST = 0.7
BAR_WORTH = 1.0
LOOSE_COST = 0.5


def _cost(down: tuple[int, ...], run: bytes) -> float:
    """Returns how far a column looks from gone: cards face down, and cards over lower ones of their suit."""
    blocks = 0
    cards = (*down, *run)
    for place, card in enumerate(cards[: len(down)]):
        blocks += any(over > card and (over - card) % SUITS == 0 for over in cards[place + 1 :])
    return DOWN_COST * len(down) + BLOCK_COST * blocks


class UniversalModel:
    """One game from any moment of it."""

    def __init__(self, state: rules.State) -> None:
        self._state = state
        self._draw = state.draw
        self._columns = Columns(state.columns)
        loose = bytes(NUMBER[card] for card in state.waste + state.stock)
        bar = FLOOR | sum(BIT[NUMBER[card]] for cards in state.bar for card in cards)
        at = state.nth_pass * PASS + len(state.waste)
        self.start: Position = (tuple(sorted(self._columns.start)), bar, loose, at)

    def is_won(self, position: Position) -> bool:
        return position[1] == FULL

    def score(self, position: Position) -> int:
        return 5 * (position[1].bit_count() - SUITS)

    def key(self, position: Position) -> Position:
        return position

    def layer(self, position: Position) -> int:
        """Returns a number that only draws change: the pass, then how much of the stock is drawn."""
        return position[3] // PASS * 2 * PASS - len(position[2]) + position[3] % PASS

    def estimate(self, position: Position) -> float:
        columns = self._columns
        cost = LOOSE_COST * len(position[2]) - BAR_WORTH * position[1].bit_count()
        for column in position[0]:
            cost += columns[column].cost
        return cost

    def forced(self, position: Position) -> tuple[Step, Position] | None:
        facts = [self._columns[column] for column in position[0]]
        return None if position[1] == FULL else self._forced(position, facts)

    def expand(self, position: Position) -> list[tuple[Step, Position]]:
        facts = [self._columns[column] for column in position[0]]
        return [] if position[1] == FULL else self._expand(position, facts)

    def successors(self, position: Position) -> list[tuple[Step, Position]]:
        """Returns the forced move alone where there is one, else every move."""
        facts = [self._columns[column] for column in position[0]]
        if position[1] == FULL:
            return []
        forced = self._forced(position, facts)
        return self._expand(position, facts) if forced is None else [forced]

    def _forced(self, position: Position, facts: list[Facts]) -> tuple[Step, Position] | None:
        """Returns a safe move to the bar.

        Let c of rank k be able to go up, from the end of a column. Claim: going up now loses nothing, if
        (a) nothing needs c to lie on: either every suit has its cards below rank k − 1 up, or each card of
        rank k − 1 in another suit is up or held, that is, lies on a card of a face-up run; and
        (b) no card needs c to slip behind: c is not all that its column has, or no card of the next rank in
        another suit is left in waste and stock.
        Take any line played without it. Play the same moves with c up, leaving out those of c alone. A held
        card leaves its run for the bar only, so by (a) a card x put on c has nothing on it and its
        predecessor up: let x go to the bar instead, from the same place, which empties or turns the same.
        By (b) c never becomes a head that something slips behind: on leaving a column with face-down cards
        it can only go on another card. A space or a turned card that comes sooner takes no move away.
        Waste and stock stay as in the line, so passes turn the same cards; the bar is never behind.

        The top card of the waste: only in the last pass, since before it a card less shifts what the next
        pass turns. Then, with each card of rank k − 1 in another suit up or held, nothing could be put on it
        and it could slip behind nothing, so wherever the line puts it, it only waits for the bar, and as
        above it is not missed; the cards under it are laid open sooner.
        """
        columns, bar, loose, at = position
        held = -1
        for i, fact in enumerate(facts):
            if fact.under & bar:
                rank_below = ROW[fact.last] >> SUITS
                two_below = rank_below >> SUITS
                if two_below & ~bar:
                    if held < 0:
                        held = bar | self._held(facts)
                    if rank_below & ~held:
                        continue
                if fact.anchors and any(BIT[card] & fact.anchors for card in loose):
                    continue
                return fact.last * BELOW, (_changed(columns, i, fact.lowered), bar | fact.end, loose, at)
        size = at % PASS
        if size and at // PASS == self._draw:
            card = loose[size - 1]
            rank_below = ROW[card] >> SUITS
            if BIT[card - SUITS] & bar and not rank_below & ~(bar | self._held(facts)):
                return card * BELOW, (columns, bar | BIT[card], loose[: size - 1] + loose[size:], at - 1)
        return None

    @staticmethod
    def _held(facts: list[Facts]) -> int:
        held = 0
        for fact in facts:
            held |= fact.held
        return held

    def _expand(self, position: Position, facts: list[Facts]) -> list[tuple[Step, Position]]:
        columns, bar, loose, at = position
        found: list[tuple[Step, Position]] = []
        ends = 0
        for fact in facts:
            ends |= fact.end
        for i, fact in enumerate(facts):
            if fact.under & bar:
                after = (_changed(columns, i, fact.lowered), bar | fact.end, loose, at)
                found.append((fact.last * BELOW, after))
            if fact.needs & ends:
                found += self._runs(position, facts, i)
        size = at % PASS
        if size:
            self._waste_moves(position, facts, ends, found)
        if size < len(loose):
            found.append((0, (columns, bar, loose, min(at + self._draw, at - size + len(loose)))))
        elif size and at // PASS < self._draw:
            found.append((0, (columns, bar, loose, at - size + PASS + min(self._draw, size))))
        return found

    def _runs(self, position: Position, facts: list[Facts], i: int) -> list[tuple[Step, Position]]:
        """Moves the run of a column; of several spaces, which are alike, only to one."""
        columns, bar, loose, at = position
        fact, run = facts[i], columns[i][1:]
        found: list[tuple[Step, Position]] = []
        for j, there in enumerate(facts):
            if there.end & fact.needs:
                after = list(columns)
                after[i] = fact.lifted
                after[j] += run
                after.sort()
                step = fact.head * BELOW + (there.last or 1)
                found.append((step, (tuple(after), bar, loose, at)))
                if not there.last:
                    break
        return found

    def _waste_moves(
        self, position: Position, facts: list[Facts], ends: int, found: list[tuple[Step, Position]]
    ) -> None:
        columns, bar, loose, at = position
        size = at % PASS
        card = loose[size - 1]
        bit, needs, left = BIT[card], NEEDS[card], loose[: size - 1] + loose[size:]
        at -= 1
        if BIT[card - SUITS] & bar:
            found.append((card * BELOW, (columns, bar | bit, left, at)))
        spaces = False
        for i, fact in enumerate(facts):
            if fact.end & needs and not spaces:
                spaces = not fact.last
                new = columns[i] + bytes((card,))
                found.append((card * BELOW + (fact.last or 1), (_changed(columns, i, new), bar, left, at)))
            if fact.slips & bit:
                new = bytes((0, card)) + columns[i][1:]
                found.append((card * BELOW + BEHIND + fact.head, (_changed(columns, i, new), bar, left, at)))

    def bound(self, position: Position) -> int:
        """Returns the score of a relaxed game in which nothing is ever covered.

        There a card that was once the end of a column can be built on for good, and a card that was once
        free stays free. So every line of the game can be followed in it, and no line brings more to the bar.
        Waste and stock: before the last pass all cards count as free. In the last pass the waste is a
        stack, and so are the cards that one draw turns: there the next one is free once the one over it
        can go up, be built or slip.
        """
        return 5 * (self._relaxed(position).bit_count() - SUITS)

    def _relaxed(self, position: Position) -> int:
        columns, bar, loose, at = position
        facts = [self._columns[column] for column in columns]
        stacks, free = self._stacks(loose, at)
        ends = placeable = heads = 0
        fixed = 0
        for column, fact in zip(columns, facts):
            ends |= fact.end
            placeable |= BUILDERS[fact.last] if fact.last else GALAXIES
            fixed |= fact.fixed
            if not column[0]:
                heads |= fact.ground
        paths = [fact.run for fact in facts] + [fact.gates for fact in facts]
        places = [0] * len(paths)
        while True:
            before = bar, ends, free, heads
            for i, path in enumerate(paths):
                place = places[i]
                moves = 0 if i < len(facts) else ~fixed
                while place < len(path):
                    card, opens, builders = path[place]
                    if not card & (bar | placeable & moves):
                        break
                    ends |= opens
                    placeable |= builders
                    place += 1
                places[i] = place
            for fact in facts:
                heads |= ends & fact.ground
            for stack in stacks:
                while stack:
                    bit = BIT[stack[-1]]
                    free |= bit
                    if not bit & (bar | placeable | heads):
                        break
                    stack.pop()
            ends, placeable, heads = _loose_ends(free, bar, ends, placeable, heads)
            up = (bar << SUITS) & ~bar & (ends | free)
            while up:
                bar |= up
                up = (bar << SUITS) & ~bar & (ends | free)
            if bar == FULL or (bar, ends, free, heads) == before:
                return bar

    def _stacks(self, loose: bytes, at: int) -> tuple[list[list[int]], int]:
        """Returns the stacks of waste and stock, and the cards that are free from the start."""
        size = at % PASS
        if at // PASS < self._draw:
            return [], sum(BIT[card] for card in loose)
        if self._draw == 1:
            return [list(loose[:size])], sum(BIT[card] for card in loose[size:])
        turned = [list(loose[i : i + self._draw]) for i in range(size, len(loose), self._draw)]
        return [list(loose[:size]), *turned], 0

    def tokens(self, steps: Sequence[Step]) -> list[str]:
        state = self._state
        found = []
        for step in steps:
            found.append(_token(state, step))
            state = rules.apply(state, found[-1])
        return found


def _loose_ends(free: int, bar: int, ends: int, placeable: int, heads: int) -> tuple[int, int, int]:
    """Lets free cards be built, and slip behind heads: with the head and all on it up, they are ends."""
    waiting = free & ~ends
    if not waiting:
        return ends, placeable, heads
    new = waiting & placeable
    left = heads
    while left:
        number = (left & -left).bit_length() - 1
        left &= left - 1
        if number < FIRST_GALAXY:
            slipped = NEEDS[number] & free
            left |= slipped & ~heads
            heads |= slipped
            if BIT[number] & bar:
                new |= slipped
    ends |= new
    while new:
        placeable |= BUILDERS[(new & -new).bit_length() - 1]
        new &= new - 1
    return ends, placeable, heads


def _changed(columns: tuple[Column, ...], i: int, new: Column) -> tuple[Column, ...]:
    after = list(columns)
    after[i] = new
    after.sort()
    return tuple(after)


def _token(state: rules.State, step: Step) -> str:
    """Returns the token of a step; of several spaces the first."""
    if not step:
        return "draw"
    card = CARDS[step // BELOW - SUITS]
    target = step % BELOW
    if state.waste and state.waste[-1] == card:
        source = "w"
    else:
        source = next(name for name, pile in zip(rules.COLUMNS, state.columns) if card in pile.up)
    if not target:
        return source + "-f"
    if target == 1:
        place = next(i for i, pile in enumerate(state.columns) if not pile.up)
        return f"{source}-{rules.COLUMNS[place]}"
    onto = CARDS[(target if target < BEHIND else target - BEHIND + 0) - SUITS]
    place = next(i for i, pile in enumerate(state.columns) if onto in pile.up)
    return f"{source}-{(rules.COLUMNS if target < BEHIND else rules.HEADS)[place]}"


class _Search:
    """The best line so far, and what a position must be able to reach to be worth a look."""

    def __init__(self, model: UniversalModel, goal: Goal, meter: Meter) -> None:
        self.model = model
        self.meter = meter
        self.least = rules.FULL_SCORE if goal == "win" else model.score(model.start) + 5
        self.best = model.score(model.start)
        self.line: list[Step] = []

    def reached(self, score: int, node: Node) -> None:
        self.best, self.line = score, _steps(node)
        self.least = max(self.least, score + 5)


def _steps(node: Node) -> list[Step]:
    steps = []
    while node[1] is not None:
        steps.append(node[2])
        node = node[1]
    return steps[::-1]


def solve(state: rules.State, goal: Goal, meter: Meter) -> Found:
    """Solves."""
    model = UniversalModel(state)
    search = _Search(model, goal, meter)
    proved = False
    try:
        proved = _search(search)
    finally:
        meter.keep(search.best, model.tokens(search.line))
    line = model.tokens(search.line)
    if goal == "win" and search.best < rules.FULL_SCORE:
        return Found("impossible", [], search.best, True)
    return Found("won" if goal == "win" else "best", line, search.best, proved)


def _search(search: _Search) -> bool:
    if search.best == rules.FULL_SCORE:
        return True
    for width in WIDTHS:
        if _sweep(search, width) or search.best == rules.FULL_SCORE:
            return True
    _exhaust(search)
    return True


def _sweep(search: _Search, width: int) -> bool:
    """Goes through the layers; returns whether nothing was left out."""
    entering: list[Node] = [(search.model.start, None, 0)]
    complete = True
    while entering:
        leaving = _close(search, entering, width * CLOSURE)
        if leaving is None:
            return True
        nodes, whole = leaving
        entering = []
        complete = complete and whole
        for _, _, node in nodes:
            if search.model.bound(node[0]) >= search.least:
                if len(entering) == width:
                    complete = False
                    break
                entering.append(node)
    return complete


def _close(
    search: _Search, entering: list[Node], most: int
) -> tuple[list[tuple[float, int, Node]], bool] | None:
    model = search.model
    leaving: dict[Position, tuple[float, int, Node]] = {}
    heap: list[tuple[float, int, Node]] = []
    seen: set[Position] = set()
    count = 0
    for node in entering:
        seen.add(node[0])
        heappush(heap, (model.estimate(node[0]), count, node))
        count += 1
    layer = model.layer(entering[0][0])
    while heap and most > 0:
        node = heappop(heap)[2]
        most -= 1
        search.meter.count()
        for step, after in model.successors(node[0]):
            if not step:
                if after not in leaving:
                    count += 1
                    leaving[after] = (model.estimate(after), count, (after, node, step))
            elif after not in seen:
                seen.add(after)
                count += 1
                new = (after, node, step)
                if after[1] != node[0][1]:
                    score = model.score(after)
                    if score > search.best:
                        search.reached(score, new)
                        if score == rules.FULL_SCORE:
                            return None
                heappush(heap, (model.estimate(after), count, new))
    return sorted(leaving.values()), not heap


def _exhaust(search: _Search) -> None:
    """Depth first through all that can matter."""
    model = search.model
    seen: set[Position] = set()
    stack: list[Node] = [(model.start, None, 0)]
    while stack:
        node = stack.pop()
        position = node[0]
        if position in seen:
            continue
        seen.add(position)
        if model.bound(position) < search.least:
            continue
        search.meter.count()
        score = model.score(position)
        if score > search.best:
            search.reached(score, node)
            if score == rules.FULL_SCORE:
                return
        after = [(model.estimate(new), i, new, step) for i, (step, new) in enumerate(model.successors(position))]
        after.sort(reverse=True)
        stack += [(new, node, step) for _, _, new, step in after if new not in seen]
