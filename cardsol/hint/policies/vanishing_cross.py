"""How Vanishing Cross is played out: what is forced, what looks better than now, else what leads on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...solve.vanishing_cross import DRAWN, HAND, Position, VanishingCrossModel, Weights
from ..outlook import Seen
from ..playout import Judgement, play_out
from ..playout import judge as by_playouts
from . import weights
from .cross_value import CrossOutlook, variant

CARDS = 52
STEPS = 400
"""Moves of a playout at most."""
MOST = 3
"""Moves that are played out."""
EASY = Weights(
    up=5,
    least_up=2.8,
    space=2,
    unlike=1,
    run=0.3,
    over=0.2,
    same_suit=0.7,
    wasted=0,
    low=1,
    waste_over=3,
    by_stock=False,
    per_group=1,
)
"""Weights for a player who does not search, in points of the estimate; each is told at `Weights`. Found by trial: the
weights of the solver, changed by hand while play by hints won more deals."""
NO_BETTER = 1000
"""A move that leads on and looks better than now counts as better by this part of the difference only: whatever it
brings, other moves that look better than now come before it."""


def outlook(seen: Seen) -> CrossOutlook:
    """Returns the outlook, with the weights that were learned for these options."""
    return CrossOutlook(seen, weights("vanishing_cross")[variant(seen.options)])


def judge(model: VanishingCrossModel, tokens: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts."""
    model.use_weights(EASY)

    def prior_of(before: Position, after: Position) -> float:
        here, then = model.estimate(before), model.estimate(after)
        if model.layer(after) > model.layer(before):
            return -here
        return -min(then, here + (then - here) / NO_BETTER if _leads_on(before, after) else then)

    def worth(end: Position) -> float:
        return model.score(end) / CARDS

    play = partial(play_out, model, steps=STEPS, leads_on=_leads_on, first_counts=True)
    return by_playouts(model, tokens, worth, play, MOST, prior_of)


def _leads_on(before: Position, after: Position) -> bool:
    """Tells whether a move draws, or places the stock card: where nothing looks better than now, that is next."""
    return before[0] >> DRAWN != after[0] >> DRAWN or (before[0] & ~after[0] & HAND) != 0
