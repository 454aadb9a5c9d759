"""Vanishing Cross, also known as Four Seasons or Corner Card.

The rules are in ABOUT, which `cardsol rules vanishing-cross` prints: docstrings here name its paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..board import TIMES, Label, Row, in_words, labels, listed, stock_row, top
from ..cards import STANDARD, Card, Cards
from ..moves import Move, TokenForm
from ..piles import Pile, changed
from ..view import Seen, View

NAME = "vanishing-cross"
TITLE = "Vanishing Cross"
DECK = "standard"
SOLVER = "cardsol.solve.vanishing_cross"
POLICY = "cardsol.hint.policies.vanishing_cross"
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "wrap": {
        "on": "the cross goes round the corner: a King goes on an Ace",
        "off": "a King goes on no card of the cross",
    },
    "play": {
        "classic": "a stock card is turned up, then placed; a space comes before the waste",
        "direct": "a stock card goes straight to the waste; a space may stay open, and takes one card",
    },
}
CROSS = ("a2", "b1", "b2", "b3", "c2")
CORNERS = ("a1", "a3", "c1", "c3")
SOURCES = ("s", "w", *CROSS)
GRID = (("a1", "a2", "a3"), ("b1", "b2", "b3"), ("c1", "c2", "c3"))
PILES = ("stock", "waste", *GRID[0], *GRID[1], *GRID[2])
IN_GRID = tuple((*CORNERS, *CROSS).index(name) for row in GRID for name in row)
"""The place of each square of the grid among the corners and the cross."""
LONG_NAMES = {"s": ("stock",), "w": ("waste", "discard"), "f": ("foundation", "corner")}

ABOUT = """\
Aim: build the four corners of a grid of three by three up in suit, until the cross between them vanishes.

Deal: one card face up on each square of the cross, a2 b1 b2 b3 c2, then one on the corner a1. The rank of
that card is the base. The other 46 cards are the stock.

Corners: a1, a3, c1 and c3 each start with a card of the base rank and go up in suit, from King on to Ace, to
thirteen cards. A new one takes the first free corner, so no corner is named. Nothing ever comes back.

Cross: a square builds down by one, whatever the suits. With wrap=on, the default, a King goes on an Ace; with
wrap=off it goes on nothing. The corners go round in either case. Only the top card of a square goes onto
another card or to a corner, and none goes to the waste. A card of the base rank may lie here and be built on.

Spaces: an empty square of the cross takes any card: the top one of the waste, the one turned up on the stock,
or one or more off the top of another square, kept in order, but never all of them.

Stock: draw turns the next card up on the stock. It starts or builds a corner, builds on the cross, fills a
space, or is discarded to the waste, but never discarded while there is a space. Other cards may move first;
the next draw waits until it is gone. The top of the waste stays in play. You go through the stock once.

With play=direct, draw puts the card straight on the waste, spaces need not be filled, and only one card at a
time goes into a space. There are then no moves from the stock. The default is play=classic, as described above.

