"""Solves Three Peaks from any moment: both goals exactly, by going through the tableaus from the fullest.

Only 22,932 tableaus can occur, because a card is played after those that lie on it. So there is little to
search: what counts is which cards are left, the top rank, the draws made, and for the score the run.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple, TypeAlias

from ..cards import STANDARD
from ..games.three_peaks import BONUS, COVERS, DRAW_COSTS, INDEX, PEAKS, POSITIONS, State
from .limits import Meter
from .model import Found, Goal, Judgement
from .playouts import LOSS

STATES = 30_000_000
"""A whole table has a million states at most, so that this is never reached."""

DRAW = -1
"""The step that is a draw; every other is the index of a position."""
RANKS = len(STANDARD.ranks)
OVER = tuple(sum(1 << INDEX[over] for over in COVERS[name]) for name in POSITIONS)
"""For each position the bits of those that lie on it."""
UNDER = tuple(
    tuple((1 << below, OVER[below]) for below in range(len(OVER)) if OVER[below] >> i & 1)
    for i in range(len(OVER))
)
"""For each position the bits of the cards that it lies on, and all that lie on those."""
NEXT_TO = tuple(((r - 1) % RANKS, (r + 1) % RANKS) for r in range(RANKS))
Path: TypeAlias = "tuple[int, Path] | None"
"""The last step, and the path before it."""
FEW = 1500
"""States that the search for a quick win may take before the table is made."""


def opened(open_: int, i: int, rest: int) -> int:
    """Returns which cards lie open once a card is played and the rest left."""
    open_ ^= 1 << i
    for below, over in UNDER[i]:
        if not over & rest:
            open_ |= below & rest
    return open_


class Position(NamedTuple):
    left: int
    """A bit for each card of the tableau."""
    open: int
    """Those that no card lies on."""
    top: int
    drawn: int
    """Draws since the start of the search."""
    run: int
    """Cards played since the last draw."""
    points: int


class ThreePeaksModel:
    """A round from some moment of it to its end; the rounds that follow are not looked at."""

    def __init__(self, state: State) -> None:
        ranks = STANDARD.ranks.index
        self.stock = tuple(ranks(card[0]) for card in state.stock)
        self.rank = tuple(ranks(card[0]) if card else DRAW for card in state.tableau)
        left = sum(1 << i for i, rank in enumerate(self.rank) if rank != DRAW)
        open_ = sum(1 << i for i, over in enumerate(OVER) if left >> i & 1 and not over & left)
        self.beside = tuple(
            sum(1 << i for i, other in enumerate(self.rank) if other in NEXT_TO[rank])
            for rank in range(RANKS)
        )
        """For each rank the bits of the cards that may be played on it."""
        bonus = BONUS[state.scoring]
        self.multiplier = state.scoring == "multiplier"
        self.bonus = tuple(bonus * (name in PEAKS) for name in POSITIONS)
        self.cleared = bonus
        self.draw_costs = DRAW_COSTS[state.scoring]
        self.floor = state.floor == "zero"
        self.start = Position(left, open_, ranks(state.run[-1][0]), 0, len(state.run) - 1, state.points)

    def expand(self, position: Position) -> Iterator[tuple[int, Position]]:
        """Yields the draw first, then the plays."""
        left, open_, top, drawn, run, points = position
        if not left:
            return
        if drawn < len(self.stock):
            after = points - self.draw_costs
            if self.floor and after < 0:
                after = 0
            yield DRAW, Position(left, open_, self.stock[drawn], drawn + 1, 0, after)
        playable = open_ & self.beside[top]
        while playable:
            bit = playable & -playable
            playable ^= bit
            i = bit.bit_length() - 1
            rest = left ^ bit
            after = points + self.place(run) + self.extra(i, rest)
            yield i, Position(rest, opened(open_, i, rest), self.rank[i], drawn, run + 1, after)

    def place(self, run: int) -> int:
        """Returns what a card scores for its place, after a run of so many."""
        return 1 << run if self.multiplier else run + 1

    def extra(self, i: int, rest: int) -> int:
        """Returns what a card scores for its position, and for being the last."""
        return self.bonus[i] + (0 if rest else self.cleared)

    def key(self, position: Position) -> Hashable:
        return position.left, position.top, position.drawn

    def is_won(self, position: Position) -> bool:
        return not position.left

    def score(self, position: Position) -> int:
        return position.points

    def estimate(self, position: Position) -> float:
        return bin(position.left).count("1") + position.drawn / 4

    def bound(self, position: Position) -> int:
        """Returns the score if all cards left could be played in the present run."""
        left, run = position.left, position.run
        cards = [i for i in range(len(OVER)) if left >> i & 1]
        places = sum(self.place(run + n) for n in range(len(cards)))
        return position.points + places + sum(self.bonus[i] for i in cards) + (self.cleared if cards else 0)

    def layer(self, position: Position) -> int:
        return position.drawn

    def forced(self, position: Position) -> tuple[int, Position] | None:
        return None

    def tokens(self, steps: Sequence[int]) -> list[str]:
        return ["draw" if step == DRAW else POSITIONS[step] for step in steps]


PLAYOUTS = 80
"""Playouts for each world, of all moves together: of its own order of the unseen cards, then of others."""
ROW = tuple("abcd".index(name[0]) for name in POSITIONS)
OPENS, GOES_ON = 0.6, 0.3
"""What a play is worth for each card that it turns up, and where another can follow; a lower row is worth 1."""


def model(state: State) -> ThreePeaksModel:
    """Returns the search model of a position."""
    return ThreePeaksModel(state)


class Order(NamedTuple):
    """The ranks of the cards in some order of those that were never seen."""

    tableau: Sequence[int]
    beside: Sequence[int]
    """For each rank the bits of the cards that may be played on it."""
    stock: Sequence[int]

    def shuffled(self, hidden: Sequence[int], chance: Random) -> Order:
        unseen = [*self.stock, *(self.tableau[i] for i in hidden)]
        chance.shuffle(unseen)
        tableau = [*self.tableau]
        for i in hidden:
            tableau[i] = unseen.pop()
        bits = [0] * RANKS
        for i, rank in enumerate(tableau):
            if rank != DRAW:
                bits[rank] |= 1 << i
        return Order(tableau, [bits[low] | bits[high] for low, high in NEXT_TO], unseen)

    def choice(self, left: int, open_: int, top: int) -> int:
        """Returns the best-looking play, or a draw for want of plays.

        The lower rows lie on the upper ones, so they come first: then the most is open when it matters.
        """
        playable = open_ & self.beside[top]
        best, most = DRAW, -1.0
        while playable:
            bit = playable & -playable
            playable ^= bit
            i = bit.bit_length() - 1
            worth: float = ROW[i]
            if (open_ ^ bit) & self.beside[self.tableau[i]]:
                worth += GOES_ON
            for _, over in UNDER[i]:
                if over & left == bit:
                    worth += OPENS
            if worth > most:
                best, most = i, worth
        return best

    def run(self, position: Position, step: int) -> int:
        """Plays to the end from that step on, and returns the number of cards left."""
        left, open_, top, drawn = position[:4]
        while True:
            if step == DRAW:
                if drawn == len(self.stock):
                    return bin(left).count("1")
                top, drawn = self.stock[drawn], drawn + 1
            else:
                left ^= 1 << step
                if not left:
                    return 0
                open_ = opened(open_, step, left)
                top = self.tableau[step]
            step = self.choice(left, open_, top)


def judge(model: ThreePeaksModel, fresh: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts over the same few orders of what was not seen, and by the cards that they leave."""
    start = model.start
    own = Order(model.rank, model.beside, model.stock)
    usual = own.choice(start.left, start.open, start.top)
    hidden = [i for i in range(len(POSITIONS)) if start.left & ~start.open & 1 << i]
    chance = Random(repr((model.rank, model.stock)))
    orders = [own, *(own.shuffled(hidden, chance) for _ in range(1, PLAYOUTS // len(fresh)))]
    found = {}
    for token in fresh:
        step = DRAW if token == "draw" else INDEX[token]
        left = [order.run(start, step) for order in orders]
        worth = sum([1.0 if not cards else LOSS * (1 - cards / len(POSITIONS)) for cards in left])
        found[token] = Judgement(worth / len(left), not left[0], float(step == usual))
    return found


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Finds a line that clears the tableau, or the best score of the round; both always proved."""
    model = ThreePeaksModel(state)
    if goal == "score":
        return Scores(model, meter).solve()
    found, exhausted = quick_win(model, meter)
    if found is None and not exhausted:
        found = least_draws(model, meter)
    if found is None:
        return Found("impossible", [], model.start.points, True)
    position = model.start
    for step in found:
        position = next(after for made, after in model.expand(position) if made == step)
    return Found("won", model.tokens(found), position.points, True)


def unrolled(path: Path) -> list[int]:
    steps: list[int] = []
    while path is not None:
        step, path = path
        steps.append(step)
    return steps[::-1]


def quick_win(model: ThreePeaksModel, meter: Meter) -> tuple[list[int] | None, bool]:
    """Searches depth first for a win, plays before the draw; tells also whether it went through everything.

    Plays are cut where the same tableau and top rank were met with no more draws made. Fewer draws can do
    what more can: play the other line up to its first draw, make the draws that the other had made before,
    then that draw; the same card is on top, and from there on the lines are one. So that these draws are
    never cut, each draw of each tableau is made once, whatever the top.
    """
    stack: list[tuple[Position, Path]] = [(model.start, None)]
    met: dict[tuple[int, int], int] = {}
    made: set[tuple[int, int]] = set()
    states = 0
    while stack:
        position, path = stack.pop()
        left, drawn = position.left, position.drawn
        if not left:
            return unrolled(path), True
        states += 1
        meter.count()
        if states > FEW:
            return None, False
        plays = met.get((left, position.top), len(POSITIONS)) > drawn
        if plays:
            met[left, position.top] = drawn
        for step, after in model.expand(position):
            if step == DRAW and (left, drawn) not in made:
                made.add((left, drawn))
                stack.append((after, (step, path)))
            elif step != DRAW and plays:
                stack.append((after, (step, path)))
    return None, True


@lru_cache(maxsize=2)
def graph(left: int, open_: int) -> tuple[list[int], list[list[tuple[int, int]]]]:
    """Lists the tableaus that can come of one, each after all that it can come of, the empty one last.

    The second list has for each its plays: the position, and the number of the tableau that comes of it.
    """
    masks, opens, plays = [left], [open_], []
    number = {left: 0}
    for mask, playable in zip(masks, opens):  # both grow
        here = []
        for i in range(playable.bit_length()):
            if not playable >> i & 1:
                continue
            rest = mask ^ 1 << i
            if rest not in number:
                number[rest] = len(masks)
                masks.append(rest)
                opens.append(opened(playable, i, rest))
            here.append((i, number[rest]))
        plays.append(here)
    return masks, plays


def least_draws(model: ThreePeaksModel, meter: Meter) -> list[int] | None:
    """Finds for each tableau and top rank the least draws that reach it; returns a win; or None.

    More draws than the least are never needed, see `quick_win`. For the same reason a draw that is to bring
    some rank on top is made from the least draws of the tableau, whatever its top, and up to the first card
    of that rank.
    """
    never = len(model.stock) + 1
    following = first_of_rank(model.stock)
    masks, plays = graph(model.start.left, model.start.open)
    none = [never] * RANKS
    reached: list[list[int] | None] = [None] * len(masks)
    paths: list[dict[int, Path]] = [{} for _ in masks]
    reached[0] = [0 if rank == model.start.top else never for rank in range(RANKS)]
    for number, played in enumerate(reached):
        if played is None:
            continue
        meter.count()
        fewest = played.index(min(played))
        draws = following[played[fewest]]
        for i, child in plays[number]:
            rank = model.rank[i]
            for top in NEXT_TO[rank]:
                least = min(played[top], draws[top])
                if least == never:
                    continue
                there = reached[child] or none.copy()
                reached[child] = there
                if least < there[rank]:
                    there[rank] = least
                    paths[child][rank] = i, paths[number].get(fewest if draws[top] < played[top] else top)
    last = reached[-1]
    if last is None:
        return None
    return with_draws(model, unrolled(paths[-1][last.index(min(last))]))


def first_of_rank(stock: Sequence[int]) -> list[list[int]]:
    """Returns for each number of draws made and each rank how many draws bring the next card of that rank."""
    never = len(stock) + 1
    rows = [[never] * RANKS]
    for drawn in range(len(stock) - 1, -1, -1):
        row = rows[-1].copy()
        row[stock[drawn]] = drawn + 1
        rows.append(row)
    return rows[::-1]


def with_draws(model: ThreePeaksModel, plays: list[int]) -> list[int]:
    """Puts in the draws, each time as few as make the play legal."""
    steps: list[int] = []
    top, drawn = model.start.top, 0
    for i in plays:
        while top not in NEXT_TO[model.rank[i]]:
            top = model.stock[drawn]
            drawn += 1
            steps.append(DRAW)
        steps.append(i)
        top = model.rank[i]
    return steps


DRAWN, RUN, VALUE = 40, 35, (1 << 35) - 1
"""How an entry of the score table is packed: draws, 31 less the run, VALUE less the worth. Less is better."""
LONGEST = 31
NOTHING = VALUE + 1
"""More than any value: an entry that there is not."""


class Scores:
    """The table of the best score.

    An entry at a tableau and top rank is (draws made, run, worth), the worth being the points won since the
    start *without* what draws have cost. One entry covers another if its draws are no more, its run no
    shorter and its worth no less: it plays the other's line up to the first draw, for at least as many
    points, as a card scores more the longer the run; then it makes the draws that it is behind, and that
    draw. Now the same card is on top of the same tableau, both runs are new, both have paid for the same
    draws, so that its score is no less; and before, it had paid for no more. So only entries that no other
    covers are kept. With the floor a draw lifts the worth to what all draws made have cost (less the points
    at the start), if it was less: that too keeps the order of two worths, and never lowers one.
    """

    def __init__(self, model: ThreePeaksModel, meter: Meter) -> None:
        self.model, self.meter = model, meter
        self.masks, self.plays = graph(model.start.left, model.start.open)
        self.steps = [(1 << RUN) + model.place(LONGEST - back) for back in range(LONGEST + 1)]
        """For 31 less the run what the next card adds to an entry."""
        self.costs = [model.draw_costs * draws for draws in range(len(model.stock) + 1)]
        self.lifted = [VALUE - max(0, cost - model.start.points) for cost in self.costs]
        """With the floor, for each number of draws the value that it lifts to."""
        self.entries: list[dict[int, list[int]] | None] = [None] * len(self.masks)
        """For each tableau the entries of each top rank that was reached."""

    def solve(self) -> Found:
        start = self.model.start
        first = (LONGEST - start.run) << RUN | VALUE
        self.entries[0] = {start.top: [first]}
        high, best = -1, (0, 0)
        try:
            for number, tops in enumerate(self.entries):
                if tops is None:
                    continue
                score, drawn = self.draw(number, tops)
                if score > high:
                    high, best = score, (number, drawn)
                self.play(number, tops)
        finally:
            line = self.model.tokens(self.line(*best, max(high, 0)))
            self.meter.keep(start.points + max(high, 0), line)
        return Found("best", line, start.points + high, True)

    def draw(self, number: int, tops: dict[int, list[int]]) -> tuple[int, int]:
        """Adds the entries that draws from here lead to; returns the best points here, and with what draws.

        Only cards on which one can be played here are worth a draw; and of two of the same rank the later
        only if its worth is more.
        """
        values: dict[int, int] = {}
        for entries in tops.values():
            for entry in entries:
                drawn, value = entry >> DRAWN, entry & VALUE
                if value < values.get(drawn, NOTHING):
                    values[drawn] = value
            self.meter.count(len(entries))
        value, drawn = min((value + self.costs[drawn], drawn) for drawn, value in values.items())
        high, best = VALUE - value, drawn
        wanted = {top for i, _ in self.plays[number] for top in NEXT_TO[self.model.rank[i]]}
        lowest = dict.fromkeys(wanted, NOTHING)
        value, stock, floor = NOTHING, self.model.stock, self.model.floor
        for drawn in range(min(values), len(stock)):
            if drawn in values and values[drawn] < value:
                value = values[drawn]
            rank = stock[drawn]
            if floor and self.lifted[drawn + 1] < value:
                value = self.lifted[drawn + 1]
            if rank in lowest and value < lowest[rank]:
                lowest[rank] = value
                tops.setdefault(rank, []).append((drawn + 1) << DRAWN | LONGEST << RUN | value)
        return high, best

    def play(self, number: int, tops: dict[int, list[int]]) -> None:
        """Adds to the tableaus that plays lead to the entries that come of those here."""
        steps, last = self.steps, LONGEST
        kept: set[int] = set()
        for i, child in self.plays[number]:
            rank = self.model.rank[i]
            bonus = self.model.extra(i, self.masks[child])
            for top in NEXT_TO[rank]:
                if top not in tops:
                    continue
                if top not in kept:
                    kept.add(top)
                    tops[top] = uncovered(tops[top])
                after = [entry - steps[entry >> RUN & last] - bonus for entry in tops[top]]
                there = self.entries[child]
                if there is None:
                    there = self.entries[child] = {}
                there.setdefault(rank, []).extend(after)

    def line(self, number: int, drawn: int, points: int) -> list[int]:
        """Goes back from an entry to the start, each time to one that it can have come from.

        If the entry with these points is covered by now, that has left one with as many, and as few draws.
        """
        tops = self.entries[number] or {}
        value = VALUE - points - self.costs[drawn]
        top, entry = next(
            (top, entry) for top, entries in tops.items() for entry in entries
            if entry >> DRAWN == drawn and entry & VALUE == value
        )  # fmt: skip
        index = {mask: i for i, mask in enumerate(self.masks)}
        steps: list[int] = []
        first = (LONGEST - self.model.start.run) << RUN | VALUE
        while (number, top, entry) != (0, self.model.start.top, first):
            drawn, back = entry >> DRAWN, entry >> RUN & LONGEST
            if back == LONGEST and drawn:
                before, top, entry = self.before_draw(number, entry)
                steps += [DRAW] * (drawn - before)
            else:
                i, number, top, entry = self.before_play(index, number, top, entry)
                steps.append(i)
        return steps[::-1]

    def before_draw(self, number: int, entry: int) -> tuple[int, int, int]:
        """Returns an entry from which draws lead to this one: draws, top, entry.

        Its worth is the same, or less and lifted by a draw in between.
        """
        drawn, value = entry >> DRAWN, entry & VALUE
        lifts = [draws for draws in range(1, drawn + 1) if self.lifted[draws] == value]
        latest = lifts[-1] if lifts and self.model.floor else 0
        tops = self.entries[number] or {}
        return next(
            (other >> DRAWN, top, other) for top, entries in tops.items() for other in entries
            if other >> DRAWN < drawn and (other & VALUE == value or other >> DRAWN < latest)
        )  # fmt: skip

    def before_play(
        self, index: dict[int, int], number: int, top: int, entry: int
    ) -> tuple[int, int, int, int]:
        """Returns an entry from which a play leads to this one: the position played, tableau, top, entry."""
        mask = self.masks[number]
        for i, rank in enumerate(self.model.rank):
            number = index.get(mask | 1 << i, -1)
            if rank != top or mask >> i & 1 or number < 0:
                continue
            tops = self.entries[number] or {}
            bonus = self.model.extra(i, mask)
            other = entry + self.steps[(entry >> RUN & LONGEST) + 1] + bonus
            for before in NEXT_TO[rank]:
                if other in tops.get(before, ()):
                    return i, number, before, other
        raise AssertionError("an entry has come from none")


def uncovered(entries: list[int]) -> list[int]:
    """Leaves out the entries that another covers.

    In order of draws, longer runs first, an entry is covered if for its run or longer there was a worth no
    less: for each run the best is noted.
    """
    if len(entries) == 1:
        return entries
    entries.sort()
    least = [NOTHING] * (LONGEST + 1)
    kept = []
    for entry in entries:
        back, value = entry >> RUN & LONGEST, entry & VALUE
        if value < least[back]:
            kept.append(entry)
            while back <= LONGEST and least[back] > value:
                least[back] = value
                back += 1
    return kept
