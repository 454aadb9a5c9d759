"""The rules of Camelot, sentence by sentence (`cardsol rules camelot`)."""

from __future__ import annotations

from itertools import combinations, product

import pytest

import cardsol
from cardsol.cards import STANDARD
from cardsol.game import Game
from cardsol.games import camelot
from cardsol.moves import TokenForm
from tests.support.positions import cards, change, example, form, game_at, legal, refusal, written

RANKS = "A23456789TJQK"
CELLS = tuple(row + column for row in "abcd" for column in "1234")
PLACES = {"K": "a1 a4 d1 d4", "Q": "a2 a3 d2 d3", "J": "b1 b4 c1 c4"}
"""As `cardsol rules camelot` lists them, but sorted."""
MIDDLE = "b2 b3 c2 c3"
FULL = dict(zip(CELLS, cards("KC QC QD KD JC 2C 3C JD JH 4C 6D JS KH QH QS KS")))
"""Court cards on all their places, and in the middle 2C 3C 4C 6D."""
FIVES = {**FULL, "b2": "5C", "b3": "5D", "c2": "5H", "c3": "5S"}


def at(
    grid: dict[str, str] | None = None, waste: str = "", stock: str = "", phase: int = 1, gone: int = 0
) -> Game:
    """Returns a game at a position; `gone` says how many cards have been removed."""
    laid = tuple((grid or {}).get(cell, "") for cell in CELLS)
    removed = tuple(card for card in STANDARD.cards if card[0] not in PLACES)[:gone]
    return game_at(camelot, camelot.State(cards(stock), cards(waste), laid, removed, phase))


def full(cell_cards: dict[str, str] | None = None, stock: str = "2H 3H", gone: int = 0) -> Game:
    """Returns a game in phase two with a full grid, FULL but for the cells named."""
    return at({**FULL, **(cell_cards or {})}, stock=stock, phase=2, gone=gone)


def removals(game: Game) -> str:
    return " ".join(token for token in game.legal_moves if token != "draw" and token[:2] != "w-")


# Deal


def test_all_52_cards_are_the_stock_and_the_grid_is_empty() -> None:
    """All 52 cards are the stock, the grid is empty."""
    game = cardsol.deal("camelot", deck=STANDARD.cards)
    piles = game.piles()
    assert piles["stock"].down == game.deck[::-1]
    assert [name for name, there in piles.items() if written(there)] == ["stock"]
    assert legal(game) == "draw"


def test_a_four_by_four_grid_named_by_row_and_column() -> None:
    """One standard deck, on a 4 × 4 grid a1…d4 (row, column)."""
    assert camelot.CELLS == CELLS
    assert sorted(cardsol.deal("camelot", seed=1).deck) == sorted(r + s for r in RANKS for s in "CDHS")


def test_there_are_no_options() -> None:
    assert cardsol.deal("camelot", seed=1).options == {}


# Piles


def test_the_piles_and_their_order() -> None:
    """`stock`, `waste`, a1…d4, and `removed`."""
    assert tuple(cardsol.deal("camelot", seed=1).piles()) == ("stock", "waste", *CELLS, "removed")


def test_removed_holds_all_removed_cards_face_up_in_the_order_they_went() -> None:
    """`removed` (all removed cards, face up, in the order they went)."""
    game = full({"b2": "TC", "b3": "3C", "c2": "7D", "c3": "TH"})
    assert change(game, "c3") == {"c3": "", "removed": "TH"}
    assert change(game, "b3+c2") == {"b3": "", "c2": "", "removed": "TH 3C 7D"}
    assert change(game, "b2") == {"b2": "", "removed": "TH 3C 7D TC"}


# Places


@pytest.mark.parametrize("rank", RANKS)
def test_the_places_of_each_rank(rank: str) -> None:
    """King: the corners. Queen: a2 a3 d2 d3. Jack: b1 c1 b4 c4. Any other card: any empty cell."""
    places = PLACES.get(rank, " ".join(CELLS)).split()
    for suit in "CDHS":
        assert legal(at(waste=rank + suit)) == " ".join(f"w-{cell}" for cell in places)


