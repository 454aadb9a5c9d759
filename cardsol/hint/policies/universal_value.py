"""The value of a position of Universal as its player sees it, and the moves from there.

A position is a tuple: the columns in sorted order, since which place a column has decides nothing; the cards on the
bar; the stock in the order of drawing; the waste, its top card last; the pass; the cards that were never seen. Cards
are numbers, 6 × rank + suit from 0 on, sets of cards are bits, and a column is the number of its face-down cards and
then its run, in bytes. A card that nobody has seen is UNSEEN: in the first pass the whole stock, and what a step
turned up. Face-down cards are never known, for none was face up before.

The value is made of named features (see `cardsol.hint.linear`); its weights change with the share of all cards to be
turned, in all passes, that is still to come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...cards import Card
from ...games.universal import BAR as BARS
from ...games.universal import COLUMNS, GALAXY, RANK_NAMES, SUIT_NAMES
from ...solve.universal import CARDS, SUITS
from ..linear import Part, Value, sums
from ..outlook import Seen
from .universal_play import NUMBER, Play

Position = tuple[tuple[bytes, ...], int, bytes, bytes, int, int]
Step = tuple[int, int]
"""The card that moves (of a run, its head), and what it goes on; or DRAW."""
Masks = tuple[int, ...]
COUNT = len(CARDS)
UNSEEN = COUNT
TO_BAR, TO_SPACE = 61, 62
"""In place of the card that is built on."""
BEHIND = 64
"""Added to the head that a card slips behind."""
DRAW: Step = (-1, -1)
STOCK = 30
ALL = (1 << COUNT) - 1
FLOOR = (1 << SUITS) - 1
SPACE = 1 << TO_SPACE
"""The end of an empty column."""
TOP_ROW = COUNT - SUITS
GALAXIES = FLOOR << TOP_ROW
BITS = (*(1 << card for card in range(COUNT)), 0)
"""The bit of each card; of UNSEEN none."""
SUIT_BITS = tuple(sum(BITS[card] for card in range(suit, COUNT, SUITS)) for suit in range(SUITS))
HIGHER = tuple(
    (FLOOR << card // SUITS * SUITS + SUITS & ~(BITS[card] << SUITS)) if card < TOP_ROW else 0
    for card in range(COUNT)
)
"""The cards of the next higher rank and another suit: what a card is built on, and what slips behind it."""
LOWER = tuple(
    (FLOOR << card // SUITS * SUITS - SUITS & ~(BITS[card] >> SUITS)) if card >= SUITS else 0
    for card in range(COUNT)
)
"""What is built on a card."""
LOW = 4
"""Cards this near to going up count as near."""
LOSS = 0.5
"""What a playout that brings nearly all cards up is worth, where a win is worth 1."""
EMPTY = b"\0"
ONE = tuple(bytes([card]) for card in range(COUNT + 1))

IN_COLUMNS = (
    "face-down cards / 24", "squares of face-down cards / 96", "columns without face-down cards / 6", "spaces / 6",
    "columns from a Galaxy / 6", "Galaxies over face-down cards / 6", "run over face-down cards / 40",
    "ranks of bare heads / 40", "ends of rank 1 / 6", "ends of rank 2 or 3 / 6", "cards in columns / 30",
    "unseen card turned up",
)  # fmt: skip
IN_RUNS = ("depth by need in runs / 60", "need of ends / 40", "low cards buried in runs / 12")
ON_BAR = (
    "cards up / 60", "suits not started / 6", "least suit / 10", "most suit / 10", "squares of ranks up / 600",
)  # fmt: skip
BY_CARDS = (
    "next cards on an end / 6", "next cards buried / 6", "next cards in waste / 6", "next cards in stock / 6",
    "next cards unseen / 6", "near cards unseen / 18", "near cards in waste / 18",
)  # fmt: skip
BY_PLACES = (
    "unseen cards with a place", "unseen cards that go up", "ranks of ends / 6", "waste cards with a place / 10",
    "waste top has a place", "stops of this pass with a place / 8", "stops of the next pass with a place / 8",
    "near cards at stops of this pass / 8", "near cards at stops of the next pass / 8",
)  # fmt: skip
BY_HEADS = (
    "heads that can move / 6", "cards under heads that can move / 12", "unseen hosts of heads / 20",
    "waste hosts of heads / 8", "stock hosts of heads / 8", "dead heads / 6", "cards under dead heads / 12",
    "hosts of heads with few / 6",
)  # fmt: skip
IN_WASTE = (
    "waste / 30", "waste blockers / 10", "waste depth by need / 100", "waste depth of next cards / 30",
    "waste neighbours that build / 8", "low cards in waste / 10", "Galaxies in waste / 6",
    "need of waste top / 10", "waste square / 900",
)  # fmt: skip
LOOSE = (*BY_CARDS, *BY_PLACES, *BY_HEADS)
"""Features that depend on too much to be kept."""
FEATURES = (*IN_COLUMNS, *IN_RUNS, *ON_BAR, *IN_WASTE, *LOOSE)
FIRST = {
    "cards up / 60": 3.0, "face-down cards / 24": -3.0, "squares of face-down cards / 96": -1.0,
    "spaces / 6": 0.6, "waste / 30": -2.0, "waste blockers / 10": -0.4, "waste depth by need / 100": -0.4,
    "dead heads / 6": -2.0, "heads that can move / 6": 0.3, "unseen cards with a place": 1.0,
    "depth by need in runs / 60": -0.3, "stops of the next pass with a place / 8": 0.5,
    "columns from a Galaxy / 6": 0.6, "next cards unseen / 6": 0.2, "constant": 0.5,
}  # fmt: skip
"""Weights by hand: where learning began."""


class Facts(NamedTuple):
    """What is asked of a column, whatever else there is."""

    down: int
    head: int
    """The number of the card; UNSEEN where there is none that is known."""
    last: int
    end: int
    """The last card as a bit, or SPACE."""
    takers: int
    """What the run may be put on; none where moving it would change nothing."""
    slips: int
    """What may slip behind the head."""
    builds: int
    """What may be put on the end."""
    cards: int
    """The run."""
    buried: int
    """The run without its last card."""
    lowered: bytes
    """The column without its last card."""
    lifted: bytes
    """The column without its run."""
    rows: tuple[float, ...]
    """The features IN_COLUMNS."""


class _Columns(dict[bytes, Facts]):
    """The facts about each column, found when it is first met."""

    def __missing__(self, column: bytes) -> Facts:
        facts = self[column] = facts_of(column)
        return facts


def facts_of(column: bytes) -> Facts:
    """Returns the facts about a column."""
    down, run = column[0], column[1:]
    if not run:
        rows = (0.0, 0.0, 1 / 6, 1 / 6, *(0.0,) * 8)
        return Facts(0, UNSEEN, UNSEEN, SPACE, 0, 0, GALAXIES, 0, 0, EMPTY, EMPTY, rows)
    head, last = run[0], run[-1]
    if last == UNSEEN:
        rows = (down / 24, down * down / 96, (not down) / 6, *(0.0,) * 7, 1 / 30, 1.0)
        return Facts(down, UNSEEN, UNSEEN, 0, 0, 0, 0, 0, 0, column, column, rows)
    lifted = bytes([down - 1, UNSEEN]) if down else EMPTY
    galaxy = head >= TOP_ROW
    rank = last // SUITS
    rows = (
        down / 24,
        down * down / 96,
        (not down) / 6,
        0.0,
        (galaxy and not down) / 6,
        (galaxy and down > 0) / 6,
        down * len(run) / 40,
        0.0 if down else (head // SUITS + 1) / 40,
        (rank == 0) / 6,
        (0 < rank < 3) / 6,
        len(run) / 30,
        0.0,
    )
    cards = sum(BITS[card] for card in run)
    return Facts(
        down,
        head,
        last,
        BITS[last],
        (SPACE if down else 0) if galaxy else HIGHER[head],
        0 if down else HIGHER[head],
        LOWER[last],
        cards,
        cards & ~BITS[last],
        column[:-1] if len(run) > 1 else lifted,
        lifted,
        rows,
    )


COLUMN = _Columns()


class Lies(NamedTuple):
    """What stock and waste hold, whatever else there is."""

    waste: int
    stock: int
    stops: int
    """The cards that the next draws of this pass bring to the top, as far as they are known."""
    later: int
    """The same for the next pass, if nothing is played till then; none where there is none."""
    top: int
    """The top card of the waste as a bit."""


class UniversalOutlook:
    """One deal of Universal from what is seen."""

    CAP = 100

    def __init__(self, seen: Seen, weights: Mapping[str, Any]) -> None:
        self.draw = int(seen.options["draw"])
        self.weights = weights
        self._lies: dict[tuple[bytes, bytes, int], Lies] = {}
        self._value = Value(weights)
        self._loose = self._value.rows(LOOSE)
        self._columns = Part(self._value, (*IN_COLUMNS, *IN_RUNS), in_column)
        self._bars = Part(self._value, ON_BAR, on_bar)
        self._wastes = Part(self._value, IN_WASTE, in_waste)

    def position(self, seen: Seen) -> Position:
        """Returns the position of what is seen."""
        columns = []
        for name in COLUMNS:
            down = seen.down[name]
            columns.append(bytes([down, *(NUMBER[card] for card in seen.piles[name][down:])]))
        bar = sum(BITS[NUMBER[card]] for name in BARS for card in seen.piles[name])
        stock = bytes([NUMBER.get(card, UNSEEN) for card in reversed(seen.piles["stock"])])
        waste = bytes([NUMBER[card] for card in seen.piles["waste"]])
        unseen = sum(BITS[NUMBER[card]] for card in seen.unseen)
        return tuple(sorted(columns)), bar, stock, waste, int(seen.extra["pass"]), unseen

    def key(self, position: Position) -> Position:
        """Returns the position itself."""
        return position

    def is_won(self, position: Position) -> bool:
        return position[1] == ALL

    def expand(self, position: Position) -> list[tuple[Step, Position, bool]]:
        """Returns the moves; of those to one of several spaces, one."""
        columns, bar, stock, waste, nth, unseen = position
        found: list[tuple[Step, Position, bool]] = []
        wanted = (bar << SUITS | FLOOR) & ~bar & ALL
        facts = [COLUMN[column] for column in columns]
        ends = 0
        for fact in facts:
            ends |= fact.end
        for i, fact in enumerate(facts):
            if fact.end & wanted:
                new = fact.lowered
                after = _with(columns, i, new), bar | fact.end, stock, waste, nth, unseen
                found.append(((fact.last, TO_BAR), after, new[-1] == UNSEEN))
            takers = fact.takers & ends
            if takers:
                run = columns[i][1:]
                for j, other in enumerate(facts):
                    if other.end & takers:
                        new = fact.lifted
                        piles = [*columns]
                        piles[i] = new
                        piles[j] += run
                        piles.sort()
                        step = fact.head, other.last if other.end != SPACE else TO_SPACE
                        found.append((step, (tuple(piles), bar, stock, waste, nth, unseen), fact.down > 0))
                        if other.end == SPACE:
                            break
        if waste:
            card, rest = waste[-1], waste[:-1]
            if BITS[card] & wanted:
                found.append(((card, TO_BAR), (columns, bar | BITS[card], stock, rest, nth, unseen), False))
            takers = (HIGHER[card] if card < TOP_ROW else SPACE) & ends
            for i, fact in enumerate(facts):
                if fact.end & takers:
                    after = _with(columns, i, columns[i] + ONE[card]), bar, stock, rest, nth, unseen
                    step = card, fact.last if fact.end != SPACE else TO_SPACE
                    found.append((step, after, False))
                    if fact.end == SPACE:
                        break
            for i, fact in enumerate(facts):
                if fact.slips & BITS[card]:
                    column = EMPTY + ONE[card] + columns[i][1:]
                    after = _with(columns, i, column), bar, stock, rest, nth, unseen
                    found.append(((card, BEHIND + fact.head), after, False))
        if not stock and waste and nth < self.draw:
            stock, waste, nth = waste, b"", nth + 1
        if stock:
            after = columns, bar, stock[self.draw :], waste + stock[: self.draw], nth, unseen
            found.append((DRAW, after, stock[0] == UNSEEN))
        return found

    def reveal(self, position: Position, cards: Sequence[Card]) -> Position:
        """Returns the position with its unseen cards turned up: in the waste from the bottom on, or in a column."""
        columns, bar, stock, waste, nth, unseen = position
        count = waste.count(UNSEEN)
        if count:
            new = bytes([NUMBER[card] for card in cards[:count]])
            for card in new:
                unseen &= ~BITS[card]
            return columns, bar, stock, waste[: len(waste) - count] + new, nth, unseen
        number = NUMBER[cards[0]]
        place = next(i for i, column in enumerate(columns) if column[-1] == UNSEEN and len(column) > 1)
        column = columns[place][:-1] + ONE[number]
        return _with(columns, place, column), bar, stock, waste, nth, unseen & ~BITS[number]

    def play_out(self, position: Position, cards: Sequence[Card]) -> float:
        """Plays to the end by simple rules, where the unseen cards lie in this order; returns 1, or for a loss less."""
        columns, bar, stock, waste, nth, _ = position
        unseen = [NUMBER[card] for card in cards]
        play = Play.__new__(Play)
        fresh = waste.count(UNSEEN)
        play.waste = [*waste[: len(waste) - fresh], *unseen[:fresh]]
        place = fresh
        play.down, play.runs = [], []
        for column in columns:
            run = [*column[1:]]
            if run[-1:] == [UNSEEN]:
                run[-1] = unseen[place]
                place += 1
            play.runs.append(run)
        for column in columns:
            play.down.append(unseen[place : place + column[0]])
            place += column[0]
        play.stock = [*reversed(stock)] if stock[:1] != ONE[UNSEEN] else unseen[place:]
        play.next = [SUITS * (bar & suit).bit_count() + number for number, suit in enumerate(SUIT_BITS)]
        play.draw, play.nth_pass = self.draw, nth
        up = play.run()
        return 1.0 if up == COUNT else LOSS * up / COUNT

    def value(self, position: Position) -> float:
        """Returns the log-odds that were learned."""
        columns, bar, _, waste, _, _ = position
        if waste and waste[-1] == UNSEEN:
            waste = waste.rstrip(ONE[UNSEEN])
        wanted = (bar << SUITS | FLOOR) & ~bar & ALL
        loose = sums(self._loose, self._loose_features(position, wanted))
        lies = [self._columns[column, wanted] for column in columns]
        return self._value.at(
            self.share(position), loose, self._bars[bar], self._wastes[waste, wanted], *lies
        )

    def share(self, position: Position) -> float:
        """Returns the share of the cards to be turned that is still to come, if none is played any more."""
        _, _, stock, waste, nth, _ = position
        turns = len(stock) + (self.draw - nth) * (len(stock) + len(waste))
        return turns / (STOCK * self.draw)

    def features(self, position: Position) -> list[float]:
        """Returns the features, in the order of FEATURES; unseen cards on the waste do not count as part of it."""
        columns, bar, _, waste, _, _ = position
        wanted = (bar << SUITS | FLOOR) & ~bar & ALL
        return [
            *map(sum, zip(*[in_column((column, wanted)) for column in columns])),
            *on_bar(bar),
            *in_waste((waste.rstrip(ONE[UNSEEN]), wanted)),
            *self._loose_features(position, wanted),
        ]

    def _loose_features(self, position: Position, wanted: int) -> list[float]:
        columns, _, stock, waste, nth, unseen = position
        near = wanted | wanted << SUITS & ALL
        near |= near << SUITS & ALL
        key = waste, stock, nth
        if key not in self._lies:
            self._lies[key] = self._lies_in(*key)
        lies = self._lies[key]
        ends = builds = slips = buried = 0
        heads: list[Facts] = []
        for column in columns:
            fact = COLUMN[column]
            ends |= fact.end
            builds |= fact.builds
            slips |= fact.slips
            buried |= fact.buried
            if fact.down and fact.takers:
                heads.append(fact)
        return [
            (wanted & ends).bit_count() / 6,
            (wanted & buried).bit_count() / 6,
            (wanted & lies.waste).bit_count() / 6,
            (wanted & lies.stock).bit_count() / 6,
            (wanted & unseen).bit_count() / 6,
            (near & unseen).bit_count() / 18,
            (near & lies.waste).bit_count() / 18,
            *_by_places(wanted, near, wanted | builds | slips, unseen, ends, lies),
            *_by_heads(heads, ends, unseen, lies),
        ]

    def _lies_in(self, waste: bytes, stock: bytes, nth: int) -> Lies:
        waste = waste.rstrip(ONE[UNSEEN])
        step = self.draw
        stops = later = 0
        known = stock if stock and stock[0] != UNSEEN else b""
        if known:
            for card in known[step - 1 :: step]:
                stops |= BITS[card]
            stops |= BITS[known[-1]]
        if nth < step:
            order = waste + stock
            for card in order[step - 1 :: step]:
                later |= BITS[card]
            if order:
                later |= BITS[order[-1]]
        return Lies(_bits(waste), _bits(known), stops, later, BITS[waste[-1]] if waste else 0)

    def tokens(self, seen: Seen, steps: Sequence[Step]) -> list[str]:
        """Returns the moves in tokens, each space being the first empty column then."""
        columns = [[NUMBER[card] for card in seen.piles[name][seen.down[name] :]] for name in COLUMNS]
        waste = [NUMBER[card] for card in seen.piles["waste"]]
        stock = [NUMBER.get(card, UNSEEN) for card in reversed(seen.piles["stock"])]
        found = []
        for card, target in steps:
            if card < 0:
                if not stock:
                    stock, waste = waste, []
                waste += stock[: self.draw]
                del stock[: self.draw]
                found.append("draw")
                continue
            if waste[-1:] == [card]:
                source, moved = "w", [waste.pop()]
            else:
                place = next(i for i, column in enumerate(columns) if card in column)
                source = COLUMNS[place]
                moved = [columns[place].pop()] if target == TO_BAR else columns[place]
                if target != TO_BAR:
                    columns[place] = []
            if target == TO_BAR:
                found.append(f"{source}-f")
                continue
            if target >= BEHIND:
                taker = next(i for i, column in enumerate(columns) if column[:1] == [target - BEHIND])
                columns[taker] = moved + columns[taker]
                found.append(f"{source}-h{taker + 1}")
                continue
            onto = [] if target == TO_SPACE else [target]
            taker = next(
                i for i, column in enumerate(columns) if column[-1:] == onto and COLUMNS[i] != source
            )
            columns[taker] += moved
            found.append(f"{source}-{COLUMNS[taker]}")
        return found

    def words(self, before: Position, after: Position) -> str:
        """Returns what a plan does: cards that go up or are turned up, spaces, the waste, what can then move."""
        clauses = []
        up = after[1].bit_count() - before[1].bit_count()
        if up > 0:
            clauses.append(f"takes {up} {'card' if up == 1 else 'cards'} to the bar")
        turned = sum(column[0] for column in before[0]) - sum(column[0] for column in after[0])
        if turned > 0:
            clauses.append("turns up a face-down card")
        had, has = before[0].count(EMPTY), after[0].count(EMPTY)
        if has > had:
            clauses.append("empties a column")
        shorter = (before[1] | _in_columns(before)).bit_count() - (after[1] | _in_columns(after)).bit_count()
        if shorter < 0:
            clauses.append(f"plays {-shorter} {'card' if shorter == -1 else 'cards'} off the waste")
        freed = self._movable(after) & ~self._movable(before)
        if not turned and freed:
            clauses.append(f"makes room for the {in_words(freed.bit_length() - 1)}")
        return " and ".join(clauses[:2])

    def _movable(self, position: Position) -> int:
        """Returns the heads over face-down cards that could move, as bits."""
        facts = [COLUMN[column] for column in position[0]]
        ends = 0
        for fact in facts:
            ends |= fact.end
        return sum(BITS[fact.head] for fact in facts if fact.down and fact.takers & ends)


def _in_columns(position: Position) -> int:
    found = 0
    for column in position[0]:
        found |= COLUMN[column].cards
    return found


def in_words(card: int) -> str:
    """Returns a card as it is said: `Moon of Saturn`."""
    rank = CARDS[card][0]
    return f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[card % SUITS]}"


def _with(columns: tuple[bytes, ...], place: int, column: bytes) -> tuple[bytes, ...]:
    piles = [*columns]
    piles[place] = column
    piles.sort()
    return tuple(piles)


def _bits(cards: bytes) -> int:
    found = 0
    for card in cards:
        found |= BITS[card]
    return found


def on_bar(bar: int) -> tuple[float, ...]:
    """Returns the features of the bar alone."""
    counts = [(bar & suit).bit_count() for suit in SUIT_BITS]
    return (
        sum(counts) / 60,
        counts.count(0) / 6,
        min(counts) / 10,
        max(counts) / 10,
        sum(count * count for count in counts) / 600,
    )


def _by_places(wanted: int, near: int, placed: int, unseen: int, ends: int, lies: Lies) -> tuple[float, ...]:
    count = unseen.bit_count()
    ranks = 0
    rest = ends & ALL
    while rest:
        ranks += 1
        low = (rest & -rest).bit_length() - 1
        rest &= ~(FLOOR << low // SUITS * SUITS)
    return (
        (unseen & placed).bit_count() / count if count else 0.0,
        (unseen & wanted).bit_count() / count if count else 0.0,
        ranks / 6,
        (lies.waste & placed).bit_count() / 10,
        float(lies.top & placed > 0),
        (lies.stops & placed).bit_count() / 8,
        (lies.later & placed).bit_count() / 8,
        (lies.stops & near).bit_count() / 8,
        (lies.later & near).bit_count() / 8,
    )


def _by_heads(heads: Sequence[Facts], ends: int, unseen: int, lies: Lies) -> tuple[float, ...]:
    can = cards = in_unseen = in_waste = in_stock = dead = under = few = 0
    for fact in heads:
        takers = fact.takers
        if takers & ends:
            can += 1
            cards += fact.down
            continue
        if takers == SPACE:
            continue
        never = (takers & unseen).bit_count()
        thrown = (takers & lies.waste).bit_count()
        stored = (takers & lies.stock).bit_count()
        in_unseen += never
        in_waste += thrown
        in_stock += stored
        hosts = never + thrown + stored
        if not hosts:
            dead += 1
            under += fact.down
        elif hosts < 3:
            few += 3 - hosts
    return (
        can / 6,
        cards / 12,
        in_unseen / 20,
        in_waste / 8,
        in_stock / 8,
        dead / 6,
        under / 12,
        few / 6,
    )


def in_column(key: tuple[bytes, int]) -> tuple[float, ...]:
    """Returns the features of a column, given the cards that go up next."""
    return (*COLUMN[key[0]].rows, *in_run(*key))


def in_run(column: bytes, wanted: int) -> tuple[float, ...]:
    """Returns the features of a run and how near its cards are to going up."""
    size = len(column) - 1
    if not size or column[-1] == UNSEEN:
        return 0.0, 0.0, 0.0
    by_need = low = need = 0
    for place in range(1, size + 1):
        card = column[place]
        need = _need(card, wanted)
        if need < LOW:
            depth = size - place
            by_need += depth * (LOW - need)
            low += depth > 0
    return by_need / 60, need / 40, low / 12


def _need(card: int, wanted: int) -> int:
    """Returns how many cards of its suit go up before a card."""
    nxt = wanted & SUIT_BITS[card % SUITS]
    return (card - nxt.bit_length() + 1) // SUITS


def in_waste(key: tuple[bytes, int]) -> tuple[float, ...]:
    """Returns the features of the waste, given the cards that go up next."""
    waste, wanted = key
    size = len(waste)
    nexts = [(wanted & suit).bit_length() - 1 for suit in SUIT_BITS]
    low_rank = min(each // SUITS if each >= 0 else GALAXY for each in nexts) + 2
    under = [COUNT] * SUITS
    blockers = by_need = next_depth = builds = low = galaxies = need = 0
    before = -1
    for place, card in enumerate(waste):
        suit = card % SUITS
        depth = size - 1 - place
        need = (card - nexts[suit]) // SUITS
        if card > under[suit]:
            blockers += 1
        else:
            under[suit] = card
        if need < LOW:
            by_need += depth * (LOW - need)
            if not need:
                next_depth += depth
        low += card // SUITS <= low_rank
        galaxies += card >= TOP_ROW
        if before >= 0 and (HIGHER[before] | LOWER[before]) & BITS[card]:
            builds += 1
        before = card
    return (
        size / 30,
        blockers / 10,
        by_need / 100,
        next_depth / 30,
        builds / 8,
        low / 10,
        galaxies / 6,
        need / 10,
        size * size / 900,
    )


Learned: Callable[[Seen, Mapping[str, Any]], UniversalOutlook] = UniversalOutlook


def variant(options: Mapping[str, str]) -> str:
    """Returns the name that the weights for these options have."""
    return f"draw={options['draw']}"
