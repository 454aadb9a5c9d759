"""What a move is worth with all cards seen, told in little time: the game is played to its end by a simple policy.

A search would nearly always find a win while most of the deal is still to come, whatever the move, because it knows
the hidden cards. A policy that hardly looks ahead plays as a player might, so that its results tell moves apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from .limits import LimitReached, Limits, Meter
from .model import Judgement, Model

WANDER = 12
"""Moves without a better score or estimate, with nothing left to draw, after which a playout gives up."""
MOST = 2
"""Moves that are played out, those that the policy likes best; the others count as worth nothing."""
LOSS = 0.5
"""What a loss is worth at the most, a win being worth 1."""
Worth = Callable[[Any], float]
"""Returns what a position that ended a playout is worth, 0 to 1, where it is not won."""
Play = Callable[[Any, Any], Any]
"""Plays on from the second position, which the first led to, and returns the end."""


def judge(
    model: Model[Any, Any],
    fresh: Sequence[str],
    worth: Worth,
    states: int = 0,
    play: Play | None = None,
    most: int = MOST,
    likes: Callable[[Any, Any], float] | None = None,
) -> dict[str, Judgement]:
    """Judges those of the moves that the model tells apart, each by a playout of at most so many states."""
    start = model.start
    layer, here = model.layer(start), model.estimate(start)
    moves: list[tuple[float, str, Any]] = []
    for step, after in model.expand(start):
        token = model.tokens([step])[0]
        if token in fresh:
            usual = here if model.layer(after) > layer else model.estimate(after)
            liking = likes(start, after) if likes else -usual
            moves.append((liking, token, after))
    moves.sort(key=lambda move: (-move[0], move[1]))
    found: dict[str, Judgement] = {}
    for i, (liking, token, after) in enumerate(moves):
        value, won = 0.0, False
        if i < most:
            limited = Meter(Limits(states=states))
            end = play(start, after) if play else playout(model, start, after, limited)
            won = model.is_won(end)
            value = 1.0 if won else LOSS * worth(end)
        found[token] = Judgement(value, won, liking)
    return found


def playout(model: Model[Any, Any], before: Any, position: Any, meter: Meter) -> Any:
    """Plays on to the end and returns it: what is forced, else what looks best, else what enters the next layer."""
    seen: set[Hashable] = {model.key(before), model.key(position)}
    best, wandered = model.estimate(position), 0
    try:
        while not model.is_won(position) and wandered < WANDER:
            meter.count()
            after, last = _next(model, position, seen)
            if after is None:
                break
            position = after
            seen.add(model.key(position))
            if last:
                here = model.estimate(position)
                wandered = 0 if here < best else wandered + 1
                best = min(best, here)
            else:
                best = model.estimate(position)
    except LimitReached:
        pass
    return position


def _next(model: Model[Any, Any], position: Any, seen: set[Hashable]) -> tuple[Any | None, bool]:
    """Returns the position that the policy moves to, if any, and whether it is in the last layer."""
    forced = model.forced(position)
    if forced is not None:
        return forced[1], False
    layer = model.layer(position)
    best = leaving = None
    least = float("inf")
    for _, after in model.expand(position):
        if model.layer(after) > layer:
            leaving = after
            continue
        distance = model.estimate(after)
        if distance < least and model.key(after) not in seen:
            best, least = after, distance
    if leaving is not None and (best is None or least >= model.estimate(position)):
        return leaving, False
    return best, leaving is None
