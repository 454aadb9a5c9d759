"""The rules of Universal Solitaire, sentence by sentence (`cardsol rules universal`)."""

from __future__ import annotations

from itertools import pairwise, product

import pytest

import cardsol
from cardsol.cards import UNIVERSAL, Cards
from cardsol.game import Game
from cardsol.games import universal
from cardsol.moves import TokenForm
from tests.support.positions import cards, change, example, form, game_at, legal, pile, refusal

HIGH_TO_LOW = "GSM7654321"
SUITS = "EJMNSV"
COLUMNS = ("t1", "t2", "t3", "t4", "t5", "t6")


def at(
    columns: dict[str, str] | None = None,
    waste: str = "",
    stock: str = "",
    bar: dict[str, int] | None = None,
    draw: int = 1,
    nth_pass: int = 1,
) -> Game:
    """Returns a game at a position; `bar` says how many cards of a suit lie there, from the 1 up."""
    laid = tuple(pile((columns or {}).get(name, "")) for name in COLUMNS)
    state = universal.State(draw, nth_pass, cards(stock), cards(waste), laid, on_bar(bar or {}))
    return game_at(universal, state, draw=str(draw))


def on_bar(counts: dict[str, int]) -> tuple[Cards, ...]:
    return tuple(tuple(rank + suit for rank in HIGH_TO_LOW[::-1][: counts.get(suit, 0)]) for suit in SUITS)


def from_sorted(draw: int = 1) -> Game:
    return cardsol.deal("universal", deck=UNIVERSAL.cards, options={"draw": draw})


# The deck


def test_sixty_cards_six_suits_by_ten_ranks() -> None:
    """60 cards: six suits × ten ranks (thirty dealt + thirty in the stock, and 300 points at 5 a card)."""
    game = cardsol.deal("universal", seed=1)
    assert sorted(game.deck) == sorted(rank + suit for rank in HIGH_TO_LOW for suit in SUITS)
    piles = game.piles()
    assert sum(len(piles[name].down + piles[name].up) for name in COLUMNS) == 30
    assert len(piles["stock"].down) == 30
    assert game.view().max == 5 * 60


def test_rank_order_high_to_low_is_galaxy_sun_moon_seven_to_one() -> None:
    """Rank order, high to low: G S M 7 6 5 4 3 2 1."""
    builds = {
        (end, card)
        for end, card in product(HIGH_TO_LOW, repeat=2)
        if "w-t1" in at({"t1": f"{end}E"}, waste=f"{card}J").legal_moves
    }
    assert builds == set(pairwise(HIGH_TO_LOW))


def test_suits_are_equal() -> None:
    """Suits are equal."""
    builds = {
        (end, card)
        for end, card in product(SUITS, repeat=2)
        if "w-t1" in at({"t1": f"7{end}"}, waste=f"6{card}").legal_moves
    }
    assert builds == {(end, card) for end, card in product(SUITS, repeat=2) if end != card}


# Deal


def test_the_deal_is_row_by_row_left_to_right() -> None:
    """Deal row by row, left to right: five rounds over t1…t6; the first four face down, the fifth face up."""
    piles = from_sorted().piles()
    assert {name: piles[name] for name in COLUMNS} == {
        "t1": pile("1E 7E 3J SJ / 5M"),
        "t2": pile("2E ME 4J GJ / 6M"),
        "t3": pile("3E SE 5J 1M / 7M"),
        "t4": pile("4E GE 6J 2M / MM"),
        "t5": pile("5E 1J 7J 3M / SM"),
        "t6": pile("6E 2J MJ 4M / GM"),
    }


def test_the_other_thirty_are_the_stock_and_the_next_in_deck_order_is_drawn_next() -> None:
    """The other thirty are the stock; the next card drawn is the next in deck order."""
    game = from_sorted()
    assert game.piles()["stock"] == pile(" ".join(reversed(game.deck[30:])) + " /")
    assert change(game, "draw")["waste"] == game.deck[30] == "1N"
    assert change(game, "draw")["waste"] == "1N 2N"


def test_no_card_lies_on_the_waste_or_the_bar_at_first() -> None:
    """Deal: thirty in the columns, thirty in the stock."""
    piles = from_sorted().piles()
    assert {name for name, there in piles.items() if there == pile("")} == {
        "waste",
        *(f"f{n}" for n in range(1, 7)),
    }


