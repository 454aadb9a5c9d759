"""Plays Universal to its end as a careful player would, who does not know what comes: for judging moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...solve.universal import UniversalModel
from ..outlook import Seen
from ..playout import Judgement, judged
from . import weights
from .universal_play import NONE
from .universal_play import Action as Action
from .universal_play import Play as Play
from .universal_play import action_of as action_of
from .universal_value import UniversalOutlook, variant

PLAYOUTS = 24
"""Playouts for each world, of all moves together: of its own order of the unseen cards, then of others."""


def outlook(seen: Seen) -> UniversalOutlook | None:
    """Returns the outlook, with the weights that were learned for these options."""
    learned = weights("universal").get(variant(seen.options))
    return UniversalOutlook(seen, learned) if learned else None


def judge(model: UniversalModel, tokens: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts over the same few orders of what was not seen."""
    play = Play(model._state)
    chance = Random(repr((play.stock, play.down)))
    orders = [play, *(play.shuffled(chance) for _ in range(1, PLAYOUTS // len(tokens)))]
    usual = play.choice()
    actions = {token: action_of(token) for token in tokens}
    return {token: _judged(orders, action, action == usual) for token, action in actions.items()}


def _judged(orders: Sequence[Play], action: Action, usual: bool) -> Judgement:
    """Judges a move by all orders, that of the world first."""
    ends = []
    for order in orders:
        play = order.copy()
        play.make(action)
        up = play.run()
        ends.append((up == NONE, up / NONE))
    return judged(ends, float(usual))
