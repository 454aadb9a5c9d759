"""Boards as plain data: rows of texts at columns, which `render` turns into lines.

A game says *where* a text stands and *what* it is, never how it looks: columns count the two letters of a card,
whatever sign or colour a terminal shows for them. What stands on a board is a card, HIDDEN, a `Label`, or other text.
A card of the view that can move, or that moved last, is a `Face`: a game that puts it on its board shows that too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .cards import HIDDEN, Deck
from .view import Shown, View

Row = list[tuple[int, str]]
"""Texts with the column, from 0, at which each begins. A text that is a card is shown as one."""

WIDTH = 58
"""The columns that a board may take."""
HEIGHT = 18
"""The rows that a game's board may take; the heading and the result of the game come to these."""
LEFT = 2
"""The column at which boards begin."""
STEP = 4
"""From one card of a row to the next: two letters, the mark of a card that moved, and a blank."""
TIMES = "×"
"""Stands before a count of cards; shown as `x` where the output is ASCII."""
MARK = "*"
"""Stands behind a card that moved last."""
BOLD, DIM, OFF = "1", "2", "\x1b[0m"


class Label(str):
    """A text that names a place or a fact, or counts face-down cards: shown dim."""

    __slots__ = ()


class Face(str):
    """A card on a board that can move now, or that moved last."""

    __slots__ = ("moved", "playable")

    moved: bool
    playable: bool

    @classmethod
    def of(cls, card: str, *, playable: bool, moved: bool) -> Face:
        face = cls(card)
        face.playable, face.moved = playable, moved
        return face


def has_moved(text: str) -> bool:
    """Tells whether a text of a board is a card that moved last, which takes one column more for its mark."""
    return isinstance(text, Face) and text.moved


def faces(pile: Shown) -> list[str]:
    """Returns a pile card by card, bottom to top, the face-down ones as `--`."""
    return [HIDDEN] * pile.down + list(pile.up)


def top(pile: Shown) -> str:
    """Returns the top card, `--` where it is face down, or a dot where there is none."""
    return pile.up[-1] if pile.up else HIDDEN if pile.down else "."


def labels(places: Iterable[tuple[int, str]]) -> Row:
    """Returns a row of names at their columns."""
    return [(column, Label(name)) for column, name in places]


def spread(cards: Iterable[str], left: int, step: int = STEP) -> Row:
    """Returns cards side by side from a column on."""
    return [(left + step * i, card) for i, card in enumerate(cards)]


def heap(column: int, name: str, count: int, up: Sequence[str]) -> Row:
    """Returns a pile as its name, how many cards it counts, and its last cards, in brackets."""
    at = column + len(name) + 1
    row: Row = [(column, Label(name)), (at, str(count))]
    at += len(str(count)) + 1
    for sign, card in zip("[" + " " * len(up), up):
        row += [(at, sign), (at + 1, card)]
        at += 3 + has_moved(card)
    return [*row, (at, "]")] if up else row


def stock_row(view: View, *facts: str) -> Row:
    """Returns what every board begins with: stock, waste, what a draw does, and other facts that are not empty."""
    row: Row = []
    for name in ("stock", "waste"):
        if name in view.piles:
            down, up = view.piles[name]
            row += heap(_after(row), name, down + len(up) * (name == "waste"), up[-1:])
    for fact in facts:
        if fact:
            row.append((_after(row), fact))
    return row


def _after(row: Row) -> int:
    """Returns the column two blanks behind a row."""
    return row[-1][0] + len(row[-1][1]) + 2 if row else LEFT


def side_by_side(view: View, names: Sequence[str], left: int, step: int, height: int = HEIGHT) -> list[Row]:
    """Lays columns out from their names down, `step` characters apart, in at most `height` rows.

    Of a column that is too long the face-down cards are counted. Where that is not enough, the columns lie on their
    sides, a row each from the bottom card to the top card: that has room for every card.
    """
    columns = [_shortened(view.piles[name], height - 1) for name in names]
    if max(map(len, columns)) >= height:
        return _lying(view, names, left, height)
    places = [left + step * i for i in range(len(names))]
    rows = [labels(zip(places, names))]
    for y in range(max(map(len, columns))):
        rows.append([(x, column[y]) for x, column in zip(places, columns) if y < len(column)])
    return rows


def _shortened(pile: Shown, length: int) -> list[str]:
    """Returns a column card by card, its face-down cards as a count if it is longer than that, or a dot if empty."""
    if pile.down > 1 and pile.down + len(pile.up) > length:
        return [Label(f"{TIMES}{pile.down}"), *pile.up]
    return faces(pile) or ["."]


def _lying(view: View, names: Sequence[str], left: int, height: int) -> list[Row]:
    """Lays columns on their sides, closer together if they would not fit otherwise."""
    rows: list[Row] = []
    for step in (STEP, STEP - 1):
        rows = []
        for name in names:
            rows += listed(name, _shortened(view.piles[name], 0), left, step)
        if len(rows) <= height:
            break
    return rows


def listed(name: str, cards: Sequence[str], left: int, step: int = STEP) -> list[Row]:
    """Returns a name and the cards of its pile beside it, in as many rows as they need."""
    start = left + STEP + 1
    most = (WIDTH - start - STEP + 1) // step + 1
    rows = [spread(cards[i : i + most], start, step) for i in range(0, len(cards), most)]
    return [[(left, Label(name)), *rows[0]], *rows[1:]] if rows else [labels([(left, name)])]


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
    """Returns the lines of a board.

    With `signs` a suit is its sign, and not its letter. With `color` a card has the colour of its suit, is bold
    if it can move, and labels and face-down cards are dim. A card that moved last is marked in either case.
    """
    cards = frozenset(deck.cards)
    found = [_line(row, cards, deck, signs, color) for row in rows]
    while found and not found[-1]:
        found.pop()
    return found


def _line(row: Row, cards: frozenset[str], deck: Deck, signs: bool, color: bool) -> str:
    line, width = "", 0
    for column, text in sorted(row):
        moved = has_moved(text)
        line += " " * (column - width)
        width = max(width, column) + len(text) + moved
        look = _look(text, cards, deck) if color else ""
        shown = _shown(text, cards, deck, signs) + MARK * moved
        line += f"\x1b[{look}m{shown}{OFF}" if look else shown
    return line.rstrip()


def _shown(text: str, cards: frozenset[str], deck: Deck, signs: bool) -> str:
    if not signs:
        return text.replace(TIMES, "x")
    return text[0] + deck.signs.get(text[1], text[1]) if text in cards else str(text)


def _look(text: str, cards: frozenset[str], deck: Deck) -> str:
    """Returns how a terminal is told to show a text: the parameters of SGR, or nothing."""
    if text not in cards:
        return DIM if isinstance(text, Label) or text == HIDDEN else ""
    bold = BOLD if isinstance(text, Face) and text.playable else ""
    return ";".join(filter(None, (bold, deck.colors.get(text[1]))))