def test_a_place_is_an_empty_cell() -> None:
    """… any *empty* cell, also for court cards."""
    grid = {"a1": "2C", "a4": "KH", "b2": "3C"}
    assert legal(at(grid, waste="KS")) == "w-d1 w-d4"
    free = [cell for cell in CELLS if cell not in grid]
    assert legal(at(grid, waste="7S")) == " ".join(f"w-{cell}" for cell in free)


# Phase one


def test_draw_turns_one_card_to_the_waste() -> None:
    """`draw` turns one card to the waste (which holds only that card)."""
    game = at({"b2": "9C"}, stock="7S 8S 9S")
    assert change(game, "draw") == {"stock": "9S 8S /", "waste": "7S"}


def test_the_waste_card_is_placed() -> None:
    """`w-b2` places it: the waste is empty then."""
    game = at({"b3": "9C"}, waste="7S", stock="8S")
    assert change(game, "w-b2") == {"waste": "", "b2": "7S"}
    assert legal(game) == "draw"


def test_no_other_move_while_the_waste_holds_a_card() -> None:
    """No other move while the waste holds a card: no draw, no removal."""
    grid = {"a1": "TC", "a2": "5C", "a3": "5D"}
    for stock in ("8S", ""):
        assert legal(at(grid, waste="KS", stock=stock)) == "w-a4 w-d1 w-d4"


def test_draw_needs_an_empty_cell() -> None:
    """`draw` needs an empty cell, and an empty waste."""
    assert "draw" not in full().legal_moves
    assert "draw" in full({"b2": ""}).legal_moves


def test_draw_needs_a_card_in_the_stock() -> None:
    """`draw` turns one card …: there is none, and no redeal."""
    assert "draw" in at({"b2": "9C"}, stock="7S").legal_moves
    assert "draw" not in at({"b2": "9C"}, phase=2).legal_moves


def test_a_placed_card_never_moves_to_another_cell() -> None:
    """The tokens are `draw`, `w-b2`, `b2` and `b2+c3`."""
    grammar = cardsol.deal("camelot", seed=1).grammar
    assert {form(token) for token in grammar} == {"draw", "w-@#", "@#", "@#+@#"}
    assert len(grammar) == 1 + 16 + 16 + 16 * 15 // 2


# Phase two


def test_phase_two_starts_when_the_grid_becomes_full() -> None:
    """Phase two starts when the grid becomes full: before, nothing is removed."""
    grid = {**FIVES, "c2": "", "c3": ""}
    game = at(grid, stock="5H 5S 2H")
    for cell in ("c2", "c3"):
        assert (game.view().extra["phase"], removals(game)) == (1, "")
        game.push("draw")
        assert (game.view().extra["phase"], removals(game)) == (1, "")
        game.push(f"w-{cell}")
    assert game.view().extra["phase"] == 2
    assert legal(game) == "b2+b3 b2+c2 b2+c3 b3+c2 b3+c3 c2+c3"


@pytest.mark.parametrize("rank", RANKS)
def test_a_ten_is_removed_alone(rank: str) -> None:
    """`b2` removes a Ten, and no other card goes alone."""
    game = full({"b2": f"{rank}S", "b3": "2C", "c2": "2D", "c3": "2H"})
    assert ("b2" in game.legal_moves) == (rank == "T")


def test_two_cards_are_removed_whose_ranks_add_up_to_ten_with_ace_as_one() -> None:
    """`b2+c3` removes two cards whose ranks add up to 10 (Ace = 1)."""
    pairs = {
        (one, two)
        for one, two in product(RANKS, repeat=2)
        if "b2+c3" in full({"b2": f"{one}S", "b3": "KC", "c2": "KC", "c3": f"{two}H"}).legal_moves
    }
    assert pairs == {
        *(("A", "9"), ("2", "8"), ("3", "7"), ("4", "6"), ("5", "5")),
        *(("9", "A"), ("8", "2"), ("7", "3"), ("6", "4")),
    }