# Piles


def test_the_piles_and_their_order() -> None:
    """t1…t6, stock, waste, the bar f1…f6."""
    assert " ".join(from_sorted().piles()) == "t1 t2 t3 t4 t5 t6 stock waste f1 f2 f3 f4 f5 f6"


@pytest.mark.parametrize(("suit", "place"), list(zip(SUITS, ("f1", "f2", "f3", "f4", "f5", "f6"))))
def test_each_suit_has_its_place_on_the_bar_and_the_sixth_suit_is_earth(suit: str, place: str) -> None:
    """The bar f1…f6 (suits E J M N S V). Reading: the sixth, Earth."""
    assert change(at(waste=f"1{suit}"), "w-f") == {"waste": "", place: f"1{suit}"}


# Build


@pytest.mark.parametrize(
    ("end", "card", "builds"),
    [
        ("7M", "6J", True),
        ("GM", "SJ", True),
        ("7M", "6M", False),
        ("7M", "5J", False),
        ("7M", "7J", False),
        ("7M", "MJ", False),
        ("1M", "GJ", False),
    ],
)
def test_a_column_builds_one_rank_lower_and_of_a_different_suit(end: str, card: str, builds: bool) -> None:
    """Build on a column: one rank lower than its last card, and of a *different suit*."""
    assert ("w-t2" in at({"t2": f"4V / {end}"}, waste=card).legal_moves) == builds
    assert ("t1-t2" in at({"t1": card, "t2": f"4V / {end}"}).legal_moves) == builds


def test_a_column_builds_on_its_last_card_only() -> None:
    """… than its last card …: neither the head nor a face-down card takes one."""
    assert "w-t1" not in at({"t1": "5N / 7M 6J"}, waste="6S").legal_moves
    assert "w-t1" not in at({"t1": "5N / 7M 6J"}, waste="4S").legal_moves
    assert "w-t1" in at({"t1": "5N / 7M 6J"}, waste="5S").legal_moves


# Column to column


def test_the_whole_face_up_run_moves_from_its_head_down() -> None:
    """The whole face-up run moves, from its head (the card nearest the face-down ones) down."""
    game = at({"t1": "2N 3V / 7M 6J 5E", "t2": "4S / ME"})
    assert change(game, "t1-t2") == {"t1": "2N / 3V", "t2": "4S / ME 7M 6J 5E"}


def test_never_part_of_the_run_moves() -> None:
    """… never part of it: 6J 5E would fit on t3, 5E on t4, but only the head 7M is asked."""
    game = at({"t1": "3V / 7M 6J 5E", "t2": "4S / ME", "t3": "7S", "t4": "6V"})
    assert [token for token in game.legal_moves if token.startswith("t1")] == ["t1-t2"]
    assert not any("x" in token for token in game.grammar)


def test_the_last_card_of_a_longer_run_may_go_to_the_bar_alone() -> None:
    """Reading: the last card of a column may always go to the bar."""
    game = at({"t1": "3V / 3M 2J 1E"})
    assert change(game, "t1-f") == {"t1": "3V / 3M 2J", "f1": "1E"}


def test_a_run_of_one_card_moves_too() -> None:
    """A run of one card moves too."""
    game = at({"t1": "3V / 6J", "t2": "7M"})
    assert change(game, "t1-t2") == {"t1": "3V", "t2": "7M 6J"}


def test_a_whole_column_may_be_built_on_another() -> None:
    """t2-t5: the run may be all that its column has."""
    assert change(at({"t2": "6J 5E", "t5": "7M"}), "t2-t5") == {"t2": "", "t5": "7M 6J 5E"}


def test_a_different_suit_is_asked_of_neighbours_only() -> None:
    """ "different suit" is asked of neighbours only: the suits of cards further off do not matter."""
    game = at({"t1": "7M 6J 5M 4J", "t2": "3V / MJ"})
    assert change(game, "t1-t2") == {"t1": "", "t2": "3V / MJ 7M 6J 5M 4J"}
    assert "t1-t2" not in at({"t1": "7M 6J", "t2": "3V / MM"}).legal_moves


# Waste to column


