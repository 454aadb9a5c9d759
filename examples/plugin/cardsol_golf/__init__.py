"""Golf: one file is a game, and one line in pyproject.toml adds it to `cardsol`.

The order of contents is that of the games of `cardsol` itself: what is known of the game, its texts, its state,
the rules as pure functions, and how it is shown. `cardsol.rules.Rules` writes down what must be there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardsol.board import Row, in_words, side_by_side, stock_row
from cardsol.cards import STANDARD, Card, Cards
from cardsol.moves import Move, TokenForm
from cardsol.piles import Pile
from cardsol.view import View

NAME = "golf"
TITLE = "Golf"
DECK = "standard"
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "wrap": {
        "off": "nothing goes on a King, and only a 2 on an Ace",
        "on": "Ace and King go on each other",
    }
}
COLUMNS = tuple(f"t{number}" for number in range(1, 8))
PILES = ("stock", "waste", *COLUMNS)
LONG_NAMES: Mapping[str, tuple[str, ...]] = {}
DEEP = 5

ABOUT = """\
Aim: bring the 35 cards of the seven columns to the waste.

Deal: seven columns of five cards, face up. One card starts the waste, and the other 16 are the stock.

Play: the last card of a column goes to the waste if it is one rank above or below the top card there,
whatever the suits. With wrap=off, the default, nothing goes on a King and only a 2 on an Ace; with wrap=on
Ace and King go on each other. Nothing goes back to the columns.

Stock: draw turns one card onto the waste. There is no redeal.

Score: one point a card of the columns that is gone, at most 35. The game is won when all are."""

TOKEN_FORMS = (
    TokenForm("draw", "turns a card onto the waste", "--seed 1", "draw"),
    TokenForm("t3", "plays the last card of a column to the waste", "--seed 1", "t3"),
    TokenForm("t7", "with wrap=on: an Ace goes on a King", "--seed 9 -o wrap=on", "draw draw draw t7"),
)

NOT_PLAYED = ("Scores over nine deals, as at the course: here each deal stands alone.",)

SOURCE = "the traditional game"

RANK = {card: STANDARD.ranks.index(card[0]) + 1 for card in STANDARD.cards}
ACE, KING = 1, 13


class State(NamedTuple):
    """Stock in the order of drawing; the waste and the columns bottom to top."""

    stock: Cards
    waste: Cards
    columns: tuple[Cards, ...]
    wrap: bool


def deal(deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
    """Deals row by row, then a card to the waste."""
    width = len(COLUMNS)
    count = width * DEEP
    columns = tuple(deck[i:count:width] for i in range(width))
    return State(deck[count + 1 :], deck[count : count + 1], columns, options["wrap"] == "on")


def grammar(options: Mapping[str, str]) -> frozenset[str]:
    """Returns `draw` and every column."""
    return frozenset({"draw", *COLUMNS})


def moves(state: State, source: str | None = None) -> list[str]:
    """Returns the legal tokens, or only `source`."""
    if is_won(state):
        return []
    found = ["draw"] if state.stock else []
    for name, column in zip(COLUMNS, state.columns):
        if column and _goes(column[-1], state.waste[-1], state.wrap):
            found.append(name)
    return [token for token in found if source in (None, token)]


def _goes(card: Card, below: Card, wrap: bool) -> bool:
    ranks = {RANK[card], RANK[below]}
    if ranks == {ACE, KING}:
        return wrap
    return max(ranks) - min(ranks) == 1 and (wrap or RANK[below] != KING)


def apply(state: State, token: str) -> State:
    """Returns the state after a legal move."""
    if token == "draw":
        return state._replace(stock=state.stock[1:], waste=state.waste + state.stock[:1])
    index = COLUMNS.index(token)
    column = state.columns[index]
    columns = (*state.columns[:index], column[:-1], *state.columns[index + 1 :])
    return state._replace(waste=state.waste + column[-1:], columns=columns)


def is_won(state: State) -> bool:
    return not any(state.columns)


def score(state: State) -> int:
    """Returns a point a card that has left the columns."""
    return len(COLUMNS) * DEEP - sum(map(len, state.columns))


def max_score(options: Mapping[str, str]) -> int | None:
    return len(COLUMNS) * DEEP


def piles(state: State) -> dict[str, Pile]:
    """Returns all cards; the stock's last card is the next drawn."""
    columns = {name: Pile(up=column) for name, column in zip(COLUMNS, state.columns)}
    return {"stock": Pile(state.stock[::-1]), "waste": Pile(up=state.waste), **columns}


def extra(state: State) -> dict[str, int | str]:
    return {"left": sum(map(len, state.columns))}


def explain(view: View, token: str) -> Move:
    """Describes a legal move."""
    if token == "draw":
        return Move(token, "draw", "stock", "waste", (), None, "turns a card onto the waste")
    card, onto = view.piles[token].up[-1], view.piles["waste"].up[-1]
    return Move(token, "play", token, "waste", (card,), onto, f"{card} from {token} onto {onto}")


def why_not(view: View, token: str) -> str:
    """Names the rule that forbids the token."""
    if token == "draw":
        return "the stock is empty, and there is no redeal"
    if not view.piles[token].up:
        return f"{token} is empty"
    card, below = view.piles[token].up[-1], view.piles["waste"].up[-1]
    if view.options["wrap"] == "off" and KING in (RANK[below], RANK[card]):
        return f"{card} does not go on {below}: nothing goes on a King, and a King only on a Queen"
    return f"{card} does not go on {below}: only a card one rank below or above does, of any suit"


def board(view: View) -> list[Row]:
    """Shows stock and waste in the first row, as all games do, and the columns under it."""
    draw = "draw turns 1" if view.piles["stock"].down else "no draw left"
    return [stock_row(view, draw), [], *side_by_side(view, COLUMNS, 2, 5)]


def describe(view: View, pile: str) -> str:
    return in_words(view.piles[pile])
