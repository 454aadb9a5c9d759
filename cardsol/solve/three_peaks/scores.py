"""The best score of a round of Three Peaks, exactly: a table of the tableaus, from the fullest.

What cannot come up to a line found beforehand by a narrow search is left out of the table.
"""

from __future__ import annotations

from ...games.three_peaks import INDEX, PEAKS
from ..limits import LimitReached, Meter
from ..model import BestWin, Found
from .bounds import NEVER, Bound, Outlook
from .guess import guess
from .model import DRAW, NEXT_TO, ThreePeaksModel, graph

DRAWN, RUN, VALUE = 40, 35, (1 << 35) - 1
"""How an entry of the score table is packed: draws, 31 less the run, VALUE less the worth. Less is better."""
LONGEST = 31
NOTHING = VALUE + 1
"""More than any value: an entry that there is not."""
ALL = VALUE * 4
"""A slack that keeps every entry."""
PEAK_BITS = sum(1 << INDEX[name] for name in PEAKS)


class Scores:
    """The table of the best score.

    An entry at a tableau and top rank is (draws made, run, worth), the worth being the points won since the start
    *without* what draws have cost. One entry covers another if its draws are no more, its run no shorter and its
    worth no less.

    Lemma (covered entries). What a covered entry can score the entry that covers it can score too. Proof. It plays
    the other's line up to the first draw, for at least as many points, as a card scores more the longer the run; then
    it makes the draws that it is behind, and that draw. Now the same card is on top of the same tableau, both runs
    are new, both have paid for the same draws, so that its score is no less; and before, it had paid for no more.
    With the floor a draw lifts the worth to what all draws made have cost (less the points at the start), if it was
    less: that too keeps the order of two worths, and never lowers one.
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
        self.bound = Bound(model.place, model.draw_costs, LONGEST)
        self.left = {
            peaks: sum(bonus for i, bonus in enumerate(model.bonus) if peaks >> i & 1)
            + (model.cleared if peaks else 0)
            for peaks in range(PEAK_BITS + 1)
        }
        """For each set of peaks the bonus that they and the last card bring; the last card is a peak."""
        self.needed = self.needed_to_win = 0
        """Points since the start that a line has: nothing that stays below them is looked at."""

    def solve(self) -> Found:
        """Returns the best score with a line of fewest draws, then fewest plays, that reaches it.

        Both are exact: an entry that covers another leads on with no more draws, and over the same tableaus.
        """
        start = self.model.start
        self.meter.keep(start.points, [])
        self.outlook = Outlook(self.model, self.masks, self.plays, self.meter)
        self.needed, self.needed_to_win = guess(self.model, self.masks, self.plays, self.outlook, self.meter)
        first = (LONGEST - start.run) << RUN | VALUE
        self.entries[0] = {start.top: [first]}
        cards = self.masks[0].bit_count()
        high, best, costs = -1, (0, 0), (0, 0)
        least = 0
        win: tuple[int, int] | None = None
        try:
            for number, tops in enumerate(self.entries):
                if tops is None:
                    continue
                slack = self.leave_out(number, tops)
                if not tops:
                    continue
                score, drawn = self.draw(number, tops, slack)
                cost = drawn, cards - self.masks[number].bit_count()
                if score > high or (score == high and cost < costs):
                    least = sum(cost) if score > high else min(least, sum(cost))
                    high, best, costs = score, (number, drawn), cost
                elif score == high:
                    least = min(least, sum(cost))
                if not self.masks[number]:
                    win = score, drawn
                self.play(number, tops)
        except LimitReached:
            if high >= 0:
                self.meter.keep(start.points + high, self.model.tokens(self.line(*best, high)))
            raise
        line = self.model.tokens(self.line(*best, high))
        best_win = None
        if win is not None:
            steps = self.line(len(self.masks) - 1, win[1], win[0])
            best_win = BestWin(start.points + win[0], tuple(self.model.tokens(steps)), True)
        return Found("best", line, start.points + high, True, win is not None, best_win, least == sum(costs))

    def leave_out(self, number: int, tops: dict[int, list[int]]) -> int:
        """Keeps of the entries here those that no other covers and that may come up to the lines found before.

        An entry from which the tableau can be cleared need only come up to the best of the lines that clear it.
        Returns the highest value with the cost of draws that an entry made by a draw may have.
        """
        outlook, mask = self.outlook, self.masks[number]
        cards, later = mask.bit_count(), outlook.later[number]
        own = self.left[mask & PEAK_BITS]
        packed = self.bound.pack(cards, later) + self.model.draw_costs
        slack = VALUE + own - self.needed
        slack_to_win = VALUE + own - self.needed_to_win
        if self.model.floor:
            afresh = packed + own - self.model.start.points
            slack = ALL if afresh >= self.needed else slack
            slack_to_win = ALL if afresh >= self.needed_to_win else slack_to_win
        runs, won = outlook.run[number], outlook.won[number]
        for top, entries in list(tops.items()):
            room = self.bound.more(cards, later, runs[top])
            kept = uncovered(entries, self.costs, room, slack, slack_to_win, won[top])
            if kept:
                tops[top] = kept
            else:
                del tops[top]
        return packed + (slack if outlook.latest[number] == NEVER else slack_to_win)

    def draw(self, number: int, tops: dict[int, list[int]], most: int) -> tuple[int, int]:
        """Adds the entries that draws from here lead to; returns the best points here, and with what draws.

        Only cards on which one can be played here are worth a draw; and of two of the same rank the later
        only if its worth is more.
        """
        values: dict[int, int] = {}
        for entries in tops.values():
            for entry in entries:
                drawn, value = entry >> DRAWN, entry & VALUE
                if drawn not in values or value < values[drawn]:
                    values[drawn] = value
            self.meter.count(len(entries))
        costs = self.costs
        value, drawn = min((value + costs[drawn], drawn) for drawn, value in values.items())
        high, best = VALUE - value, drawn
        wanted = self.wanted(number)
        lowest = dict.fromkeys(wanted, NOTHING)
        value, stock, floor = NOTHING, self.model.stock, self.model.floor
        made = sorted(values)
        for first, end in zip(made, (*made[1:], len(stock))):
            if values[first] < value:
                value = values[first]
            for drawn in range(first, end):
                if floor and self.lifted[drawn + 1] < value:
                    value = self.lifted[drawn + 1]
                if value + costs[drawn + 1] > most:
                    break
                rank = stock[drawn]
                if rank in lowest and value < lowest[rank]:
                    lowest[rank] = value
                    tops.setdefault(rank, []).append((drawn + 1) << DRAWN | LONGEST << RUN | value)
        return high, best

    def wanted(self, number: int) -> list[int]:
        """Returns the ranks on which a card can be played here."""
        return [rank for rank, cards in enumerate(self.outlook.run[number]) if cards]

    def play(self, number: int, tops: dict[int, list[int]]) -> None:
        """Adds to the tableaus that plays lead to the entries that come of those here."""
        steps, last, rank_of, bonuses = self.steps, LONGEST, self.model.rank, self.model.bonus
        after: dict[int, list[int]] = {}
        """For each rank played the entries that come of it, but for its bonus."""
        for i, child in self.plays[number]:
            rank = rank_of[i]
            if rank in after:
                made = after[rank]
            else:
                one, other = NEXT_TO[rank]
                made = after[rank] = [entry - steps[entry >> RUN & last] for entry in tops.get(one, ())]
                made += [entry - steps[entry >> RUN & last] for entry in tops.get(other, ())]
            if not made:
                continue
            bonus = bonuses[i] if self.masks[child] else self.model.extra(i, 0)
            there = self.entries[child]
            if there is None:
                there = self.entries[child] = {}
            there.setdefault(rank, []).extend([entry - bonus for entry in made] if bonus else made)

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


def uncovered(
    entries: list[int], costs: list[int], room: list[int], slack: int, slack_to_win: int, winning: int
) -> list[int]:
    """Leaves out the entries that another covers, and those that are not worth going on with.

    In order of draws, longer runs first, an entry is covered if for its run or longer there was a worth no
    less: for each run the best is noted. An entry goes on if its value with what its draws cost is no more than
    `room` for its run and `slack` together, or `slack_to_win` up to `winning` draws.
    """
    if len(entries) == 1:
        entry = entries[0]
        drawn, back = entry >> DRAWN, entry >> RUN & LONGEST
        goes_on = (entry & VALUE) + costs[drawn] <= room[back] + (slack_to_win if drawn <= winning else slack)
        return entries if goes_on else []
    entries.sort()
    least = [NOTHING] * (LONGEST + 1)
    kept = []
    for entry in entries:
        back, value = entry >> RUN & LONGEST, entry & VALUE
        if value < least[back]:
            drawn = entry >> DRAWN
            if value + costs[drawn] <= room[back] + (slack_to_win if drawn <= winning else slack):
                kept.append(entry)
            while back <= LONGEST and least[back] > value:
                least[back] = value
                back += 1
    return kept
