"""How any game is played out, of which nothing is known but its rules: by the score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from ...solve.model import Model
from ..playout import Judgement, play_out
from ..playout import judge as by_playouts

STEPS = 60
"""Moves of a playout at most; each costs as much as the game's own rules make it."""
MOST = 4
"""Moves that are played out: the score alone tells little about which are the best."""
HALF = 50
"""The score at which a loss is worth half of what it can be worth: a score may have no highest value."""


def judge(model: Model[Any, Any], tokens: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by short playouts, and their ends by the score."""

    def worth(position: Any) -> float:
        score = model.score(position)
        return max(0.0, score / (abs(score) + HALF))

    return by_playouts(model, tokens, worth, partial(play_out, model, steps=STEPS), MOST)
