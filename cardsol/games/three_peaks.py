"""Three Peaks, also known as Triple Peaks and Tri Peaks.

The rules are in ABOUT, which `cardsol rules three-peaks` prints: docstrings here name its paragraphs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ..board import LEFT, Row, in_words, labels, spread, stock_row, top
from ..cards import STANDARD, Cards
from ..errors import BadOption
from ..moves import Move, TokenForm
from ..piles import FACE_DOWN, FACE_UP, Pile
from ..view import Seen, View

NAME = "three-peaks"
TITLE = "Three Peaks"
DECK = "standard"
SOLVER = "cardsol.solve.three_peaks"
POLICY = "cardsol.hint.policies.three_peaks"
OPTIONS: Mapping[str, Mapping[str, str]] = {
    "scoring": {
        "classic": "each card scores its place in the run, a peak and clearing 15, a draw -5",
        "multiplier": "each card of a run scores twice the one before, a peak and clearing 25, a draw 0",
    },
    "floor": {
        "none": "the score may fall below 0",
        "zero": "a draw never takes the score below 0",
    },
    "rounds": {
        "single": "the game is won when the tableau is cleared",
        "progressive": "clearing the tableau deals a new round, and the score is carried over; needs a seed",
    },
}
ACROSS: Mapping[str, Sequence[int]] = {
    "a": (3, 9, 15),
    "b": (2, 4, 8, 10, 14, 16),
    "c": range(1, 18, 2),
    "d": range(0, 19, 2),
}
"""How far from the left each card of a row lies, in half cards."""
SPOTS = {
    f"{row}{number}": (depth, across)
    for depth, row in enumerate(ACROSS)
    for number, across in enumerate(ACROSS[row], start=1)
}
"""Position → row from the top, half cards from the left; in the order of dealing."""
POSITIONS = tuple(SPOTS)
PEAKS = POSITIONS[: len(ACROSS["a"])]
COVERS = {
    name: tuple(over for over, (y, x) in SPOTS.items() if y == depth + 1 and abs(x - across) == 1)
    for name, (depth, across) in SPOTS.items()
}
"""Position → the positions whose cards lie on it: those of the next row, half a card to each side."""
PILES = ("stock", "waste", *POSITIONS)
LONG_NAMES: Mapping[str, tuple[str, ...]] = {}

ABOUT = """\
Aim: clear the three peaks, in runs as long as possible.

Deal: one deck. Row a has the three tops, rows b and c are under them, and row d joins the peaks at the foot:
28 cards, all face down except row d. One card starts the waste, and the other 23 are the stock.

Play: a face-up card goes to the waste if it is one rank above or below the top card there. Suits do not
matter, and an Ace is next to both King and 2. A card of rows a to c lies under two cards of the next row, and
turns face up when both are gone.

Stock: draw turns one card onto the waste and so ends the run, which is the cards played since the last draw.
There is no redeal.

Score: the first card of a run scores 1, the second 2, the third 3, and so on. A draw costs 5. Each cleared
peak scores 15 more, and the last card 15 more again. All 28 cards in one run make 466. The game is won when
the tableau is empty.

With scoring=multiplier the cards of a run score 1, 2, 4, 8 and so on, always doubling, a peak scores 25,
clearing the tableau 25, and a draw costs nothing.

With floor=zero a draw never takes the score below 0; with floor=none it may.