def test_the_top_waste_card_builds_on_the_last_card_of_a_column() -> None:
    """w-t3: the top waste card builds on the column's last card; the card under it is the top then."""
    game = at({"t1": "4M", "t3": "3V / 7M"}, waste="3V 6J")
    assert legal(game) == "w-t3"
    assert change(game, "w-t3") == {"waste": "3V", "t3": "3V / 7M 6J"}
    assert legal(game) == "w-t1"


# Behind the head


def test_a_waste_card_slips_behind_the_head_of_a_column_without_face_down_cards() -> None:
    """Once column 3 has no face-down cards the top waste card may be slipped behind (above) its head."""
    game = at({"t3": "6J 5E"}, waste="2N 7M")
    assert change(game, "w-h3") == {"waste": "2N", "t3": "7M 6J 5E"}
    assert "w-h3" not in at({"t3": "2V / 6J 5E"}, waste="2N 7M").legal_moves


def test_nothing_slips_behind_the_head_of_an_empty_column() -> None:
    """… (and is not empty)."""
    for rank in HIGH_TO_LOW:
        assert not any("h" in token for token in at({"t1": "1E"}, waste=f"{rank}E").legal_moves)


@pytest.mark.parametrize(
    ("head", "card", "slips"),
    [
        ("6J", "7M", True),
        ("SJ", "GM", True),
        ("1J", "2M", True),
        ("6J", "7J", False),
        ("6J", "5M", False),
        ("6J", "6M", False),
        ("6J", "MM", False),
        ("GJ", "1M", False),
    ],
)
def test_the_slipped_card_is_one_rank_higher_and_of_a_different_suit(
    head: str, card: str, slips: bool
) -> None:
    """… if it is one rank *higher* and of a different suit."""
    assert ("w-h2" in at({"t2": head}, waste=card).legal_moves) == slips


def test_only_cards_from_the_stock_slip_behind_a_head() -> None:
    """Only cards from the stock do this: no token says it of a column."""
    game = at({"t1": "3V / 7M", "t2": "6J"})
    assert {token for token in game.grammar if "h" in token} == {f"w-h{n}" for n in range(1, 7)}
    with pytest.raises(cardsol.BadToken):
        game.push("t1-h2")


def test_the_slipped_card_is_then_the_head_and_another_may_go_behind_it() -> None:
    """The slipped card is then the head, and another may go behind it."""
    game = at({"t1": "3V / SN", "t2": "6J 5E"}, waste="7N MS 7M")
    game.push("w-h2")
    assert "w-h2" in game.legal_moves
    assert change(game, "w-h2") == {"waste": "7N", "t2": "MS 7M 6J 5E"}
    assert "w-h2" not in game.legal_moves
    assert change(game, "t2-t1") == {"t1": "3V / SN MS 7M 6J 5E", "t2": ""}


# Empty column


def test_an_empty_column_takes_no_waste_card_but_a_galaxy() -> None:
    """An empty column takes a Galaxy only: w-t3 with a Galaxy on top of the waste."""
    columns = {name: f"{name[1]}E / 3V" for name in COLUMNS if name != "t3"}
    takes = [rank for rank in HIGH_TO_LOW if "w-t3" in at(columns, waste=f"{rank}J").legal_moves]
    assert takes == ["G"]
    assert change(at(columns, waste="2N GJ"), "w-t3") == {"waste": "2N", "t3": "GJ"}


def test_an_empty_column_takes_a_run_headed_by_a_galaxy_only() -> None:
    """… or t1-t3 where t1's face-up run is headed by a Galaxy."""
    game = at({"t1": "2N 3V / GM SJ ME", "t2": "4V / SM MJ"})
    assert legal(game) == "t1-t3 t1-t4 t1-t5 t1-t6"
    assert change(game, "t1-t3") == {"t1": "2N / 3V", "t3": "GM SJ ME"}


def test_any_empty_column_takes_a_galaxy_where_there_are_several() -> None:
    """(any of them, if there are several)."""
    game = at({"t2": "4V / 3V", "t5": "4V / 3V"}, waste="GM")
    assert legal(game) == "w-t1 w-t3 w-t4 w-t6"


