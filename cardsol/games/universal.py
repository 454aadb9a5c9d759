"""Universal Solitaire, a game for the six planets and ten ranks of the Universal Card Deck.

The rules are in ABOUT, which `cardsol rules universal` prints: docstrings here name its paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ..board import HEIGHT, Label, Row, in_words, labels, side_by_side, spread, stock_row, top
from ..cards import UNIVERSAL, Card, Cards
from ..moves import Move, TokenForm
from ..piles import Pile, changed, lift, onto, replaced
from ..view import Seen, View

NAME = "universal"
TITLE = "Universal Solitaire"
DECK = "universal"
SOLVER = "cardsol.solve.universal"
POLICY = "cardsol.hint.policies.universal"
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "draw": {
        "1": "a draw turns one card; once through the stock",
        "2": "a draw turns two cards, so every other card is on top; twice through the stock",
        "3": "a draw turns three cards, so every third card is on top; three times through the stock",
    }
}
COLUMNS = ("t1", "t2", "t3", "t4", "t5", "t6")
HEADS = ("h1", "h2", "h3", "h4", "h5", "h6")
BAR = ("f1", "f2", "f3", "f4", "f5", "f6")
PILES = (*COLUMNS, "stock", "waste", *BAR)
LONG_NAMES = {"w": ("waste",), "f": ("bar", "foundation")}
FACE_DOWN = 4
"""How many cards of each column are dealt face down, under one that is face up."""
STEP = 9
"""How far apart the board sets the columns."""
WASTE_SHOWN = 8
"""How many cards the board shows of the waste, the top card last."""

ABOUT = """\
Aim: bring all sixty cards to the bar, each suit from the 1 up to the Galaxy.

Cards: six suits, Earth, Jupiter, Mars, Neptune, Saturn and Venus, of ten ranks, from low to high 1 2 3 4
5 6 7 Moon, Sun, Galaxy. The rank comes first: MS is the Moon of Saturn, SM the Sun of Mars.

Deal: six columns of five cards, the last card of each face up. The other thirty cards are the stock.

Play: a column builds down by one, and two neighbours are never of the same suit. From column to column
the whole face-up run moves, and never part of it; its highest card is its head. The top card of the waste may be
built on a column too. A face-down card that becomes the last of its column turns face up.

Behind the head: once a column has no face-down cards, the top card of the waste may slip behind its head,
above the whole run, if it is one rank higher and of a different suit. It is then the head, and another
may go behind it.

An empty column takes a Galaxy only: the top card of the waste, or a whole run headed by a Galaxy. A whole
column does not move to an empty one.

Bar: the last card of a column or the top card of the waste goes to its suit's place, f1 Earth, f2
Jupiter, f3 Mars, f4 Neptune, f5 Saturn, f6 Venus. Nothing ever comes back.

Stock: with draw=1 a draw turns one card onto the waste, and you go through the stock once. With draw=2 it
turns two cards, the second on top, and you go through twice; with draw=3 three cards, and three times.
When the stock is empty and a pass is left, draw turns the waste over to be the stock again, in the same
order, and turns the first card or cards of it. The top card of the waste stays playable after the last
pass.

