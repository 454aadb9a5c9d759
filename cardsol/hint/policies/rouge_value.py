"""The value of a position of Rouge et Noir as its player sees it, and the moves from there.

All that the rules ask of a card is its rank and colour, so a card is one of 26 kinds, 2 × rank + 1 if it is red, of
which there are four cards each. A position is a tuple: the ten columns, each the number of its face-down cards and then
its face-up cards, in bytes; the four foundations, the higher one of each colour first, and the sequences discarded by
the colour of their Kings, four bits each; the cards left in the stock; how many cards of each kind were never seen,
four bits each; and how many cards a step has dealt that nobody has seen yet. One that it turned up is UNSEEN in its
column.

The value is made of named features (see `cardsol.hint.linear`); its weights change with the share of the stock that is
left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ...cards import Card
from ...games.rouge_et_noir import ALIKE, COLUMNS, FOUNDATIONS, KING, RED, SEQUENCES
from ..linear import Part, Value, sums
from ..outlook import Seen

Position = tuple[tuple[bytes, ...], int, int, int, int]
Step = tuple[int, int]
"""From column to column, or to TO_UP or TO_GONE; or DRAW."""
TO_UP, TO_GONE = 10, 11
DRAW: Step = (-1, -1)
STOCK = 67
WIDTH = len(COLUMNS)
LAST_ROW = 7
"""The last deal goes to so many columns."""
UNSEEN = 1
KINDS = range(2, 28)
FIRST_KING = 2 * KING
EMPTY = b"\0"
PARENT = (0, 0, *(2 * (kind // 2 + 1) + 1 - kind % 2 for kind in KINDS))
"""What each kind is built on; for Kings a kind that no card has."""
BITS = tuple(1 << kind for kind in range(30))
SPACE = 1
"""The end of an empty column, as a bit."""
DONE = KING | KING << 4 | KING << 8 | KING << 12
FULL = DONE | 2 << 16 | 2 << 20
"""All foundations complete, and two sequences of each colour gone."""
LOW = 4
"""Cards this near to going up count as near."""

IN_COLUMNS = (
    "face-down cards / 28", "squares of face-down cards / 140", "columns without face-down cards / 10", "spaces / 10",
    "runs / 20", "runs beyond the first over face-down cards / 10", "cards in columns from a King / 40",
    "squares of runs / 400", "squares of runs at the end / 200", "higher cards over lower ones / 60",
    "cards with a lower one under them / 40", "buried Aces / 8", "buried twos / 8", "Kings on other cards / 8",
    "columns from a King / 8", "run from a King over face-down cards / 6", "columns one run from turning / 10",
    "the same with one card face down / 10", "complete sequences / 4", "ends of rank 1 / 10", "unseen card turned up",
    "face-up cards / 76", "columns from another card / 10",
)  # fmt: skip
IN_NEED = (
    "runs over next cards / 10", "runs over cards by need / 60", "next cards on an end / 6", "passed cards / 10",
    "face-down columns with next cards / 6",
)  # fmt: skip
BY_GONE = (
    "cards up / 52", "least foundation / 13", "least red foundation / 13", "least black foundation / 13",
    "most foundation / 13", "squares of foundations / 676", "sequences gone / 4", "sequences gone of three Kings",
)  # fmt: skip
LOOSE = (
    "card dealt", "kinds of ends / 10", "unseen cards with a place", "unseen cards that go up",
    "next cards unseen / 12",
    "runs that can move / 10", "runs that can move and turn a card / 6", "the same with few face down / 20",
    "parts of runs that can move / 10", "unseen hosts of runs that turn a card / 40",
    "runs without a host that turn a card / 6", "Kings that can move / 4", "spaces without a King in reach / 4",
    "unseen cards for columns from a King / 20",
)  # fmt: skip
FEATURES = (*IN_COLUMNS, *IN_NEED, *BY_GONE, *LOOSE)
FIRST = {
    "face-down cards / 28": -4.0, "squares of face-down cards / 140": -1.0, "spaces / 10": 1.0, "runs / 20": -3.0,
    "cards in columns from a King / 40": 2.0, "higher cards over lower ones / 60": -2.0,
    "cards with a lower one under them / 40": -1.5, "cards up / 52": 3.0, "sequences gone / 4": 3.0,
    "Kings on other cards / 8": -1.0, "runs that can move and turn a card / 6": 0.5, "squares of runs / 400": 1.0,
    "unseen cards with a place": 1.0, "constant": -1.0, "runs over cards by need / 60": -0.5,
    "kinds of ends / 10": 0.4,
}  # fmt: skip
"""Weights by hand: where learning began."""


class Facts(NamedTuple):
    """What is asked of a column, whatever else there is."""

    down: int
    end: int
    """The kind of the last card, as a bit; SPACE, or 0 where it is UNSEEN."""
    wants: int
    """The kinds that some part of the run at the end may be put on, as bits; SPACE where the whole run may."""
    heads: tuple[int, ...]
    """The kinds of the run at the end, from its head on."""
    whole: int
    """What the whole run at the end may be put on, where that leaves an empty column or turns a card."""
    follows: int
    """What a column from a King, of one run, is built on with next; else 0."""
    rows: tuple[float, ...]
    """The features IN_COLUMNS."""


class _Columns(dict[bytes, Facts]):
    """The facts about each column, found when it is first met."""

    def __missing__(self, column: bytes) -> Facts:
        facts = self[column] = facts_of(column)
        return facts


def runs_of(cards: bytes) -> list[int]:
    """Returns the lengths of the runs that face-up cards are made of, bottom to top."""
    lengths = [1]
    for under, card in pairwise(cards):
        if PARENT[card] == under:
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths


def facts_of(column: bytes) -> Facts:
    """Returns the facts about a column."""
    down, up = column[0], column[1:]
    if not up:
        return Facts(0, SPACE, 0, (), 0, 0, (0.0, 0.0, 0.1, 0.1, *(0.0,) * 19))
    turned = up[-1] == UNSEEN
    if turned:
        rows = [0.0] * len(IN_COLUMNS)
        rows[:3] = down / 28, down * down / 140, (not down) / 10
        rows[20] = 1.0
        return Facts(down, 0, 0, (), 0, 0, tuple(rows))
    lengths = runs_of(up)
    size = lengths[-1]
    heads = tuple(up[len(up) - size :])
    from_king = not down and up[0] >= FIRST_KING
    wants = 0
    for kind in heads:
        wants |= BITS[PARENT[kind]]
    whole_column = not down and size == len(up)
    if heads[0] >= FIRST_KING:
        wants &= ~BITS[PARENT[heads[0]]]
        if not whole_column:
            wants |= SPACE
    one_run = len(lengths) == 1
    whole = (SPACE if heads[0] >= FIRST_KING else BITS[PARENT[heads[0]]]) if one_run else 0
    if whole_column and heads[0] >= FIRST_KING:
        whole = 0
    higher = over = aces = twos = kings = 0
    place = 0
    lowest = 99
    for length in lengths:
        run = up[place : place + length]
        for card in run:
            rank = card // 2
            if lowest < rank:
                over += 1
                higher += min(rank - lowest, 6)
        if place and run[0] >= FIRST_KING:
            kings += 1
        lowest = min(lowest, run[-1] // 2)
        place += length
    for card in up[:-1]:
        aces += card < 4
        twos += 4 <= card < 6
    rows = [
        down / 28,
        down * down / 140,
        (not down) / 10,
        0.0,
        len(lengths) / 20,
        (len(lengths) - 1) / 10 if down else 0.0,
        lengths[0] / 40 if from_king else 0.0,
        sum(length * length for length in lengths) / 400,
        size * size / 200,
        higher / 60,
        over / 40,
        aces / 8,
        twos / 8,
        kings / 8,
        from_king / 8,
        (down > 0 and one_run and up[0] >= FIRST_KING) / 6,
        (down > 0 and one_run) / 10,
        (down == 1 and one_run) / 10,
        float(size == KING) / 4,
        (up[-1] < 4) / 10,
        0.0,
        len(up) / 76,
        (not down and not from_king) / 10,
    ]
    end = up[-1]
    follows = 0
    if from_king and one_run and end >= 4:
        follows = end - 2 + 1 - 2 * (end % 2)
    return Facts(down, BITS[end], wants, heads, whole, follows, tuple(rows))


COLUMN = _Columns()


class RougeOutlook:
    """One deal of Rouge et Noir from what is seen."""

    CAP = 500

    def __init__(self, seen: Seen, weights: Mapping[str, Any]) -> None:
        self.weights = weights
        self._value = Value(weights)
        self._loose = self._value.rows(LOOSE)
        self._columns = Part(self._value, (*IN_COLUMNS, *IN_NEED), in_column)
        self._gone = Part(self._value, BY_GONE, _by_gone)

    def position(self, seen: Seen) -> Position:
        """Returns the position of what is seen."""
        columns = tuple(
            bytes([seen.down[name], *(ALIKE[card] for card in seen.piles[name][seen.down[name] :])])
            for name in COLUMNS
        )
        heights = [len(seen.piles[name]) for name in FOUNDATIONS]
        kings = [seen.piles[name][0] for name in SEQUENCES if seen.piles[name]]
        red = sum(RED[king] for king in kings)
        gone = _gone(heights[:2], heights[2:], red, len(kings) - red)
        unseen = 0
        for card in seen.unseen:
            unseen += 1 << 4 * ALIKE[card]
        return columns, gone, len(seen.piles["stock"]), unseen, 0

    def key(self, position: Position) -> Position:
        """Returns the position with columns that await the same cards in sorted order.

        The last deal leaves out the last three columns, so they differ from the others until it is made.
        """
        columns, gone, left, unseen, dealt = position
        alike = LAST_ROW if left or dealt else WIDTH
        return (*sorted(columns[:alike]), *sorted(columns[alike:])), gone, left, unseen, dealt

    def is_won(self, position: Position) -> bool:
        return position[1] == FULL

    def expand(self, position: Position) -> list[tuple[Step, Position, bool]]:
        """Returns the moves; of those to one of several spaces that await the same cards, one."""
        columns, gone, left, unseen, _ = position
        found: list[tuple[Step, Position, bool]] = []
        facts = [COLUMN[column] for column in columns]
        ends = 0
        for fact in facts:
            ends |= fact.end
        wanted = _wanted(gone)[0]
        for i, fact in enumerate(facts):
            if fact.end == SPACE:
                continue
            column = columns[i]
            if fact.end & wanted:
                new = _lifted(column, 1)
                after = _with(columns, i, new), _raised(gone, column[-1]), left, unseen, 0
                found.append(((i, TO_UP), after, new[-1] == UNSEEN and len(new) > 1))
            if len(fact.heads) == KING and (gone >> 16 & 15) + (gone >> 20) < 4:
                new = _lifted(column, KING)
                more = gone + (1 << (16 if fact.heads[0] & 1 else 20))
                after = _with(columns, i, new), more, left, unseen, 0
                found.append(((i, TO_GONE), after, new[-1] == UNSEEN and len(new) > 1))
            if fact.wants & ends:
                self._between(found, position, facts, i)
        if left:
            count = min(left, WIDTH)
            found.append((DRAW, (columns, gone, left - count, unseen, count), True))
        return found

    def _between(
        self,
        found: list[tuple[Step, Position, bool]],
        position: Position,
        facts: Sequence[Facts],
        source: int,
    ) -> None:
        """Adds the moves from one column to others."""
        columns, gone, left, unseen, _ = position
        column, fact = columns[source], facts[source]
        had = 0
        for j, other in enumerate(facts):
            if not other.end & fact.wants or j == source:
                continue
            if other.end == SPACE:
                group = 1 if j < LAST_ROW else 2
                if had & group or (had and not left):
                    continue
                had |= group
                count = len(fact.heads)
            else:
                count = columns[j][-1] // 2 - column[-1] // 2
            new = _lifted(column, count)
            piles = [*columns]
            piles[source] = new
            piles[j] += column[len(column) - count :]
            after = tuple(piles), gone, left, unseen, 0
            found.append(((source, j), after, new[-1] == UNSEEN and len(new) > 1))

    def reveal(self, position: Position, cards: Sequence[Card]) -> Position:
        """Returns the position with its unseen cards seen: dealt to the columns in order, or turned up in one."""
        columns, gone, left, unseen, dealt = position
        piles = [*columns]
        if dealt:
            for i in range(dealt):
                kind = ALIKE[cards[i]]
                unseen -= 1 << 4 * kind
                piles[i] += bytes([kind])
        else:
            kind = ALIKE[cards[0]]
            unseen -= 1 << 4 * kind
            place = next(i for i, column in enumerate(piles) if column[-1] == UNSEEN and len(column) > 1)
            piles[place] = piles[place][:-1] + bytes([kind])
        return tuple(piles), gone, left, unseen, 0

    def value(self, position: Position) -> float:
        """Returns the log-odds that were learned."""
        columns, gone, left, unseen, dealt = position
        heights = gone & 0xFFFF
        loose = sums(self._loose, _by_ends([COLUMN[column] for column in columns], gone, unseen, dealt))
        lies = [self._columns[column, heights] for column in columns]
        return self._value.at(left / STOCK, loose, self._gone[gone], *lies)

    def share(self, position: Position) -> float:
        """Returns the share of the stock that is left."""
        return position[2] / STOCK

    def features(self, position: Position) -> list[float]:
        """Returns the features, in the order of FEATURES; cards dealt that nobody has seen are not on the columns."""
        columns, gone, _, unseen, dealt = position
        return [
            *map(sum, zip(*[in_column((column, gone & 0xFFFF)) for column in columns])),
            *_by_gone(gone),
            *_by_ends([COLUMN[column] for column in columns], gone, unseen, dealt),
        ]

    def tokens(self, seen: Seen, steps: Sequence[Step]) -> list[str]:
        """Returns the moves in tokens."""
        targets = (*COLUMNS, "f", "k")
        return ["draw" if source < 0 else f"{COLUMNS[source]}-{targets[to]}" for source, to in steps]

    def words(self, before: Position, after: Position) -> str:
        """Returns what a plan does: cards that go up, sequences, cards turned up, empty columns, runs joined."""
        clauses = []
        gone, now = before[1], after[1]
        if now >> 16 != gone >> 16:
            clauses.append("discards a sequence")
        up = sum(_heights(now)) - sum(_heights(gone))
        if up > 0:
            clauses.append(f"takes {up} {'card' if up == 1 else 'cards'} to the foundations")
        if sum(column[0] for column in after[0]) < sum(column[0] for column in before[0]):
            clauses.append("turns up a face-down card")
        had, has = before[0].count(EMPTY), after[0].count(EMPTY)
        if has > had:
            clauses.append("empties a column")
        elif has < had:
            clauses.append("puts a King in an empty column")
        joined = _breaks(before) - _breaks(after)
        if joined > 0 and not up:
            clauses.append("joins two runs" if joined == 1 else f"joins runs {joined} times")
        return " and ".join(clauses[:2])


Learned = RougeOutlook


def variant(options: Mapping[str, str]) -> str:
    """Returns the name that the weights for these options have: there is one set."""
    return "all"


def _gone(red: Sequence[int], black: Sequence[int], red_kings: int, black_kings: int) -> int:
    """Returns what is gone in one number."""
    return max(red) | min(red) << 4 | max(black) << 8 | min(black) << 12 | red_kings << 16 | black_kings << 20


def _heights(gone: int) -> tuple[int, int, int, int]:
    """Returns how high the foundations are, red ones first."""
    return gone & 15, gone >> 4 & 15, gone >> 8 & 15, gone >> 12 & 15


def _raised(gone: int, kind: int) -> int:
    """Returns what is gone when a card has gone up: on the higher foundation, if it goes there."""
    shift = 0 if kind & 1 else 8
    high = gone >> shift & 15
    return gone + (1 << (shift if high + 1 == kind // 2 else shift + 4))


_WANTED: dict[int, tuple[int, tuple[float, ...]]] = {}


def _wanted(gone: int) -> tuple[int, tuple[float, ...]]:
    """Returns the kinds that go up next, as bits, and the features of what is gone."""
    if gone not in _WANTED:
        high, low, other, least = _heights(gone)
        wanted = 0
        for height, red in ((high, 1), (low, 1), (other, 0), (least, 0)):
            if height < KING:
                wanted |= BITS[2 * (height + 1) + red]
        heights = high, low, other, least
        red, black = gone >> 16 & 15, gone >> 20
        _WANTED[gone] = (
            wanted,
            (
                sum(heights) / 52,
                min(low, least) / 13,
                low / 13,
                least / 13,
                max(high, other) / 13,
                sum(height * height for height in heights) / 676,
                (red + black) / 4,
                float(red > 2 or black > 2),
            ),
        )
    return _WANTED[gone]


def _by_gone(gone: int) -> tuple[float, ...]:
    return _wanted(gone)[1]


def _lifted(column: bytes, count: int) -> bytes:
    """Returns a column without its last cards; a card that turns up is UNSEEN."""
    if len(column) - 1 > count:
        return column[: len(column) - count]
    return bytes([column[0] - 1, UNSEEN]) if column[0] else EMPTY


def _with(columns: tuple[bytes, ...], place: int, column: bytes) -> tuple[bytes, ...]:
    return (*columns[:place], column, *columns[place + 1 :])


def _breaks(position: Position) -> int:
    return sum(len(runs_of(column[1:])) for column in position[0] if len(column) > 1)


def in_column(key: tuple[bytes, int]) -> tuple[float, ...]:
    """Returns the features of a column, given how high the foundations are."""
    return (*COLUMN[key[0]].rows, *in_need(*key))


def in_need(column: bytes, gone: int) -> tuple[float, ...]:
    """Returns the features of a column and how near its cards are to going up."""
    down, up = column[0], column[1:]
    if not up or up[-1] == UNSEEN:
        return (0.0,) * len(IN_NEED)
    heights = _heights(gone)
    lows = heights[3] + 1, heights[1] + 1  # black, red
    highs = heights[2] + 1, heights[0] + 1
    lengths = runs_of(up)
    left = len(lengths)
    next_runs = by_need = passed = nexts = 0
    place = 0
    for length in lengths:
        left -= 1
        for card in up[place : place + length]:
            rank, red = card >> 1, card & 1
            low = lows[red]
            if rank < low:
                passed += 1
            elif rank in (low, highs[red]):
                next_runs += left
                nexts += 1
            if low <= rank < low + LOW:
                by_need += left * (LOW - rank + low)
        place += length
    end, red = up[-1] >> 1, up[-1] & 1
    return (
        next_runs / 10,
        by_need / 60,
        float(end in (lows[red], highs[red])) / 6,
        passed / 10,
        float(nexts > 0 and down > 0) / 6,
    )


def _unseen_with(kinds: int, unseen: int) -> int:
    """Returns how many unseen cards are of these kinds."""
    count = 0
    while kinds:
        kind = (kinds & -kinds).bit_length() - 1
        kinds &= kinds - 1
        count += unseen >> 4 * kind & 15
    return count


_GUESTS: dict[int, int] = {}


def _guests(ends: int) -> int:
    """Returns what may be put on these ends, as bits."""
    if ends not in _GUESTS:
        found = 0
        for kind in KINDS:
            if BITS[PARENT[kind]] & ends and kind < FIRST_KING:
                found |= BITS[kind]
        if ends & SPACE:
            found |= 3 << FIRST_KING
        _GUESTS[ends] = found
    return _GUESTS[ends]


_COUNTS: dict[tuple[int, int], int] = {}


def _count(kinds: int, unseen: int) -> int:
    """Returns the same as `_unseen_with`, and keeps it."""
    key = kinds, unseen
    if key not in _COUNTS:
        if len(_COUNTS) > 200_000:
            _COUNTS.clear()
        _COUNTS[key] = _unseen_with(*key)
    return _COUNTS[key]


def _by_ends(facts: Sequence[Facts], gone: int, unseen: int, dealt: int) -> tuple[float, ...]:
    wanted = _wanted(gone)[0]
    ends = spaces = 0
    for fact in facts:
        ends |= fact.end
        spaces += fact.end == SPACE
    total = max(1, _count((1 << 28) - 4, unseen))
    can = turn = few = parts = hosts = homeless = kings = follows = 0
    for fact in facts:
        if not fact.heads:
            continue
        head = fact.heads[0]
        target = SPACE if fact.wants & SPACE else BITS[PARENT[head]]
        if target & ends and (head < FIRST_KING or fact.wants & SPACE):
            can += 1
            kings += head >= FIRST_KING
        elif fact.wants & ends & ~SPACE:
            parts += 1
        if fact.whole and fact.down:
            if fact.whole & ends:
                turn += 1
                few += max(0, 4 - fact.down)
            elif fact.whole != SPACE:
                count = _count(fact.whole, unseen)
                hosts += count
                homeless += not count
        if fact.follows:
            follows += unseen >> 4 * fact.follows & 15
    return (
        float(dealt > 0),
        (ends & ~SPACE).bit_count() / 10,
        _count(_guests(ends) | wanted, unseen) / total,
        _count(wanted, unseen) / total,
        _count(wanted, unseen) / 12,
        can / 10,
        turn / 6,
        few / 20,
        parts / 10,
        hosts / 40,
        homeless / 6,
        kings / 4,
        max(0, spaces - kings) / 4,
        follows / 20,
    )
