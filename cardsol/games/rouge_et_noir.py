"""Rouge et Noir, a game of two decks by Charles Jewell.

The rules are in ABOUT, which `cardsol rules rouge-et-noir` prints: docstrings here name its paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..board import HEIGHT, Label, Row, in_words, side_by_side, stock_row, top
from ..cards import DOUBLE, Card, Cards
from ..moves import Move, TokenForm
from ..piles import Pile, changed, lift, onto, replaced
from ..text import counted
from ..view import Seen, View

NAME = "rouge-et-noir"
TITLE = "Rouge et Noir"
DECK = "double"
SOLVER = "cardsol.solve.rouge_et_noir"
POLICY = "cardsol.hint.policies.rouge_et_noir"
OPTIONS: Mapping[str, Mapping[str, str]] = {}
COLUMNS = tuple(f"t{i}" for i in range(1, 11))
FOUNDATIONS = ("f1", "f2", "f3", "f4")
SEQUENCES = ("k1", "k2", "k3", "k4")
PILES = ("stock", *COLUMNS, *FOUNDATIONS, *SEQUENCES)
LONG_NAMES = {"f": ("foundation",), "k": ("sequence",)}
SIZES = (8, 7, 6, 5, 4, 3, 2, 1, 1, 0)

ABOUT = """\
Aim: build four foundations from Ace to King by colour, and discard four complete sequences from
King to Ace.

Deal: two decks. Nine columns of 8 7 6 5 4 3 2 1 1 cards, the last card of each face up; the tenth
is empty. The other 67 cards are the stock.

Play: a column builds down by one in alternating colours. The top card moves, or as many cards of
the built sequence at the end of a column as fit on the other. Only one number of cards ever fits, so
a move needs no count. An empty column takes a sequence headed by a King, but never a whole column. A
face-down card that becomes the last of its column turns face up.

Foundations: f1 and f2 take the red cards, f3 and f4 the black ones, Ace to King, whatever the
suit. If both foundations of its colour would take a card, it goes to the first.

Sequences: a complete sequence from King to Ace at the end of a column may be discarded to the
first free one of k1 to k4, but need not be. Nothing ever comes back. Two red and two black sequences
are needed to win: three of one colour leave too few Kings for the foundations.

Stock: draw deals one card face up to each column, empty ones too; the seventh and last time only
to t1 to t7. You may draw at any time, and play on after the last card.

Score: one point a card on the foundations or in a discarded sequence, at most 104. The game is won
with 52 cards on the foundations and four sequences discarded."""

TOKEN_FORMS = (
    TokenForm("draw", "deals a card from the stock to each column", "--seed 1", "draw"),
    TokenForm("t2-t5", "moves as much of the built sequence as fits on t5", "--seed 1", "t2-t5"),
    TokenForm("t4-t10", "moves a sequence headed by a King to an empty column", "--seed 1", "t4-t10"),
    TokenForm(
        "t2-f", "plays the top card of a column to a foundation of its colour", "--seed 1", "draw t2-f"
    ),
    TokenForm(
        "t10-k",
        "discards a complete sequence from King to Ace",
        "--seed 285",
        "t7-t8 t6-t8 t5-t10 t2-t5 t8-t10 draw draw t10-t9 draw t2-t4 t2-t4 draw"
        " t4-t7 t4-t1 t6-t7 t10-t2 t1-t10 t10-t7 t10-t3 t7-t10 t10-k",
    ),
)

NOT_PLAYED = (
    "Foundations that alternate the colours, as one desktop collection has them: here they build by colour.",
    "Dealing only when no other move is left: here the player may draw at any time.",
)

SOURCE = "the Rouge et Noir rules (game by Charles Jewell)"

RANK = {card: DOUBLE.ranks.index(card[0]) + 1 for card in DOUBLE.cards}
RED = {card: card[1] in "DH" for card in DOUBLE.cards}
KING = 13
ALIKE = {card: 2 * RANK[card] + RED[card] for card in DOUBLE.cards}
"""Rank and colour in one number: all that the rules ask of a card."""
PARENT = {card: 2 * (RANK[card] + 1) + (not RED[card]) for card in DOUBLE.cards}
"""What a card may be put on."""
SPACE = 0
"""Stands for an empty column: the parent of no card, since only a King's sequence goes there."""


class State(NamedTuple):
    """Stock in the order of drawing; columns, foundations and sequences in the order of PILES."""

    stock: Cards
    columns: tuple[Pile, ...]
    foundations: tuple[Cards, ...]
    sequences: tuple[Cards, ...]


