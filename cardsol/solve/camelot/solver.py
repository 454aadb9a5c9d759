"""Solves Camelot: from an empty grid without a search, from later on by an exact one over classes of cells.

Which cards come when is nearly the whole game: what can be removed stays removable, and each rank has one
partner rank. So the order of the cards alone says how far they can take a player, as long as each court card
finds a place. Only for these places a search is needed, and only because of the cards that lie on the grid.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...games.camelot import State
from ..limits import Meter
from ..model import Found, Goal
from .cells import Step
from .model import WON, CamelotModel, Node
from .naming import nameless

STATES = 150_000
"""Worth about a minute."""
NONE = -1
"""Stands for less than any score."""


def model(state: State) -> CamelotModel:
    """Returns the search model of a position."""
    return CamelotModel(state)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Finds a win, or the most cards that can be removed; both proved."""
    model = CamelotModel(state)
    total, removed = len(model.ranks), len(state.removed)
    if goal == "win" and (model.end < total or model.most[total] != WON):
        return Found("impossible", [], removed, True)
    line = None if any(model.start.grid) or state.waste else nameless(state, model.ranks)
    if line is None:
        line = search(model, goal, meter)
    if line is None:
        return Found("impossible", [], removed, True)
    removed += sum(token.count("+") + 1 for token in line if token != "draw" and token[0] != "w")
    return Found("won" if goal == "win" else "best", line, removed, True)


def search(model: CamelotModel, goal: Goal, meter: Meter) -> list[str] | None:
    """Goes depth first through what may lead further than the best so far; None if there is no win."""
    total = len(model.ranks)

    def winning_score(node: Node) -> int:
        return WON if model.is_won(node) else NONE

    def winning_bound(node: Node) -> int:
        return WON if model.reach(node) == total else NONE

    score, bound, enough = model.score, model.bound, model.most[model.end]
    if goal == "win":
        score, bound, enough = winning_score, winning_bound, WON
    best = NONE
    line: list[str] | None = None
    seen = {model.start}
    stack: list[Iterator[tuple[list[Step], Node]]] = [iter([(list[Step](), model.start)])]
    while stack:
        for path, node in stack[-1]:
            if bound(node) <= best:
                continue
            meter.count()
            if score(node) > best:
                best, line = score(node), model.tokens(path)
                meter.keep(model.score(node), line)
                if best == enough:
                    return line
            after = [(step, there) for step, there in model.expand(node) if there not in seen]
            seen.update(there for _, there in after)
            after.sort(key=lambda item: model.estimate(item[1]))
            stack.append(iter([([*path, step], there) for step, there in after]))
            break
        else:
            stack.pop()
    return line
