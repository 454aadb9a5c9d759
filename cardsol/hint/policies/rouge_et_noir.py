"""How Rouge et Noir is played out: what looks best, or a deal where nothing looks better than now."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...solve.rouge_et_noir import WON, Position, RougeEtNoirModel
from ..playout import WANDER, Judgement
from ..playout import judge as by_playouts

PLAYOUT = 400
"""Positions that a playout may go through."""
MOST = 2
"""Moves that are played out."""


def judge(model: RougeEtNoirModel, fresh: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts."""
    return by_playouts(model, fresh, lambda end: model.score(end) / WON, partial(played_out, model), MOST)


def played_out(model: RougeEtNoirModel, before: Position, position: Position) -> Position:
    """Plays to the end as `playouts.playout` does: what looks best, or a deal where nothing looks better than now.

    Between two deals the positions pose as those after the last one, so that no deal is worked out in vain.
    """
    made, last = position[-1], len(model._rows)
    seen = {model.key((*before[:-1], last))}
    position = (*position[:-1], last)
    worth = best = model.estimate(position)
    wandered = 0
    for _ in range(PLAYOUT):
        seen.add(model.key(position))
        after, least = None, WON * WON
        for _, other in model.expand(position):
            worth_after = model.estimate(other)
            if worth_after < least and model.key(other) not in seen:
                after, least = other, worth_after
        if made < last and (after is None or least >= worth):
            position = model._dealt((*position[:-1], made))
            made, position = made + 1, (*position[:-1], last)
            worth = best = model.estimate(position)
        elif after is None or wandered == WANDER:
            break
        else:
            position, worth = after, least
            wandered = 0 if worth < best or made < last else wandered + 1
            best = min(best, worth)
    return position