def deal(deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
    """Deals row by row, left to right, to every column that is not full yet."""
    columns: list[list[Card]] = [[] for _ in COLUMNS]
    cards = iter(deck)
    for row in range(max(SIZES)):
        for column, size in zip(columns, SIZES):
            if row < size:
                column.append(next(cards))
    piles = tuple(Pile(tuple(column[:-1]), tuple(column[-1:])) for column in columns)
    return State(tuple(cards), piles, ((),) * 4, ((),) * 4)


def pysolfc_order(cards: Cards) -> Cards:
    """Returns the deck order for PySolFC's cards, the first dealt first.

    That program deals each row from the right, and the top card of every column in a last row.
    """
    dealt = iter(cards)
    columns: list[list[Card]] = [[] for _ in SIZES]
    for row in range(max(SIZES)):
        for i in reversed(range(len(SIZES))):
            if row < SIZES[i] - 1:
                columns[i].append(next(dealt))
    for column, size in reversed(list(zip(columns, SIZES))):
        if size:
            column.append(next(dealt))
    rows = [column[row] for row in range(max(SIZES)) for column in columns if row < len(column)]
    return (*rows, *dealt)


def grammar(options: Mapping[str, str]) -> frozenset[str]:
    """Returns `draw`, every `SRC-DST` of two columns, `SRC-f` and `SRC-k`."""
    between = {f"{a}-{b}" for a in COLUMNS for b in COLUMNS if a != b}
    return frozenset(between | {f"{a}-{b}" for a in COLUMNS for b in "fk"} | {"draw"})


def moves(state: State, source: str | None = None) -> list[str]:
    """Returns the legal tokens; of one column only where `source` names it."""
    if is_won(state):
        return []
    found = ["draw"] if state.stock and source in (None, "draw") else []
    takers: dict[int, list[str]] = {}
    for name, column in zip(COLUMNS, state.columns):
        what = ALIKE[column.up[-1]] if column.up else SPACE
        takers.setdefault(what, []).append(name)
    going_up = {2 * (len(cards) + 1) + (i < 2) for i, cards in enumerate(state.foundations)}
    for name, column in zip(COLUMNS, state.columns):
        if column.up and source in (None, name):
            found += _moves_of(name, column, takers)
            if ALIKE[column.up[-1]] in going_up:
                found.append(name + "-f")
            if has_sequence(column.up) and () in state.sequences:
                found.append(name + "-k")
    return found


def _moves_of(name: str, column: Pile, takers: Mapping[int, list[str]]) -> list[str]:
    up = column.up
    found = []
    # From the top down as far as the sequence goes: each card of it may be the lowest that moves.
    head = len(up)
    wanted = ALIKE[up[-1]]
    while head and ALIKE[up[head - 1]] == wanted:
        head -= 1
        wanted = PARENT[up[head]]
        for taker in takers.get(wanted, ()):
            found.append(f"{name}-{taker}")
    if RANK[up[head]] == KING and (head or column.down):
        found += [f"{name}-{taker}" for taker in takers.get(SPACE, ())]
    return found


def has_sequence(up: Cards) -> bool:
    """Tells whether a complete sequence from King to Ace ends the face-up cards."""
    return len(up) >= KING and RANK[up[-1]] == 1 and run_length(up) == KING


def run_length(up: Cards) -> int:
    """Returns how many cards, from the top down, are a built sequence; at least 1."""
    length = 1
    while length < len(up) and PARENT[up[-length]] == ALIKE[up[-length - 1]]:
        length += 1
    return length


def _foundation(foundations: tuple[Cards, ...], card: Card) -> int | None:
    """Returns the index of the foundation that the card goes to."""
    first = 0 if RED[card] else 2
    for index in (first, first + 1):
        if len(foundations[index]) + 1 == RANK[card]:
            return index
    return None


def _count(up: Cards, taker: Cards) -> int:
    """Returns how many cards go on `taker`, as its last card's rank says; on an empty column a King's run."""
    return (RANK[taker[-1]] if taker else KING + 1) - RANK[up[-1]]


def apply(state: State, token: str) -> State:
    """Returns the state after a legal move."""
    if token == "draw":
        return _draw(state)
    source, _, target = token.partition("-")
    index = COLUMNS.index(source)
    column = state.columns[index]
    if target == "f":
        place = _foundation(state.foundations, column.up[-1])
        foundations = tuple(
            cards + column.up[-1:] if i == place else cards for i, cards in enumerate(state.foundations)
        )
        columns = replaced(state.columns, {index: lift(column, 1)})
        return state._replace(columns=columns, foundations=foundations)
    if target == "k":
        free = state.sequences.index(())
        sequences = (*state.sequences[:free], column.up[-KING:], *state.sequences[free + 1 :])
        columns = replaced(state.columns, {index: lift(column, KING)})
        return state._replace(columns=columns, sequences=sequences)
    there = COLUMNS.index(target)
    taker = state.columns[there]
    count = _count(column.up, taker.up)
    changes = {index: lift(column, count), there: onto(taker, column.up[-count:])}
    return state._replace(columns=replaced(state.columns, changes))


def _draw(state: State) -> State:
    dealt, left = state.stock[: len(COLUMNS)], state.stock[len(COLUMNS) :]
    changes = {i: onto(state.columns[i], (card,)) for i, card in enumerate(dealt)}
    return state._replace(stock=left, columns=replaced(state.columns, changes))


def is_won(state: State) -> bool:
    return score(state) == 2 * 52


def score(state: State) -> int:
    """Returns a point a card on the foundations or discarded, 0 to 104."""
    return sum(map(len, state.foundations)) + sum(map(len, state.sequences))


def max_score(options: Mapping[str, str]) -> int | None:
    return 2 * 52


def piles(state: State) -> dict[str, Pile]:
    """Returns all cards; the stock's last card is the next drawn."""
    gone = [Pile((), cards) for cards in (*state.foundations, *state.sequences)]
    return dict(zip(PILES, (Pile(state.stock[::-1]), *state.columns, *gone)))


def changed_piles(before: State, token: str, after: State) -> dict[str, Seen]:
    """Returns what a move made of the piles that it touched: their face-down cards counted, the face-up ones."""
    found: dict[str, Seen] = {}
    for name, (down, up) in changed(COLUMNS, before.columns, after.columns):
        found[name] = len(down), up
    if after.stock is not before.stock:
        found["stock"] = len(after.stock), ()
    if after.foundations is not before.foundations:
        for name, cards in changed(FOUNDATIONS, before.foundations, after.foundations):
            found[name] = 0, cards
    if after.sequences is not before.sequences:
        for name, cards in changed(SEQUENCES, before.sequences, after.sequences):
            found[name] = 0, cards
    return found


def extra(state: State) -> dict[str, int | str]:
    return {}


def explain(view: View, token: str) -> Move:
    """Describes a legal move."""
    if token == "draw":
        count = min(view.piles["stock"].down, len(COLUMNS))
        text = f"deals a card to each of t1 to t{count}"
        return Move(token, "draw", "stock", "tableau", (), None, text)
    source, _, target = token.partition("-")
    up = view.piles[source].up
    if target == "f":
        there = tuple(view.piles[name].up for name in FOUNDATIONS)
        place = FOUNDATIONS[_foundation(there, up[-1]) or 0]
        text = f"{up[-1]} goes to the foundation {place}"
        return Move(token, "foundation", source, place, up[-1:], view.piles[place].last, text)
    if target == "k":
        place = next(name for name in SEQUENCES if not view.piles[name].up)
        text = f"the sequence from {up[-KING]} to {up[-1]} is discarded to {place}"
        return Move(token, "sequence", source, place, up[-KING:], None, text)
    taker = view.piles[target].up
    cards = up[-_count(up, taker) :]
    if taker:
        text = f"{' '.join(cards)} from {source} onto {taker[-1]}"
        return Move(token, "build", source, target, cards, taker[-1], text)
    return Move(token, "fill", source, target, cards, None, f"{' '.join(cards)} to the empty {target}")


def why_not(view: View, token: str) -> str:
    """Names the rule that forbids the token."""
    if token == "draw":
        return "the stock is empty, and there is no redeal"
    source, _, target = token.partition("-")
    up = view.piles[source].up
    if not up:
        return f"{source} is empty"
    if target == "f":
        return _why_not_foundation(view, up[-1])
    if target == "k":
        return _why_not_sequence(view, source, up)
    taker = view.piles[target].up
    run = up[-run_length(up) :]
    if not taker:
        if RANK[run[0]] == KING:
            return f"{' '.join(run)} is the whole column {source}: moving it to {target} would change nothing"
        return (
            f"{target} is empty: it takes only a sequence headed by a King, and that of {source} has {run[0]}"
        )
    rule = "a column builds down by one, in the other colour"
    if len(run) == 1:
        return f"{run[0]} does not go on {taker[-1]}: {rule}"
    return f"no part of {' '.join(run)} goes on {taker[-1]}: {rule}"


def _why_not_foundation(view: View, card: Card) -> str:
    colour, places = ("red", FOUNDATIONS[:2]) if RED[card] else ("black", FOUNDATIONS[2:])
    counts = [len(view.piles[name].up) for name in places]
    wanted = sorted({DOUBLE.ranks[n] for n in counts if n < KING}, key=DOUBLE.ranks.index)
    if not wanted:
        return f"{card} does not go up: both {colour} foundations are complete"
    return (
        f"{card} does not go up: the {colour} foundations go from Ace to King,"
        f" and the next there is {' or '.join(wanted)}"
    )


def _why_not_sequence(view: View, source: str, up: Cards) -> str:
    run = up[-run_length(up) :]
    if len(run) == KING:
        return "four King sequences are discarded already: there is no place for a fifth"
    return f"only a complete sequence from King to Ace is discarded, and {source} ends with {' '.join(run)}"


def board(view: View) -> list[Row]:
    """Shows foundations and sequences in a row, the columns side by side under it."""
    left = view.piles["stock"].down
    deals = -(-left // len(COLUMNS))
    draw = f"draw deals {min(left, len(COLUMNS))}" if left else "no draw left"
    gone: Row = []
    for i, name in enumerate((*FOUNDATIONS, *SEQUENCES)):
        gone += [(2 + 7 * i, Label(name)), (5 + 7 * i, top(view.piles[name]))]
    head = [stock_row(view, draw, counted(deals, "deal") + " left" if left else ""), gone, []]
    return [*head, *side_by_side(view, COLUMNS, left=2, step=5, height=HEIGHT - len(head))]


def describe(view: View, pile: str) -> str:
    """Says in words what lies on a pile."""
    return in_words(view.piles[pile])
