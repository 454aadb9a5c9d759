"""Vanishing Cross as a search sees it, and its solver.

A position is three values: a number that packs the cards up of each suit, whether a stock card is turned up,
and how many have been drawn; the waste; and the five squares of the cross in sorted order, since which square
a pile lies on decides nothing. Cards are bytes, 13 × suit + rank counted from the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple, TypeVar

from ..games.vanishing_cross import CROSS, KING, PARENT, RANK, State, apply
from .limits import Meter
from .model import Found, Goal, Proof, in_a_row
from .search import Beam, Search, WithForcedMoves, jitter
from .vanishing_value import CLASSIC, DIRECT, JITTER, LOW, Estimate, Learned
from .vanishing_waste import Wastes

STATES = 1_500_000
"""Worth about a minute."""

Position = tuple[int, bytes, tuple[bytes, ...]]
Step = int
"""64 × the card moved (of several: the undermost) + the card that it goes on, or one of the four below."""
SPACE, CORNER, WASTE, DRAW = 52, 53, 54, 55

SUITS = "CDHS"
HAND = 1 << 16
"""The bit that says: a stock card is turned up. Under it four bits a suit, above it the count of draws."""
DRAWN = 17
ALL_UP = 0xDDDD
REL = tuple(card % KING for card in range(52))
SHIFT = tuple(4 * (card // KING) for card in range(52))
UP = tuple(1 << shift for shift in SHIFT)
"""What a card that goes up adds to the cards up."""
ONE = tuple(bytes([card]) for card in range(52))
TOTAL = tuple((byte & 15) + (byte >> 4) for byte in range(256))
"""The sum of two packed counts."""


class Weights(NamedTuple):
    """Weights of the estimate, in units of a card that lies over one that has to go up earlier; and what makes
    positions of a beam too much the same.
    """

    up: float
    """For a card in a corner (a gain)."""
    least_up: float
    """More for a card of the suit that is furthest behind."""
    space: float
    """For an empty square (a gain)."""
    unlike: float
    """For each rank on top of the cross (a gain)."""
    run: float
    """In a built run of the cross, for each card and each that is built above it (a gain)."""
    over: float
    """For a card of the cross over one that has to go up earlier."""
    same_suit: float
    """More where the two are of one suit; half of it in the waste."""
    wasted: float
    """For a card of the waste."""
    low: float
    """More for a card of the waste the lower it is."""
    waste_over: float
    """For a card of the waste over one that has to go up earlier."""
    by_stock: bool
    """Whether a card goes up earlier if the stock gives all before it earlier, or just by rank."""
    per_group: int
    """How many positions with the same cards up and the same waste may enter a layer."""
    jitter: int = 0
    """The number of its jitter; 0 for none."""


WEIGHTS = (
    Weights(
        up=2.74,
        least_up=2.8,
        space=4,
        unlike=0,
        run=0,
        over=1,
        same_suit=0,
        wasted=0,
        low=1,
        waste_over=1.4,
        by_stock=False,
        per_group=2,
        jitter=1,
    ),
    Weights(
        up=2.74,
        least_up=2.8,
        space=8,
        unlike=1,
        run=0,
        over=2,
        same_suit=0.7,
        wasted=0,
        low=1,
        waste_over=2.8,
        by_stock=True,
        per_group=2,
        jitter=2,
    ),
    Weights(
        up=1.4,
        least_up=2.8,
        space=5,
        unlike=2,
        run=0.3,
        over=3,
        same_suit=0.7,
        wasted=0,
        low=1,
        waste_over=3,
        by_stock=True,
        per_group=2,
        jitter=3,
    ),
    Weights(
        up=2.74,
        least_up=2.8,
        space=8,
        unlike=1,
        run=0,
        over=1,
        same_suit=0.7,
        wasted=0,
        low=1,
        waste_over=1.4,
        by_stock=False,
        per_group=2,
        jitter=4,
    ),
    Weights(
        up=1,
        least_up=0,
        space=4,
        unlike=0,
        run=0,
        over=2,
        same_suit=0,
        wasted=2,
        low=0,
        waste_over=2,
        by_stock=False,
        per_group=2,
        jitter=5,
    ),
    Weights(
        up=2.74,
        least_up=2.8,
        space=8,
        unlike=1,
        run=0.3,
        over=1,
        same_suit=0.7,
        wasted=0,
        low=1,
        waste_over=1.4,
        by_stock=False,
        per_group=1,
        jitter=6,
    ),
    Weights(
        up=2.74,
        least_up=2.8,
        space=12,
        unlike=0.5,
        run=0.3,
        over=1,
        same_suit=0.7,
        wasted=0,
        low=1,
        waste_over=2,
        by_stock=True,
        per_group=1,
        jitter=7,
    ),
)
"""Found by trial. None is best on all deals, and trying them all narrowly wins more than one wide beam."""
BREAK = 0.5
"""For a card of the cross that is not built on the one under it."""
BEAMS = tuple(
    Beam(weights=weights, per_group=weights.per_group, group_key=itemgetter(0, 1), bounded=False)
    for weights in WEIGHTS
)
ROUNDS = ((15, 1_000), (50, 3_000), (150, 10_000), (500, 30_000), (1500, 100_000))
"""Widths of the beams, and how many positions are gone through after each to prove that there is no more."""
NO_ROOM = "the others do not fit into five piles"


def beams(state: State, cut: bool) -> tuple[Beam, ...]:
    """Returns the beams of a round, the learned estimate first.

    With `cut` they leave out positions whose waste can no longer be laid out.
    """
    learned = DIRECT if state.direct else CLASSIC
    ahead = BEAMS[0]._replace(weights=learned, per_group=1)
    return tuple(beam._replace(bounded=cut) for beam in (ahead, *BEAMS))


Known = TypeVar("Known")
Value = TypeVar("Value")


class _Table(dict[Known, Value]):
    """Values of a function, each computed when it is first asked for."""

    def __init__(self, compute: Callable[[Known], Value]) -> None:
        self.compute = compute

    def __missing__(self, key: Known) -> Value:
        self[key] = value = self.compute(key)
        return value


class VanishingCrossModel:
    """One game from one of its states."""

    def __init__(self, state: State) -> None:
        base = RANK[state.corners[0][0]]
        self.state = state
        self.names: list[str] = [""] * 52
        self.number: dict[str, int] = {}
        for name, rank in RANK.items():
            number = KING * SUITS.index(name[1]) + (rank - base) % KING
            self.names[number], self.number[name] = name, number
        self.direct = state.direct
        parents = PARENT[state.wrap]
        self.host = tuple((parents[c] - base) % KING if parents[c] <= KING else -1 for c in self.names)
        """The relative rank that each card goes on in the cross; -1 where it goes on none."""
        self.bare = tuple(c % KING not in self.host for c in range(52))
        """Whether no card ever goes on this one in the cross."""
        self.takers = tuple(1 << rank if rank >= 0 else 0 for rank in self.host)
        """The same ranks as bits; none for a card that goes on none."""
        self.next_up = _Table(self._next_up)
        self.safe_up = _Table(self._safe_up)
        """By the cards up, what the corners take next, and what of it loses nothing by going up: cards as bits."""
        self.hosted = sum(1 << rank for rank in range(KING) if self.host[rank] >= 0)
        """The ranks, as bits, that go on another in the cross."""
        self.stock = self._bytes(state.drawn + state.stock)
        self.to_come = [(0, 0)]
        """By the count of draws, what the stock still holds: its cards and its ranks, as bits."""
        for card in reversed(self.stock):
            cards, ranks = self.to_come[0]
            self.to_come.insert(0, (cards | 1 << card, ranks | 1 << REL[card]))
        self.by_stock = self._by_stock()
        """Orders the cards by when the stock has given all that has to go up before them, then by rank."""
        self.use_weights(WEIGHTS[0])
        head = HAND | 1 << DRAWN if state.drawn else 0
        for corner in filter(None, state.corners):
            head += len(corner) << SHIFT[self.number[corner[0]]]
        self.start = head, self._bytes(state.waste), _sorted(*map(self._bytes, state.cross))
        order = self.start[1] + self.stock
        self.places = {card: 1 << place for place, card in enumerate(order)}
        self.wastes: Wastes | None = None
        self.waste_places: dict[bytes, int] = {}

    def _bytes(self, cards: Sequence[str]) -> bytes:
        return bytes([self.number[card] for card in cards])

    def key(self, position: Position) -> Position:
        """Returns the position itself, in which the squares of the cross are sorted.

        Lemma (squares). On whatever squares the piles of the cross lie, the same can be had from them. Proof. No rule
        tells one square from another: exchanging two in all positions of a line gives a line.
        """
        return position

    def is_won(self, position: Position) -> bool:
        return position[0] & 0xFFFF == ALL_UP

    def score(self, position: Position) -> int:
        return TOTAL[position[0] & 255] + TOTAL[position[0] >> 8 & 255]

    def layer(self, position: Position) -> int:
        """Returns the number of cards drawn."""
        return position[0] >> DRAWN

    def expand(self, position: Position) -> list[tuple[Step, Position]]:
        """Returns the moves; of those that differ only in which of several equal squares they use, one."""
        head, waste, cross = position
        found: list[tuple[Step, Position]] = []
        next_up = self.next_up[head & 0xFFFF]
        if not next_up:
            return found
        ranks = [REL[pile[-1]] if pile else KING for pile in cross]
        tops = 0
        for rank in ranks:
            tops |= 1 << rank
        loose = [(waste[-1], head, waste[:-1])] if waste else []
        if head & HAND:
            card = self.stock[(head >> DRAWN) - 1]
            loose.append((card, head ^ HAND, waste))
            if cross[0]:
                found.append((card << 6 | WASTE, (head ^ HAND, waste + ONE[card], cross)))
        elif head >> DRAWN < len(self.stock):
            found.append(self._draw(position))
        takers = self.takers
        for card, rest, under in loose:
            if next_up >> card & 1:
                found.append((card << 6 | CORNER, (rest + UP[card], under, cross)))
            if takers[card] & tops:
                host = self.host[card]
                for there, rank in enumerate(ranks):
                    if rank == host:
                        piles = [*cross]
                        piles[there] += ONE[card]
                        piles.sort()
                        found.append((card << 6 | cross[there][-1], (rest, under, tuple(piles))))
            if not cross[0]:
                found.append((card << 6 | SPACE, (rest, under, _sorted(ONE[card], *cross[1:]))))
        for index, pile in enumerate(cross):
            if pile:
                card = pile[-1]
                if next_up >> card & 1:
                    piles = [*cross]
                    piles[index] = pile[:-1]
                    piles.sort()
                    found.append((card << 6 | CORNER, (head + UP[card], waste, tuple(piles))))
                if takers[card] & tops:
                    host = self.host[card]
                    for there, rank in enumerate(ranks):
                        if rank == host:
                            piles = [*cross]
                            piles[index] = pile[:-1]
                            piles[there] += ONE[card]
                            piles.sort()
                            found.append((card << 6 | cross[there][-1], (head, waste, tuple(piles))))
                if not cross[0]:
                    least = len(pile) - 1 if self.direct else 1
                    for kept in range(max(least, 1), len(pile)):
                        halves = (pile[kept:], *cross[1:index], pile[:kept], *cross[index + 1 :])
                        found.append((pile[kept] << 6 | SPACE, (head, waste, _sorted(*halves))))
        return found

    def _draw(self, position: Position) -> tuple[Step, Position]:
        head, waste, cross = position
        card = self.stock[head >> DRAWN]
        head += 1 << DRAWN
        after = (head, waste + ONE[card], cross) if self.direct else (head | HAND, waste, cross)
        return card << 6 | DRAW, after

    def forced(self, position: Position) -> tuple[Step, Position] | None:
        """Returns a move that costs nothing, for either goal.

        Lemma (draw). Classic, with stock left and no card turned up: drawing loses nothing. Proof. A card turned up
        takes no move away but the next draw. So a line that makes other moves first can draw first and make them
        then, through the same scores.

        Lemma (corner). Direct, or classic with the stock gone and no card turned up: a card c of relative rank r may
        go to its corner if r ≥ 2 and every suit has r − 1 cards up; or if r = 1 and every suit has one card up; or
        if nothing ever goes on c in the cross (an Ace without wrap). Proof. Take any line from here and play c
        first. All that the line could put on c are cards of rank r − 1. These can go to their corners instead at
        that moment, and nothing could lie on them, since the cards of rank r − 2 (for r = 1: of rank r − 1
        themselves) are up. The rest of the line stays legal, because every pile is what it was without some of its
        top cards: a top that was built on is still one, a space still a space, and no rule here asks that there be
        none. The score is never behind. (In classic with stock left a space forbids the discard, so there it is not
        safe. A base card is not, since the highest rank goes on it.)
        """
        head, waste, cross = position
        if not self.direct:
            if head & HAND:
                return None
            if head >> DRAWN < len(self.stock):
                return self._draw(position)
        safe = self.safe_up[head & 0xFFFF]
        if safe:
            for pile in (waste, *cross):
                if pile and safe >> pile[-1] & 1:
                    card = pile[-1]
                    rest = waste[:-1] if pile is waste else waste
                    piles = [other[:-1] if other is pile else other for other in cross]
                    return card << 6 | CORNER, (head + UP[card], rest, _sorted(*piles))
        return None

    def _next_up(self, head: int) -> int:
        """Returns the cards that the corners take next, as bits."""
        return sum(1 << card for card in range(52) if head >> SHIFT[card] & 15 == REL[card])

    def _safe_up(self, head: int) -> int:
        """Returns those of them that lose nothing if they go up, by the lemma of `forced`."""
        least = min(head & 15, head >> 4 & 15, head >> 8 & 15, head >> 12 & 15)
        return self.next_up[head] & sum(
            1 << card for card in range(52) if self.bare[card] or 0 < REL[card] <= least + (REL[card] > 1)
        )

    def estimate(self, position: Position) -> float:
        """Returns how much work the piles look like: a sum over piles, each computed once."""
        head, waste, cross = position
        if self.learned is not None:
            return self.learned(head & 0xFFFF, waste, cross)
        costs = self.costs
        a, b, c, d, e = cross
        total = (
            self.gains[head & 0xFFFF]
            + self.waste_costs[waste]
            + (costs[a] + costs[b] + costs[c] + costs[d] + costs[e])
        )
        if self.unlike:
            total -= self.unlike * len({REL[pile[-1]] for pile in cross if pile})
        return total

    def use_weights(self, weights: Weights | Learned) -> None:
        """Estimates by these weights from now on."""
        self.learned: Estimate | None = None
        if isinstance(weights, Learned):
            self.learned = Estimate(weights, self.host, self.by_stock)
            return
        self.weights, self.unlike = weights, weights.unlike
        self.order = self.by_stock if weights.by_stock else REL
        self.costs = _Table(self._cost)
        self.waste_costs = _Table(self._waste_cost)
        self.gains = _Table(self._gain)

    def _by_stock(self) -> tuple[int, ...]:
        release: list[int] = []
        for card in range(52):
            release.append(max(self.stock.find(card), release[-1] if REL[card] else -1))
        return tuple(KING * release[card] + REL[card] for card in range(52))

    def _cost(self, pile: bytes) -> float:
        """Returns the part of a pile of the cross: where it is built and where not, and what bars other cards."""
        cost = self._barring(pile, self.weights.over, self.weights.same_suit) if pile else -self.weights.space
        cost += JITTER * jitter(self.weights.jitter, pile)
        run = 0
        for under, card in pairwise(pile):
            built = self.host[card] == REL[under]
            cost += -self.weights.run * run if built else BREAK
            run = run + 1 if built else 0
        return cost

    def _waste_cost(self, waste: bytes) -> float:
        """Returns the part of the waste: its cards, low ones more, and those that bar another."""
        low = 0.0
        for card in waste:
            low += LOW[REL[card]]  # not by `sum`: some versions of Python round its result in another way
        cost = self.weights.wasted * len(waste) + self.weights.low * low
        return cost + self._barring(waste, self.weights.waste_over, self.weights.same_suit / 2)

    def _gain(self, head: int) -> float:
        """Returns the part of the corners."""
        ups = head & 15, head >> 4 & 15, head >> 8 & 15, head >> 12 & 15
        return -self.weights.up * sum(ups) - self.weights.least_up * min(ups)

    def _barring(self, pile: bytes, any_suit: float, same_suit: float) -> float:
        """Counts the cards that lie over an earlier one, and again those that lie over one of their suit."""
        cost, order, least = 0.0, self.order, 999
        suits = [999] * 4
        for card in pile:
            place, suit = order[card], card // KING
            if place > least:
                cost += any_suit
            if place > suits[suit]:
                cost += same_suit
            least, suits[suit] = min(least, place), min(suits[suit], place)
        return cost

    def watch_waste(self, count: Callable[[], object]) -> bool:
        """Lets the bound look at the waste from now on; tells whether it does.

        With wrap it does not: there nearly every set of cards lies in five built piles. And the piles of the start
        must be built runs, as they are in every game from a deal; then all later ones are. `count` is called for
        each position of the relaxed game.
        """
        _, waste, cross = self.start
        built = all(self.host[card] == REL[under] for pile in cross for under, card in pairwise(pile))
        if built and not self.state.wrap:
            base = RANK[self.state.corners[0][0]] - 1
            self.wastes = Wastes(b"".join(cross), waste + self.stock, base, count)
        return self.wastes is not None

    def _may_empty(self, head: int, waste: bytes) -> bool:
        """Tells whether waste and stock may still be emptied, for all that is known; see `Wastes`."""
        if self.wastes is None:
            return True
        places = self.waste_places.get(waste)
        if places is None:
            places = self.waste_places[waste] = sum([self.places[card] for card in waste])
        drawn = (head >> DRAWN) - (head >> 16 & 1)
        return self.wastes.may_empty(places, len(self.start[1]) + drawn)

    def bound(self, position: Position) -> int:
        """Returns the most cards that can be up while no pile has been emptied, or 52 if one may be.

        If the waste is watched and cannot be laid out any more, no line wins: then at most 51.

        Lemma (no space). No line has more cards up. Proof. As long as there is no space, a card leaves its place only
        for a corner or for a card of the next rank on top of a pile of the cross. Let a card once on top stay a
        target for ever, let all of the stock be at hand now, and let a card that could be placed once be out of the
        way of those under it. What is seen then only grows, and holds every card that any line moves before it
        empties a pile. Where it leaves every pile a card, none is ever emptied, and a game with a pile left is not
        won.
        """
        head, waste, cross = position
        if not self._may_empty(head, waste):
            return 51
        if not cross[0]:
            return 52
        tops = 0
        for pile in cross:
            tops |= 1 << REL[pile[-1]]
        next_up, takers = self.next_up[head & 0xFFFF], self.takers
        for pile in cross:
            if len(pile) == 1 and (takers[pile[0]] & tops or next_up >> pile[0] & 1):
                return 52
        return self._without_space(position)[0]

    def _without_space(self, position: Position) -> tuple[int, list[list[int]]]:
        """Returns the bound of a position without a space, and what it leaves of the piles, those of the cross first.

        The bound is 52 as soon as a pile is empty.
        """
        head, waste, cross = position
        ups = [head & 15, head >> 4 & 15, head >> 8 & 15, head >> 12 & 15]
        seen, ranks = self.to_come[(head >> DRAWN) - (head >> 16 & 1)]
        tops, before = 0, -1
        piles = [[*pile] for pile in (*cross, waste)]
        for index, pile in enumerate(piles):
            if pile:
                seen |= 1 << pile[-1]
                ranks |= 1 << REL[pile[-1]]
                tops |= (index < 5) << REL[pile[-1]]
        while seen != before:
            before, grown = seen, -1
            for suit in range(4):
                while ups[suit] < KING and seen >> KING * suit + ups[suit] & 1:
                    ups[suit] += 1
            while grown != tops:
                grown = tops
                placed = (tops >> 1 | (tops & 1) << 12) & self.hosted
                tops |= placed & ranks
            for index, pile in enumerate(piles):
                while pile and (placed >> REL[pile[-1]] & 1 or ups[pile[-1] // KING] > REL[pile[-1]]):
                    pile.pop()
                    if pile:
                        seen |= 1 << pile[-1]
                        ranks |= 1 << REL[pile[-1]]
                        tops |= (index < 5) << REL[pile[-1]]
                    elif index < 5:
                        return 52, piles
        return sum(ups), piles

    def why(self, position: Position) -> Proof | None:
        """Returns why no line from here wins, where the bound proves it."""
        head, waste, cross = position
        if cross[0]:
            most, piles = self._without_space(position)
            if most < 52:
                cards = tuple(self.names[pile[-1]] for pile in piles[:5])
                text = f"no pile of the cross can be emptied: {in_a_row(cards)} never leave"
                return Proof("pattern", text, cards)
        if not self.watch_waste(int) or self._may_empty(head, waste):
            return None
        assert self.wastes is not None
        places = self.waste_places[waste]
        stuck = self.wastes.stuck(places, len(self.start[1]) + (head >> DRAWN) - (head >> 16 & 1))
        if stuck is None:
            return Proof("pattern", f"the waste can never be emptied: {NO_ROOM}")
        place, in_waste = stuck
        card = self.names[(self.start[1] + self.stock)[place]]
        if in_waste:
            return Proof("pattern", f"{card} never leaves the waste: {NO_ROOM}", (card,))
        return Proof(
            "pattern",
            f"once {card} has left the stock, a card lies in the waste for good: {NO_ROOM}",
            (card,),
        )

    def tokens(self, steps: Sequence[Step]) -> list[str]:
        """Returns the moves in tokens, each space being the first empty square then."""
        state = self.state
        found = []
        for step in steps:
            found.append(self._token(state, self.names[step >> 6], step & 63))
            state = apply(state, found[-1])
        return found

    def _token(self, state: State, card: str, target: int) -> str:
        if target == DRAW:
            return "draw"
        source, count = "s" if card in state.drawn else "w", 1
        for square, pile in zip(CROSS, state.cross):
            if card in pile:
                source, count = square, len(pile) - pile.index(card)
        if target == CORNER:
            return source + "-f"
        if target == WASTE:
            return source + "-w"
        taker = () if target == SPACE else (self.names[target],)
        square = next(square for square, pile in zip(CROSS, state.cross) if pile[-1:] == taker)
        return f"{source}-{square}" + (f"x{count}" if count > 1 else "")


def _sorted(*piles: bytes) -> tuple[bytes, ...]:
    return tuple(sorted(piles))


def model(state: State) -> VanishingCrossModel:
    """Returns the search model of a position."""
    return VanishingCrossModel(state)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Looks for a win with wider and wider beams; between them tries to go through everything.

    A win is mostly found by the first beams, so the waste is watched only after them.
    """
    model = VanishingCrossModel(state)
    forced = WithForcedMoves(model)
    width, most = ROUNDS[0]
    with Search(forced, goal, meter, 52, forced.root()) as search:
        if not search.run_rounds([(width, 0)], beams(state, False), model.use_weights):
            watched = goal == "win" and model.watch_waste(meter.count)
            settled = search.settle_at_once() or search.exhaust(most)
            if not (settled or search.run_rounds(ROUNDS[1:], beams(state, watched), model.use_weights)):
                search.exhaust()
    found = search.found().with_wins_highest()
    return found._replace(proof=model.why(search.root[0])) if found.verdict == "impossible" else found
