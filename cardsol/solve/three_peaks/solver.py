"""Solves Three Peaks from any moment: both goals exactly, by going through the tableaus from the fullest.

Few tableaus can occur, and little else counts: the top rank, the draws made, and for the score the run.
"""

from __future__ import annotations

from ...games.three_peaks import State
from ..limits import Limits, Meter
from ..model import Found, Goal
from .model import ThreePeaksModel
from .scores import Scores
from .win import least_draws, quick_win

STATES = 30_000_000
"""More than any search takes: a whole table has a million states at most."""


def model(state: State) -> ThreePeaksModel:
    """Returns the search model of a position."""
    return ThreePeaksModel(state)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Finds a line that clears the tableau, or the best score of the round; both always proved."""
    model = ThreePeaksModel(state)
    if goal == "score":
        return Scores(model, meter).solve()
    steps, exhausted = quick_win(model, meter)
    fewest = steps == []
    if steps is None and not exhausted:
        steps, fewest = least_draws(model, meter), True
    if steps is None:
        return Found("impossible", [], model.start.points, True, winnable=False)
    score = model.after(steps).points
    return Found("won", model.tokens(steps), score, True, winnable=True, shortest=fewest)


def shortest(state: State) -> Found | None:
    """Returns a win with the fewest draws, and so with the fewest moves, or None where no line wins.

    Lemma (length). Of two lines that win, that with fewer draws has fewer moves. Proof. Both play each card of the
    tableau once.
    """
    model = ThreePeaksModel(state)
    steps = least_draws(model, Meter(Limits()))
    if steps is None:
        return None
    score = model.after(steps).points
    return Found("won", model.tokens(steps), score, True, winnable=True, shortest=True)
