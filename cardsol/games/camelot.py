"""Camelot, by Rosanna Yuen.

The rules are in ABOUT, which `cardsol rules camelot` prints: docstrings here name its paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..board import Label, Row, heap, in_words, labels, stock_row, top
from ..cards import STANDARD, Card, Cards
from ..moves import Move, TokenForm
from ..piles import FACE_UP, Pile
from ..view import Seen, View

NAME = "camelot"
TITLE = "Camelot"
DECK = "standard"
SOLVER = "cardsol.solve.camelot"
POLICY = "cardsol.hint.policies.camelot"
OPTIONS: Mapping[str, Mapping[str, str]] = {}
ROWS, COLUMNS = "abcd", "1234"
CELLS = tuple(row + column for row in ROWS for column in COLUMNS)
PILES = ("stock", "waste", *CELLS, "removed")
LONG_NAMES = {"w": ("waste",)}

ABOUT = """\
Aim: bring the four Kings, Queens and Jacks to their places round the grid, and remove the other forty cards.

Deal: all 52 cards are the stock. The grid of four rows, a to d, and four columns, 1 to 4, is empty.

Places: Kings go to the corners a1 a4 d1 d4, Queens to the top and bottom at a2 a3 d2 d3, Jacks to the sides
at b1 c1 b4 c4. Any other card goes to any empty cell, also to a place of the court cards. A card that is
placed never moves to another cell.

Phase one: draw turns one card to the waste, and it must be placed before anything else is done. You may draw
as long as a cell is empty. There is no redeal.

Phase two begins when the grid is full: remove a Ten alone, or two cards from anywhere on the grid whose ranks
add up to 10, the Ace being 1. Remove as many as you like. The next draw goes back to phase one, and nothing
is removed until the grid is full again, or all cards are placed. Kings, Queens and Jacks never leave.

Advice: fill the middle first, where no court card can go; on an edge, place a card that makes a pair.

Score: one point a card removed, at most 40. The game is won when stock and waste are empty and only the
twelve court cards are left. It is lost when a court card is drawn and all its places are taken, or when the grid
is full and nothing can be removed."""

FILL = " ".join(f"draw w-{cell}" for cell in CELLS)

TOKEN_FORMS = (
    TokenForm("draw", "turns the next card to the waste", "--seed 1", "draw"),
    TokenForm("w-b2", "places the waste card on a cell", "--seed 1", "draw w-b2"),
    TokenForm("b2", "removes a Ten", "--seed 282", f"{FILL} b2"),
    TokenForm(
        "b2+c3", "removes two cards that make 10, cells in reading order", "--seed 282", f"{FILL} b3+c4"
    ),
)

NOT_PLAYED = (
    "Kings in the Corners, where it is won once the court cards are in place: here the others must go too.",
    "Removing three or more cards that add up to 10: here two, or a Ten.",
    "Having to remove every pair before the next draw: here the player may draw as soon as a cell is empty.",
)

SOURCE = "the Camelot rules by Rosanna Yuen"

RANK = {card: STANDARD.ranks.index(card[0]) + 1 for card in STANDARD.cards}
TEN = 10
COURT = {"K": "King", "Q": "Queen", "J": "Jack"}
BY_EDGE = {(True, True): "K", (True, False): "Q", (False, True): "J", (False, False): ""}
OWNER = {cell: BY_EDGE[cell[0] in "ad", cell[1] in "14"] for cell in CELLS}
"""The court rank whose place a cell is, on two edges of the grid, on one, or on none."""
PLACES = {
    card: tuple(cell for cell in CELLS if card[0] not in COURT or card[0] == OWNER[cell]) for card in RANK
}
"""The cells that a card may go to."""
NONE = ""
"""Stands on the grid where a cell is empty."""


class State(NamedTuple):
    """Stock in the order of drawing; a card or none on the waste; a card or NONE for every cell."""

    stock: Cards
    waste: Cards
    grid: Cards
    removed: Cards
    phase: int


def deal(deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
    """Leaves all cards in the stock."""
    return State(deck, (), (NONE,) * len(CELLS), (), 1)


def pysolfc_order(cards: Cards) -> Cards:
    """Returns the deck order for PySolFC's cards, the first dealt first: that program deals as this one does."""
    return cards


