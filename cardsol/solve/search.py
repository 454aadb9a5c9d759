"""The searches. They know no cards: all that they ask of a game is a `Model`."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import heappop, heappush, nsmallest
from typing import Any

from .limits import LimitReached, Meter
from .model import Model

Node = tuple[Any, "Node | None", Any]
"""Position, the node that it was reached from, the step that reached it."""


def beam(model: Model[Any, Any], width: int, meter: Meter, closure: int = 8) -> list[Any] | None:
    """Looks for a win layer by layer and returns its steps, or None, which proves nothing.

    A layer is entered by at most `width` positions, those with the least estimate. Inside it positions are
    expanded best first, at most `closure` × `width` of them; what leaves it is the next layer.
    """
    entering: list[Node] = [(model.start, None, None)]
    while entering:
        leaving: dict[Hashable, tuple[float, int, Node]] = {}
        won = _close(model, entering, width * closure, meter, leaving)
        if won is not None:
            return steps_to(won)
        entering = [node for _, _, node in nsmallest(width, leaving.values())]
    return None


def _close(
    model: Model[Any, Any], entering: list[Node], most: int, meter: Meter,
    leaving: dict[Hashable, tuple[float, int, Node]],
) -> Node | None:  # fmt: skip
    """Expands one layer best first; fills `leaving`; returns a won node where one is met."""
    count = 0
    heap: list[tuple[float, int, Node]] = []
    seen: set[Hashable] = set()
    for node in entering:
        key = model.key(node[0])
        if key not in seen:
            seen.add(key)
            heappush(heap, (model.estimate(node[0]), count, node))
            count += 1
    layer = model.layer(entering[0][0])
    while heap and most > 0:
        node = heappop(heap)[2]
        if model.is_won(node[0]):
            return node
        most -= 1
        meter.count()
        forced = model.forced(node[0])
        for step, after in (forced,) if forced is not None else model.expand(node[0]):
            key = model.key(after)
            new: Node = (after, node, step)
            count += 1
            if model.layer(after) > layer:
                if key not in leaving:
                    leaving[key] = (model.estimate(after), count, new)
            elif key not in seen:
                seen.add(key)
                heappush(heap, (model.estimate(after), count, new))
    return None


def exhaust(model: Model[Any, Any], meter: Meter, goal: str = "win") -> tuple[list[Any] | None, int]:
    """Goes through every position that can matter, depth first, and proves what it returns.

    Returns the steps to a win, or None where there is none; with goal `score` the steps to the highest
    score at any moment of any line. The second value is that score (of a win, the score then).
    Nearest-looking moves come first. A position is cut where its key was seen or where its bound is not
    above the best so far.
    """
    most = model.bound(model.start)
    best: list[Any] | None = None
    high = model.score(model.start) if goal == "score" else -1
    if goal == "score":
        best = []
    seen: set[Hashable] = set()
    stack: list[tuple[Any, Iterator[tuple[Any, Any]]]] = []
    path: list[Any] = []

    def enter(position: Any) -> bool:
        key = model.key(position)
        if key in seen or (goal == "score" and model.bound(position) <= high):
            return False
        seen.add(key)
        meter.count()
        forced = model.forced(position)
        after = (
            [forced]
            if forced is not None
            else sorted(model.expand(position), key=lambda s: model.estimate(s[1]))
        )
        stack.append((position, iter(after)))
        return True

    if model.is_won(model.start):
        return [], model.score(model.start)
    enter(model.start)
    while stack:
        step = next(stack[-1][1], None)
        if step is None:
            stack.pop()
            if path:
                path.pop()
            continue
        if goal == "score" and model.score(step[1]) > high:
            high = model.score(step[1])
            best = [*path, step[0]]
            meter.keep(high, model.tokens(best))
            if high >= most:
                return best, high
        if model.is_won(step[1]) and goal == "win":
            return [*path, step[0]], model.score(step[1])
        if enter(step[1]):
            path.append(step[0])
    return best, high


def steps_to(node: Node) -> list[Any]:
    """Returns the steps that lead to a node."""
    steps = []
    while node[1] is not None:
        steps.append(node[2])
        node = node[1]
    return steps[::-1]


def glance(model: Model[Any, Any], meter: Meter) -> float | None:
    """Looks around best first as far as the meter allows; returns the least estimate met, or None for a win."""
    nearest = model.estimate(model.start)
    seen = {model.key(model.start)}
    heap: list[tuple[float, int, Any]] = [(nearest, 0, model.start)]
    count = 0
    try:
        while heap:
            position = heappop(heap)[2]
            if model.is_won(position):
                return None
            meter.count()
            forced = model.forced(position)
            for _, after in (forced,) if forced is not None else model.expand(position):
                key = model.key(after)
                if key not in seen:
                    seen.add(key)
                    count += 1
                    distance = model.estimate(after)
                    nearest = min(nearest, distance)
                    heappush(heap, (distance, count, after))
    except LimitReached:
        pass
    return nearest
