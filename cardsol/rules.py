"""What a game is: the shape that every module under `cardsol.games` has.

A game is a module of constants and pure functions over its own immutable `State`. `Rules` writes
that shape down for the type checker; a module that has it all is a game, nothing is inherited.

What the parts of cardsol need of a game:

- Playing and saves: a legal move gives the same state whenever it is played again. States are kept, never copied.
- Hints: decks are guessed, dealt and played again. `deal` and `apply` may get any order of the deck, and may raise
  whatever they like for a card that the moves made can't have met. All that a player sees follows from the deck, the
  options, the moves, and `deals.shuffled` with the seed for decks of later rounds. Nothing else is asked of a state.
- Solving and surveys: states are compared and hashed. Equal states have the same moves and the same future, also
  where they were reached in different ways; what only tells how a state was reached stays out of it.
- Views, and words for moves: `explain`, `why_not`, `board` and `describe` get a view, which has no hidden card.
  `extra` gets the state, and must not tell one.

The constants of an added game are checked when it is loaded, the types of its results at each call; either fault is a
BrokenGame. `cardsol.testing.check_game` checks the rest.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from .board import Row
from .cards import Cards
from .moves import Move, TokenForm
from .piles import Pile
from .view import Seen, View

State = TypeVar("State")


class Rules(Protocol[State]):
    """A game module. All functions are pure; a token given to `apply` or `explain` is legal."""

    @property
    def NAME(self) -> str:  # noqa: N802
        """One word, by which the game is dealt: that of the registry or the entry point."""

    @property
    def TITLE(self) -> str:  # noqa: N802
        """The name in prose: `Three Peaks`."""

    @property
    def DECK(self) -> str:  # noqa: N802
        """A key of `cards.DECKS`."""

    @property
    def OPTIONS(self) -> Mapping[str, Mapping[str, str]]:  # noqa: N802
        """Option → value → what the value means; the first value is the default."""

    @property
    def PILES(self) -> tuple[str, ...]:  # noqa: N802
        """Every pile, one word each, in the order that a view lists them."""

    @property
    def LONG_NAMES(self) -> Mapping[str, tuple[str, ...]]:  # noqa: N802
        """Part of a token → the longer words that a player may type for it."""

    @property
    def ABOUT(self) -> str:  # noqa: N802
        """The rules in prose, for `cardsol rules`."""

    @property
    def TOKEN_FORMS(self) -> tuple[TokenForm, ...]:  # noqa: N802
        """Every form of token; its example is dealt by `--seed SEED [-o KEY=VALUE]...`, and ends with such a token."""

    @property
    def NOT_PLAYED(self) -> tuple[str, ...]:  # noqa: N802
        """Variants that players ask for by name and that this game is not; may be empty."""

    @property
    def SOURCE(self) -> str:  # noqa: N802
        """Where the rules come from, without a full stop."""

    def deal(self, deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
        """Lays the cards out; raises BadOption where the options ask for a seed and none is given.

        `deck` has each card of the deck, the first dealt first, and `options` a value for each of OPTIONS. The seed
        is for `deals.shuffled` alone, and for rounds after the first: the deck may be another than the seed's.
        """

    def grammar(self, options: Mapping[str, str]) -> frozenset[str]:
        """Returns every token that can be legal at some moment of some game with these options.

        A token is one or two parts, each of small letters and then digits, joined by `-` or `+`; `x` and a number
        may follow: `draw`, `t3-t5`, `b2+c3`, `b1-c2x3`. A shell takes it as it is.
        """

    def moves(self, state: State, source: str | None = None) -> list[str]:
        """Returns the legal tokens, each once, in any order, or only those whose first part is `source`.

        A game that is won has none. One that has none, and is not won, is lost.
        """

    def apply(self, state: State, token: str) -> State:
        """Returns the state after a legal move."""

    def is_won(self, state: State) -> bool: ...
    def score(self, state: State) -> int:
        """Returns the score, at most `max_score`, in at most 15 digits; it may be below 0."""

    def max_score(self, options: Mapping[str, str]) -> int | None:
        """Returns the highest score, None where there is none, as in a game that goes on for ever."""

    def piles(self, state: State) -> dict[str, Pile]:
        """Returns the piles in the order of PILES, with all cards; the stock's last card is the next drawn."""

    def extra(self, state: State) -> dict[str, int | str]:
        """Returns the further keys of the view, none of them a key that each view has. They tell no hidden card.

        An int has at most 15 digits.
        """

    def explain(self, view: View, token: str) -> Move:
        """Returns what a legal move does, from what the player sees.

        The source is a pile, or several joined by `+`, and the cards lie there face up. The target is a pile, or
        `tableau` where cards are dealt to several. The text is one line.
        """

    def why_not(self, view: View, token: str) -> str:
        """Names the rule that forbids a token of the grammar, from what the player sees: one line, no full stop."""

    def board(self, view: View) -> list[Row]:
        """Lays the piles out for a terminal of 80 columns, better of `board.WIDTH`; no text lies over another."""

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

    def changed_piles(self, before: Any, token: str, after: Any) -> dict[str, Seen]:
        """Returns what a player sees of the piles that a move changed; `after` is `apply(before, token)`.

        Piles that it did not change may be there too, in any order. With it a program that follows a game move by
        move need not look at every pile each time; it is for speed alone.
        """

    def pysolfc_order(self, cards: Cards) -> Cards:
        """Returns the deck order for the cards that PySolFC deals, the first dealt first."""
