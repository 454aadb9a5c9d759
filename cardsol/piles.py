"""A pile with all its cards, and what happens when cards leave a column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import compress
from operator import is_not
from typing import NamedTuple, TypeVar

from .cards import Card, Cards

Name = TypeVar("Name")
Part = TypeVar("Part")


class Pile(NamedTuple):
    """All cards of a pile, the face-down ones first, each part bottom to top."""

    down: Cards = ()
    """The face-down cards, bottom to top."""
    up: Cards = ()
    """The face-up cards, bottom to top."""


EMPTY = Pile()


class _Singles(dict[Card, Pile]):
    """Piles of one card, made when first asked for: games with many such piles build them again at every move."""

    def __init__(self, *, face_up: bool) -> None:
        self._face_up = face_up

    def __missing__(self, card: Card) -> Pile:
        self[card] = pile = (Pile((), (card,)) if self._face_up else Pile((card,))) if card else EMPTY
        return pile


FACE_UP, FACE_DOWN = _Singles(face_up=True), _Singles(face_up=False)
"""Card, or an empty text for none → the pile of it alone."""


def onto(pile: Pile, cards: Cards) -> Pile:
    """Returns the pile with cards put on it face up."""
    return Pile(pile.down, pile.up + cards)


def lift(column: Pile, count: int) -> Pile:
    """Returns a column without its last `count` face-up cards.

    A face-down card that becomes the top card turns face up.
    """
    up = column.up[:-count]
    if up or not column.down:
        return Pile(column.down, up)
    return Pile(column.down[:-1], column.down[-1:])


def replaced(piles: tuple[Pile, ...], changes: dict[int, Pile]) -> tuple[Pile, ...]:
    """Returns the piles with those at the given indices replaced."""
    new = list(piles)
    for index, pile in changes.items():
        new[index] = pile
    return tuple(new)


def changed(
    names: Iterable[Name], before: Iterable[Part], after: Iterable[Part]
) -> Iterator[tuple[Name, Part]]:
    """Returns a name and its part of `after` where `before` has another object: all that differ, and perhaps more."""
    return compress(zip(names, after), map(is_not, before, after))