def grammar(options: Mapping[str, str]) -> frozenset[str]:
    """Returns `draw`, every `w-CELL`, every cell and every two cells in reading order."""
    pairs = {f"{a}+{b}" for a in CELLS for b in CELLS if a < b}
    return frozenset(pairs | {f"w-{cell}" for cell in CELLS} | {"draw", *CELLS})


def moves(state: State, source: str | None = None) -> list[str]:
    """Returns the legal tokens; of the waste or of one cell only where `source` names it.

    A won game has none by itself: court cards are not removed, and the stock is empty.
    """
    if state.waste:
        return _placings(state) if source in (None, "w") else []
    found = ["draw"] if source in (None, "draw") and state.stock and NONE in state.grid else []
    if state.phase == 2 and source != "draw":
        found += _removals(state.grid, source)
    return found


def _placings(state: State) -> list[str]:
    places = PLACES[state.waste[0]]
    return [f"w-{cell}" for cell, card in zip(CELLS, state.grid) if not card and cell in places]


def _removals(grid: Cards, source: str | None) -> list[str]:
    """Returns the Tens and pairs, each pair found at its second cell."""
    found = []
    before: dict[int, list[str]] = {}
    for cell, card in zip(CELLS, grid):
        if not card:
            continue
        rank = RANK[card]
        for first in before.get(TEN - rank, ()):
            found.append(f"{first}+{cell}")
        if source in (None, cell):
            before.setdefault(rank, []).append(cell)
            if rank == TEN:
                found.append(cell)
    return found


def apply(state: State, token: str) -> State:
    """Returns the state after a legal move."""
    stock, waste, grid, removed, phase = state
    if token == "draw":
        return State(stock[1:], stock[:1], grid, removed, 1)
    if token.startswith("w-"):
        grid = _with(grid, token[2:], waste[0])
        return State(stock, (), grid, removed, 1 if stock and NONE in grid else 2)
    for cell in token.split("+"):
        removed += (grid[CELLS.index(cell)],)
        grid = _with(grid, cell, NONE)
    return State(stock, waste, grid, removed, phase)


def _with(grid: Cards, cell: str, card: Card) -> Cards:
    index = CELLS.index(cell)
    return (*grid[:index], card, *grid[index + 1 :])


def is_won(state: State) -> bool:
    return len(state.removed) == 40 and not state.stock and not state.waste


def score(state: State) -> int:
    """Returns a point a card removed, 0 to 40."""
    return len(state.removed)


def max_score(options: Mapping[str, str]) -> int | None:
    return 40


def piles(state: State) -> dict[str, Pile]:
    """Returns all cards; the stock's last card is the next drawn."""
    cells = map(FACE_UP.__getitem__, state.grid)
    stock, waste, removed = Pile(state.stock[::-1]), Pile((), state.waste), Pile((), state.removed)
    return dict(zip(PILES, (stock, waste, *cells, removed)))


def changed_piles(before: State, token: str, after: State) -> dict[str, Seen]:
    """Returns what a move made of the piles that it touched: their face-down cards counted, the face-up ones."""
    if token == "draw":
        return {"stock": (len(after.stock), ()), "waste": (0, after.waste)}
    if token.startswith("w-"):
        return {"waste": (0, ()), token[2:]: (0, before.waste)}
    found: dict[str, Seen] = dict.fromkeys(token.split("+"), (0, ()))
    found["removed"] = 0, after.removed
    return found


def extra(state: State) -> dict[str, int | str]:
    return {"phase": state.phase}


def explain(view: View, token: str) -> Move:
    """Describes a legal move."""
    if token == "draw":
        text = "turns the next card of the stock to the waste"
        return Move(token, "draw", "stock", "waste", (), None, text)
    if token.startswith("w-"):
        return _explain_placing(view, token)
    cells = token.split("+")
    cards = tuple(view.piles[cell].up[0] for cell in cells)
    parts = " and ".join(f"{card} from {cell}" for card, cell in zip(cards, cells))
    return Move(token, "remove", token, "removed", cards, None, f"removes {parts}")


def _explain_placing(view: View, token: str) -> Move:
    cell, waste = token[2:], view.piles["waste"].up
    owner = OWNER[cell]
    where = f"a place of the {COURT[owner]}s" if owner else "in the middle"
    return Move(token, "place", "waste", cell, waste, None, f"{waste[0]} to {cell}, {where}")


