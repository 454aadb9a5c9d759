"""A narrow search for good lines of Three Peaks: what it reaches, the exact search need not look below."""

from __future__ import annotations

from heapq import nlargest

from ..limits import Meter
from .bounds import NEVER, Outlook
from .model import NEXT_TO, RANKS, ThreePeaksModel
from .win import Path, unrolled, with_draws

WIDTH = 200
"""Positions that go on from each number of cards."""
LONGEST = 31
"""No run is longer."""
HOPELESS = -(1 << 60)
"""Below any score."""
Node = tuple[int, int, int, int, int, Path]
"""Tableau number, top rank, draws made, run, points since the start, and the way there."""


def guess(
    model: ThreePeaksModel,
    masks: list[int],
    plays: list[list[tuple[int, int]]],
    outlook: Outlook,
    meter: Meter,
) -> tuple[int, int]:
    """Returns the points since the start of the best line found, and of the best that clears the tableau.

    If the tableau can be cleared only positions are visited from which it can, so that a line that does is found;
    else the second number is HOPELESS. Lines are played by the rules, so that both numbers can be reached. The meter
    is told the best line.
    """
    start = model.start
    before = start.points
    winning = outlook.won[0][start.top] != NEVER
    stock, rank_of = model.stock, model.rank
    brings = [
        [
            next((d + 1 for d in range(drawn, len(stock)) if stock[d] in NEXT_TO[rank]), 0)
            for rank in range(RANKS)
        ]
        for drawn in range(len(stock) + 1)
    ]
    """For each number of draws made and each rank the number after which a card of it can be played, or 0."""
    runs = [0]
    for run in range(LONGEST + 1):
        runs.append(runs[-1] + model.place(run))

    def promise(node: Node) -> int:
        """Returns the points with those of the longest run that can go on from here, and of the longest to come."""
        number, top, _, run, points, _ = node
        more = runs[min(run + outlook.run[number][top], LONGEST)] - runs[run]
        return points + more + runs[outlook.later[number]]

    layer: list[Node] = [(0, start.top, 0, start.run, before, None)]
    best = before
    ways: Path = None
    won = HOPELESS
    while layer:
        found: dict[tuple[int, int, int], Node] = {}
        for number, top, drawn, run, points, path in layer:
            meter.count()
            if not masks[number]:
                won = max(won, points)
            if points > best:
                best, ways = points, path
            for i, child in plays[number]:
                rank = rank_of[i]
                if top in NEXT_TO[rank]:
                    drawn_then, run_then, points_then = drawn, run, points
                else:
                    drawn_then, run_then = brings[drawn][rank], 0
                    if not drawn_then:
                        continue
                    points_then = points - (drawn_then - drawn) * model.draw_costs
                    if model.floor and points_then < 0:
                        points_then = 0
                if winning and drawn_then > outlook.won[child][rank]:
                    continue
                points_then += model.place(run_then) + model.extra(i, masks[child])
                key = child, rank, drawn_then
                if key not in found or found[key][4] < points_then:
                    found[key] = child, rank, drawn_then, run_then + 1, points_then, (i, path)
        layer = nlargest(WIDTH, found.values(), key=promise)
    meter.keep(best, model.tokens(with_draws(model, unrolled(ways))))
    return best - before, won - before if won != HOPELESS else HOPELESS
