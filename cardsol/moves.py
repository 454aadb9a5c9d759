"""A legal move told apart, and a form of token told to a reader of the rules."""

from __future__ import annotations

from typing import NamedTuple

from .cards import Card, Cards


class Move(NamedTuple):
    """One legal move, told apart: what `moves --json` prints, and what a player may call it."""

    token: str
    kind: str
    """One of draw, play, build, slip, fill, foundation, discard, sequence, place, remove."""
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


class TokenForm(NamedTuple):
    """One form of token for `cardsol rules`, with an example that really plays."""

    form: str
    meaning: str
    deal: str
    """The words after `cardsol deal GAME` from which the example starts."""
    moves: str
    """Tokens, blank-separated; the last is of this form."""
