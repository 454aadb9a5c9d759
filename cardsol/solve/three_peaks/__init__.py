"""The solver of Three Peaks."""

from .model import ThreePeaksModel
from .solver import STATES, model, shortest, solve

__all__ = ["STATES", "ThreePeaksModel", "model", "shortest", "solve"]
