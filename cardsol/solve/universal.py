"""Universal Solitaire for the search: columns as bytes, sets of cards as bit masks.

No position comes twice: every move but a draw joins two runs, turns a card up, or brings one to a column or the bar
for good. So beams go layer by layer, with a draw between two, ever wider until one wins or leaves nothing out, which
is a proof too. Beams of one width differ by a jitter of their estimates: what one leaves out the next may keep. A
position is cut if its bound misses the score looked for: a win, or else more than the best so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from ..cards import UNIVERSAL
from ..games import universal as rules
from ..piles import Pile
from .limits import Meter
from .model import Found, Goal, Proof, in_a_row
from .search import Beam, Search, growing, jitter

SUITS = len(UNIVERSAL.suits)
CARDS = tuple(rank + suit for rank in UNIVERSAL.ranks for suit in UNIVERSAL.suits)

STATES = 1_000_000
"""Worth about a minute."""
WIDTH, WIDER = 25, 4
"""How many positions enter a layer of the first beams, and by what factor that grows."""
PROOF = 2_500
"""How many positions are gone through after the first beams: most proofs need no more."""
PATIENCE = 3
"""How many rounds of beams look for a win before they settle for the best score."""
BEAMS = tuple(Beam(weights=number) for number in range(1, 5))

# Weights of the estimate, found by trial; those of the waste on the deals choose-1 to choose-160. The unit is one card
# that is up.
UP_WORTH = 1.0
"""For a card that is up."""
DOWN_COST = 1.5
"""For a card that lies face down."""
BLOCK_COST = 0.7
"""More for it if a higher card of its suit lies over it in its column."""
LOOSE_COST = 0.5
"""For a card of waste or stock."""
WASTE_BLOCK_COST = 1.5
"""In the last pass more for a card of the waste with a higher card of its suit over it."""
WASTE_COVER_COST = 0.6
"""Or else, for one whose next card over it can't be put on it."""
SPACE_WORTH = 1.0
"""For an empty column."""
JITTER = 4.0
"""The most that a column's jitter adds."""

NUMBER = {card: number for number, card in enumerate(CARDS, SUITS)}
"""Rank × 6 + suit, from 6 on: what a card goes up on is 6 lower, for the lowest a bit that is always set."""
TOP, GALAXY = SUITS + len(CARDS), len(CARDS)  # past all cards; the first Galaxy
BIT = tuple(1 << number for number in range(TOP))
FLOOR, FULL = (1 << SUITS) - 1, (1 << TOP) - 1
GALAXIES = FLOOR << GALAXY
SPACE = 1 << TOP + SUITS  # the end of an empty column; a shift of the bar does not reach so far
ROW = tuple(FLOOR << (number - number % SUITS) for number in range(TOP))  # all cards of the same rank
TAKERS = (*((ROW[n] & ~BIT[n]) << SUITS for n in range(GALAXY)), *[SPACE] * SUITS)
"""What a card may be put on: one rank higher, another suit; a Galaxy on a space."""
BUILDERS = (*[0] * 2 * SUITS, *((ROW[n] & ~BIT[n]) >> SUITS for n in range(2 * SUITS, TOP)))
"""What may be put on a card."""
CARD, BEHIND, PASS = 128, TOP - SUITS, 64

Column = bytes  # what lies face down, as an index of `Columns.down`, then the run from its head on
Row = tuple[Column, ...]
Position = tuple[Row, int, bytes, int]
"""The columns, sorted; the bar; waste and stock in the order of drawing; PASS × the number of the pass + the
size of the waste.

Lemma (columns in any order). Positions that differ only in the places of their columns have the same futures.
Proof. No rule names a place: exchanging two columns in all positions of a line gives a line. What lies face down
goes with its column, since each face-down card has an index of its own."""
Step = int
"""0 for a draw, else CARD × the card that moves (of a run, its head) + the target: 0 for the bar, 1 for a
space, the number of the card that is built on, BEHIND + the number of the head that is slipped behind."""
Move = tuple[Step, Position]
EMPTY = b"\0"


