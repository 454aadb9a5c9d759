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


class BestWin(NamedTuple):
    """The best score among lines that win."""

    score: int
    """The score when the game is won."""
    line: tuple[str, ...]
    """Canonical tokens; the last one wins."""
    optimal: bool
    """Whether it is proved that no line wins with more."""


class Proof(NamedTuple):
    """Why no line wins."""

    kind: Literal["exhausted", "bound", "pattern"]
    """`exhausted`: every line was searched; `bound`: too few cards can go up, or away, even in an easier game;
    `pattern`: `cards` are in each other's way for good."""
    text: str
    """The reason in words, without full stop."""
    cards: tuple[str, ...] = ()
    """The cards that the text names."""


class Found(NamedTuple):
    """The result of a search that no limit has ended."""

    verdict: Literal["won", "impossible", "best"]
    line: list[str]
    """Canonical tokens; empty where impossible."""
    score: int
    """The score that the line ends with; where impossible, the score at the start."""
    optimal: bool
    """Whether the verdict is proved; a win is its own proof."""
    winnable: bool | None = None
    """Whether a line wins; None where that is not known."""
    best_winning: BestWin | None = None
    """With goal `score`, the best score of a line that wins; None where no such line is known."""
    shortest: bool = False
    """Whether it is proved that no line to the same end is shorter."""
    proof: Proof | None = None
    """Why the verdict is impossible, where more can be said than that every line was searched."""

    def with_wins_highest(self) -> Found:
        """Adds, for a game in which every win has the highest score, that none wins where the best is no win."""
        lost = self.verdict == "best" and self.optimal and self.winnable is None
        return self._replace(winnable=False) if lost else self


def in_a_row(names: Sequence[str]) -> str:
    """Returns names as a list in words.

    >>> in_a_row(["7H"]), in_a_row(["7H", "8C", "KD"])
    ('7H', '7H, 8C and KD')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
