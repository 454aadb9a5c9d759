"""What a game gives to the planner: its positions as a player sees them, and the chance of winning from each.

A policy (see `policies`) may have a function `outlook(seen: Seen) -> Outlook`. Hints for its game are then planned:
see `plan`. No hidden card can reach a value: a `Seen` is all that it is made of.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import exp
from typing import NamedTuple, Protocol, TypeVar

from ..cards import Card, Cards

UNKNOWN: Card = "??"
"""Stands for a card that was never seen."""

Position = TypeVar("Position")
Step = TypeVar("Step")


class Seen(NamedTuple):
    """A position as its player knows it. A card that was seen once is known, face down too."""

    options: Mapping[str, str]
    """Every option with its value."""
    piles: Mapping[str, Cards]
    """All cards of each pile, bottom to top as in `Rules.piles` (the stock's last card is the next drawn); cards that
    were never seen are UNKNOWN."""
    down: Mapping[str, int]
    """How many cards of each pile, from the bottom, lie face down."""
    extra: Mapping[str, int | str]
    """The further facts of the view: the pass, the phase."""
    score: int
    unseen: Cards
    """The cards that were never seen, sorted: one for each UNKNOWN, and nothing else is known of them."""


class Outlook(Protocol[Position, Step]):
    """A game from what is seen at one moment until a card is seen that was not known.

    All functions are pure. Positions are compact values of any type that the outlook prefers. A position may hold
    unknown cards: those that the last step showed, and nobody has yet said what they are.
    """

    def position(self, seen: Seen) -> Position:
        """Returns the position of what is seen.

        That is what the outlook was made of, or a later moment; nothing new has been seen in between.
        """

    def expand(self, position: Position) -> Iterable[tuple[Step, Position, bool]]:
        """Yields each legal move, the position after it, and whether it shows a card that is not known.

        Of moves that lead to equal keys one is enough. Only positions with no unknown card to be shown are expanded.
        """

    def key(self, position: Position) -> Hashable:
        """Returns what decides the future: positions with equal keys are the same to a player."""

    def is_won(self, position: Position) -> bool:
        """Tells whether the game is won here."""

    def value(self, position: Position) -> float:
        """Returns the log-odds of winning: of chance p it is log(p / (1 − p)). Floats are finite.

        It is asked for each position that the planner reaches, and so decides which are looked at first; where a
        step showed unknown cards it is the value before anybody knows which they are.
        """

    def reveal(self, position: Position, cards: Sequence[Card]) -> Position:
        """Returns the position when its unknown cards have been seen: the first of `cards`, in a fixed order.

        `cards` are all unseen cards in an order by chance; what follows the first of them is not looked at.
        """

    def tokens(self, seen: Seen, steps: Sequence[Step]) -> list[str]:
        """Returns the canonical tokens that play these steps from what is seen."""

    def words(self, before: Position, after: Position) -> str:
        """Returns what a plan from one position to another does for the player, in words a player would use.

        A clause without subject or full stop, `frees the 4 of hearts and keeps a space`; empty where there is
        nothing to tell. `after` may have unknown cards in it.
        """


def chance(value: float) -> float:
    """Returns the chance, 0 to 1, of log-odds."""
    return 1 / (1 + exp(-value)) if value >= 0 else 1 - 1 / (1 + exp(value))