class Facts(NamedTuple):
    """What the search asks of a column. Fields without a note are sets of cards."""

    head: int = 0  # the number of the card
    last: int = 0  # likewise
    end: int = SPACE  # the last card
    takers: int = 0  # what the run may be put on; from bare ground not a space: that changes nothing
    under: int = 0  # what the last card goes up on
    slips: int = 0  # what may slip behind the head
    anchored: int = 0  # the same, where the head is the only card
    held: int = 0  # the cards that lie on another card of the run
    keys: int = 0  # the others: the head and what is face down
    ground: int = 0  # the first card
    lowered: Column = EMPTY  # the column without its last card
    lifted: Column = EMPTY  # the column without its run
    opens: Mapping[int, tuple[int, int]] = {}  # for each card: what lies open without it, what goes there
    cost: float = -SPACE_WORTH


class Columns(dict[Column, Facts]):
    """The facts about each column, computed when it is first met."""

    def __init__(self, columns: Sequence[Pile]) -> None:
        self.jitter = 0
        self.down: list[tuple[int, ...]] = [()]
        self.start: list[Column] = []
        for down, up in columns:
            numbers = [NUMBER[card] for card in down]
            self.down += [tuple(numbers[: size + 1]) for size in range(len(numbers))]
            self.start.append(bytes([len(self.down) - 1 if down else 0, *(NUMBER[card] for card in up)]))

    def __missing__(self, column: Column) -> Facts:
        facts = self[column] = self._facts(self.down[column[0]], column) if len(column) > 1 else Facts()
        return facts

    def _facts(self, down: tuple[int, ...], column: Column) -> Facts:
        run = column[1:]
        head, last = run[0], run[-1]
        lifted = bytes([column[0] - 1 if len(down) > 1 else 0, down[-1]]) if down else EMPTY
        chain = (*down, head)
        pairs = (*pairwise(run), *pairwise(chain))
        opens = {BIT[card]: (BIT[under], BUILDERS[under]) for under, card in pairs}
        opens[BIT[chain[0]]] = SPACE, GALAXIES
        takers = TAKERS[head] if down or head < GALAXY else 0
        return Facts(
            head, last, BIT[last], takers, BIT[last - SUITS],
            slips=0 if down else takers,
            anchored=0 if down or len(run) > 1 else takers,
            held=sum(BIT[card] for card in run[1:]),
            keys=sum(BIT[card] for card in chain),
            ground=BIT[chain[0]],
            lowered=column[:-1] if len(run) > 1 else lifted,
            lifted=lifted,
            opens=opens,
            cost=_cost(down, run) + JITTER * jitter(self.jitter, column),
        )  # fmt: skip


def _cost(down: tuple[int, ...], run: bytes) -> float:
    """Returns how far a column looks from gone: cards face down, those under higher ones of their suit."""
    cost = DOWN_COST * len(down)
    for place, card in enumerate(down):
        if any(over > card and (over - card) % SUITS == 0 for over in (*down[place:], *run)):
            cost += BLOCK_COST
    return cost


def _waste_cost(waste: bytes) -> float:
    """Returns how far a waste, the top card last, looks from gone if it is never turned over again."""
    cost = 0.0
    for place, card in enumerate(waste[:-1], 1):
        if any(over > card and (over - card) % SUITS == 0 for over in waste[place:]):
            cost += WASTE_BLOCK_COST
        elif not TAKERS[waste[place]] & BIT[card]:
            cost += WASTE_COVER_COST
    return cost