def test_a_galaxy_column_moves_to_an_empty_one_only_while_it_has_face_down_cards() -> None:
    """(legal only while t1 still has face-down cards: see above) a whole pile never moves so."""
    assert legal(at({"t1": "GM SJ", "t2": "4V / 3V"})) == ""
    assert "t1-t3" in at({"t1": "5N / GM SJ", "t2": "4V / 3V"}).legal_moves


# Bar


def test_each_suit_goes_up_on_the_bar_from_one_to_galaxy() -> None:
    """Bar: each suit up from 1 to Galaxy."""
    for count, card in product(range(10), HIGH_TO_LOW):
        wanted = HIGH_TO_LOW[::-1][count]
        game = at({"t4": f"{card}M"}, waste=f"{card}M", bar={"M": count, "V": 3})
        assert ("w-f" in game.legal_moves) == ("t4-f" in game.legal_moves) == (card == wanted)


def test_a_column_gives_the_bar_its_last_card_only() -> None:
    """Only the last card of a column: no head of a longer run, no face-down card."""
    assert "t4-f" not in at({"t4": "3M 2J"}, bar={"M": 2}).legal_moves
    assert "t4-f" not in at({"t4": "3M / 5J"}, bar={"M": 2}).legal_moves
    assert change(at({"t4": "4J 3M"}, bar={"M": 2}), "t4-f") == {"t4": "4J", "f3": "1M 2M 3M"}


def test_the_waste_gives_the_bar_its_top_card_only() -> None:
    """… or the top of the waste."""
    assert "w-f" not in at(waste="1M 5J").legal_moves
    assert change(at(waste="5J 1M"), "w-f") == {"waste": "5J", "f3": "1M"}


def test_nothing_leaves_the_bar() -> None:
    """Nothing ever leaves a foundation: no token begins there."""
    assert not [token for token in from_sorted().grammar if token.startswith("f")]


@pytest.mark.parametrize(
    ("columns", "token", "left"),
    [
        ({"t1": "2N 3V / 6J", "t2": "7M"}, "t1-t2", "2N / 3V"),
        ({"t1": "2N 3V / 1J"}, "t1-f", "2N / 3V"),
        ({"t1": "3V / 1J"}, "t1-f", "3V"),
        ({"t1": "3V / 2M 1J"}, "t1-f", "3V / 2M"),
        ({"t1": "1J"}, "t1-f", ""),
    ],
)
def test_a_face_down_card_that_becomes_the_last_turns_up(
    columns: dict[str, str], token: str, left: str
) -> None:
    """A face-down card that becomes the top card of its column turns face up at once, part of the move."""
    assert change(at(columns), token)["t1"] == left


# Stock


@pytest.mark.parametrize(
    ("draw", "stock", "left", "waste"),
    [
        (1, "1E 2E 3E 4E", "4E 3E 2E /", "7V 1E"),
        (2, "1E 2E 3E 4E", "4E 3E /", "7V 1E 2E"),
        (3, "1E 2E 3E 4E", "4E /", "7V 1E 2E 3E"),
        (2, "1E", "", "7V 1E"),
        (3, "1E", "", "7V 1E"),
        (3, "1E 2E", "", "7V 1E 2E"),
    ],
)
def test_draw_turns_draw_cards_or_fewer_if_fewer_are_left(
    draw: int, stock: str, left: str, waste: str
) -> None:
    """`draw` turns `draw` cards (fewer if fewer are left) onto the waste, the last of them on top."""
    game = at(stock=stock, waste="7V", draw=draw)
    assert change(game, "draw") == {"stock": left, "waste": waste}


def test_draw_one_is_the_default() -> None:
    """Option draw=1 (default), draw=2, draw=3; nothing else."""
    assert cardsol.deal("universal", seed=1).options == {"draw": "1"}
    assert list(universal.OPTIONS["draw"]) == ["1", "2", "3"]
    for value in (0, 4, "01"):
        with pytest.raises(cardsol.BadOption):
            cardsol.deal("universal", seed=1, options={"draw": value})


