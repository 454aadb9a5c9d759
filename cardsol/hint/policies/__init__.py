"""How a game is played out where moves are judged: a module a game, and one for any game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...registry import referred
from ...rules import Rules
from ...solve.model import Model
from ..playout import Judgement

ANY_GAME = "cardsol.hint.policies.any_game"


def judge(rules: Rules[Any], model: Model[Any, Any], fresh: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves from the start of a model, those that are alike once: by the game's POLICY, or by its score."""
    judged: dict[str, Judgement] = referred(getattr(rules, "POLICY", ANY_GAME)).judge(model, fresh)
    return judged