class UniversalModel:
    """One game from any moment of it."""

    def __init__(self, state: rules.State) -> None:
        self._state = state
        self._draw = state.draw
        self._columns = Columns(state.columns)
        self._wastes: dict[bytes, float] = {}
        """The cost of each waste that was met in the last pass, in which its order stays."""
        self._stacks_known: dict[tuple[bytes, int], tuple[int, list[bytes]]] = {}
        loose = bytes(NUMBER[card] for card in state.waste + state.stock)
        bar = FLOOR | sum(BIT[NUMBER[card]] for cards in state.bar for card in cards)
        columns = tuple(sorted(self._columns.start))
        self.start: Position = (columns, bar, loose, state.nth_pass * PASS + len(state.waste))

    def is_won(self, position: Position) -> bool:
        return position[1] == FULL

    def score(self, position: Position) -> int:
        return 5 * (position[1].bit_count() - SUITS)

    def key(self, position: Position) -> Position:
        return position

    def layer(self, position: Position) -> int:
        """Returns a number that only draws change: by the pass, then by what is left of the stock."""
        return position[3] // PASS * 2 * PASS + position[3] % PASS - len(position[2])

    def estimate(self, position: Position) -> float:
        _, bar, loose, at = position
        cost = LOOSE_COST * len(loose) - UP_WORTH * bar.bit_count()
        if at // PASS == self._draw:
            waste = loose[: at % PASS]
            known = self._wastes.get(waste)
            cost += self._wastes.setdefault(waste, _waste_cost(waste)) if known is None else known
        return cost + sum([fact.cost for fact in self._facts(position)])

    def use_weights(self, number: int) -> None:
        """Estimates with the jitter of this number from now on."""
        self._columns.jitter = number
        self._columns.clear()

    def _facts(self, position: Position) -> list[Facts]:
        columns = self._columns
        return [columns[column] for column in position[0]]

    def forced(self, position: Position) -> Move | None:
        """Returns a move to the bar that is proved safe.

        A card is *held* if it lies on another card of a run: it will only ever leave that for the bar, alone or
        with the run.

        Lemma (safe from a column). Let c, of rank k, go up from the end of a column. That loses nothing if
        (a) all cards of rank k − 2 are up, or each card of rank k − 1 is up or held; and
        (b) c has other cards with it in its column, or no card of the next rank in another suit is left in waste
        and stock.
        Proof. Take any line without this move, and play it with c up, leaving out what moves c alone. Where it puts
        a card x, of rank k − 1, on c, x is not held; so by (a) all of rank k − 2 is up, nothing lies on x, and x
        goes up instead, from the same place. By (b) c is never a head that something slips behind: if there are
        cards under it, it leaves them only for the end of another run. A space or a turned card that comes sooner
        forbids no move. Waste and stock stay those of the line, and the bar is never behind it.

        Lemma (safe from the waste). Let c, of rank k, go up from the waste in the last pass. That loses nothing if
        each card of rank k − 1 is up or held. Proof. As above: nothing is put on c, and c itself need not slip
        behind anything, since nothing comes to lie on it. The cards under c are laid open sooner, which forbids no
        move. (Before the last pass a card less would shift what the next pass turns.)
        """
        columns, bar, loose, at = position
        facts = self._facts(position)
        held = bar
        for fact in facts:
            held |= fact.held
        for i, fact in enumerate(facts):
            if fact.under & bar:
                lower = ROW[fact.last] >> SUITS
                if lower & ~held and lower >> SUITS & ~bar:
                    continue
                if not fact.anchored or not any(BIT[card] & fact.anchored for card in loose):
                    return fact.last * CARD, (_with(columns, i, fact.lowered), bar | fact.end, loose, at)
        size = at % PASS
        if size and at // PASS == self._draw:
            card = loose[size - 1]
            if BIT[card - SUITS] & bar and not ROW[card] >> SUITS & ~held:
                return card * CARD, (columns, bar | BIT[card], loose[: size - 1] + loose[size:], at - 1)
        return None

    def expand(self, position: Position) -> list[Move]:
        columns, bar, loose, at = position
        facts = self._facts(position)
        moves: list[Move] = []
        ends = 0
        for fact in facts:
            ends |= fact.end
        for i, fact in enumerate(facts):
            if fact.under & bar:
                moves.append((fact.last * CARD, (_with(columns, i, fact.lowered), bar | fact.end, loose, at)))
            if fact.takers & ends:
                left = (*columns[:i], fact.lifted, *columns[i + 1 :])
                for j, new in _builds(facts, columns, fact.takers, columns[i][1:]):
                    step = fact.head * CARD + (facts[j].last or 1)
                    moves.append((step, (_with(left, j, new), bar, loose, at)))
        size = at % PASS
        if size:
            moves += self._waste_moves(position, facts)
        if size < len(loose):
            moves.append((0, (columns, bar, loose, min(at + self._draw, at - size + len(loose)))))
        elif size and at // PASS < self._draw:
            moves.append((0, (columns, bar, loose, at - size + PASS + min(self._draw, size))))
        return moves

    @staticmethod
    def _waste_moves(position: Position, facts: list[Facts]) -> list[Move]:
        columns, bar, loose, at = position
        size = at % PASS
        card = loose[size - 1]
        bit, loose, at = BIT[card], loose[: size - 1] + loose[size:], at - 1
        moves: list[Move] = []
        if BIT[card - SUITS] & bar:
            moves.append((card * CARD, (columns, bar | bit, loose, at)))
        for j, new in _builds(facts, columns, TAKERS[card], bytes((card,))):
            moves.append((card * CARD + (facts[j].last or 1), (_with(columns, j, new), bar, loose, at)))
        for j, fact in enumerate(facts):
            if fact.slips & bit:
                new = bytes((0, card)) + columns[j][1:]
                moves.append((card * CARD + BEHIND + fact.head, (_with(columns, j, new), bar, loose, at)))
        return moves

    def bound(self, position: Position) -> int:
        """Returns the score of a relaxed game in which nothing is ever covered or used up.

        In it whatever was once the end of a column can be built on for good, and a card that can leave what is
        under it has left it, yet stays. Some of the rules are kept: a held card is an end once those on it are up;
        a Galaxy with nothing under it leaves for the bar only; in the last pass a card of the waste, or of those
        that one draw turns, waits for the one over it to leave. Before the last pass every card of waste and stock
        counts as free.

        Lemma (relaxed game). No line brings more to the bar. Proof. By induction over the moves of a line each of
        them is one of the relaxed game too: what is an end, free or a head there is one here, as nothing is ever
        taken away here. (A run that leaves with a card slipped behind its head: here that card is built by itself,
        and then the head on it.)
        """
        return 5 * (self._relaxed(position).bit_count() - SUITS)

    def why(self) -> Proof | None:
        """Returns why no line from the start wins, where the bound proves it."""
        bar = self._relaxed(self.start)
        if bar == FULL:
            return None
        stuck = bar << SUITS & ~bar
        cards = tuple(card for card, number in NUMBER.items() if stuck & BIT[number])
        text = f"even if no card ever covered another, {in_a_row(cards)} would not go up"
        return Proof("bound", text, cards)

    def _relaxed(self, position: Position) -> int:
        """Returns the bar at the end of the relaxed game of the bound."""
        _, bar, loose, at = position
        opens: dict[int, tuple[int, int]] = {}
        ends = placeable = moving = heads = grounds = held = keys = 0
        for fact in self._facts(position):
            ends, placeable, moving = (
                ends | fact.end,
                placeable | BUILDERS[fact.last],
                moving | BIT[fact.head],
            )
            held, keys, grounds = held | fact.held, keys | fact.keys, grounds | fact.ground
            if fact.keys == fact.ground:
                heads |= fact.ground
            opens.update(fact.opens)
        placeable |= GALAXIES if ends & SPACE else 0
        free, stacks = FULL & ~(bar | held | keys), list[bytes]()
        if at // PASS == self._draw:
            free, stacks = self._stacks(loose, at % PASS)
        fixed = grounds & GALAXIES
        slips = slips_up = known = risen = 0
        """What may slip behind a head, behind one that is up; the heads counted in the one, in the other."""
        while True:
            before = bar, ends, free, heads
            while up := bar << SUITS & ~bar & (ends | free):
                bar |= up
            if bar == FULL:
                break
            gone = held & bar | keys & (bar | placeable & (ends | moving) & ~fixed)
            if gone:
                held, keys = held & ~gone, keys & ~gone
                while gone:
                    opened, builders = opens[gone & -gone]
                    ends, placeable, gone = ends | opened, placeable | builders, gone & (gone - 1)
            heads |= ends & grounds
            if stacks:
                free, stacks = _unstacked(free, stacks, bar | placeable | heads)
            if free & ~ends:
                heads |= slips & free
                while new := heads & ~known & ~GALAXIES:
                    known |= new
                    while new:
                        slips |= TAKERS[new.bit_length() - 1]
                        new ^= 1 << new.bit_length() - 1
                    heads |= slips & free
                new = known & bar & ~risen
                risen |= new
                while new:
                    slips_up |= TAKERS[new.bit_length() - 1]
                    new ^= 1 << new.bit_length() - 1
                new = free & (placeable | slips_up) & ~ends
                ends |= new
                while new:
                    placeable |= BUILDERS[new.bit_length() - 1]
                    new ^= 1 << new.bit_length() - 1
            if (bar, ends, free, heads) == before:
                break
        return bar

    def _stacks(self, loose: bytes, size: int) -> tuple[int, list[bytes]]:
        """Returns, for the last pass, what is on top of the waste and of what each draw turns, and these stacks."""
        known = self._stacks_known.get((loose, size))
        if known is None:
            turned = (loose[i : i + self._draw] for i in range(size, len(loose), self._draw))
            stacks = [stack for stack in (loose[:size], *turned) if stack]
            free = sum([BIT[stack[-1]] for stack in stacks])
            known = self._stacks_known[loose, size] = free, [stack for stack in stacks if len(stack) > 1]
        return known

    def tokens(self, steps: Sequence[Step]) -> list[str]:
        state, tokens = self._state, list[str]()
        for step in steps:
            tokens.append(_token(state, step))
            state = rules.apply(state, tokens[-1])
        return tokens


