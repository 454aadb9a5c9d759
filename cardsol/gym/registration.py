"""The ids of the environments, one for each game that the library knows."""

from __future__ import annotations

import re

import gymnasium

from .. import registry

NAMESPACE = "cardsol"
VERSION = 0
"""Counts up when equal actions could lead to other observations, rewards or ends than before."""
ENTRY_POINT = "cardsol.gym.env:CardsolEnv"


def environment_id(game: str) -> str:
    """Returns the id of a game's environment.

    >>> environment_id("three-peaks")
    'cardsol/ThreePeaks-v0'
    """
    words = re.findall("[0-9A-Za-z]+", game)
    return f"{NAMESPACE}/{''.join(word[0].upper() + word[1:] for word in words)}-v{VERSION}"


def register() -> tuple[str, ...]:
    """Registers an environment for each game, an added one too, and returns their ids in the order of the games.

    Ids that are registered already stay as they are, so calling it again does nothing. No game is loaded.
    """
    ids = {environment_id(game): game for game in reversed(registry.names())}
    for identity, game in ids.items():
        if identity not in gymnasium.registry:
            # What these wrappers look for the environment looks for itself, or its tests do: they cost each step.
            gymnasium.register(
                identity, ENTRY_POINT, kwargs={"game": game}, order_enforce=False, disable_env_checker=True
            )
    return tuple(reversed(ids))
