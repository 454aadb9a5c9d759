"""Solving with all cards seen."""

from .answer import Answer, Loss, Progress, default_states, model_of, solve, where_lost, winning_line
from .limits import LimitReached, Limits, Meter
from .model import BestWin, Found, Goal, Model, Proof
from .solver import Solver, solver_of

__all__ = [
    "Answer",
    "BestWin",
    "Found",
    "Goal",
    "LimitReached",
    "Limits",
    "Loss",
    "Meter",
    "Model",
    "Progress",
    "Proof",
    "Solver",
    "default_states",
    "model_of",
    "solve",
    "solver_of",
    "where_lost",
    "winning_line",
]
