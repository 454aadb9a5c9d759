"""Boards as plain data: rows of texts at columns, which `render` turns into lines.

A game says *where* a text stands, never how wide it looks: columns count the two letters of a card,
whatever sign or colour a terminal shows for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .cards import HIDDEN, Cards, Deck
from .view import Shown, View

Row = list[tuple[int, str]]
"""Texts with the column, from 0, at which each begins. A text that is a card is shown as one."""

RED, PLAIN = "\x1b[31m", "\x1b[0m"


def faces(pile: Shown) -> list[str]:
    """Returns a pile card by card, bottom to top, the face-down ones as `--`."""
    return [HIDDEN] * pile.down + list(pile.up)


def top(pile: Shown) -> str:
    """Returns the top card, `--` where it is face down, or a dot where there is none."""
    return pile.up[-1] if pile.up else HIDDEN if pile.down else "."


def side_by_side(view: View, names: Sequence[str], left: int, step: int) -> list[Row]:
    """Lays columns out from their names down, `step` characters apart."""
    places = [(left + step * i, name) for i, name in enumerate(names)]
    rows: list[Row] = [list(places)]
    for x, name in places:
        for y, face in enumerate(faces(view.piles[name]) or ["."], start=1):
            while len(rows) <= y:
                rows.append([])
            rows[y].append((x, face))
    return rows


def in_words(pile: Shown) -> str:
    """Says how many cards lie face down and which lie face up, the top card last.

    >>> in_words(Shown(2, ("7H", "6S")))
    '2 face down, then 7H 6S'
    """
    if not pile.up:
        return f"{pile.down} face down" if pile.down else "empty"
    cards = " ".join(pile.up)
    return f"{pile.down} face down, then {cards}" if pile.down else cards


def render(rows: Iterable[Row], deck: Deck, *, signs: bool, color: bool) -> list[str]:
    """Returns the lines of a board; with `color`, cards of the deck's coloured suits in red."""
    cards = deck.cards
    return [_line(row, cards, deck, signs, color) for row in rows]


def _line(row: Row, cards: Cards, deck: Deck, signs: bool, color: bool) -> str:
    line, width = "", 0
    for column, text in sorted(row):
        line += " " * (column - width)
        width = max(width, column) + len(text)
        if text in cards:
            face = text[0] + deck.signs.get(text[1], text[1]) if signs else text
            line += f"{RED}{face}{PLAIN}" if color and text[1] in deck.coloured else face
        else:
            line += text
    return line.rstrip()
