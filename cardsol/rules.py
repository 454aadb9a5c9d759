"""What a game is: the shape that every module under `cardsol.games` has.

A game is a module of constants and pure functions over its own immutable `State`. `Rules` writes
that shape down for the type checker; a module that has it all is a game, nothing is inherited.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from .board import Row
from .cards import Cards
from .moves import Move, TokenForm
from .piles import Pile
from .view import View

State = TypeVar("State")


class Rules(Protocol[State]):
    """A game module. All functions are pure; a token given to `apply` or `explain` is legal."""

    @property
    def NAME(self) -> str: ...  # noqa: N802
    @property
    def TITLE(self) -> str: ...  # noqa: N802
    @property
    def DECK(self) -> str:  # noqa: N802
        """A key of `cards.DECKS`."""

    @property
    def OPTIONS(self) -> Mapping[str, Mapping[str, str]]:  # noqa: N802
        """Option → value → what the value means; the first value is the default."""

    @property
    def PILES(self) -> tuple[str, ...]:  # noqa: N802
        """Every pile, in the rulebook's order."""

    @property
    def LONG_NAMES(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Part of a token → the longer words that a player may type for it."""

    @property
    def ABOUT(self) -> str:  # noqa: N802
        """The rules in prose, for `cardsol rules`."""

    @property
    def TOKEN_FORMS(self) -> tuple[TokenForm, ...]: ...  # noqa: N802
    @property
    def NOT_PLAYED(self) -> tuple[str, ...]:  # noqa: N802
        """Variants that players ask for by name and that this game is not."""

    @property
    def SOURCE(self) -> str: ...  # noqa: N802

    def deal(self, deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
        """Lays the cards out; raises BadOption where the options ask for a seed and none is given."""

    def grammar(self, options: Mapping[str, str]) -> frozenset[str]:
        """Returns every token that can be legal at some moment of some game with these options."""

    def moves(self, state: State, source: str | None = None) -> list[str]:
        """Returns the legal tokens in any order, or only those whose first part is `source`."""

    def apply(self, state: State, token: str) -> State:
        """Returns the state after a legal move."""

    def is_won(self, state: State) -> bool: ...
    def score(self, state: State) -> int: ...
    def max_score(self, options: Mapping[str, str]) -> int | None: ...

    def piles(self, state: State) -> dict[str, Pile]:
        """Returns all cards, in the order of PILES; the stock's last card is the next drawn."""

    def extra(self, state: State) -> dict[str, int | str]:
        """Returns the further keys of the view."""

    def explain(self, view: View, token: str) -> Move:
        """Returns what a legal move does, from what the player sees."""

    def why_not(self, view: View, token: str) -> str:
        """Names the rule that forbids a token of the grammar, from what the player sees."""

    def board(self, view: View) -> list[Row]:
        """Lays the piles out for a terminal of 80 columns."""

    def describe(self, view: View, pile: str) -> str:
        """Returns in words what lies on a pile, without the pile's name or a full stop."""


class Optional(Protocol):
    """What a game may have besides; each part is used where it is there, and none is needed."""

    @property
    def SOLVER(self) -> str:  # noqa: N802
        """Reference `module` or `module:object` of a `cardsol.solve.solver.Solver`; without it any game is searched."""

    @property
    def POLICY(self) -> str:  # noqa: N802
        """Reference of a `cardsol.hint.policies.Policy`; without it hints ask the policy of any game."""

    def pysolfc_order(self, cards: Cards) -> Cards:
        """Returns the deck order for the cards that PySolFC deals, the first dealt first."""