Score: 5 points a card on the bar, at most 300. A score of 300 is rated "Top of your game", from 200
"Expert", from 100 "Above average", from 50 "Average", and less is "Novice". The game is won with all
sixty cards on the bar."""

TOKEN_FORMS = (
    TokenForm(
        "draw", "turns one card, two or three from the stock onto the waste", "--seed 8 -o draw=3", "draw"
    ),
    TokenForm(
        "draw",
        "with the stock empty and a pass left: turns the waste over first",
        "--seed 8 -o draw=3",
        "draw draw draw draw draw draw draw draw draw draw draw",
    ),
    TokenForm("t6-t4", "the face-up run of a column is built on another column", "--seed 8", "t6-t4"),
    TokenForm(
        "t6-t3",
        "a run headed by a Galaxy fills an empty column",
        "--seed 8",
        "t6-t4 t3-f t3-t1 t3-t4 t3-t1 t3-t5 t6-t3",
    ),
    TokenForm("t3-f", "the last card of a column goes to the bar", "--seed 8", "t3-f"),
    TokenForm(
        "w-t1", "the top card of the waste is built on a column", "--seed 8 -o draw=3", "draw draw w-t1"
    ),
    TokenForm(
        "w-t3",
        "a Galaxy on top of the waste fills an empty column",
        "--seed 8",
        "t3-f t3-t1 t3-t6 t3-t1 draw t3-t5 w-t3",
    ),
    TokenForm(
        "w-h3",
        "the top card of the waste slips behind the head of a column",
        "--seed 8",
        "t3-f t3-t1 t3-t6 t3-t1 draw draw w-h3",
    ),
    TokenForm("w-f", "the top card of the waste goes to the bar", "--seed 7 -o draw=3", "draw w-f"),
    TokenForm("draw", "with draw=2: turns two cards, the second on top", "--seed 8 -o draw=2", "draw"),
)

NOT_PLAYED = (
    "The ranked version of the rules: here the six suits are equal.",
    "Moving a part of a run, or its last card alone, to another column: here the whole face-up run moves.",
    "Filling an empty column with any card: here it takes a Galaxy only.",
    "Going through the stock without a limit: here once, twice or three times, by the option.",
)

SOURCE = "the Universal Card Deck rules (Frampton & Richter, 2001), unranked version"

SUIT_NAMES = ("Earth", "Jupiter", "Mars", "Neptune", "Saturn", "Venus")
FULL_SCORE = 300
RANK_NAMES = {"M": "Moon", "S": "Sun", "G": "Galaxy"}
RATINGS = (
    (FULL_SCORE, "Top of your game"),
    (200, "Expert"),
    (100, "Above average"),
    (50, "Average"),
    (0, "Novice"),
)
"""From which score on each rating holds."""
TIMES = {1: "once", 2: "twice", 3: "three times"}
RANK = {card: UNIVERSAL.ranks.index(card[0]) + 1 for card in UNIVERSAL.cards}
SUIT = {card: UNIVERSAL.suits.index(card[1]) for card in UNIVERSAL.cards}
GALAXY = 10
SPACE = ""
"""Stands for the last card of an empty column, which only a Galaxy goes to."""
GOES_ON = {
    card: frozenset(c for c in RANK if RANK[c] == RANK[card] + 1 and SUIT[c] != SUIT[card])
    if RANK[card] < GALAXY
    else frozenset({SPACE})
    for card in UNIVERSAL.cards
}
"""What a card may be put on."""
PLACE = {name: i for names in (COLUMNS, HEADS) for i, name in enumerate(names)}


class State(NamedTuple):
    """Stock in the order of drawing, waste with its top card last, columns, and the bar by suit."""

    draw: int
    """How many cards a draw turns, and how many passes there are through the stock."""
    nth_pass: int
    stock: Cards
    waste: Cards
    columns: tuple[Pile, ...]
    bar: tuple[Cards, ...]


def deal(deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
    """Deals row by row, left to right; the row after the face-down ones is face up."""
    width = len(COLUMNS)
    hidden = width * FACE_DOWN
    columns = tuple(Pile(deck[i:hidden:width], (deck[hidden + i],)) for i in range(width))
    return State(int(options["draw"]), 1, deck[hidden + width :], (), columns, ((),) * len(BAR))


def grammar(options: Mapping[str, str]) -> frozenset[str]:
    """Returns `draw`, every `SRC-DST` of two columns, `SRC-f`, and the waste to columns and behind heads."""
    between = {f"{a}-{b}" for a in COLUMNS for b in COLUMNS if a != b}
    waste = {f"w-{b}" for b in (*COLUMNS, *HEADS, "f")}
    return frozenset(between | waste | {f"{a}-f" for a in COLUMNS} | {"draw"})


def moves(state: State, source: str | None = None) -> list[str]:
    """Returns the legal tokens; of the stock, the waste or one column only where `source` names it."""
    if is_won(state):
        return []
    if source == "draw":
        return ["draw"] if _may_draw(state) else []
    ends = [column.up[-1] if column.up else SPACE for column in state.columns]
    if source is not None and source != "w":
        return _column_moves(state, source, ends)
    found = _waste_moves(state, ends)
    if source is None:
        if _may_draw(state):
            found.append("draw")
        for name in COLUMNS:
            found += _column_moves(state, name, ends)
    return found


def _may_draw(state: State) -> bool:
    return bool(state.stock or (state.waste and state.nth_pass < state.draw))


def _waste_moves(state: State, ends: list[Card]) -> list[str]:
    if not state.waste:
        return []
    card = state.waste[-1]
    found = ["w-f"] if _goes_up(state, card) else []
    takers = GOES_ON[card]
    for name, behind, column, end in zip(COLUMNS, HEADS, state.columns, ends):
        if end in takers:
            found.append("w-" + name)
        if end and not column.down and card in GOES_ON[column.up[0]]:
            found.append("w-" + behind)
    return found


def _column_moves(state: State, name: str, ends: list[Card]) -> list[str]:
    down, up = state.columns[PLACE[name]]
    if not up:
        return []
    found = [name + "-f"] if _goes_up(state, up[-1]) else []
    takers = GOES_ON[up[0]]
    for taker, end in zip(COLUMNS, ends):
        if end in takers and (end or down):
            found.append(f"{name}-{taker}")
    return found


def _goes_up(state: State, card: Card) -> bool:
    return len(state.bar[SUIT[card]]) + 1 == RANK[card]


def apply(state: State, token: str) -> State:
    """Returns the state after a legal move."""
    if token == "draw":
        return _draw(state)
    source, _, target = token.partition("-")
    if source == "w":
        return _from_waste(state, target)
    index = PLACE[source]
    column = state.columns[index]
    if target == "f":
        columns = replaced(state.columns, {index: lift(column, 1)})
        return state._replace(columns=columns, bar=_raised(state.bar, column.up[-1]))
    there = PLACE[target]
    changes = {index: lift(column, len(column.up)), there: onto(state.columns[there], column.up)}
    return state._replace(columns=replaced(state.columns, changes))


def _draw(state: State) -> State:
    count, nth_pass, stock, waste = state.draw, state.nth_pass, state.stock, state.waste
    if not stock:
        nth_pass, stock, waste = nth_pass + 1, waste, ()
    return State(count, nth_pass, stock[count:], waste + stock[:count], state.columns, state.bar)


def _from_waste(state: State, target: str) -> State:
    card = state.waste[-1]
    waste = state.waste[:-1]
    if target == "f":
        return state._replace(waste=waste, bar=_raised(state.bar, card))
    index = PLACE[target]
    column = state.columns[index]
    new = Pile((), (card, *column.up)) if target in HEADS else onto(column, (card,))
    return state._replace(waste=waste, columns=replaced(state.columns, {index: new}))


def _raised(bar: tuple[Cards, ...], card: Card) -> tuple[Cards, ...]:
    suit = SUIT[card]
    return (*bar[:suit], (*bar[suit], card), *bar[suit + 1 :])


def is_won(state: State) -> bool:
    return score(state) == FULL_SCORE


def score(state: State) -> int:
    """Returns 5 points a card on the bar, 0 to 300."""
    return 5 * sum(map(len, state.bar))


def max_score(options: Mapping[str, str]) -> int | None:
    return FULL_SCORE


def piles(state: State) -> dict[str, Pile]:
    """Returns all cards; the stock's last card is the next drawn."""
    bar = [Pile((), cards) for cards in state.bar]
    return dict(zip(PILES, (*state.columns, Pile(state.stock[::-1]), Pile((), state.waste), *bar)))


