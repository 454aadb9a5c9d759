"""Boards: their size at any moment of any game, what they mark, and that colour is never the only sign."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise

import pytest

import cardsol
from cardsol import drawing
from cardsol.board import WIDTH, Face, render, side_by_side
from cardsol.cards import DECKS, STANDARD, UNIVERSAL, normalized
from cardsol.game import Game
from cardsol.text import text_width
from cardsol.view import Shown
from tests.support import harness
from tests.support.engine import VARIANTS, few, variant_name

each_game = pytest.mark.parametrize("variant", few(2), ids=variant_name)

STYLES: dict[str, dict[str, int]] = {
    "any": {},
    "piles up": {"foundation": 1, "sequence": 1, "draw": 100, "build": 300},
    "builds first": {"foundation": 1, "sequence": 1, "draw": 2, "build": 300},
    "clears": {"foundation": 3000, "sequence": 3000, "draw": 10},
}
"""How random play weighs kinds of moves; others count 100. Columns grow tall where little goes up."""
NOT_LISTED = re.compile(r"[fk]\d|removed")
"""Piles of which a board shows no more than the top card."""


def played(variant: tuple[str, dict[str, str]], style: str, seed: int, most: int = 300) -> list[Game]:
    """Returns the moments of a game, from the deal to its end or the last move that is played."""
    name, options = variant
    chance = random.Random(f"{name} {style} {seed}")
    game = cardsol.deal(name, seed=f"boards-{seed}", options=options)
    moments = [game.copy()]
    while game.legal_moves and len(moments) <= most:
        weights = [STYLES[style].get(game.explain(token).kind, 100) for token in game.legal_moves]
        game.push(chance.choices(game.legal_moves, weights)[0])
        moments.append(game.copy())
    return moments


def without_escapes(line: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", line)


@each_game
@pytest.mark.parametrize("style", harness.some(STYLES, 2))
@harness.part(2)
def test_a_board_has_58_columns_and_22_lines_at_any_moment(
    variant: tuple[str, dict[str, str]], style: str, part: int
) -> None:
    for seed in range(2):
        for game in played(variant, style, seed)[:: 4 * part]:
            lines = drawing.lines(game)
            assert len(lines) <= 22, "\n".join(lines)
            assert max(map(len, lines)) <= 58, "\n".join(lines)


@each_game
def test_texts_of_a_board_keep_apart(variant: tuple[str, dict[str, str]]) -> None:
    for game in played(variant, "any", 3)[::7]:
        for row in game.rules.board(game.view()):
            ends, last = 0, ""
            for column, text in sorted(row):
                assert column >= ends + (last not in ("", "[") and text != "]")
                ends, last = column + len(text), text
            assert ends <= WIDTH


@each_game
def test_a_board_hides_no_card_that_the_view_shows(variant: tuple[str, dict[str, str]]) -> None:
    """But those under the top card of a foundation, a sequence or the waste, which its number stands for."""
    for style in ("any", "piles up"):
        for game in played(variant, style, 4)[::9]:
            view = game.view()
            texts = Counter(str(text) for row in game.rules.board(view) for _, text in row)
            for name, pile in view.piles.items():
                due = pile.up[-1:] if NOT_LISTED.match(name) or name == "waste" else pile.up
                if game.name == "vanishing-cross" and name in ("a1", "a3", "c1", "c3"):
                    due = pile.up[-1:]
                assert all(texts[card] for card in due), (name, due)


@each_game
def test_a_board_shows_no_card_that_the_view_hides(variant: tuple[str, dict[str, str]]) -> None:
    for game in played(variant, "any", 5)[::9]:
        view = game.view()
        cards = set(DECKS[game.rules.DECK].cards)
        seen = {card for pile in view.piles.values() for card in pile.up}
        assert {text for row in game.rules.board(view) for _, text in row} & cards <= seen
        words = re.findall(r"\b[0-9A-Z]{2}\b", "\n".join(drawing.lines(game)[1:]))
        assert {word for word in words if word in cards} <= seen


@each_game
def test_the_line_under_the_heading_tells_of_the_stock(variant: tuple[str, dict[str, str]]) -> None:
    for game in played(variant, "any", 6)[::5]:
        view = game.view()
        line = next(line for line in drawing.lines(game) if line.startswith("  "))
        assert line.startswith(f"  stock {view.piles['stock'].down}")
        assert ("draw" in line) and (view.piles["stock"].down == 0 or "no draw" not in line)
        if "waste" in view.piles and view.piles["waste"].up:
            assert re.search(rf"waste \d+ \[{view.piles['waste'].up[-1]}\*?\]", line)


@each_game
def test_bold_cards_are_those_that_a_legal_move_takes(variant: tuple[str, dict[str, str]]) -> None:
    for game in played(variant, "any", 7)[::11]:
        view = game.view()
        shown = drawing.with_faces(view, drawing.playable(view, game.rules), {})
        bold = {card for pile in shown.piles.values() for card in pile.up if isinstance(card, Face)}
        assert bold == {card for token in view.legal for card in game.explain(token).cards}


@each_game
def test_marked_cards_are_those_of_the_last_move(variant: tuple[str, dict[str, str]]) -> None:
    moments = played(variant, "any", 8)
    for before, game in list(pairwise(moments))[::3]:
        move, view = before.explain(game.moves[-1]), game.view()
        moved = drawing.last_moved(game)
        found = [view.piles[name].up[i] for name, places in moved.items() for i in places]
        if move.cards and set(moved) and "+" not in move.source:
            assert tuple(found) == move.cards
        if move.kind == "draw":
            assert len(found) in (1, 2, 3, 7, 10)
            assert not {*found} & {card for pile in before.view().piles.values() for card in pile.up} or (
                game.name in ("universal", "rouge-et-noir")
            )


def test_nothing_is_marked_before_the_first_move() -> None:
    assert "*" not in "".join(drawing.lines(cardsol.deal("rouge-et-noir", seed=1)))


def test_a_card_behind_the_head_is_marked() -> None:
    game = cardsol.deal("universal", seed=8)
    game.play("t3-f", "t3-t1", "t3-t6", "t3-t1", "draw", "draw", "w-h3")
    assert drawing.last_moved(game) == {"t3": range(1)}


def test_removed_cards_are_marked_where_they_lie() -> None:
    game = cardsol.deal("camelot", seed=282)
    game.play(*game.rules.TOKEN_FORMS[3].moves.split())
    assert re.search(r"removed 2 \[..\* ..\*\]", "\n".join(drawing.lines(game)))


@each_game
def test_colour_adds_nothing_but_escapes(variant: tuple[str, dict[str, str]]) -> None:
    """What a board tells by colour, bold or dim text it tells without: letters, names, and the mark."""
    for game in played(variant, "any", 9)[::13]:
        colored = drawing.lines(game, color=True)
        assert "\x1b[" in "".join(colored)
        assert [without_escapes(line) for line in colored] == drawing.lines(game)
        signs = drawing.lines(game, signs=True, planets=True, color=True)
        assert [text_width(without_escapes(line)) for line in signs] == list(map(len, drawing.lines(game)))


def test_every_suit_of_the_universal_deck_has_a_colour_of_its_own() -> None:
    assert len({UNIVERSAL.colors[suit] for suit in UNIVERSAL.suits}) == 6


def test_planets_are_shown_only_where_they_are_asked_for() -> None:
    game = cardsol.deal("universal", seed=1)
    signs = set(UNIVERSAL.signs.values())
    assert not signs & set("".join(drawing.lines(game, signs=True)))
    assert signs & set("".join(drawing.lines(game, signs=True, planets=True)))


@pytest.mark.parametrize("deck", [STANDARD, UNIVERSAL], ids=lambda deck: deck.name)
def test_every_sign_that_is_shown_is_read(deck: object) -> None:
    assert isinstance(deck, type(STANDARD))
    for card in deck.cards:
        shown = card[0] + deck.signs[card[1]]
        for selector in ("", "\ufe0e", "\ufe0f"):
            assert normalized(shown + selector, deck) == card


def test_face_down_cards_are_counted_in_a_column_that_is_too_long() -> None:
    view = cardsol.deal("rouge-et-noir", seed=1).view()
    view = view._replace(piles={"t1": Shown(4, ("KH", "QS", "JD")), "t2": Shown(1, ("5S",))})
    rows = side_by_side(view, ("t1", "t2"), 2, 5, height=6)
    assert render(rows, STANDARD, signs=False, color=False) == [
        "  t1   t2", "  x4   --", "  KH   5S", "  QS", "  JD",
    ]  # fmt: skip
    assert render(rows, STANDARD, signs=True, color=False)[1] == "  ×4   --"


def test_columns_lie_on_their_sides_where_they_are_too_long_face_up() -> None:
    view = cardsol.deal("rouge-et-noir", seed=1).view()
    view = view._replace(piles={"t1": Shown(4, STANDARD.cards[:14]), "t2": Shown(0, ())})
    rows = side_by_side(view, ("t1", "t2"), 2, 5, height=6)
    assert render(rows, STANDARD, signs=False, color=False) == [
        "  t1   x4  AC  2C  3C  4C  5C  6C  7C  8C  9C  TC  JC  QC",
        "       KC  AD",
        "  t2   .",
    ]


@pytest.mark.parametrize("shares", [(6, 14), (1, 95), (7, 14), (10, 10), (5, 18), (3, 32)])
def test_ten_columns_with_all_cards_of_two_decks_fit(shares: tuple[int, int]) -> None:
    """However 104 cards lie on ten columns."""
    tall, height = shares
    rest = max(1, (104 - tall * height) // (10 - tall)) if tall < 10 else 0
    sizes = [height] * tall + [rest] * (10 - tall)
    cards = iter(STANDARD.cards * 3)
    view = cardsol.deal("rouge-et-noir", seed=1).view()
    piles = {f"t{i}": Shown(0, tuple(next(cards) for _ in range(size))) for i, size in enumerate(sizes, 1)}
    rows = side_by_side(view._replace(piles=piles), tuple(piles), 2, 5, height=15)
    assert len(rows) <= 15
    assert max(map(len, render(rows, STANDARD, signs=False, color=False))) <= 58
    shown = Counter(text for row in rows for _, text in row)
    assert all(shown[card] for pile in piles.values() for card in pile.up)


@pytest.mark.parametrize(
    ("scoring", "tokens", "told"),
    [("classic", "d3 d10", "run 2, next +3"), ("multiplier", "d3 d10", "run 2, next +4"),
     ("classic", "", "run 0, next +1"), ("multiplier", "draw", "run 0, next +1")],
)  # fmt: skip
def test_three_peaks_tells_what_the_next_card_of_the_run_scores(scoring: str, tokens: str, told: str) -> None:
    game = cardsol.deal("three-peaks", seed=1, options={"scoring": scoring})
    if tokens:
        game.play(*tokens.split())
    assert f"  {told}" in drawing.lines(game)


def test_a_board_says_that_the_game_is_won_or_lost() -> None:
    told = {game.status: drawing.lines(game)[-1] for game in _ended()}
    assert re.fullmatch(r"  Won in \d+ moves\.", told["won"])
    assert re.fullmatch(r"  Lost after \d+ moves: no legal move is left\.", told["lost"])
    assert "playing" not in told


def _ended() -> list[Game]:
    variant = ("three-peaks", {"scoring": "classic", "floor": "none", "rounds": "single"})
    return [played(variant, "builds first", seed)[-1] for seed in range(60)]


@pytest.mark.parametrize("seed", ["x" * 200, "深" * 100, "two words " * 12 + "end", "1"])
def test_a_heading_with_a_long_seed_keeps_to_the_width(seed: str) -> None:
    for name, options in VARIANTS:
        game = cardsol.deal(name, seed=seed, options=options)
        lines = drawing.lines(game)
        assert len(lines) <= 22
        assert max(map(text_width, lines)) <= 58
        assert any(seed[:13] in line for line in lines)
