"""How moves are judged in a world whose cards are all seen: a policy a game, and one for any game.

A game names its policy by its attribute POLICY, a reference `module` or `module:object`, as an entry point is
written. A game that names none is judged by `any_game`, from its moves and its score. A policy that has a function
`outlook` supplies a value of what is seen besides, by which hints are planned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from ...errors import BrokenGame
from ...registry import referred
from ...rules import Rules
from ...solve.model import Model
from ..outlook import Outlook, Seen
from ..playout import Judgement

ANY_GAME = "cardsol.hint.policies.any_game"


class Policy(Protocol):
    """The shape of a policy: a module or an object with one function, pure but for tables that it keeps."""

    def judge(self, model: Model[Any, Any], tokens: Sequence[str]) -> Mapping[str, Judgement]:
        """Judges moves from the start of a model in one sampled world; equal arguments give equal judgements.

        `model` is what the game's SOLVER makes of the world, or `cardsol.solve.any_game.AnyGame` where the game
        names no solver. `tokens` are two or more legal moves. Returns a judgement for at least one of them: moves
        that come to the same may be judged once, and those that are missing are not advised. A value is 0 to 1.
        """


class Planner(Protocol):
    """What a policy may have besides."""

    def outlook(self, seen: Seen) -> Outlook[Any, Any] | None:
        """Returns the outlook of a position, or None where there is no value for these options."""


def judge(rules: Rules[Any], model: Model[Any, Any], tokens: Sequence[str]) -> Mapping[str, Judgement]:
    """Judges moves by the policy that the game names; raises BrokenGame where that can't be loaded."""
    policy: Policy = _policy(rules)
    return policy.judge(model, tokens)


def has_outlook(rules: Rules[Any]) -> bool:
    """Tells whether the game's policy gives outlooks; raises BrokenGame as `judge` does."""
    return hasattr(_policy(rules), "outlook")


def outlook_of(rules: Rules[Any], seen: Seen) -> Outlook[Any, Any] | None:
    """Returns the outlook that the game's policy gives, where it gives one; raises BrokenGame as `judge` does."""
    policy = _policy(rules)
    return policy.outlook(seen) if hasattr(policy, "outlook") else None


def _policy(rules: Rules[Any]) -> Any:
    reference = getattr(rules, "POLICY", ANY_GAME)
    try:
        return referred(reference)
    except Exception as error:
        raise BrokenGame(rules.NAME, reference, f"its policy: {error}") from error


@cache
def weights(name: str) -> Any:
    """Returns the learned weights of a policy of this package: what its file, `NAME.json` beside this one, holds."""
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