With rounds=progressive clearing the tableau deals a new round at once, from all 52 cards, in its own order
from the same seed. The score is carried over, and a new run starts. Such a game has no highest score and is
never won: it ends when no move is left. It needs a seed, and can't be played with a given deck. Solving looks
only at the round in play: whether it can be cleared, and the best score in it."""

TOKEN_FORMS = (
    TokenForm("draw", "turns a card onto the waste, which ends the run", "--seed 1", "draw"),
    TokenForm("d4", "plays the card at that position, any of a1 to d10, to the waste", "--seed 1", "d4"),
    TokenForm(
        "d3",
        "with scoring=multiplier: the third card of a run scores 4",
        "--seed 1 -o scoring=multiplier",
        "d9 d10 d3",
    ),
    TokenForm(
        "draw", "with floor=zero: costs nothing where the score is 0", "--seed 1 -o floor=zero", "draw"
    ),
    TokenForm(
        "a1",
        "with rounds=progressive: the last card of a round deals the next one",
        "--seed 1 -o rounds=progressive",
        "d9 d10 d3 draw d6 d8 c9 d5 draw d7 d4 c5 d2 c2 c8 b6 draw draw c6 draw draw draw draw d1 c4 c7 c3"
        " b2 b5 draw c1 draw b4 b3 draw a2 b1 draw a3 draw draw draw draw draw a1",
    ),
)

NOT_PLAYED = (
    "A waste that starts empty: here it starts with a card, as the highest score of 466 asks for.",
    "Ranks that end at the King: here an Ace is always next to both King and 2.",
    "Jokers and wild cards, or a card set aside for later: here every card is one of the 52.",
    "Points for the cards left in the stock, or for speed: neither counts here.",
    "A second pass through the stock: here each card of the stock is turned once.",
)

SOURCE = "the Triple Peaks rules by Richard Hoelscher"

BONUS = {"classic": 15, "multiplier": 25}
"""What a peak scores, and once more what clearing the tableau does."""
DRAW_COSTS = {"classic": 5, "multiplier": 0}
GONE = ""
"""Stands in the tableau for a card that has been played."""
INDEX = {name: i for i, name in enumerate(POSITIONS)}
NOTHING = len(POSITIONS)
"""Stands among indices of positions for one where no card ever lies."""
UNDER: tuple[tuple[str, int, int, int], ...] = tuple(
    (name, *([INDEX[over] for over in COVERS[name]] or (NOTHING, NOTHING)), here)
    for here, name in enumerate(POSITIONS)
)
"""Position, the indices of the two that cover it, and its own."""
BESIDE = {
    rank: (STANDARD.ranks[i - 1], STANDARD.ranks[(i + 1) % len(STANDARD.ranks)])
    for i, rank in enumerate(STANDARD.ranks)
}
"""Rank → the ranks below and above it, round the corner."""
HALF_CARD = 3
"""Characters to half a card's width."""
RUN_SHOWN = 14
"""How many cards of a run fit on a row of the board."""


class State(NamedTuple):
    """One round, the points so far, and what the options make of them."""

    tableau: Cards
    """In the order of POSITIONS, GONE where a card has been played."""
    stock: Cards
    """In the order of drawing."""
    former: Cards
    """The waste cards of former runs."""
    run: Cards
    """The card that the run started from, and those played on it."""
    points: int
    round: int
    scoring: str
    floor: str
    seed: str | None
    """What later rounds are dealt from; None where there is only one."""


