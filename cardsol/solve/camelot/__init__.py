"""The solver of Camelot."""

from .model import CamelotModel
from .solver import STATES, model, solve

__all__ = ["STATES", "CamelotModel", "model", "solve"]
