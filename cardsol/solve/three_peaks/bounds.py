"""What can still be had from each tableau of Three Peaks: the longest runs, the wins, and a bound of the score.

One pass over the tableaus from the emptiest, which looks at ranks but not at the order of the stock except for wins.
"""

from __future__ import annotations

from collections.abc import Callable

from ..limits import Meter
from .model import NEXT_TO, RANKS, ThreePeaksModel

NEVER = -1
"""Instead of a number of draws: it cannot be won, however few were made."""


class Outlook:
    """What each tableau, by its number in the graph, still allows."""

    def __init__(
        self, model: ThreePeaksModel, masks: list[int], plays: list[list[tuple[int, int]]], meter: Meter
    ) -> None:
        self.run: list[list[int]] = [[]] * len(masks)
        """For each tableau and top rank the most cards that can be played without a draw."""
        self.later: list[int] = [0] * len(masks)
        """For each tableau the longest run that starts with a stock card, here or on any tableau to come."""
        self.won: list[list[int]] = [[]] * len(masks)
        """For each tableau and top rank the most draws that may have been made if it is to be won; or NEVER."""
        self.latest: list[int] = [NEVER] * len(masks)
        """For each tableau the most draws after which one more can lead to a win; or NEVER."""
        stock, rank_of = model.stock, model.rank
        brings = [
            sum(1 << drawn for drawn, top in enumerate(stock) if top in NEXT_TO[rank])
            for rank in range(RANKS)
        ]
        """For each rank a bit for each number of draws after which the next draw lets a card of it be played."""
        below = [(1 << draws) - 1 for draws in range(len(stock) + 1)]
        nothing, lost = [0] * RANKS, [NEVER] * RANKS
        runs, laters, wins, latest = self.run, self.later, self.won, self.latest
        for number in range(len(masks) - 1, -1, -1):
            meter.count()
            longest, won = nothing[:], lost[:]
            later = bits = 0
            for i, child in plays[number]:
                rank = rank_of[i]
                one, other = NEXT_TO[rank]
                cards = runs[child][rank] + 1
                if cards > longest[one]:
                    longest[one] = cards
                if cards > longest[other]:
                    longest[other] = cards
                if cards > later and brings[rank]:
                    later = cards
                if laters[child] > later:
                    later = laters[child]
                draws = wins[child][rank]
                if draws == NEVER:
                    continue
                bits |= brings[rank] & below[draws]
                if draws > won[one]:
                    won[one] = draws
                if draws > won[other]:
                    won[other] = draws
            if not masks[number]:
                won = [len(stock)] * RANKS
            if bits:
                latest[number] = last = bits.bit_length() - 1
                won = [draws if draws > last else last for draws in won]
            runs[number], laters[number], wins[number] = longest, later, won


class Bound:
    """How much more can be scored, by the numbers of cards alone.

    Lemma (runs packed). From a tableau of n cards, with a present run of k cards that r cards at most can be played
    on and later runs of at most L cards, no line scores more for places, less draws, than the greatest over a ≤ r of
    the points of a cards played on the run + `pack(n - a, L)`. Proof. A line plays some a ≤ r cards before its first
    draw, then runs of 1 to L cards, of at most n - a together, and pays at least one draw for each. What a run
    of l cards is worth less a draw, or 0 if that is less, is f(l), and f is convex, f(0) = 0, and never falls: a
    draw costs the same for every run, the l-th card of a run scores more than the one before, and the greater of two
    convex functions is convex. As it is convex, a card moved from a run to one that is no shorter lowers no sum, so
    the sum is greatest with as many runs of L cards as there can be and the rest in one.

    With the floor (a draw takes the score to 0 at the least) a line either never meets it again, so that the same
    holds; or after its last draw that the floor made cheaper it has 0 points, a run of no cards, at most n cards to
    play, and pays for every later run but not for this one: it ends with at most `pack(n, L)` + one draw.
    """

    def __init__(self, place: Callable[[int], int], draw_costs: int, most: int) -> None:
        """Takes what a card scores after a run of so many, and the longest run that an entry can have."""
        self._draw_costs, self._most = draw_costs, most
        self._run = [0]
        for run in range(most):
            self._run.append(self._run[-1] + place(run))
        self._known: dict[tuple[int, int, int], list[int]] = {}

    def pack(self, cards: int, longest: int) -> int:
        """Returns the most that runs of at most `longest` cards each score together, less a draw for each."""
        if not longest:
            return 0
        full, rest = divmod(cards, longest)
        return full * self._worth(longest) + self._worth(rest)

    def _worth(self, cards: int) -> int:
        return max(0, self._run[cards] - self._draw_costs)

    def more(self, cards: int, longest: int, run: int) -> list[int]:
        """Returns the bound for each length that the present run can have, the longest first.

        `cards` are left on the tableau, later runs have at most `longest`, and on the present run go at most `run`.
        The sum is convex in the cards played on the present run as long as the number of full runs after it is the
        same: only the least and the most of each such stretch are looked at.
        """
        key = cards, longest, run
        known = self._known.get(key)
        if known is None:
            ends = {0, run, *(range(cards % longest, run, longest) if longest else ())}
            worth = [(played, self.pack(cards - played, longest)) for played in sorted(ends)]
            total, most = self._run, self._most
            # Past the longest run that there can be any number will do.
            known = self._known[key] = [
                max(total[min(present + played, most)] + rest for played, rest in worth) - total[present]
                for present in range(most, -1, -1)
            ]
        return known