def changed_piles(before: State, token: str, after: State) -> dict[str, Seen]:
    """Returns what a move made of the piles that it touched: their face-down cards counted, the face-up ones."""
    found: dict[str, Seen] = {}
    if after.columns is not before.columns:
        for name, (down, up) in changed(COLUMNS, before.columns, after.columns):
            found[name] = len(down), up
    if after.stock is not before.stock:
        found["stock"] = len(after.stock), ()
    if after.waste is not before.waste:
        found["waste"] = 0, after.waste
    if after.bar is not before.bar:
        for name, cards in changed(BAR, before.bar, after.bar):
            found[name] = 0, cards
    return found


def extra(state: State) -> dict[str, int | str]:
    """Returns which time through the stock it is, and what the score is rated."""
    points = score(state)
    rating = next(words for least, words in RATINGS if points >= least)
    return {"pass": state.nth_pass, "rating": rating}


def explain(view: View, token: str) -> Move:
    """Describes a legal move."""
    if token == "draw":
        return Move(token, "draw", "stock", "waste", (), None, _draw_in_words(view))
    part, _, target = token.partition("-")
    source = "waste" if part == "w" else part
    up = view.piles[source].up
    origin = "the waste" if part == "w" else part
    if target == "f":
        place = BAR[SUIT[up[-1]]]
        text = f"{up[-1]} from {origin} to the bar, on {place}"
        return Move(token, "foundation", source, place, up[-1:], view.piles[place].last, text)
    cards = up[-1:] if part == "w" else up
    column = COLUMNS[PLACE[target]]
    there = view.piles[column].up
    what = f"{' '.join(cards)} from {origin}"
    if target in HEADS:
        text = f"{what} behind {there[0]}, the head of {column}"
        return Move(token, "slip", source, column, cards, there[0], text)
    if there:
        return Move(token, "build", source, column, cards, there[-1], f"{what} onto {there[-1]}")
    return Move(token, "fill", source, column, cards, None, f"{what} to the empty {column}")


def _draw_in_words(view: View) -> str:
    stock, waste = view.piles["stock"].down, len(view.piles["waste"].up)
    count = min(int(view.options["draw"]), stock or waste)
    turns = f"turns {count} card{'s' if count > 1 else ''} onto the waste"
    return turns if stock else f"turns the waste over to be the stock again, then {turns}"