def test_the_two_cards_may_lie_anywhere_on_the_grid() -> None:
    """… two cards: no word of their being neighbours."""
    for one, two in combinations(CELLS, 2):
        game = full({**dict.fromkeys(CELLS, "KC"), one: "AC", two: "9H"})
        assert removals(game) == f"{one}+{two}"
        assert change(game, f"{one}+{two}") == {one: "", two: "", "removed": "AC 9H"}


def test_three_cards_that_make_ten_are_no_pair() -> None:
    """… two cards."""
    assert removals(full({"b2": "2C", "b3": "3C", "c2": "5C", "c3": "KC"})) == ""


def test_the_token_names_the_cells_in_reading_order() -> None:
    """… the token names the cells in reading order."""
    game = full({"b2": "9C", "c3": "AC"})
    assert "b2+c3" in game.legal_moves
    with pytest.raises(cardsol.BadToken):
        game.push("c3+b2")
    assert all(token[:2] < token[3:] for token in game.grammar if "+" in token)


def test_as_many_are_removed_as_the_player_likes() -> None:
    """`draw` goes back to phase one: until then removing goes on, with cells empty."""
    game = full({"b2": "TC", "b3": "5C", "c2": "5D", "c3": "TD"})
    game.push("b3+c2")
    assert legal(game) == "b2 c3 draw"
    game.push("c3")
    assert legal(game) == "b2 draw"


def test_a_draw_goes_back_to_phase_one_until_the_grid_is_full_once_more() -> None:
    """A `draw` goes back to phase one; removing is possible again only when the grid is full once more."""
    game = full({"b2": "TC", "b3": "5C", "c2": "5D", "c3": "TD"}, stock="2H 3H 4H")
    for token, phase, tokens in (
        ("b3+c2", 2, "b2 c3"),
        ("draw", 1, ""),
        ("w-b3", 1, ""),
        ("draw", 1, ""),
        ("w-c2", 2, "b2 c3"),
    ):
        game.push(token)
        assert (game.view().extra["phase"], removals(game)) == (phase, tokens)


def test_removing_is_always_possible_once_stock_and_waste_are_both_empty() -> None:
    """… or when stock and waste are both empty, from when on it is always possible."""
    game = at({"b2": "TC", "b3": "5C", "c2": "TD"}, stock="5D")
    for token, phase, tokens in (
        ("draw", 1, ""),
        ("w-c3", 2, "b2 b3+c3 c2"),
        ("b2", 2, "b3+c3 c2"),
        ("b3+c3", 2, "c2"),
    ):
        game.push(token)
        assert (game.view().extra["phase"], removals(game)) == (phase, tokens)


def test_kings_queens_and_jacks_never_leave() -> None:
    """Kings, Queens and Jacks never leave."""
    court = [cell for cell, card in FULL.items() if card[0] in PLACES]
    game = full({"b2": "TC", "b3": "AC", "c2": "9C", "c3": "2C"})
    assert legal(game) == "b2 b3+c2"
    assert len(court) == 12
    for token in ("b2", "b3+c2"):
        game.push(token)
    assert all(game.view().piles[cell].up == (FULL[cell],) for cell in court)


# Score, won, lost


def test_score_is_one_point_a_card_removed() -> None:
    """One point a card removed."""
    game = full({"b2": "TC", "b3": "AC", "c2": "9C", "c3": "2C"}, gone=6)
    assert game.score == 6
    game.push("b2")
    assert game.score == 7
    game.push("b3+c2")
    assert game.score == 9
    game.push("draw")
    assert game.score == 9


def test_the_most_is_forty() -> None:
    """… at most 40."""
    assert cardsol.deal("camelot", seed=1).view().max == 40 == sum(rank not in PLACES for rank in RANKS) * 4


