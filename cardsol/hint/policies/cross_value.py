"""The value of a position of Vanishing Cross as its player sees it, and the moves from there.

A position is a tuple: the cards up (four bits a suit), the card turned up on the stock, the cards left in the stock,
the unseen cards (a bit each), the waste, and the five squares in sorted order, since which square a pile lies on
decides nothing. Cards are numbers, 13 × suit + rank counted from the base; piles are bytes.

The value is made of named features (see `cardsol.hint.linear`); its weights change with the share of the stock that is
left. The features come in parts that depend on little each, and a part is computed once for all positions that have it
in common.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...cards import Card
from ...games.vanishing_cross import CORNERS, CROSS, KING, PARENT, RANK
from ...games.vanishing_cross import SUITS as SUIT_WORDS
from ..linear import Part, Value
from ..outlook import UNKNOWN, Seen

Position = tuple[int, int, int, int, bytes, tuple[bytes, ...]]
Step = int
"""64 × the card moved (of several: the undermost) + the card that it goes on, or one of the four below."""
SPACE, CORNER, WASTE, DRAW = 52, 53, 54, 55
NONE, PENDING = 53, 52
"""In place of the card turned up: there is none; it is one that nobody has seen."""
SUITS = "CDHS"
STOCK = 46
ALL_UP = 0xDDDD
REL = tuple(card % KING for card in range(52))
SHIFT = tuple(4 * (card // KING) for card in range(52))
ONE = tuple(bytes([card]) for card in range(52))
OF_RANK = tuple(sum(1 << KING * suit + rank for suit in range(4)) for rank in range(KING))
"""The four cards of each rank, as bits."""
BITS = tuple(1 << card for card in range(53))

BOARD = (
    "cards up / 52", "started corners / 4", "least corner / 13", "most corner / 13", "corners' difference / 13",
    "next cards unseen / 4", "unseen cards at most 2 above / 12",
)  # fmt: skip
IN_WASTE = (
    "waste / 20", "waste blockers / 8", "waste blockers in top six / 4", "waste depth by need / 60",
    "waste depth of next cards / 20", "waste neighbours that build / 8", "waste depth of low cards / 40",
    "high cards in waste / 10", "next cards in waste / 4", "need of waste top / 13", "waste square / 400",
)  # fmt: skip
IN_SQUARE = (
    "one-card squares / 5", "square depth by need / 40", "cards on their suit / 6", "square blockers / 5",
    "highest on base / 2", "next cards buried / 4", "next cards on top / 4", "square depth of next cards / 12",
    "need of tops / 30", "low cards buried / 10",
)  # fmt: skip
ON_TOP = (
    "one space", "two spaces", "three spaces", "ranks on top / 5", "unseen cards with a place",
    "waste blockers without host / 5", "waste top has a place", "unseen hosts of waste top / 4",
    "hosts for next waste / 4",
)  # fmt: skip
SHAPE = ("tallest square / 13",)
FEATURES = (*BOARD, *IN_WASTE, *IN_SQUARE, *ON_TOP, *SHAPE)


class CrossOutlook:
    """One deal of Vanishing Cross from what is seen."""

    CAP = 200

    def __init__(self, seen: Seen, weights: Mapping[str, Any]) -> None:
        base = RANK[seen.piles[CORNERS[0]][0]]
        self.number: dict[Card, int] = {}
        self.names: list[Card] = [""] * 52
        for name, rank in RANK.items():
            number = KING * SUITS.index(name[1]) + (rank - base) % KING
            self.names[number], self.number[name] = name, number
        self.direct = seen.options["play"] == "direct"
        parents = PARENT[seen.options["wrap"] == "on"]
        self.host = tuple((parents[c] - base) % KING if parents[c] <= KING else -1 for c in self.names)
        """The relative rank that each card goes on in the cross; -1 where it goes on none."""
        self.hosts = tuple(OF_RANK[host] if host >= 0 else 0 for host in self.host)
        """The cards that each card goes on, as bits."""
        self.guests = tuple(sum(BITS[c] for c in range(52) if self.host[c] == rank) for rank in range(KING))
        """By rank, the cards that go on one of it, as bits."""
        self.weights = weights
        self._value = Value(weights)
        self._board = Part(self._value, BOARD, lambda key: self.board(*key))
        self._waste = Part(self._value, IN_WASTE, lambda key: self.in_waste(*key))
        self._square = Part(self._value, IN_SQUARE, lambda key: self.in_square(*key))
        self._top = Part(self._value, ON_TOP, lambda key: self.on_top(*key))
        self._shape = Part(self._value, SHAPE, self.shape)

    def position(self, seen: Seen) -> Position:
        """Returns the position of what is seen."""
        ups = 0
        for corner in CORNERS:
            if cards := seen.piles[corner]:
                ups += len(cards) << SHIFT[self.number[cards[0]]]
        stock = seen.piles["stock"]
        left = seen.down["stock"]
        hand = self.number[stock[-1]] if len(stock) > left else NONE
        unseen = sum(BITS[self.number[card]] for card in seen.unseen)
        cross = sorted(self._bytes(seen.piles[square]) for square in CROSS)
        return ups, hand, left, unseen, self._bytes(seen.piles["waste"]), tuple(cross)

    def _bytes(self, cards: Sequence[Card]) -> bytes:
        return bytes([self.number[card] for card in cards])

    def key(self, position: Position) -> Position:
        """Returns the position itself."""
        return position

    def is_won(self, position: Position) -> bool:
        return position[0] == ALL_UP

    def expand(self, position: Position) -> list[tuple[Step, Position, bool]]:
        """Returns the moves; of those that differ only in which of several equal squares they use, one.

        In classic play with no card turned up that is the draw alone: a card turned up takes no move away but the
        next draw, and tells more. So other moves wait until it is seen.
        """
        ups, hand, left, unseen, waste, cross = position
        found: list[tuple[Step, Position, bool]] = []
        if ups == ALL_UP:
            return found
        if hand == NONE and left:
            found.append((DRAW, (ups, PENDING, left - 1, unseen, waste, cross), True))
            if not self.direct:
                return found
        ranks = [REL[pile[-1]] if pile else -2 for pile in cross]
        loose = [(waste[-1], hand, waste[:-1])] if waste else []
        if hand < PENDING:
            loose.append((hand, NONE, waste))
            if cross[0]:
                after = ups, NONE, left, unseen, waste + ONE[hand], cross
                found.append((hand << 6 | WASTE, after, False))
        for card, rest, under in loose:
            self._place(found, card, (ups, rest, left, unseen, under, cross), ranks)
            if not cross[0]:
                piles = tuple(sorted((ONE[card], *cross[1:])))
                found.append((card << 6 | SPACE, (ups, rest, left, unseen, under, piles), False))
        for index, pile in enumerate(cross):
            if not pile:
                continue
            card = pile[-1]
            if ups >> SHIFT[card] & 15 == REL[card] or self.host[card] in ranks:
                piles = (*cross[:index], pile[:-1], *cross[index + 1 :])
                self._place(found, card, (ups, hand, left, unseen, waste, piles), ranks)
            if not cross[0]:
                for kept in range(max(len(pile) - 1 if self.direct else 1, 1), len(pile)):
                    piles = (pile[kept:], *cross[1:index], pile[:kept], *cross[index + 1 :])
                    after = ups, hand, left, unseen, waste, tuple(sorted(piles))
                    found.append((pile[kept] << 6 | SPACE, after, False))
        return found

    def _place(
        self,
        found: list[tuple[Step, Position, bool]],
        card: int,
        without: Position,
        ranks: Sequence[int],
    ) -> None:
        """Adds what a card, already taken from its place, can do: go to a corner, build on the cross."""
        ups, hand, left, unseen, waste, cross = without
        if ups >> SHIFT[card] & 15 == REL[card]:
            after = ups + (1 << SHIFT[card]), hand, left, unseen, waste, tuple(sorted(cross))
            found.append((card << 6 | CORNER, after, False))
        host = self.host[card]
        if host in ranks:
            for there in range(5):
                if ranks[there] == host:
                    pile = cross[there]
                    piles = tuple(sorted((*cross[:there], pile + ONE[card], *cross[there + 1 :])))
                    found.append((card << 6 | pile[-1], (ups, hand, left, unseen, waste, piles), False))

    def reveal(self, position: Position, cards: Sequence[Card]) -> Position:
        """Returns the position with the first of the cards turned up."""
        ups, _, left, unseen, waste, cross = position
        card = self.number[cards[0]]
        if self.direct:
            return ups, NONE, left, unseen ^ BITS[card], waste + ONE[card], cross
        return ups, card, left, unseen ^ BITS[card], waste, cross

    def value(self, position: Position) -> float:
        """Returns the log-odds that were learned; a card turned up counts as if it lay on the waste."""
        ups, hand, left, unseen, waste, cross = position
        if hand < PENDING:
            waste += ONE[hand]
        ranks = self.ranks([pile[-1] if pile else SPACE for pile in cross])
        return self._value.at(
            left / STOCK,
            self._board[ups, unseen],
            self._waste[waste, ups],
            self._top[ranks, waste, ups, unseen],
            self._shape[max(map(len, cross))],
            *[self._square[pile, ups] for pile in cross],
        )

    def share(self, position: Position) -> float:
        """Returns the share of the stock that is left."""
        return position[2] / STOCK

    def features(self, position: Position) -> list[float]:
        """Returns the features, in the order of FEATURES."""
        ups, hand, _, unseen, waste, cross = position
        if hand < PENDING:
            waste += ONE[hand]
        squares = [0.0] * len(IN_SQUARE)
        for pile in cross:
            for index, amount in enumerate(self.in_square(pile, ups)):
                squares[index] += amount
        tops = tuple(pile[-1] if pile else SPACE for pile in cross)
        return [
            *self.board(ups, unseen),
            *self.in_waste(waste, ups),
            *squares,
            *self.on_top(self.ranks(tops), waste, ups, unseen),
            *self.shape(max(map(len, cross))),
        ]

    def ranks(self, tops: Sequence[int]) -> tuple[int, int]:
        """Returns the ranks on top, as bits, and the number of spaces."""
        mask = spaces = 0
        for top in tops:
            if top == SPACE:
                spaces += 1
            else:
                mask |= 1 << REL[top]
        return mask, spaces

    def board(self, ups: int, unseen: int) -> tuple[float, ...]:
        counts = _counts(ups)
        next_ones, near = _needed(ups)
        least, most = min(counts), max(counts)
        return (
            sum(counts) / 52,
            sum(map(bool, counts)) / 4,
            least / 13,
            most / 13,
            (most - least) / 13,
            (unseen & next_ones).bit_count() / 4,
            (unseen & near).bit_count() / 12,
        )

    def in_waste(self, waste: bytes, ups: int) -> tuple[float, ...]:
        counts = _counts(ups)
        low = min(counts) + 2
        size = len(waste)
        blockers = late = 0
        by_need = next_depth = low_depth = builds = high = nexts = 0
        under = [KING] * 4
        """The lowest rank of each suit so far, from the bottom."""
        before = -1
        for index, card in enumerate(waste):
            suit, rank = card // KING, REL[card]
            depth = size - 1 - index
            need = rank - counts[suit]
            if rank > under[suit]:
                blockers += 1
                late += depth < 6
            else:
                under[suit] = rank
            if need < 4:
                by_need += depth * (4 - need)
                if need == 0:
                    next_depth += depth
                    nexts += 1
            if rank <= low:
                low_depth += depth
            high += rank >= 9
            builds += before >= 0 and self.host[before] == rank
            before = card
        need = REL[before] - counts[before // KING] if size else 0
        return (
            size / 20,
            blockers / 8,
            late / 4,
            by_need / 60,
            next_depth / 20,
            builds / 8,
            low_depth / 40,
            high / 10,
            nexts / 4,
            need / 13,
            size * size / 400,
        )

    def in_square(self, pile: bytes, ups: int) -> tuple[float, ...]:
        if not pile:
            return (0.0,) * len(IN_SQUARE)
        size = len(pile)
        by_need = own = blockers = wrapped = buried = on_top = next_depth = low = 0
        before = -1
        under = [KING] * 4
        for index, card in enumerate(pile):
            suit, rank = card // KING, REL[card]
            depth = size - 1 - index
            need = rank - (ups >> 4 * suit & 15)
            if need < 4:
                by_need += depth * (4 - need)
                low += depth > 0
                if need == 0:
                    next_depth += depth
                    buried += depth > 0
                    on_top += depth == 0
            if before >= 0:
                own += before // KING == suit
                wrapped += rank == KING - 1 and REL[before] == 0
            if rank > under[suit]:
                blockers += 1
            else:
                under[suit] = rank
            before = card
        need = REL[before] - (ups >> SHIFT[before] & 15)
        return (
            (size == 1) / 5,
            by_need / 40,
            own / 6,
            blockers / 5,
            wrapped / 2,
            buried / 4,
            on_top / 4,
            next_depth / 12,
            need / 30,
            low / 10,
        )

    def on_top(self, ranks: tuple[int, int], waste: bytes, ups: int, unseen: int) -> tuple[float, ...]:
        mask, spaces = ranks
        next_ones = _needed(ups)[0]
        taken = next_ones
        for rank in range(KING):
            if mask >> rank & 1:
                taken |= self.guests[rank]
        count = unseen.bit_count()
        homeless = self._homeless(waste, mask)
        has_place = unseen_hosts = 0
        if waste:
            top = waste[-1]
            has_place = taken >> top & 1
            unseen_hosts = (unseen & self.hosts[top]).bit_count()
        following = sum(taken >> card & 1 for card in waste[-5:-1])
        return (
            spaces > 0,
            spaces > 1,
            spaces > 2,
            mask.bit_count() / 5,
            (unseen & taken).bit_count() / count if count else 0.0,
            homeless / 5,
            has_place,
            unseen_hosts / 4,
            following / 4,
        )

    def _homeless(self, waste: bytes, mask: int) -> int:
        """Returns the number of waste blockers that go on no card on top of the cross."""
        under = [KING] * 4
        count = 0
        for card in waste:
            suit, rank = card // KING, REL[card]
            if rank > under[suit]:
                host = self.host[card]
                count += host < 0 or not mask >> host & 1
            else:
                under[suit] = rank
        return count

    def shape(self, tallest: int) -> tuple[float, ...]:
        return (tallest / 13,)

    def tokens(self, seen: Seen, steps: Sequence[Step]) -> list[str]:
        """Returns the moves in tokens, each space being the first empty square then."""
        piles = {square: [*seen.piles[square]] for square in CROSS}
        waste = [*seen.piles["waste"]]
        stock = seen.piles["stock"]
        hand = stock[-1] if len(stock) > seen.down["stock"] else UNKNOWN
        found = []
        for step in steps:
            if step == DRAW:
                found.append("draw")
                continue
            card, target = self.names[step >> 6], step & 63
            moved = [card]
            if card == hand:
                source, hand = "s", UNKNOWN
            elif waste[-1:] == [card]:
                source = "w"
                waste.pop()
            else:
                source = next(square for square, pile in piles.items() if card in pile)
                place = piles[source].index(card)
                moved = piles[source][place:]
                del piles[source][place:]
            if target == CORNER:
                found.append(f"{source}-f")
            elif target == WASTE:
                found.append(f"{source}-w")
                waste += moved
            else:
                onto = [] if target == SPACE else [self.names[target]]
                taker = next(
                    square for square, pile in piles.items() if pile[-1:] == onto and square != source
                )
                piles[taker] += moved
                found.append(f"{source}-{taker}" + (f"x{len(moved)}" if len(moved) > 1 else ""))
        return found

    def words(self, before: Position, after: Position) -> str:
        """Returns what a plan does: cards that go up, next cards that come free, spaces, the waste."""
        clauses = []
        up = sum(_counts(after[0])) - sum(_counts(before[0]))
        if up > 1:
            clauses.append(f"takes {up} cards to the corners")
        free = self._free(after) & ~self._free(before) & ~self._turned_up(before)
        if free:
            clauses.append(f"frees the {in_words(self.names[free.bit_length() - 1])}")
        had, has = before[5].count(b""), after[5].count(b"")
        if has > had:
            clauses.append("opens a space" if has == 1 else f"opens space number {has}")
        elif has == had > 0:
            clauses.append("keeps a space" if has == 1 else f"keeps {has} spaces")
        shorter = len(before[4]) - len(after[4])
        if shorter > 0:
            clauses.append(f"takes {shorter} {'card' if shorter == 1 else 'cards'} off the waste")
        return " and ".join(clauses[:2])

    def _free(self, position: Position) -> int:
        """Returns the next cards of the corners that lie on top of a pile, as bits."""
        tops = sum(BITS[pile[-1]] for pile in (position[4], *position[5]) if pile)
        return tops & _needed(position[0])[0]

    def _turned_up(self, position: Position) -> int:
        return BITS[position[1]] if position[1] < PENDING else 0


Learned = CrossOutlook
FIRST = {
    "cards up / 52": 3.0, "waste / 20": -4.0, "waste depth by need / 60": -1.5, "one space": 0.3,
    "square blockers / 5": -0.9, "unseen cards with a place": 0.5, "cards on their suit / 6": 0.5, "constant": 0.5,
}  # fmt: skip
"""Weights by hand: where learning began."""


def variant(options: Mapping[str, str]) -> str:
    """Returns the name that the weights for these options have."""
    return f"play={options['play']} wrap={options['wrap']}"


def in_words(card: Card) -> str:
    """Returns a card as it is said: `4 of hearts`."""
    rank = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}.get(card[0], card[0])
    return f"{rank} of {SUIT_WORDS[card[1]]}s"


def _counts(ups: int) -> tuple[int, int, int, int]:
    return ups & 15, ups >> 4 & 15, ups >> 8 & 15, ups >> 12


_NEEDED: dict[int, tuple[int, int]] = {}


def _needed(ups: int) -> tuple[int, int]:
    """Returns the next card of each suit, as bits, and those with at most two others before them."""
    if ups not in _NEEDED:
        next_ones = near = 0
        for suit, count in enumerate(_counts(ups)):
            for rank in range(count, min(count + 3, KING)):
                near |= BITS[KING * suit + rank]
                if rank == count:
                    next_ones |= BITS[KING * suit + rank]
        _NEEDED[ups] = next_ones, near
    return _NEEDED[ups]
