"""Gymnasium environments of the games, for programs that learn; README.md beside this file is the manual.

Importing this package registers an environment for each game: `cardsol/ThreePeaks-v0` and its brothers.

>>> import gymnasium
>>> import cardsol.gym
>>> env = gymnasium.make("cardsol/ThreePeaks-v0", scoring="classic")
>>> observation, info = env.reset(seed=1)
>>> info["legal"]
('d2', 'd3', 'd4', 'd9', 'draw')

It needs the packages gymnasium (1.0 or newer) and numpy, which the extra `gym` installs.
"""

from __future__ import annotations

try:
    import gymnasium as _gymnasium
    import numpy as _numpy
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"cardsol.gym needs the packages gymnasium and numpy, and {error.name} is not installed:"
        " python -m pip install gymnasium numpy",
        name=error.name,
    ) from error

from .env import CardsolEnv as CardsolEnv
from .registration import environment_id as environment_id
from .registration import register as register

__all__ = ["CardsolEnv", "environment_id", "register"]

del _gymnasium, _numpy

register()
