"""A legal move with what it does, and a form of token for the rules."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from .cards import Card, Cards

Kind = Literal[
    "foundation", "sequence", "remove", "play", "slip", "build", "fill", "place", "draw", "discard"
]
"""What a move does. The order is that of a greedy player: cards gone for good first, the stock late."""

KINDS: tuple[Kind, ...] = get_args(Kind)
"""Every `Kind`, in that order."""


def preference(kind: str) -> int:
    """Returns the place of a kind in KINDS, from 0; a kind that only a plug-in has comes after all of them."""
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


class Move(NamedTuple):
    """One legal move: what `moves --json` prints, and what a player may call it."""

    token: str
    """The canonical token."""
    kind: Kind | str
    """One of KINDS; a game of a plug-in may have a kind of its own."""
    source: str
    """Full name of the pile that the cards leave."""
    target: str
    """Full name of the pile that they go to."""
    cards: Cards
    """The cards that move, bottom to top; empty where they are face down."""
    onto: Card | None
    """The card that is built on (for `w-h…` the head), where there is one."""
    text: str
    """The move in words."""

    def as_dict(self) -> dict[str, object]:
        """Returns what `moves --json` prints of the move."""
        names = ("token", "kind", "from", "to", "cards")
        return {**dict(zip(names, self)), "text": self.text}


class TokenForm(NamedTuple):
    """One form of token for `cardsol rules`, with an example that plays."""

    form: str
    meaning: str
    deal: str
    """The words after `cardsol deal GAME` from which the example starts."""
    moves: str
    """Tokens, blank-separated; the last is of this form."""
