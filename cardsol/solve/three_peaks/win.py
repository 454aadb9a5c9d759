"""Finds a win of a round of Three Peaks, or proves that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ...games.three_peaks import POSITIONS
from ..limits import Meter
from .model import DRAW, NEXT_TO, RANKS, Position, ThreePeaksModel, graph

Path: TypeAlias = "tuple[int, Path] | None"
"""The last step, and the path before it."""
FEW = 1500
"""States that the search for a quick win may take before the table is made."""


def unrolled(path: Path) -> list[int]:
    steps: list[int] = []
    while path is not None:
        step, path = path
        steps.append(step)
    return steps[::-1]


def quick_win(model: ThreePeaksModel, meter: Meter) -> tuple[list[int] | None, bool]:
    """Searches depth first for a win, plays before the draw; also tells whether it went through everything.

    Lemma (fewer draws). With a tableau and a top rank, what can be won after more draws can be won after fewer.
    Proof. Play the line of the one that has made more up to its first draw, make the draws that the other had made
    before, then that draw. The same card is on top, and from there on the lines are one. So plays are cut where the
    same tableau and top rank were met with no more draws made. For these draws to be there, each draw of each
    tableau is made once, whatever the top.
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


def least_draws(model: ThreePeaksModel, meter: Meter) -> list[int] | None:
    """Finds for each tableau and top rank the least number of draws that reaches it; returns a win, or None.

    By the lemma of `quick_win` more draws than the least are never needed. For the same reason a draw that is to
    bring some rank on top is made from the least draws of the tableau, whatever its top, and up to the first card of
    that rank. So the win that is returned has the least number of draws that a win can have.
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
