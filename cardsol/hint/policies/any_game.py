"""How any game is played out, of which nothing is known but its rules: by the score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...solve.model import Model
from ..playout import Judgement, playout
from ..playout import judge as by_playouts

PLAYOUT = 60
"""States of a playout; a move costs as much as the game's own rules make it."""
MOST = 4
"""Moves that are played out: by the score alone, the best ones are not easily told."""


def judge(model: Model[Any, Any], fresh: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by short playouts and the score; of scores that have no end, nearer to a high one is better."""

    def worth(position: Any) -> float:
        score = model.score(position)
        return max(0.0, score / (abs(score) + 50))

    return by_playouts(model, fresh, worth, partial(playout, PLAYOUT, model), MOST)
