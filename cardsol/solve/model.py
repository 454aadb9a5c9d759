"""What a search asks of a game: a compact position and a few functions on it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol, TypeVar

Position = TypeVar("Position")
Step = TypeVar("Step")
Goal = Literal["win", "score"]


class Model(Protocol[Position, Step]):
    """One deal as a search sees it: ints and flat tuples, with tables computed once for the deal.

    All functions are pure. A step is any value that the model prefers; `tokens` turns steps into the game's own.
    """

    start: Position

    def expand(self, position: Position) -> Iterable[tuple[Step, Position]]:
        """Yields every legal move with the position after it; of moves that lead to equal keys one is enough."""

    def key(self, position: Position) -> Hashable:
        """Returns what decides the future: from positions with equal keys the same scores and wins can be had."""

    def is_won(self, position: Position) -> bool:
        """Tells whether the game is won here."""

    def score(self, position: Position) -> int:
        """Returns the game's score."""

    def estimate(self, position: Position) -> float:
        """Returns how far from won the position looks; lower is nearer. It guides a search and proves nothing."""

    def bound(self, position: Position) -> int:
        """Returns a score that no line from here exceeds; the most points that there are is always one.

        Where a line from here wins, it is at least the score that the search takes for a win.
        """

    def layer(self, position: Position) -> int:
        """Returns a number that never falls along a line (cards drawn, say): a beam is cut layer by layer."""

    def forced(self, position: Position) -> tuple[Step, Position] | None:
        """Returns a move proved to be at least as good as every other here, or None."""

    def tokens(self, steps: Sequence[Step]) -> list[str]:
        """Returns canonical tokens that play these steps from the start."""


class Found(NamedTuple):
    """The result of a search that no limit has ended."""

    verdict: Literal["won", "impossible", "best"]
    line: list[str]
    """Canonical tokens; empty where impossible."""
    score: int
    """The score that the line ends with; where impossible, the score at the start."""
    optimal: bool
    """Whether the verdict is proved; a win is its own proof."""
