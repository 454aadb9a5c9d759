"""Cards and decks. A card is a text of two characters, rank then suit: `7H`, `TC`, `MS`."""

from __future__ import annotations

from typing import NamedTuple

Card = str
Cards = tuple[Card, ...]

HIDDEN = "--"
"""How a face-down card is shown."""

SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Deck(NamedTuple):
    """A pack of cards: ranks from low to high, suits, and how many of each card there are."""

    name: str
    ranks: str
    suits: str
    copies: int
    coloured: str
    """The suits that a board shows in the second colour."""
    signs: dict[str, str]
    """The signs that stand for suit letters on a UTF-8 terminal."""

    @property
    def cards(self) -> Cards:
        """The sorted deck, from which every shuffle starts (COMMANDS, Seeds)."""
        one = tuple(rank + suit for suit in self.suits for rank in self.ranks)
        return one * self.copies


STANDARD = Deck("standard", "A23456789TJQK", "CDHS", 1, "DH", SIGNS)
DOUBLE = STANDARD._replace(name="double", copies=2)
UNIVERSAL = Deck("universal", "1234567MSG", "EJMNSV", 1, "EMV", {})

DECKS = {deck.name: deck for deck in (STANDARD, DOUBLE, UNIVERSAL)}


def normalized(word: str, deck: Deck) -> str:
    """Returns a word as a player may type it in the rulebook's letters, upper case; only ASCII letters have one.

    >>> normalized("10♥", STANDARD)
    'TH'
    """
    for letter, sign in deck.signs.items():
        word = word.replace(sign, letter)
    word = word.replace("\N{VARIATION SELECTOR-16}", "")
    if not word.isascii():
        return word
    word = word.upper()
    if "T" in deck.ranks:
        for suit in deck.suits:
            word = word.replace("10" + suit, "T" + suit)
    return word