@pytest.mark.parametrize(
    ("draw", "tops"),
    [
        (1, ["1E 2E 3E 4E 5E 6E"]),
        (2, ["2E 4E 6E"] * 2),
        (3, ["3E 6E"] * 3),
    ],
    ids=["draw=1, once", "draw=2, every other card, twice", "draw=3, every third card, three times"],
)
def test_how_often_the_stock_is_gone_through_and_which_cards_come_on_top(draw: int, tops: list[str]) -> None:
    """draw=1: once. draw=2: every other card, twice through. draw=3: every third, three times through."""
    game = at(stock="1E 2E 3E 4E 5E 6E", draw=draw, bar={"E": 1})
    seen: list[list[str]] = [[] for _ in tops]
    while "draw" in game.legal_moves:
        game.push("draw")
        seen[int(game.view().extra["pass"]) - 1].append(game.view().piles["waste"].up[-1])
    assert [" ".join(turned) for turned in seen] == tops
    assert not game.piles()["stock"].down


@pytest.mark.parametrize("draw", [1, 2, 3])
def test_with_the_stock_and_the_waste_empty_draw_is_not_legal(draw: int) -> None:
    """With the stock empty and passes left, draw is legal only if the waste is not empty."""
    assert "draw" not in at({"t1": "5M"}, draw=draw).legal_moves
    assert ("draw" in at({"t1": "5M"}, waste="7V", draw=draw).legal_moves) == (draw > 1)


def test_draw_on_an_empty_stock_turns_the_waste_over_and_turns_the_first_cards_of_the_new_pass() -> None:
    """It turns the waste over (in the order they were first turned) *and* turns the first card or cards."""
    game = at(waste="1E 2E 4E 5E 7E", draw=2)
    assert change(game, "draw") == {"stock": "7E 5E 4E /", "waste": "1E 2E"}
    assert change(game, "draw") == {"stock": "7E /", "waste": "1E 2E 4E 5E"}


def test_a_waste_of_fewer_cards_than_a_draw_turns_is_turned_over_too() -> None:
    """(fewer if fewer are left)."""
    game = at(waste="1E 2E", draw=3, nth_pass=2)
    assert change(game, "draw") == {}
    assert game.view().extra["pass"] == 3
    assert "draw" not in game.legal_moves


def test_the_waste_is_not_turned_over_while_the_stock_has_cards() -> None:
    """With the stock empty …: a short last draw of a pass takes nothing from the next."""
    game = at(waste="1E 2E 3E", stock="4E", draw=3)
    assert change(game, "draw") == {"stock": "", "waste": "1E 2E 3E 4E"}
    assert game.view().extra["pass"] == 1


@pytest.mark.parametrize("draw", [1, 2, 3])
def test_the_passes_are_counted_in_all(draw: int) -> None:
    """The passes are counted in all: draw=3 goes through the stock three times, never a fourth."""
    passes = [n for n in (1, 2, 3) if "draw" in at(waste="7V", draw=draw, nth_pass=n).legal_moves]
    assert passes == list(range(1, draw))
    assert "draw" in at(stock="7V", draw=draw, nth_pass=draw).legal_moves


@pytest.mark.parametrize("draw", [1, 2, 3])
def test_the_top_waste_card_stays_playable_after_the_last_pass(draw: int) -> None:
    """Reading: a card turned and not played lies on the waste, playable after the last pass too."""
    game = at({"t1": "2V / 7M"}, waste="1N 6J", draw=draw, nth_pass=draw)
    assert legal(game) == "w-t1"
    game.push("w-t1")
    assert legal(game) == "w-f"


# Score, rating, won, lost


def test_score_is_five_points_a_card_on_the_bar_at_most_300() -> None:
    """5 points a card on the bar, at most 300."""
    game = at({"t1": "3M", "t2": "3V"}, bar={"E": 10, "M": 2})
    assert game.score == 60
    game.push("t1-f")
    assert game.score == 65
    assert at(bar=dict.fromkeys(SUITS, 10)).score == game.view().max == 300


RATINGS = [
    (300, 300, "Top of your game"),
    (200, 295, "Expert"),
    (100, 195, "Above average"),
    (50, 95, "Average"),
    (0, 45, "Novice"),
]