def why_not(view: View, token: str) -> str:
    """Names the rule that forbids the token."""
    if token == "draw":
        return _why_not_draw(view)
    source, _, target = token.partition("-")
    up = view.piles["waste" if source == "w" else source].up
    if not up:
        return "the waste is empty" if source == "w" else f"{source} is empty"
    if target == "f":
        return _why_not_bar(view, up[-1])
    if target in HEADS:
        return _why_not_behind(view, COLUMNS[PLACE[target]], up[-1])
    there = view.piles[target].up
    run = up[-1:] if source == "w" else up
    if there:
        return _why_not_build(run, there[-1])
    if RANK[run[0]] == GALAXY:
        whole = f"{' '.join(run)} is the whole column {source}"
        return f"{whole}: moving it to the empty {target} changes nothing"
    head = f"{run[0]} is none" if len(run) == 1 else f"the run {' '.join(run)} is not headed by one"
    return f"{target} is empty: an empty column takes a Galaxy only, and {head}"


def _why_not_draw(view: View) -> str:
    if not view.piles["waste"].up:
        return "stock and waste are both empty: there is no card to turn"
    passes = int(view.options["draw"])
    return f"the stock is empty, and draw={passes} goes through it {TIMES[passes]} only"


def _why_not_bar(view: View, card: Card) -> str:
    suit = SUIT[card]
    wanted = UNIVERSAL.ranks[len(view.piles[BAR[suit]].up)] + card[1]
    return (
        f"{card} does not go to the bar yet: each suit goes up from 1 to Galaxy,"
        f" and the next card of {SUIT_NAMES[suit]} there is {wanted}"
    )


def _why_not_behind(view: View, column: str, card: Card) -> str:
    down, up = view.piles[column]
    if not up:
        return f"{column} is empty: it has no head that {card} could slip behind"
    if down:
        still = "a face-down card" if down == 1 else f"{down} face-down cards"
        return f"{column} still has {still}: a card slips behind the head only once there are none"
    what = f"{card} does not slip behind {up[0]}"
    if RANK[up[0]] == GALAXY:
        return f"{what}: the card must be one rank higher than the head, and a Galaxy is the highest"
    if RANK[card] != RANK[up[0]] + 1:
        return f"{what}: the card must be one rank higher than the head, {_called(RANK[up[0]] + 1)}"
    return f"{what}: the two must be of different suits, and both are of {SUIT_NAMES[SUIT[card]]}"


def _why_not_build(run: Cards, end: Card) -> str:
    what = f"{run[0]} does not go on {end}"
    if len(run) > 1:
        what = f"the whole run {' '.join(run)} moves, never part of it, and its head {what}"
    if RANK[run[0]] == GALAXY:
        return f"{what}: a Galaxy is the highest card, and is built on none"
    if RANK[end] == 1:
        return f"{what}: a column builds down by one, and nothing is lower than a 1"
    if RANK[run[0]] != RANK[end] - 1:
        return f"{what}: a column builds down by one, so {end} takes {_called(RANK[end] - 1)} of another suit"
    return f"{what}: a column builds down in different suits, and both are of {SUIT_NAMES[SUIT[end]]}"


def _called(rank: int) -> str:
    letter = UNIVERSAL.ranks[rank - 1]
    return f"a {RANK_NAMES.get(letter, letter)}"


def board(view: View) -> list[Row]:
    """Shows the last cards of the waste and the rating, then the bar, then the columns side by side."""
    waste = view.piles["waste"].up
    shown = waste if len(waste) <= WASTE_SHOWN else ("..", *waste[1 - WASTE_SHOWN :])
    nth = f"pass {view.extra['pass']} of {view.options['draw']}"
    places = [2 + STEP * i for i in range(len(BAR))]
    tops: Row = []
    for x, name in zip(places, BAR):
        tops += [(x, Label(name)), (x + 3, top(view.piles[name]))]
    head = [
        stock_row(view, _what_a_draw_does(view), nth),
        [(2, Label("waste")), *spread(shown or ["."], 8), (42, str(view.extra["rating"]))],
        [],
        labels(zip(places, SUIT_NAMES)),
        tops,
        [],
    ]
    return [*head, *side_by_side(view, COLUMNS, left=2, step=STEP, height=HEIGHT - len(head))]


def _what_a_draw_does(view: View) -> str:
    stock, draw = view.piles["stock"].down, int(view.options["draw"])
    if stock:
        return f"draw turns {min(stock, draw)}"
    return "draw redeals" if view.piles["waste"].up and int(view.extra["pass"]) < draw else "no draw left"


def describe(view: View, pile: str) -> str:
    """Says in words what lies on a pile; of the bar, which suit it takes."""
    if pile in BAR:
        up = view.piles[pile].up
        return f"{SUIT_NAMES[BAR.index(pile)]}, {f'up to {up[-1]}' if up else 'empty'}"
    return in_words(view.piles[pile])
