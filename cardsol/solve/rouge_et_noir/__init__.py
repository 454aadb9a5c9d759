"""The solver of Rouge et Noir."""

from .model import WON, Position, RougeEtNoirModel
from .solver import STATES, model, solve

__all__ = ["STATES", "WON", "Position", "RougeEtNoirModel", "model", "solve"]