def test_won_with_stock_and_waste_empty_and_only_the_twelve_court_cards_left() -> None:
    """Won: stock and waste empty, and only the twelve court cards left."""
    game = full({"b2": "TC", "b3": "", "c2": "", "c3": ""}, stock="", gone=39)
    assert (game.status, legal(game)) == ("playing", "b2")
    game.push("b2")
    assert (game.status, legal(game), game.score) == ("won", "", 40)


def test_not_won_while_the_stock_or_the_waste_holds_a_court_card() -> None:
    """… stock and waste empty."""
    grid = {**FULL, **dict.fromkeys(MIDDLE.split(), ""), "d4": ""}
    game = at(grid, stock="KS", phase=2, gone=40)
    for token in ("draw", "w-d4"):
        assert game.status == "playing"
        game.push(token)
    assert game.status == "won"


@pytest.mark.parametrize("court", PLACES)
def test_lost_with_a_court_card_that_has_no_place(court: str) -> None:
    """Lost: a court card on the waste that has no place, whatever cells are empty."""
    own = dict.fromkeys(PLACES[court].split(), "2C")
    assert at(own, waste=f"{court}S", stock="3C").status == "lost"
    assert at({**own, PLACES[court][-2:]: ""}, waste=f"{court}S", stock="3C").status == "playing"
    assert at(own, waste="7S", stock="3C").status == "playing"


def test_lost_with_a_full_grid_from_which_nothing_can_be_removed() -> None:
    """… or a full grid from which nothing can be removed."""
    stuck = {"b2": "2C", "b3": "3C", "c2": "4C", "c3": "9C"}
    assert full(stuck).status == "lost"
    assert full({**stuck, "c3": "6C"}).status == "playing"
    assert full({**stuck, "c3": ""}).status == "playing"


LEFT = [
    *("TC", "AC 9C", "2C 8C", "3C 7C", "4C 6C", "5C 5D"),
    *("TC TD 5C 5D", "5C 5D 5H 5S", "AC AD 9C 9D", "2C 3C 7D 8D"),
]


@pytest.mark.parametrize("left", LEFT)
def test_every_game_ends_at_forty_once_stock_and_waste_are_empty(left: str) -> None:
    """(Once stock and waste are empty every game ends at 40.) Whichever move comes first."""
    middle = dict(zip(MIDDLE.split(), [*cards(left), "", "", ""]))
    for pick in (0, -1):
        game = full(middle, stock="", gone=40 - len(cards(left)))
        while game.status == "playing":
            game.push(game.legal_moves[pick])
        assert (game.status, game.score) == ("won", 40)


# Tokens in words