def _with(columns: Row, i: int, new: Column) -> Row:
    return tuple(sorted((*columns[:i], new, *columns[i + 1 :])))


def _builds(facts: list[Facts], columns: Row, takers: int, run: bytes) -> list[tuple[int, Column]]:
    """Returns the columns that take a run, with it on them; of several spaces, which are alike, the first."""
    found = []
    for j, fact in enumerate(facts):
        if fact.end & takers:
            found.append((j, columns[j] + run))
            if not fact.last:
                break
    return found


def _unstacked(free: int, stacks: list[bytes], leaving: int) -> tuple[int, list[bytes]]:
    """Takes off each stack what can leave; returns what is free then, and the stacks that have more than that."""
    left = []
    for stack in stacks:
        size = len(stack)
        while size and BIT[stack[size - 1]] & leaving:
            size -= 1
            free |= BIT[stack[size - 1]] if size else 0
        if size > 1:
            left.append(stack[:size])
    return free, left


def _token(state: rules.State, step: Step) -> str:
    """Returns the token of a step; of several spaces the first takes the card."""
    if not step:
        return "draw"
    number, target = divmod(step, CARD)
    card = CARDS[number - SUITS]
    in_waste = state.waste[-1:] == (card,)
    source = "w" if in_waste else next(n for n, pile in zip(rules.COLUMNS, state.columns) if card in pile.up)
    if not target:
        return source + "-f"
    if target == 1:
        return source + "-" + next(n for n, pile in zip(rules.COLUMNS, state.columns) if not pile.up)
    names, onto = (rules.COLUMNS, target) if target < TOP else (rules.HEADS, target - BEHIND)
    return source + "-" + next(n for n, pile in zip(names, state.columns) if CARDS[onto - SUITS] in pile.up)


def model(state: rules.State) -> UniversalModel:
    """Returns the search model of a position."""
    return UniversalModel(state)


def solve(state: rules.State, goal: Goal, meter: Meter) -> Found:
    """Runs wider and wider beams until one proves its result: at the latest the one that leaves nothing out."""
    model = UniversalModel(state)
    with Search(model, goal, meter, rules.FULL_SCORE) as search:
        if goal == "score":
            search.least = rules.FULL_SCORE - 1
            search.run_rounds(islice(growing(WIDTH, WIDER, PROOF), PATIENCE), BEAMS, model.use_weights)
            search.least = search.best
        search.run_rounds(growing(WIDTH, WIDER, PROOF), BEAMS, model.use_weights)
    found = search.found().with_wins_highest()
    return found._replace(proof=model.why()) if found.verdict == "impossible" else found
