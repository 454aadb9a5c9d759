"""The solver of Three Peaks."""

from .model import ThreePeaksModel
from .solver import STATES, model, solve

__all__ = ["STATES", "ThreePeaksModel", "model", "solve"]