ONE_FREE = at({**FIVES, "c3": ""}, stock="2H")
WHY_NOT = [
    (at(waste="7S", stock="2H"), "draw", "7S lies on the waste and must be placed before the next draw"),
    (full(), "draw", "the grid is full: a card is drawn only when there is an empty cell for it"),
    (at({"b2": "TC"}, phase=2), "draw", "the stock is empty, and there is no redeal"),
    (at(stock="2H"), "w-b2", "the waste is empty: there is no card to place on b2"),
    (at(waste="KS"), "w-b2", "KS does not go to b2: a King goes only to a1, a4, d1, d4"),
    (at(waste="QS"), "w-a1", "QS does not go to a1: a Queen goes only to a2, a3, d2, d3"),
    (at(waste="JS"), "w-a2", "JS does not go to a2: a Jack goes only to b1, b4, c1, c4"),
    (
        at({"b2": "5C"}, waste="7S"),
        "w-b2",
        "7S does not go to b2, where 5C lies: a card goes only to an empty cell",
    ),
    (
        at({"a1": "5C"}, waste="KS"),
        "w-a1",
        "KS does not go to a1, where 5C lies: a card goes only to an empty cell",
    ),
    (full({"b2": ""}), "b2", "b2 is empty"),
    (full({"b2": ""}), "b2+c3", "b2 is empty"),
    (full({"c3": ""}), "b2+c3", "c3 is empty"),
    (full(), "a1", "KC stays: Kings, Queens and Jacks never leave the grid"),
    (full(), "a1+b2", "KC stays: Kings, Queens and Jacks never leave the grid"),
    (full(), "b2+c4", "JS stays: Kings, Queens and Jacks never leave the grid"),
    *(
        (
            full({"b2": card}),
            "b2",
            f"{card} does not go alone: only a Ten does, and {card} makes 10 with {other}",
        )
        for card, other in (("AS", "a 9"), ("2S", "an 8"), ("5S", "a 5"), ("9S", "an Ace"))
    ),
    (full({"b2": "TS"}), "b2+c3", "TS goes alone: a pair is two cards whose ranks add up to 10"),
    (full({"c3": "TS"}), "b2+c3", "TS goes alone: a pair is two cards whose ranks add up to 10"),
    (
        full({"b2": "4C", "c3": "9C"}),
        "b2+c3",
        "4C and 9C are no pair: their ranks add up to 13, not 10",
    ),
    (
        at({"b2": "TC"}, waste="7S"),
        "b2",
        "nothing is removed before 7S, the last card, is placed",
    ),
    *(
        (
            ONE_FREE,
            token,
            "nothing is removed before the grid is full or all cards are placed, and 1 cell is empty",
        )
        for token in ("b2+b3", "b3+c2")
    ),
    (
        at({"b2": "TC"}, waste="7S", stock="2H"),
        "b2",
        "nothing is removed before the grid is full or all cards are placed, and 15 cells are empty",
    ),
    (full(dict.fromkeys(MIDDLE.split(), ""), stock="", gone=40), "draw", "the game is already won"),
]


@pytest.mark.parametrize(("game", "token", "reason"), WHY_NOT)
def test_a_refusal_names_the_rule(game: Game, token: str, reason: str) -> None:
    assert refusal(game, token) == reason


EXPLAINED = [
    (at(stock="2H"), ("draw", "draw", "stock", "waste", "", "turns the next card of the stock to the waste")),
    *(
        (at(waste=card), (f"w-{cell}", "place", "waste", cell, card, f"{card} to {cell}, {where}"))
        for card, cell, where in (
            ("KS", "a1", "a place of the Kings"),
            ("QS", "d2", "a place of the Queens"),
            ("JS", "b4", "a place of the Jacks"),
            ("7S", "b4", "a place of the Jacks"),
            ("7S", "c3", "in the middle"),
        )
    ),
    (full({"b2": "TS"}), ("b2", "remove", "b2", "removed", "TS", "removes TS from b2")),
    (
        full({"b2": "9S", "c3": "AS"}),
        ("b2+c3", "remove", "b2+c3", "removed", "9S AS", "removes 9S from b2 and AS from c3"),
    ),
]


@pytest.mark.parametrize(("game", "told"), EXPLAINED)
def test_a_move_is_told_apart(game: Game, told: tuple[str, str, str, str, str, str]) -> None:
    token, kind, source, target, moved, text = told
    assert token in game.legal_moves
    assert game.explain(token) == (token, kind, source, target, cards(moved), None, text)


KINDS = ("draw", "place", "remove", "remove")


@pytest.mark.parametrize(("word", "kind"), list(zip(camelot.TOKEN_FORMS, KINDS)))
def test_the_example_of_each_form_of_token_plays(word: TokenForm, kind: str) -> None:
    move = example(word, "camelot")
    assert (form(move.token), move.kind) == (form(word.form), kind)


def test_every_form_of_token_has_an_example() -> None:
    grammar = cardsol.deal("camelot", seed=1).grammar
    assert {form(word.form) for word in camelot.TOKEN_FORMS} == set(map(form, grammar))