Score: one point a card on the corners, at most 52. The game is won with all 52 there."""

TOKEN_FORMS = (
    TokenForm("draw", "turns the next stock card up on the stock", "--seed 1", "draw"),
    TokenForm("draw", "with play=direct: turns it onto the waste", "--seed 1 -o play=direct", "draw"),
    TokenForm("s-f", "puts the stock card on a corner", "--seed 3", "draw s-f"),
    TokenForm("s-b2", "builds with it on b2, or fills the space there", "--seed 7", "draw s-b2"),
    TokenForm("s-w", "discards it to the waste", "--seed 1", "draw s-w"),
    TokenForm("w-f", "puts the top waste card on a corner", "--seed 3", "draw s-w w-f"),
    TokenForm("w-b2", "builds with it on b2, or fills the space there", "--seed 4", "draw s-w b2-f w-b2"),
    TokenForm("b1-f", "puts the top card of b1 on a corner", "--seed 2", "b1-f"),
    TokenForm("b1-b2", "builds with it on b2, or fills the space there", "--seed 1", "b1-b2"),
    TokenForm(
        "b1-b2",
        "with wrap=off: builds in the same way, but no King goes on an Ace",
        "--seed 1 -o wrap=off",
        "b1-b2",
    ),
    TokenForm(
        "b1-c2x2", "fills the space c2 with the top two cards of b1", "--seed 13", "c2-b1 a2-b1 b1-c2x2"
    ),
)

NOT_PLAYED = (
    "Czarina, where the stock fills a space at once: here the player fills it.",
    "Corners or Corner Patience, with an empty cross at the start, or with nine cards dealt and two redeals.",
    "Kings on Aces in the cross unless Aces are the base: here wrap=on and wrap=off hold for every base.",
    "A cross that builds in suit or in alternating colours, and any redeal.",
)

SOURCE = "the Vanishing Cross rules (Publications International, 2006)"

SUITS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
RANK = {card: STANDARD.ranks.index(card[0]) + 1 for card in STANDARD.cards}
KING = 13
BELOW = {card: STANDARD.ranks[RANK[card] - 2] + card[1] for card in STANDARD.cards}
"""The card that each goes on in a corner: the next lower of the suit, a King under an Ace."""
ABOVE = {below: card for card, below in BELOW.items()}
PARENT = {
    True: {card: RANK[card] % KING + 1 for card in STANDARD.cards},
    False: {card: RANK[card] + 1 for card in STANDARD.cards},
}
"""The rank that a card goes on in the cross, by whether that goes round the corner."""
BASES = {rank: {rank + suit for suit in STANDARD.suits} for rank in STANDARD.ranks}
"""The cards that start the corners, by the base rank."""
SPACE = 0
"""Stands for an empty square of the cross."""


class State(NamedTuple):
    """Stock in the order of drawing, its turned-up card apart; corners as in CORNERS, cross as in CROSS."""

    stock: Cards
    drawn: Cards
    waste: Cards
    corners: tuple[Cards, ...]
    cross: tuple[Cards, ...]
    wrap: bool
    direct: bool


def deal(deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
    """Deals the cross, then the first corner."""
    cross = tuple((card,) for card in deck[:5])
    corners: tuple[Cards, ...] = (deck[5:6], (), (), ())
    return State(deck[6:], (), (), corners, cross, options["wrap"] == "on", options["play"] == "direct")


def pysolfc_order(cards: Cards) -> Cards:
    """Returns the deck order for PySolFC's cards, the first dealt first: it deals the corner before the cross."""
    return (*cards[1:6], cards[0], *cards[6:])


def grammar(options: Mapping[str, str]) -> frozenset[str]:
    """Returns `draw` and every `SRC-DST`; with play=classic also `s-…` and `SRC-DSTxN` between squares."""
    between = {f"{a}-{b}" for a in CROSS for b in CROSS if a != b}
    tokens = {"draw", *between} | {f"w-{b}" for b in CROSS} | {f"{a}-f" for a in ("w", *CROSS)}
    if options["play"] == "classic":
        tokens |= {f"s-{b}" for b in ("f", "w", *CROSS)}
        tokens |= {f"{move}x{count}" for move in between for count in range(2, 52)}
    return frozenset(tokens)


def moves(state: State, source: str | None = None) -> list[str]:
    """Returns the legal tokens; of one pile only where `source` names it."""
    if is_won(state):
        return []
    found = ["draw"] if state.stock and not state.drawn and source in (None, "draw") else []
    if source == "draw":
        return found
    parent, rising = PARENT[state.wrap], _rising(state.corners)
    takers: dict[int, list[str]] = {}
    for name, cards in zip(CROSS, state.cross):
        takers.setdefault(RANK[cards[-1]] if cards else SPACE, []).append(name)
    for name, cards in zip(SOURCES, (state.drawn, state.waste, *state.cross)):
        if cards and (source is None or source == name):
            card = cards[-1]
            for taker in takers.get(parent[card], ()):
                found.append(f"{name}-{taker}")
            if card in rising:
                found.append(name + "-f")
            if SPACE in takers:
                found += _fills(name, len(cards), takers[SPACE], state.direct)
            elif name == "s":
                found.append("s-w")
    return found


def _fills(name: str, height: int, spaces: list[str], direct: bool) -> list[str]:
    """Returns the moves of a pile into a space, which never takes all cards of another square."""
    if name in ("s", "w"):
        return [f"{name}-{space}" for space in spaces]
    found = [f"{name}-{space}" for space in spaces if height > 1]
    if not direct:
        found += [f"{name}-{space}x{count}" for space in spaces for count in range(2, height)]
    return found


def _rising(corners: tuple[Cards, ...]) -> set[Card]:
    """Returns the cards that a corner would take, if they are in play."""
    return BASES[corners[0][0][0]].union([ABOVE[cards[-1]] for cards in corners if cards])