def deal(deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
    """Deals the rows from the top, a card to the waste, and leaves the rest as stock."""
    progressive = options["rounds"] == "progressive"
    if progressive and seed is None:
        raise BadOption(
            "rounds",
            "progressive",
            "rounds=progressive needs a seed, from which it deals the later rounds;"
            " a given deck plays with rounds=single",
        )
    later = seed if progressive else None
    return _lay_out(deck, State((), (), (), (), 0, 1, options["scoring"], options["floor"], later))


def _lay_out(deck: Cards, state: State) -> State:
    count = len(POSITIONS)
    tableau, first, stock = deck[:count], deck[count : count + 1], deck[count + 1 :]
    return state._replace(tableau=tableau, stock=stock, former=(), run=first)


def pysolfc_order(cards: Cards) -> Cards:
    """Returns the deck order for PySolFC's cards, the first dealt first: that program deals as this one does."""
    return cards


def grammar(options: Mapping[str, str]) -> frozenset[str]:
    """Returns `draw` and every position."""
    return frozenset({"draw", *POSITIONS})


def moves(state: State, source: str | None = None) -> list[str]:
    """Returns the legal tokens; of one position only where `source` names it."""
    if is_won(state):
        return []
    found = ["draw"] if state.stock and source in (None, "draw") else []
    names = POSITIONS if source is None else (source,) if source in INDEX else ()
    beside = BESIDE[state.run[-1][0]]
    tableau = state.tableau
    for name in names:
        if tableau[INDEX[name]][:1] in beside and _is_open(tableau, name):
            found.append(name)
    return found


def _is_open(tableau: Cards, name: str) -> bool:
    """Tells whether no card lies on a position: its own card, if it has one, is face up."""
    return not any(tableau[INDEX[over]] for over in COVERS[name])


def apply(state: State, token: str) -> State:
    """Returns the state after a legal move."""
    if token == "draw":
        return _draw(state)
    index = INDEX[token]
    tableau = (*state.tableau[:index], GONE, *state.tableau[index + 1 :])
    cleared = not any(tableau)
    points = state.points + _worth(state.scoring, len(state.run), token, cleared)
    if cleared and state.seed is not None:
        return _next_round(state, state.seed, points)
    run = (*state.run, state.tableau[index])
    return state._replace(tableau=tableau, run=run, points=points)


def _draw(state: State) -> State:
    return state._replace(
        stock=state.stock[1:],
        former=state.former + state.run,
        run=state.stock[:1],
        points=_after_draw(state.points, state.scoring, state.floor),
    )


def _next_round(state: State, seed: str, points: int) -> State:
    from ..deals import shuffled

    number = state.round + 1
    return _lay_out(shuffled(DECK, seed, number), state._replace(points=points, round=number))


def _worth(scoring: str, place: int, name: str, cleared: bool) -> int:
    """Returns what a card scores, by its place in the run (1 for the first) and its position."""
    points = place if scoring == "classic" else 2 ** (place - 1)
    return points + BONUS[scoring] * ((name in PEAKS) + cleared)


def _after_draw(points: int, scoring: str, floor: str) -> int:
    points -= DRAW_COSTS[scoring]
    return max(points, 0) if floor == "zero" else points


def is_won(state: State) -> bool:
    return not any(state.tableau)


def score(state: State) -> int:
    return state.points


def max_score(options: Mapping[str, str]) -> int | None:
    """Returns the score of all 28 cards in one run; there is none in a progressive game."""
    return None if options["rounds"] == "progressive" else _in_one_run(options["scoring"])


@cache
def _in_one_run(scoring: str) -> int:
    places = enumerate(reversed(POSITIONS), start=1)
    last = POSITIONS[0]
    return sum(_worth(scoring, place, name, name == last) for place, name in places)


def piles(state: State) -> dict[str, Pile]:
    """Returns all cards; the stock's last card is the next drawn."""
    found = {"stock": Pile(state.stock[::-1]), "waste": Pile(state.former, state.run)}
    spots = (*state.tableau, GONE)
    for name, left, right, here in UNDER:
        found[name] = (FACE_DOWN if spots[left] or spots[right] else FACE_UP)[spots[here]]
    return found


def changed_piles(before: State, token: str, after: State) -> dict[str, Seen]:
    """Returns what a move made of the piles that it touched: their face-down cards counted, the face-up ones."""
    if after.round != before.round:
        return {name: (len(pile.down), pile.up) for name, pile in piles(after).items()}
    waste = len(after.former), after.run
    if token == "draw":
        return {"stock": (len(after.stock), ()), "waste": waste}
    found: dict[str, Seen] = {"waste": waste}
    spots = (*after.tableau, GONE)
    for name, left, right, here in _told_by(INDEX[token]):
        card = spots[here]
        found[name] = (1, ()) if spots[left] or spots[right] else (0, (card,) if card else ())
    return found


@cache
def _told_by(index: int) -> tuple[tuple[str, int, int, int], ...]:
    """Returns the entries of UNDER that a card of the tableau decides: its own, and those of what it covers."""
    return tuple(spot for spot in UNDER if index in spot[1:])


def extra(state: State) -> dict[str, int | str]:
    """Returns the cards played since the last draw, and the round."""
    return {"run": len(state.run) - 1, "round": state.round}


def explain(view: View, token: str) -> Move:
    """Describes a legal move."""
    scoring = view.options["scoring"]
    if token == "draw":
        change = _after_draw(view.score, scoring, view.options["floor"]) - view.score
        text = "turns a card onto the waste and ends the run" + (f": {change:+}" if change else "")
        return Move(token, "draw", "stock", "waste", (), None, text)
    card, onto = view.piles[token].up[-1], view.piles["waste"].up[-1]
    cleared = not any(_is_left(view, name) for name in POSITIONS if name != token)
    worth = _worth(scoring, len(view.piles["waste"].up), token, cleared)
    text = f"{card} onto {onto}: {worth:+}"
    if cleared:
        text += ", and the tableau is cleared"
        text += ": a new round is dealt" if view.options["rounds"] == "progressive" else ""
    elif token in PEAKS:
        text += ", with a peak"
    return Move(token, "play", token, "waste", (card,), onto, text)


def _is_left(view: View, name: str) -> bool:
    pile = view.piles[name]
    return bool(pile.down or pile.up)


def _covers_left(view: View, name: str) -> str:
    """Names the cards that still lie on a position."""
    return " and ".join(over for over in COVERS[name] if _is_left(view, over))


def why_not(view: View, token: str) -> str:
    """Names the rule that forbids the token."""
    if token == "draw":
        return "the stock is empty, and there is no redeal"
    if not _is_left(view, token):
        return f"{token} is empty: its card has been played"
    if not view.piles[token].up:
        return (
            f"{token} is face down, under {_covers_left(view, token)}:"
            " a card is played only when no other lies on it"
        )
    card, onto = view.piles[token].up[-1], view.piles["waste"].up[-1]
    below, above = BESIDE[onto[0]]
    return (
        f"{card} does not go on {onto}: only a card one rank below or above does,"
        f" {below} or {above}, of any suit"
    )


def board(view: View) -> list[Row]:
    """Shows the peaks, each card under its position's name, and under them the run and what its next card scores."""
    rows = [_head(view), []]
    for row in ACROSS:
        here = [name for name in POSITIONS if name[0] == row and _is_left(view, name)]
        columns = {name: 1 + HALF_CARD * SPOTS[name][1] for name in here}
        rows.append(labels((columns[name], name) for name in here))
        rows.append([(columns[name], top(view.piles[name])) for name in here])
    return [*rows, [], *_foot(view)]


def _head(view: View) -> Row:
    cost = _after_draw(view.score, view.options["scoring"], view.options["floor"]) - view.score
    draw = "draw turns 1" + (f", {cost:+}" if cost else "")
    progressive = view.options["rounds"] == "progressive"
    rounds = f"round {view.extra['round']}" if progressive else ""
    return stock_row(view, draw if view.piles["stock"].down else "no draw left", rounds)


def _foot(view: View) -> list[Row]:
    run = view.piles["waste"].up
    worth = _worth(view.options["scoring"], len(run), "", False)
    going_on = f", next {worth:+}" if view.status == "playing" else ""
    cards = [spread(run[i : i + RUN_SHOWN], LEFT) for i in range(0, len(run), RUN_SHOWN)]
    return [[(LEFT, f"run {view.extra['run']}{going_on}")], *cards]


def describe(view: View, pile: str) -> str:
    """Says in words what lies on a pile."""
    shown = view.piles[pile]
    if pile == "waste":
        cards = " ".join(shown.up)
        return f"{shown.down} of former runs, then {cards}" if shown.down else cards
    if pile in SPOTS and shown.down:
        return f"face down, under {_covers_left(view, pile)}"
    return in_words(shown)
