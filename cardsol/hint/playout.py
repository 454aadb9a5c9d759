"""What a move is worth with all cards seen, told in little time: the game is played to its end by a simple policy.

A search would nearly always find a win while most of the deal is still to come, whatever the move, because it knows
the hidden cards. A policy that hardly looks ahead plays as a player might, so that its results tell moves apart.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from ..solve.model import Model

WANDER = 12
"""Moves without a better score or estimate, with nothing left to draw, after which a playout gives up."""
LOSS = 0.5
"""What a loss is worth at the most, a win being worth 1."""
Worth = Callable[[Any], float]
"""Returns what a position that ended a playout is worth, 0 to 1, where it is not won."""
Play = Callable[[Any, Any], Any]
"""Plays on from the second position, which the first led to, and returns the end."""


class Judgement(NamedTuple):
    """What a move is worth in one world, all its cards seen."""

    value: float
    """1 for a win; of a loss the share of what was to be had, at most half."""
    won: bool
    prior: float
    """How good the move looks at once, more is better: decides between equals."""


def judge(
    model: Model[Any, Any],
    fresh: Sequence[str],
    worth: Worth,
    play: Play,
    most: int,
    prior_of: Callable[[Any, Any], float] | None = None,
) -> dict[str, Judgement]:
    """Judges those of the moves that the model tells apart, each by a playout.

    So many at the `most` are played out, those that look best; the others count as worth nothing. How good a
    move looks is told by `prior_of`, given the positions before and after it, else by the model's estimate.
    """
    start = model.start
    layer, here = model.layer(start), model.estimate(start)
    moves: list[tuple[float, str, Any]] = []
    for step, after in model.expand(start):
        token = model.tokens([step])[0]
        if token in fresh:
            usual = here if model.layer(after) > layer else model.estimate(after)
            prior = prior_of(start, after) if prior_of else -usual
            moves.append((prior, token, after))
    moves.sort(key=lambda move: (-move[0], move[1]))
    found = {token: Judgement(0.0, False, prior) for prior, token, _ in moves}
    for prior, token, after in moves[:most]:
        end = play(start, after)
        found[token] = judged([(model.is_won(end), worth(end))], prior)
    return found


def judged(ends: Sequence[tuple[bool, float]], prior: float) -> Judgement:
    """Judges a move by how its playouts ended: whether won, and what the end is worth if not, 0 to 1.

    The first is the one in the world itself: it alone tells whether the move wins there.
    """
    value = 0.0
    for won, worth in ends:  # not by `sum`, which rounds otherwise from Python 3.12 on
        value += 1.0 if won else LOSS * worth
    return Judgement(value / len(ends), ends[0][0], prior)


def playout(states: int, model: Model[Any, Any], before: Any, position: Any) -> Any:
    """Plays on to the end and returns it: what is forced, else what looks best, else what enters the next layer.

    Fewer than so many positions are gone through.
    """
    seen: set[Hashable] = {model.key(before), model.key(position)}
    best, wandered = model.estimate(position), 0
    for _ in range(1, states):
        if model.is_won(position) or wandered == WANDER:
            break
        after, last = _next(model, position, seen)
        if after is None:
            break
        position = after
        seen.add(model.key(position))
        here = model.estimate(position)
        if last:
            wandered = 0 if here < best else wandered + 1
            here = min(best, here)
        best = here
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
