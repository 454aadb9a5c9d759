"""What a solver is, and which one a game has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ..errors import BrokenGame
from ..registry import referred
from ..rules import Rules
from .any_game import AnyGameSolver
from .limits import Meter
from .model import Found, Goal, Model


class Solver(Protocol):
    """The shape of what a game names as its SOLVER: a module, or any object that has these.

    A game, built in or added by a package, has an attribute `SOLVER = "module"` or `"module:object"`. A game
    without one is solved by its rules alone, see `any_game`.
    """

    @property
    def STATES(self) -> int:  # noqa: N802
        """The default limit of a search, in states: worth about a minute."""

    def model(self, state: Any) -> Model[Any, Any]:
        """Returns the search model of a position, for callers who look only a little way ahead."""

    def solve(self, state: Any, goal: Goal, meter: Meter) -> Found:
        """Solves from a state of the game's own rules, all cards seen.

        Goal `win` is answered by `won` or `impossible`, goal `score` by `best`. `meter.count` is called for
        each position that is expanded and may raise LimitReached, which is passed on; what was found before is
        given to `meter.keep`. The line is legal from the state, and ends with the score that is told. The
        same state and limit in states give the same answer on every machine.

        A solver may also have a function `shortest(state)`, which returns a win that is proved to have the fewest
        moves, as a Found, or None where no line wins. It is called for wins that were found.
        """


PARTS = ("STATES", "model", "solve")


def solver_of(rules: Rules[Any], options: Mapping[str, str] | None = None) -> Solver:
    """Returns the solver that a game names, else the one for any game, which the options tell the highest score.

    Raises BrokenGame where what the game names can't be loaded or is no solver.
    """
    reference = getattr(rules, "SOLVER", None)
    if reference is None:
        return AnyGameSolver(rules, None if options is None else rules.max_score(options))
    try:
        solver: Solver = referred(reference)
    except Exception as error:
        raise BrokenGame(rules.NAME, reference, f"its solver: {error}") from error
    if missing := [part for part in PARTS if not hasattr(solver, part)]:
        raise BrokenGame(rules.NAME, reference, f"its solver has no {' and no '.join(missing)}")
    return solver
