"""What a move is worth with all cards seen, told in little time: the game is played to its end by a simple policy.

A search would nearly always find a win while most of the deal is still to come, whatever the move, because it knows
the hidden cards. A policy that hardly looks ahead plays as a player might, so its results differ from move to move.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import inf
from typing import Any, NamedTuple, Protocol

from ..solve.model import Model

WANDER = 12
"""Moves without a better estimate, with nothing left to draw, after which a playout gives up. Chosen by hand."""
LOSS = 0.5
"""What a loss is worth at the most, a win being worth 1. Chosen by hand."""
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


class Dealer(Protocol):
    """Makes the draws of a playout, where a policy does not want to see what each would bring."""

    def left(self) -> bool:
        """Tells whether a draw is left."""

    def draw(self, position: Any) -> Any:
        """Returns the position after the next draw."""


def judge(
    model: Model[Any, Any],
    tokens: Sequence[str],
    worth: Worth,
    play: Play,
    most: int,
    prior_of: Callable[[Any, Any], float] | None = None,
) -> dict[str, Judgement]:
    """Judges those of the moves that the model yields, each by a playout; it may yield one of several equal ones.

    Only the `most` that look best are played out; the others count as worth nothing. How good a move looks is told
    by `prior_of`, given the positions before and after it, else by the model's estimate.
    """
    start = model.start
    layer, here = model.layer(start), model.estimate(start)
    moves: list[tuple[float, str, Any]] = []
    for step, after in model.expand(start):
        token = model.tokens([step])[0]
        if token in tokens:
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


def play_out(
    model: Model[Any, Any],
    before: Any,
    position: Any,
    *,
    steps: int,
    leads_on: Callable[[Any, Any], bool] | None = None,
    dealer: Dealer | None = None,
    first_counts: bool = False,
) -> Any:
    """Plays on from a position, at most so many steps, and returns the end.

    A step is what is forced, else the move that looks best; where none looks better than the position now, a move
    that leads on comes first: one to a higher layer, or what `leads_on` takes for one, or a draw by the `dealer`.
    Without that order a drawn card would stay unused as long as others can be moved about. Positions are not entered
    again. After `WANDER` moves without progress, with nothing that leads on, a playout ends. Progress is a better
    estimate than the best since the last move that led on; with `first_counts` the first move after it always is.
    """
    if leads_on is None:

        def leads_on(before: Any, after: Any) -> bool:
            return model.layer(after) > model.layer(before)

    seen: set[Hashable] = {model.key(before), model.key(position)}
    here = model.estimate(position)
    best = inf if first_counts else here
    wandered = 0
    for _ in range(steps):
        if model.is_won(position):
            break
        forced = model.forced(position)
        if forced is not None:
            position = forced[1]
            here = model.estimate(position)
            best = inf if first_counts else here
            continue
        after = on = None
        least = least_on = inf
        for _, other in model.expand(position):
            estimate = model.estimate(other)
            if leads_on(position, other):
                if estimate < least_on:
                    on, least_on = other, estimate
            elif estimate < least and model.key(other) not in seen:
                after, least = other, estimate
        may_draw = dealer is not None and dealer.left()
        if (on is not None and (least >= here or least > least_on)) or (may_draw and least >= here):
            position = on if on is not None or dealer is None else dealer.draw(position)
            here = model.estimate(position)
            best = inf if first_counts else here
        elif after is None or wandered == WANDER:
            break
        else:
            wandered = 0 if may_draw or on is not None or least < best else wandered + 1
            position, here, best = after, least, min(best, least)
        seen.add(model.key(position))
    return position
