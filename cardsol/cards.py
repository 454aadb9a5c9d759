"""Cards and decks. A card is a text of two characters, rank then suit: `7H`, `TC`, `MS`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Card = str
Cards = tuple[Card, ...]

HIDDEN = "--"
"""How a face-down card is shown."""

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
PLANETS = {"E": "♁", "J": "♃", "M": "♂", "N": "♆", "S": "♄", "V": "♀"}
RED = {"D": "31", "H": "31"}
PLANET_COLORS = {
    "E": "38;5;28",
    "J": "38;5;130",
    "M": "38;5;196",
    "N": "38;5;27",
    "S": "38;5;30",
    "V": "38;5;164",
}
"""Green, brown, red, blue, teal and magenta of the 256 colours: each has a contrast of 4 or more, by WCAG 2's
formula, both to black and to white."""


class Deck(NamedTuple):
    """A pack of cards: ranks from low to high, suits, and how many of each card there are."""

    name: str
    """`standard`, `double` or `universal`."""
    ranks: str
    """One character per rank, from low to high."""
    suits: str
    """One character per suit, in the order of the sorted deck."""
    copies: int
    """How many there are of each card."""
    colors: Mapping[str, str]
    """The suits that a board shows in a colour of their own, with the SGR parameters for it (ECMA-48)."""
    signs: Mapping[str, str]
    """The signs that may stand for suit letters."""
    well_known: bool
    """Whether a UTF-8 terminal shows the signs unasked."""

    @property
    def cards(self) -> Cards:
        """The sorted deck, from which every shuffle starts."""
        one = tuple(rank + suit for suit in self.suits for rank in self.ranks)
        return one * self.copies


STANDARD = Deck("standard", "A23456789TJQK", "CDHS", 1, RED, SIGNS, True)
DOUBLE = STANDARD._replace(name="double", copies=2)
UNIVERSAL = Deck("universal", "1234567MSG", "EJMNSV", 1, PLANET_COLORS, PLANETS, False)

DECKS: Mapping[str, Deck] = {deck.name: deck for deck in (STANDARD, DOUBLE, UNIVERSAL)}
"""The decks by name: `standard`, `double` and `universal`."""


def normalized(word: str, deck: Deck) -> str:
    """Returns a word as a player may type it in canonical letters: upper case, `T` for 10, letters for suit signs.

    >>> normalized("10♥", STANDARD)
    'TH'
    >>> normalized("m♄-t3", UNIVERSAL)
    'MS-T3'
    """
    for letter, sign in deck.signs.items():
        word = word.replace(sign, letter)
    for selector in "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}":
        word = word.replace(selector, "")
    if not word.isascii():
        return word
    word = word.upper()
    if "T" in deck.ranks:
        for suit in deck.suits:
            word = word.replace("10" + suit, "T" + suit)
    return word
