"""What a game hands to the search: a compact position and a few functions on it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from .limits import Meter

Position = TypeVar("Position")
Step = TypeVar("Step")
Goal = Literal["win", "score"]


class Model(Protocol[Position, Step]):
    """One deal as a search sees it: ints and flat tuples, tables computed once for the deal.

    All functions are pure. A step is whatever the model prior_of; `tokens` turns steps into the game's own.
    """

    start: Position

    def expand(self, position: Position) -> Iterable[tuple[Step, Position]]:
        """Yields every legal move with the position after it; moves that are alike may be given once."""

    def key(self, position: Position) -> Hashable:
        """Returns what decides the future: positions with equal keys are won and lost alike."""

    def is_won(self, position: Position) -> bool: ...

    def score(self, position: Position) -> int:
        """Returns the game's score."""

    def estimate(self, position: Position) -> float:
        """Returns how far from won the position looks; lower is nearer. Guides, proves nothing."""

    def bound(self, position: Position) -> int:
        """Returns a score that no line from here goes beyond; the most points there are is always one."""

    def layer(self, position: Position) -> int:
        """Returns a number that never falls along a line (cards drawn, say): a beam is cut layer by layer."""

    def forced(self, position: Position) -> tuple[Step, Position] | None:
        """Returns a move proved to be at least as good as every other here, or None."""

    def tokens(self, steps: Sequence[Step]) -> list[str]:
        """Returns canonical tokens that play these steps from the start."""


class Found(NamedTuple):
    """What a search came to before any limit."""

    verdict: Literal["won", "impossible", "best"]
    line: list[str]
    """Canonical tokens; empty where impossible."""
    score: int
    """The score that the line ends with."""
    optimal: bool
    """Whether the verdict is proved; a win is its own proof."""


class Solver(Protocol):
    """The shape of a module `cardsol.solve.GAME`."""

    @property
    def STATES(self) -> int:  # noqa: N802
        """Default limit: states worth about a minute."""

    def model(self, state: Any) -> Model[Any, Any]:
        """Returns the search model of a position."""

    def solve(self, state: Any, goal: Goal, meter: Meter) -> Found:
        """Solves from a state of the game's own rules module; raises LimitReached."""