def _corner(corners: tuple[Cards, ...], card: Card) -> int:
    """Returns the index of the corner that a rising card goes to: that of its suit, or the first free one."""
    for index, cards in enumerate(corners):
        if cards and cards[-1] == BELOW[card]:
            return index
    return corners.index(())


def apply(state: State, token: str) -> State:
    """Returns the state after a legal move."""
    if token == "draw":
        return _draw(state)
    stock, drawn, waste, corners, cross, wrap, direct = state
    source, _, target = token.partition("-")
    target, _, count = target.partition("x")
    if source == "s":
        cards, drawn = drawn, ()
    elif source == "w":
        cards, waste = waste[-1:], waste[:-1]
    else:
        here = CROSS.index(source)
        kept = len(cross[here]) - int(count or 1)
        cards, cross = cross[here][kept:], _with(cross, here, cross[here][:kept])
    if target == "f":
        there = _corner(corners, cards[0])
        corners = _with(corners, there, corners[there] + cards)
    elif target == "w":
        waste += cards
    else:
        there = CROSS.index(target)
        cross = _with(cross, there, cross[there] + cards)
    return State(stock, drawn, waste, corners, cross, wrap, direct)


def _draw(state: State) -> State:
    card, stock = state.stock[:1], state.stock[1:]
    if state.direct:
        return state._replace(stock=stock, waste=state.waste + card)
    return state._replace(stock=stock, drawn=card)


def _with(groups: tuple[Cards, ...], index: int, cards: Cards) -> tuple[Cards, ...]:
    """Returns the corners or the cross with one pile replaced."""
    return (*groups[:index], cards, *groups[index + 1 :])


def is_won(state: State) -> bool:
    return score(state) == 52


def score(state: State) -> int:
    """Returns a point a card on the corners, 1 to 52."""
    return sum(map(len, state.corners))


def max_score(options: Mapping[str, str]) -> int | None:
    return 52


def piles(state: State) -> dict[str, Pile]:
    """Returns all cards; the stock's last face-down card is the next drawn."""
    squares = (*state.corners, *state.cross)
    grid = [Pile((), squares[i]) for i in IN_GRID]
    return dict(zip(PILES, (Pile(state.stock[::-1], state.drawn), Pile((), state.waste), *grid)))


def changed_piles(before: State, token: str, after: State) -> dict[str, Seen]:
    """Returns what a move made of the piles that it touched: their face-down cards counted, the face-up ones."""
    found: dict[str, Seen] = {}
    if after.stock is not before.stock or after.drawn is not before.drawn:
        found["stock"] = len(after.stock), after.drawn
    if after.waste is not before.waste:
        found["waste"] = 0, after.waste
    if after.corners is not before.corners:
        for name, cards in changed(CORNERS, before.corners, after.corners):
            found[name] = 0, cards
    if after.cross is not before.cross:
        for name, cards in changed(CROSS, before.cross, after.cross):
            found[name] = 0, cards
    return found


def extra(state: State) -> dict[str, int | str]:
    """Returns the base rank."""
    return {"base": state.corners[0][0][0]}


def explain(view: View, token: str) -> Move:
    """Describes a legal move."""
    if token == "draw":
        if view.options["play"] == "direct":
            return Move(token, "draw", "stock", "waste", (), None, "turns a stock card onto the waste")
        return Move(token, "draw", "stock", "stock", (), None, "turns up the next stock card")
    source, target, count = _parts(token)
    cards = view.piles[source].up[-count:]
    if target == "f":
        return _explain_corner(view, token, source, cards)
    if target == "waste":
        return Move(token, "discard", source, target, cards, None, f"{cards[0]} is discarded")
    taker = view.piles[target].up
    what = f"{' '.join(cards)} from {source}"
    if taker:
        return Move(token, "build", source, target, cards, taker[-1], f"{what} onto {taker[-1]}")
    return Move(token, "fill", source, target, cards, None, f"{what} to the empty {target}")


def _parts(token: str) -> tuple[str, str, int]:
    """Returns source and target, the stock and the waste by their full names, and the count."""
    source, _, target = token.partition("-")
    name, _, number = target.partition("x")
    full = {"s": "stock", "w": "waste"}
    return full.get(source, source), full.get(name, name), int(number or 1)


def _corners(view: View) -> tuple[Cards, ...]:
    return tuple(view.piles[name].up for name in CORNERS)


