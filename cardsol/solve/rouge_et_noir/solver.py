"""Solves Rouge et Noir with a beam that widens until it leaves nothing out."""

from __future__ import annotations

from ...games.rouge_et_noir import State
from ..limits import Meter
from ..model import Found, Goal
from ..search import Beam, Search, growing
from .model import GONE, WON, RougeEtNoirModel

STATES = 600_000
"""Worth about a minute."""
WIDTH, WIDER = 30, 3
"""The first width of the beam, and the factor by which it grows each time that something was left out."""
BEAMS = tuple(Beam(weights=weight, sample=10, age_anew=True) for weight in GONE)


def model(state: State) -> RougeEtNoirModel:
    """Returns the search model of a position."""
    return RougeEtNoirModel(state)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Widens the beam until it meets a win or leaves nothing out; positions are finitely many, so it ends."""
    model = RougeEtNoirModel(state, goal)
    with Search(model, goal, meter, WON) as search:
        if not search.settle_at_once():
            search.run_rounds(growing(WIDTH, WIDER), BEAMS, model.use_weights)
    found = search.found().with_wins_highest()
    return found._replace(proof=model.why()) if found.verdict == "impossible" else found
