"""How Vanishing Cross is played out: what is forced, what looks better than now, else what leads on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import inf

from ...solve.vanishing_cross import DRAWN, HAND, Position, VanishingCrossModel, Weights
from ..playout import WANDER, Judgement
from ..playout import judge as by_playouts

PLAYOUT = 400
"""Positions that a playout may go through."""
MOST = 3
"""Moves that are played out."""
EASY = Weights(5, 2.8, 2, 1, 0.3, 0.2, 0.7, 0, 1, 3, False, 1)
"""Weights that guide a player who does not search."""


def judge(model: VanishingCrossModel, fresh: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts."""
    model.use_weights(EASY)

    def prior_of(before: Position, after: Position) -> float:
        here, then = model.estimate(before), model.estimate(after)
        if model.layer(after) > model.layer(before):
            return -here
        return -min(then, here + (then - here) / 1000 if _leads_on(before, after) else then)

    return by_playouts(
        model, fresh, lambda end: model.score(end) / 52, partial(played_out, model), MOST, prior_of
    )


def _leads_on(before: Position, after: Position) -> bool:
    """Tells whether a move draws, or places the stock card: where nothing looks better than now, that is next."""
    return before[0] >> DRAWN != after[0] >> DRAWN or (before[0] & ~after[0] & HAND) != 0


def played_out(model: VanishingCrossModel, before: Position, position: Position) -> Position:
    """Plays to the end: what is forced, else what looks better than now, else what leads on.

    Without that order a stock card would stay up as long as the cross can be shuffled about.
    """
    seen = {before, position}
    wandered, best = 0, inf
    for _ in range(PLAYOUT):
        if (forced := model.forced(position)) is not None:
            position, best = forced[1], inf
            continue
        here, least, least_on = model.estimate(position), inf, inf
        after = on = position
        for _, other in model.expand(position):
            worth = model.estimate(other)
            if _leads_on(position, other):
                if worth < least_on:
                    on, least_on = other, worth
            elif worth < least and other not in seen:
                after, least = other, worth
        if on != position and (least >= here or least > least_on):
            position, best = on, inf
        elif after == position or wandered == WANDER:
            break
        else:
            wandered = 0 if on != position or least < best else wandered + 1
            position, best = after, min(best, least)
        seen.add(position)
    return position