def _explain_corner(view: View, token: str, source: str, cards: Cards) -> Move:
    corners = _corners(view)
    index = _corner(corners, cards[0])
    onto = corners[index][-1] if corners[index] else None
    does = "goes to" if onto else "starts"
    text = f"{cards[0]} {does} the corner {CORNERS[index]}"
    return Move(token, "foundation", source, CORNERS[index], cards, onto, text)


def why_not(view: View, token: str) -> str:
    """Names the rule that forbids the token."""
    stock = view.piles["stock"]
    if token == "draw":
        if stock.up:
            return f"{stock.up[0]} is turned up on the stock: it has to be placed before the next draw"
        return "the stock is empty, and there is no redeal"
    source, target, count = _parts(token)
    up = view.piles[source].up
    if not up:
        return _why_not_empty(source, stock.down)
    if target == "f":
        return _why_not_corner(view, up[-1])
    if target == "waste":
        return _why_not_discard(view, up[-1])
    taker = view.piles[target].up
    if not taker:
        return _why_not_fill(source, target, up, count)
    if count > 1:
        return f"{target} has {taker[-1]}: several cards move together only into a space"
    return _why_not_build(up[-1], taker[-1])


def _why_not_empty(source: str, left: int) -> str:
    if source == "stock" and left:
        return "no stock card is turned up: draw comes first"
    return f"{source} is empty" if source in CROSS else f"the {source} is empty"


def _why_not_corner(view: View, card: Card) -> str:
    base, suit = str(view.extra["base"]), card[1]
    ends = [up[-1] for up in _corners(view) if up and up[-1][1] == suit]
    wanted = ABOVE[ends[0]] if ends else base + suit
    return (
        f"{card} does not go up: a corner goes up in suit from the base rank {base},"
        f" and the next {SUITS[suit]} is {wanted}"
    )


def _why_not_discard(view: View, card: Card) -> str:
    spaces = [name for name in CROSS if not view.piles[name].up]
    are = "is" if len(spaces) == 1 else "are"
    return f"{card} is not discarded while {' and '.join(spaces)} {are} empty: a space has to be filled first"


def _why_not_fill(source: str, target: str, up: Cards, count: int) -> str:
    if count > len(up):
        cards = "card" if len(up) == 1 else "cards"
        return f"{source} has only {len(up)} {cards}, not {count}"
    what = up[0] if count == 1 else f"{up[0]} to {up[-1]}"
    return f"{what} is the whole pile {source}: moving it to the empty {target} changes nothing"


def _why_not_build(card: Card, taker: Card) -> str:
    if RANK[card] == KING and RANK[taker] == 1:
        return f"{card} does not go on {taker}: with wrap=off no King goes on an Ace of the cross"
    return f"{card} does not go on {taker}: the cross builds down by one, whatever the suit"


def board(view: View) -> list[Row]:
    """Shows the grid with the height of each pile, and the piles of the cross under it."""
    draw = "draw turns 1" if view.piles["stock"].down else "no draw left"
    rows = [stock_row(view, draw, f"base {view.extra['base']}"), []]
    rows.append(labels((6 + 13 * i, str(i + 1)) for i in range(3)))
    for names in GRID:
        row: Row = [(2, Label(names[0][0]))]
        for x, name in zip((6, 19, 32), names):
            row += [(x, top(view.piles[name])), (x + 4, _height(view, name))]
        rows += [row, []]
    under = _under(view)
    return rows + under if under else rows[:-1]


def _height(view: View, name: str) -> str:
    """Says how many cards lie on a square, for a corner out of thirteen."""
    height = len(view.piles[name].up)
    if name in CORNERS:
        return f"{height}/{KING}"
    return f"{TIMES}{height}" if height > 1 else ""


def _under(view: View) -> list[Row]:
    """Lists the squares of the cross that hold more than one card."""
    piles = [(name, view.piles[name].up) for name in CROSS if len(view.piles[name].up) > 1]
    rows = [row for name, up in piles for row in listed(name, up, 2)]
    return [labels([(2, "cross, bottom to top")]), *rows] if rows else []


def describe(view: View, pile: str) -> str:
    """Says in words what lies on a pile."""
    shown = view.piles[pile]
    if pile == "stock" and shown.up:
        return f"{shown.down} face down, {shown.up[0]} turned up"
    if pile not in CORNERS or len(shown.up) == 1:
        return in_words(shown)
    if not shown.up:
        return f"empty, for a card of the base rank {view.extra['base']}"
    return f"{shown.up[0]} to {shown.up[-1]}, {len(shown.up)} cards"