@pytest.mark.parametrize(("least", "most", "rating"), RATINGS)
def test_rating(least: int, most: int, rating: str) -> None:
    """300 "Top of your game", 200–295 "Expert", 100–195 "Above average", 50–95 "Average", 0–45 "Novice"."""
    for points in range(least, most + 1, 5):
        full, over = divmod(points // 5, 10)
        counts = {suit: 10 if i < full else over if i == full else 0 for i, suit in enumerate(SUITS)}
        assert (at(bar=counts).score, at(bar=counts).view().extra["rating"]) == (points, rating)


def test_won_with_all_sixty_cards_on_the_bar_and_then_no_move_is_legal() -> None:
    """Won: all 60 cards on the bar. A won game has no legal moves."""
    game = at(waste="GV", bar={**dict.fromkeys(SUITS, 10), "V": 9})
    assert (game.status, "w-f" in game.legal_moves) == ("playing", True)
    game.push("w-f")
    assert (game.status, legal(game)) == ("won", "")


def test_lost_when_no_legal_move_is_left() -> None:
    """Lost when it is not won and no legal move is left; otherwise playing."""
    assert at({"t1": "5M", "t2": "3V / 5V"}, waste="7M").status == "lost"
    assert at({"t1": "5M", "t2": "3V / 5V"}, waste="7M", draw=2).status == "playing"


# Tokens in words

WHY_NOT = [
    (at({"t1": "5M"}), "draw", "stock and waste are both empty: there is no card to turn"),
    (at(waste="7M"), "draw", "the stock is empty, and draw=1 goes through it once only"),
    (at(waste="7M", draw=2, nth_pass=2), "draw", "the stock is empty, and draw=2 goes through it twice only"),
    (
        at(waste="7M", draw=3, nth_pass=3),
        "draw",
        "the stock is empty, and draw=3 goes through it three times only",
    ),
    *((at({"t1": "5M"}), token, "the waste is empty") for token in ("w-f", "w-t1", "w-h1", "w-t2")),
    *((at({"t1": "5M"}), token, "t2 is empty") for token in ("t2-f", "t2-t1", "t2-t3")),
    (
        at({"t1": "7M 6J"}, bar={"J": 3}),
        "t1-f",
        "6J does not go to the bar yet: each suit goes up from 1 to Galaxy,"
        " and the next card of Jupiter there is 4J",
    ),
    (
        at(waste="GE"),
        "w-f",
        "GE does not go to the bar yet: each suit goes up from 1 to Galaxy,"
        " and the next card of Earth there is 1E",
    ),
    (at(waste="5M"), "w-h2", "t2 is empty: it has no head that 5M could slip behind"),
    (
        at({"t2": "1E / 4J"}, waste="5M"),
        "w-h2",
        "t2 still has a face-down card: a card slips behind the head only once there are none",
    ),
    (
        at({"t2": "1E 2E 3E / 4J"}, waste="5M"),
        "w-h2",
        "t2 still has 3 face-down cards: a card slips behind the head only once there are none",
    ),
    (
        at({"t2": "GJ SM"}, waste="5M"),
        "w-h2",
        "5M does not slip behind GJ: the card must be one rank higher than the head,"
        " and a Galaxy is the highest",
    ),
    (
        at({"t2": "7J 6M"}, waste="SM"),
        "w-h2",
        "SM does not slip behind 7J: the card must be one rank higher than the head, a Moon",
    ),
    (
        at({"t2": "6J"}, waste="5M"),
        "w-h2",
        "5M does not slip behind 6J: the card must be one rank higher than the head, a 7",
    ),
    (
        at({"t2": "6M"}, waste="7M"),
        "w-h2",
        "7M does not slip behind 6M: the two must be of different suits, and both are of Mars",
    ),
    (
        at({"t1": "GM"}),
        "t1-t2",
        "GM is the whole column t1: moving it to the empty t2 changes nothing",
    ),
    (
        at({"t1": "GM SJ"}),
        "t1-t2",
        "GM SJ is the whole column t1: moving it to the empty t2 changes nothing",
    ),
    (at({"t1": "5M"}), "t1-t2", "t2 is empty: an empty column takes a Galaxy only, and 5M is none"),
    (at(waste="SV"), "w-t2", "t2 is empty: an empty column takes a Galaxy only, and SV is none"),
    (
        at({"t1": "1E / 5M 4J"}),
        "t1-t2",
        "t2 is empty: an empty column takes a Galaxy only, and the run 5M 4J is not headed by one",
    ),
    (
        at({"t2": "SJ"}, waste="GM"),
        "w-t2",
        "GM does not go on SJ: a Galaxy is the highest card, and is built on none",
    ),
    (
        at({"t1": "5M", "t2": "1J"}),
        "t1-t2",
        "5M does not go on 1J: a column builds down by one, and nothing is lower than a 1",
    ),
    (
        at({"t2": "GJ"}, waste="7J"),
        "w-t2",
        "7J does not go on GJ: a column builds down by one, so GJ takes a Sun of another suit",
    ),
    (
        at({"t1": "6M", "t2": "7M"}),
        "t1-t2",
        "6M does not go on 7M: a column builds down in different suits, and both are of Mars",
    ),
    (
        at({"t1": "6M 5J", "t2": "6V"}),
        "t1-t2",
        "the whole run 6M 5J moves, never part of it, and its head 6M does not go on 6V:"
        " a column builds down by one, so 6V takes a 5 of another suit",
    ),
    (at(bar=dict.fromkeys(SUITS, 10)), "draw", "the game is already won"),
]


@pytest.mark.parametrize(("game", "token", "reason"), WHY_NOT)
def test_a_refusal_names_the_rule(game: Game, token: str, reason: str) -> None:
    assert refusal(game, token) == reason


EXPLAINED = [
    (at(stock="1E 2E"), ("draw", "draw", "stock", "waste", "", None, "turns 1 card onto the waste")),
    (
        at(stock="1E 2E 3E", draw=3),
        ("draw", "draw", "stock", "waste", "", None, "turns 3 cards onto the waste"),
    ),
    (
        at(stock="1E 2E", waste="3E 4E", draw=3),
        ("draw", "draw", "stock", "waste", "", None, "turns 2 cards onto the waste"),
    ),
    (
        at(waste="3E 4E", draw=3),
        (
            *("draw", "draw", "stock", "waste", "", None),
            "turns the waste over to be the stock again, then turns 2 cards onto the waste",
        ),
    ),
    (
        at(waste="3E 1M"),
        ("w-f", "foundation", "waste", "f3", "1M", None, "1M from the waste to the bar, on f3"),
    ),
    (
        at({"t4": "2V 1E"}),
        ("t4-f", "foundation", "t4", "f1", "1E", None, "1E from t4 to the bar, on f1"),
    ),
    (
        at({"t3": "6J 5E"}, waste="1M 7M"),
        ("w-h3", "slip", "waste", "t3", "7M", "6J", "7M from the waste behind 6J, the head of t3"),
    ),
    (
        at({"t3": "7M 6J"}, waste="1M 5E"),
        ("w-t3", "build", "waste", "t3", "5E", "6J", "5E from the waste onto 6J"),
    ),
    (
        at({"t2": "1E / 5E 4M", "t3": "7M 6J"}),
        ("t2-t3", "build", "t2", "t3", "5E 4M", "6J", "5E 4M from t2 onto 6J"),
    ),
    (at(waste="1M GE"), ("w-t5", "fill", "waste", "t5", "GE", None, "GE from the waste to the empty t5")),
    (
        at({"t2": "1E / GE SM"}),
        ("t2-t3", "fill", "t2", "t3", "GE SM", None, "GE SM from t2 to the empty t3"),
    ),
]


@pytest.mark.parametrize(("game", "told"), EXPLAINED)
def test_a_move_is_told_apart(game: Game, told: tuple[str, str, str, str, str, str | None, str]) -> None:
    token, kind, source, target, moved, onto, text = told
    assert token in game.legal_moves
    assert game.explain(token) == (token, kind, source, target, cards(moved), onto, text)


KINDS = ("draw", "draw", "build", "fill", "foundation", "build", "fill", "slip", "foundation")


@pytest.mark.parametrize(("word", "kind"), list(zip(universal.TOKEN_FORMS, KINDS)))
def test_the_example_of_each_form_of_token_plays(word: TokenForm, kind: str) -> None:
    move = example(word, "universal")
    assert (form(move.token), move.kind) == (form(word.form), kind)
    assert ("over" in word.meaning) == ("over" in move.text)


def test_every_form_of_token_has_an_example() -> None:
    assert {form(word.form) for word in universal.TOKEN_FORMS} == set(map(form, from_sorted().grammar))