def why_not(view: View, token: str) -> str:
    """Names the rule that forbids the token."""
    if token == "draw":
        return _why_not_draw(view)
    if token.startswith("w-"):
        return _why_not_placing(view, token[2:])
    cells = token.split("+")
    for cell in cells:
        if not view.piles[cell].up:
            return f"{cell} is empty"
    cards = [view.piles[cell].up[0] for cell in cells]
    return _why_not_these(cards) or _why_not_yet(view)


def _why_not_draw(view: View) -> str:
    waste = view.piles["waste"].up
    if waste:
        return f"{waste[0]} lies on the waste and must be placed before the next draw"
    if not view.piles["stock"].down:
        return "the stock is empty, and there is no redeal"
    return "the grid is full: a card is drawn only when there is an empty cell for it"


def _why_not_placing(view: View, cell: str) -> str:
    waste, there = view.piles["waste"].up, view.piles[cell].up
    if not waste:
        return f"the waste is empty: there is no card to place on {cell}"
    places = PLACES[waste[0]]
    if cell not in places:
        return f"{waste[0]} does not go to {cell}: a {COURT[waste[0][0]]} goes only to {', '.join(places)}"
    return f"{waste[0]} does not go to {cell}, where {there[0]} lies: a card goes only to an empty cell"


def _why_not_these(cards: list[Card]) -> str | None:
    """Says why the cards are never removed like this, if that is so."""
    for card in cards:
        if card[0] in COURT:
            return f"{card} stays: Kings, Queens and Jacks never leave the grid"
    total = sum(RANK[card] for card in cards)
    if total == TEN:
        return None
    if len(cards) == 1:
        wanted = STANDARD.ranks[TEN - total - 1]
        return f"{cards[0]} does not go alone: only a Ten does, and {cards[0]} makes 10 with {_a(wanted)}"
    for card in cards:
        if RANK[card] == TEN:
            return f"{card} goes alone: a pair is two cards whose ranks add up to 10"
    first, second = cards
    return f"{first} and {second} are no pair: their ranks add up to {total}, not 10"


def _a(rank: str) -> str:
    return {"A": "an Ace", "8": "an 8"}.get(rank, f"a {rank}")


def _why_not_yet(view: View) -> str:
    """Says why nothing is removed in phase one."""
    if not view.piles["stock"].down:
        return f"nothing is removed before {view.piles['waste'].up[0]}, the last card, is placed"
    empty = sum(not view.piles[cell].up for cell in CELLS)
    count = f"{empty} cells are" if empty > 1 else "1 cell is"
    return f"nothing is removed before the grid is full or all cards are placed, and {count} empty"


PHASES = {1: "fill the grid", 2: "remove tens, and pairs that make ten"}


def board(view: View) -> list[Row]:
    """Shows what was removed and the phase over the grid, with the places of the court cards."""
    removed = view.piles["removed"].up
    left = "draw turns 1" if view.piles["stock"].down else "no draw left"
    phase = int(view.extra["phase"])
    rows = [
        stock_row(view, left),
        [(2, f"phase {phase}: {PHASES[phase]}")],
        heap(2, "removed", len(removed), removed[-2:]),
        [],
    ]
    across = [(6 + 6 * i, column) for i, column in enumerate(COLUMNS)]
    rows.append(labels(across))
    for row in ROWS:
        rows.append([(2, Label(row)), *(_cell(view, row + column, x) for x, column in across)])
    legend = (
        "(k) (q) (j)  places of Kings, Queens and Jacks;",
        "             other cards go to any empty cell",
    )
    return [*rows, [], *(labels([(2, line)]) for line in legend)]


def _cell(view: View, cell: str, x: int) -> tuple[int, str]:
    """Returns a card, or what an empty cell is for, its letter under the ranks."""
    if not view.piles[cell].up and OWNER[cell]:
        return x - 1, Label(f"({OWNER[cell].lower()})")
    return x, top(view.piles[cell])


def describe(view: View, pile: str) -> str:
    """Says in words what lies on a pile, or what an empty cell takes."""
    if pile not in CELLS or view.piles[pile].up:
        return in_words(view.piles[pile])
    court = COURT.get(OWNER[pile])
    return f"empty, takes a {court} or any card below Jack" if court else "empty, takes any card below Jack"
