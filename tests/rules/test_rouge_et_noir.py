"""The rules of Rouge et Noir, sentence by sentence (`cardsol rules rouge-et-noir`)."""

from __future__ import annotations

from collections import Counter

import pytest

import cardsol
from cardsol.cards import DOUBLE
from cardsol.deals import shuffled
from cardsol.errors import BadToken
from cardsol.game import Game
from cardsol.games import rouge_et_noir as rules
from cardsol.moves import Move, TokenForm
from tests.support.positions import cards, change, example, form, game_at, pile, refusal

ORDER = shuffled("double", "1")
RANKS = "A23456789TJQK"
RED = " ".join(rank + "HD"[i % 2] for i, rank in enumerate(RANKS))
"""A whole red foundation, hearts and diamonds mixed."""
BLACK = " ".join(rank + "SC"[i % 2] for i, rank in enumerate(RANKS))
SEQUENCE = " ".join(rank + "HS"[i % 2] for i, rank in enumerate(reversed(RANKS)))
"""A complete sequence, from KH to AH."""
SPARE = "7S"


def at(stock: str = "", fill: str = SPARE, **piles: str) -> Game:
    """A game whose columns not named hold one black Seven: `at(t1="9C / 8H 7S", f1="AH 2D")`."""
    columns = tuple(pile(piles.get(name, fill)) for name in rules.COLUMNS)
    foundations, sequences = (
        tuple(cards(piles.get(name, "")) for name in names) for names in (rules.FOUNDATIONS, rules.SEQUENCES)
    )
    return game_at(rules, rules.State(cards(stock), columns, foundations, sequences))


def legal(game: Game) -> set[str]:
    return set(game.legal_moves)


# Deal


def test_columns_of_8_7_6_5_4_3_2_1_1_0_cards() -> None:
    """Columns `t1`…`t10` of 8 7 6 5 4 3 2 1 1 0 cards."""
    piles = cardsol.deal("rouge-et-noir", deck=ORDER).piles()
    assert [len(piles[f"t{i}"].down + piles[f"t{i}"].up) for i in range(1, 11)] == [
        8,
        7,
        6,
        5,
        4,
        3,
        2,
        1,
        1,
        0,
    ]


def test_row_by_row_left_to_right() -> None:
    """The first round t1…t9, the second t1…t7, then t1…t6, and so on to t1 alone."""
    piles = cardsol.deal("rouge-et-noir", deck=ORDER).piles()
    deck = iter(ORDER)
    for row, last in enumerate((9, 7, 6, 5, 4, 3, 2, 1)):
        for column in range(1, last + 1):
            down, up = piles[f"t{column}"]
            assert (*down, *up)[row] == next(deck)


def test_the_last_card_of_each_column_is_face_up() -> None:
    """The last card of each column face up: and no other."""
    piles = cardsol.deal("rouge-et-noir", deck=ORDER).piles()
    assert [len(piles[f"t{i}"].up) for i in range(1, 11)] == [1] * 9 + [0]


def test_67_cards_are_the_stock() -> None:
    """67 cards are the stock."""
    stock = cardsol.deal("rouge-et-noir", deck=ORDER).piles()["stock"]
    assert len(stock.down) == 67
    assert stock == (ORDER[:36:-1], ())


def test_two_standard_decks_104_cards() -> None:
    """Two standard decks, 104 cards."""
    piles = cardsol.deal("rouge-et-noir", seed=1).piles().values()
    assert Counter(card for p in piles for card in (*p.down, *p.up)) == Counter(
        2 * [s + r for s in RANKS for r in "CDHS"]
    )


# Piles


def test_the_piles() -> None:
    """`stock`, `t1`…`t10`, `f1`…`f4`, `k1`…`k4`."""
    columns = [f"t{i}" for i in range(1, 11)]
    expected = ["stock", *columns, "f1", "f2", "f3", "f4", "k1", "k2", "k3", "k4"]
    assert list(cardsol.deal("rouge-et-noir", seed=1).piles()) == expected


# Build


@pytest.mark.parametrize("taker", ["9C", "9S", "9D", "9H"])
@pytest.mark.parametrize("card", ["8C", "8S", "8D", "8H"])
def test_a_column_builds_in_the_other_colour(card: str, taker: str) -> None:
    """One rank lower and of the other colour."""
    differ = (card[1] in "DH") != (taker[1] in "DH")
    assert ("t1-t2" in legal(at(t1=card, t2=taker))) == differ


@pytest.mark.parametrize("card", ["9H", "TH", "7H", "QH", "AH"])
def test_a_column_builds_one_rank_lower(card: str) -> None:
    assert "t1-t2" in legal(at(t1="8H", t2="9S"))
    assert "t1-t2" not in legal(at(t1=card, t2="9S"))


def test_no_king_on_an_ace() -> None:
    """(no King on an Ace)"""
    assert "t1-t2" not in legal(at(t1="KH", t2="AS"))
    assert "t1-t2" not in legal(at(t1="KS", t2="AH"))


# Moves


def test_the_top_card_moves() -> None:
    """`t3-t5`: the top card."""
    assert change(at(t3="2S / QS 8H", t5="5C / 9S"), "t3-t5") == {"t3": "2S / QS", "t5": "5C / 9S 8H"}


@pytest.mark.parametrize(
    ("taker", "moved"),
    [("7S", "6D"), ("8D", "7C 6D"), ("9C", "8H 7C 6D"), ("TD", "9S 8H 7C 6D")],
)
def test_the_rank_it_goes_on_says_how_many(taker: str, moved: str) -> None:
    """Or as much of the built sequence ending at the top as fits; the rank on t5 says how many."""
    left = "2C 9S 8H 7C 6D".removesuffix(moved).strip()
    assert change(at(t3="2C 9S 8H 7C 6D", t5=taker), "t3-t5") == {"t3": left, "t5": f"{taker} {moved}"}


def test_a_sequence_moves_only_where_its_colour_fits() -> None:
    assert "t3-t5" not in legal(at(t3="2C 9S 8H 7C 6D", t5="9D"))
    assert "t3-t5" not in legal(at(t3="2C 9S 8H 7C 6D", t5="TC"))


def test_no_count_is_needed() -> None:
    """So no count is needed: the grammar has none."""
    assert not [token for token in at().grammar if "x" in token]
    with pytest.raises(BadToken):
        at(t3="8H 7C", t5="9C").push("t3-t5x2")


def test_onto_an_empty_column_only_a_sequence_headed_by_a_king() -> None:
    """Onto an empty column only a sequence headed by a King."""
    assert change(at(t1="2C KH QS JD", t2=""), "t1-t2") == {"t1": "2C", "t2": "KH QS JD"}
    assert legal(at(t1="2C QS JD", t2="")) == set()


@pytest.mark.parametrize("king", ["KH", "KD", "KS", "KC"])
def test_a_king_alone_is_one(king: str) -> None:
    """(a King alone is one)"""
    assert change(at(t1=f"4S / {king}", t2=""), "t1-t2") == {"t1": "4S", "t2": king}
    assert legal(at(t1=f"4S {king}", t2="")) == {"t1-t2"}


@pytest.mark.parametrize("king", ["KH", "KD", "KS", "KC"])
def test_and_never_a_whole_column(king: str) -> None:
    """And never a whole column."""
    assert legal(at(t1=king, t2="")) == set()
    tail = "QS JH" if king[1] in "HD" else "QD JS"
    assert legal(at(t1=f"{king} {tail}", t2="")) == set()
    assert legal(at(t1=f"5C {king} {tail}", t2="")) == {"t1-t2"}


def test_no_part_of_a_kings_sequence_goes_to_an_empty_column() -> None:
    game = at(t1="2C KH QS JD", t2="")
    game.push("t1-t2")
    assert game.piles()["t2"].up == cards("KH QS JD")


def test_a_sequence_is_built_by_dealing_too() -> None:
    """A sequence is built however it came about, by dealing too."""
    game = at(stock="7C 8C", t1="8H", t2="2D", t3="9C")
    game.push("draw")
    assert game.piles()["t1"].up == ("8H", "7C")
    assert "t1-t3" in legal(game)
    assert change(game, "t1-t3") == {"t1": "", "t3": "9C 8H 7C"}


def test_face_down_cards_are_never_part_of_a_sequence() -> None:
    """Face-down cards are never part of one."""
    assert legal(at(t1="9C 8H / 7C", t2="9S")) == set()
    assert "t1-t2" in legal(at(t1="9C / 8H 7C", t2="9S"))
    assert legal(at(t1="KH / QS", t2="")) == set()


# Foundations


@pytest.mark.parametrize(("card", "place"), [("AH", "f1"), ("AD", "f1"), ("AS", "f3"), ("AC", "f3")])
def test_f1_f2_are_red_f3_f4_black(card: str, place: str) -> None:
    """`f1 f2` red, `f3 f4` black; each from an Ace."""
    assert change(at(t1=f"9H {card}"), "t1-f") == {"t1": "9H", place: card}


@pytest.mark.parametrize(("first", "second", "ace"), [("f1", "f2", "AD"), ("f3", "f4", "AC")])
def test_each_colour_has_two_foundations(first: str, second: str, ace: str) -> None:
    game = at(t1=ace, **{first: ace, second: ""})
    assert change(game, "t1-f") == {"t1": "", second: ace}
    assert "t1-f" not in legal(at(t1=ace, **{first: ace, second: ace}))


def test_each_goes_up_from_an_ace_to_its_king() -> None:
    """Each from an Ace up to its King."""
    for card in ("2H", "7D", "KH"):
        assert "t1-f" not in legal(at(t1=card))
    assert change(at(t1="KD", f1=RED.removesuffix(" KH")), "t1-f")["f1"].endswith("QD KD")
    assert "t1-f" not in legal(at(t1="2H", f1=RED, f2=""))
    assert "t1-f" in legal(at(t1="AH", f1=RED, f2=""))


@pytest.mark.parametrize(("card", "goes"), [("3H", True), ("3D", True), ("3S", False), ("3C", False)])
def test_by_colour_suits_ignored(card: str, goes: bool) -> None:
    """*By colour*, suits ignored."""
    assert ("t1-f" in legal(at(t1=card, f1="AH 2H"))) == goes
    assert ("t1-f" in legal(at(t1=card, f3="AS 2S"))) != goes


def test_only_the_top_card_of_a_column_goes_to_a_foundation() -> None:
    """`t3-f`"""
    assert "t3-f" not in legal(at(t3="AH 9C"))
    assert "t3-f" in legal(at(t3="9C AH"))


@pytest.mark.parametrize(
    ("f1", "f2", "goes_to"),
    [
        ("", "", "f1"),
        ("AH 2H", "AD 2D", "f1"),
        ("AH", "AD 2D", "f2"),
        ("AH 2H 3H", "AD 2D", "f2"),
        ("AH 2H", "AD", "f1"),
    ],
)
def test_where_both_would_take_the_card_it_goes_to_the_first(f1: str, f2: str, goes_to: str) -> None:
    """Where both of a colour would take the card, it goes to the first."""
    card = "3D" if f1 else "AD"
    after = change(at(t1=f"9C {card}", f1=f1, f2=f2), "t1-f")
    assert list(after) == ["t1", goes_to]


# King sequences


def test_a_complete_sequence_at_the_end_of_a_column_may_be_discarded() -> None:
    """A complete King-to-Ace built sequence at the end of a column may be discarded."""
    assert change(at(t3=f"5C / {SEQUENCE}"), "t3-k") == {"t3": "5C", "k1": SEQUENCE}
    assert change(at(t3=f"5C 9D {SEQUENCE}"), "t3-k") == {"t3": "5C 9D", "k1": SEQUENCE}
    assert change(at(t3=SEQUENCE), "t3-k") == {"t3": "", "k1": SEQUENCE}


@pytest.mark.parametrize(
    "column",
    [
        SEQUENCE.removesuffix(" AH"),
        SEQUENCE.removeprefix("KH "),
        f"{SEQUENCE} 9C",
        SEQUENCE.replace("7H", "7S"),
        SEQUENCE.replace("KH ", "KH / "),
    ],
    ids=["no Ace", "no King", "not at the end", "one colour twice", "a face-down King"],
)
def test_no_other_sequence_is_discarded(column: str) -> None:
    assert "t3-k" not in legal(at(t3=column))


@pytest.mark.parametrize("taken", range(5))
def test_to_the_first_free_of_k1_to_k4(taken: int) -> None:
    """To the first free of `k1`…`k4`: `t3-k`."""
    full = {f"k{i}": SEQUENCE for i in range(1, taken + 1)}
    game = at(t3=f"5C {SEQUENCE}", **full)
    if taken == 4:
        assert "t3-k" not in legal(game)
    else:
        assert change(game, "t3-k") == {"t3": "5C", f"k{taken + 1}": SEQUENCE}


def test_never_forced() -> None:
    """Never forced: the other moves stay, of the sequence's own cards too."""
    game = at(stock="9D", t3=f"5C {SEQUENCE}", t4="", t5="2C")
    assert legal(game) == {"t3-k", "t3-f", "t3-t4", "t3-t5", "draw"}


def test_which_kings_is_the_players_affair() -> None:
    """(Which Kings is the player's affair: three of one colour can no longer win.)"""
    red = {f"k{i}": SEQUENCE for i in (1, 2)}
    game = at(t3=f"5C {SEQUENCE}", **red)
    assert "t3-k" in legal(game)
    game.push("t3-k")
    assert [game.piles()[f"k{i}"].up[0] for i in (1, 2, 3)] == ["KH"] * 3


# Stock


def test_draw_deals_one_card_face_up_to_each_column() -> None:
    """`draw` deals one card face up to each of t1…t10."""
    game = cardsol.deal("rouge-et-noir", deck=ORDER)
    before = game.piles()
    game.push("draw")
    after = game.piles()
    for i, card in enumerate(ORDER[37:47], start=1):
        assert after[f"t{i}"] == (before[f"t{i}"].down, (*before[f"t{i}"].up, card))
    assert after["stock"].down == before["stock"].down[:-10]


def test_the_last_time_to_t1_to_t7() -> None:
    """(the last time to t1…t7)"""
    game = cardsol.deal("rouge-et-noir", deck=ORDER)
    for _ in range(6):
        game.push("draw")
    assert list(change(game, "draw")) == ["stock", "t1", "t2", "t3", "t4", "t5", "t6", "t7"]
    assert "draw" not in legal(game)


def test_empty_columns_included() -> None:
    """Empty columns included."""
    assert change(at(stock="9D 2S", t1="", t2=""), "draw") == {"stock": "", "t1": "9D", "t2": "2S"}


def test_draw_is_allowed_at_any_time() -> None:
    """**Reading** allowed at any time: other moves, empty columns and all."""
    assert {"draw", "t1-t2", "t3-k", "t3-f"} <= legal(at(stock="9D", t1="8H", t2="9S", t3=SEQUENCE, t4=""))
    assert legal(at(stock="9D")) == {"draw"}


def test_after_the_last_deal_the_player_plays_on() -> None:
    """After the last deal the player plays on until the game is won or no move is left."""
    game = at(stock="8H", t1="3C", t2="9S")
    game.push("draw")
    assert (game.status, legal(game)) == ("playing", {"t1-t2", *(f"t{i}-t1" for i in range(3, 11))})
    game = at(t1="8H", t2="9S", fill="2S")
    game.push("t1-t2")
    assert (game.status, legal(game)) == ("lost", set())


# Score and Won


def test_one_point_a_card_on_the_foundations_or_discarded() -> None:
    """One point a card on the foundations or discarded in a sequence."""
    game = at(t1=f"AD {SEQUENCE}", f1="AH", f3="AS 2C")
    assert game.score == 3
    game.push("t1-k")
    assert game.score == 16
    game.push("t1-f")
    assert game.score == 17


def nearly(**last: str) -> Game:
    piles = {
        "f1": RED,
        "f2": RED,
        "f3": BLACK,
        "f4": BLACK,
        **{f"k{i}": SEQUENCE for i in range(1, 5)},
        **last,
    }
    return at(fill="", **piles)


def test_at_most_104() -> None:
    """At most 104."""
    assert nearly().score == nearly().view().max == 104


@pytest.mark.parametrize(
    ("last", "token"),
    [({"f4": BLACK.removesuffix(" KS"), "t1": "KS"}, "t1-f"), ({"k4": "", "t1": SEQUENCE}, "t1-k")],
)
def test_won_with_52_on_the_foundations_and_four_sequences(last: dict[str, str], token: str) -> None:
    """**Won** 52 cards on the foundations and four King sequences discarded."""
    game = nearly(**last)
    assert (game.status, legal(game)) == ("playing", {token})
    game.push(token)
    assert (game.status, legal(game), game.score) == ("won", set(), 104)


# What is said of moves


BUILD_RULE = "a column builds down by one, in the other colour"


@pytest.mark.parametrize(
    ("position", "token", "reason"),
    [
        ({}, "draw", "the stock is empty, and there is no redeal"),
        ({"t1": ""}, "t1-t2", "t1 is empty"),
        ({"t1": ""}, "t1-f", "t1 is empty"),
        ({"t1": ""}, "t1-k", "t1 is empty"),
        (
            {"t1": "3H"},
            "t1-f",
            "3H does not go up: the red foundations go from Ace to King, and the next there is A",
        ),
        (
            {"t1": "5S", "f3": "AS 2S", "f4": "AC"},
            "t1-f",
            "5S does not go up: the black foundations go from Ace to King, and the next there is 2 or 3",
        ),
        (
            {"t1": "5H", "f1": RED, "f2": "AD"},
            "t1-f",
            "5H does not go up: the red foundations go from Ace to King, and the next there is 2",
        ),
        ({"t1": "5H", "f1": RED, "f2": RED}, "t1-f", "5H does not go up: both red foundations are complete"),
        (
            {"t1": "9C 8H 7C"},
            "t1-k",
            "only a complete sequence from King to Ace is discarded, and t1 ends with 9C 8H 7C",
        ),
        (
            {"t1": SEQUENCE, **{f"k{i}": SEQUENCE for i in range(1, 5)}},
            "t1-k",
            "four King sequences are discarded already: there is no place for a fifth",
        ),
        ({"t1": "KH", "t2": ""}, "t1-t2", "KH is the whole column t1: moving it to t2 would change nothing"),
        (
            {"t1": "KH QS", "t2": ""},
            "t1-t2",
            "KH QS is the whole column t1: moving it to t2 would change nothing",
        ),
        (
            {"t1": "KH / QS JH", "t2": ""},
            "t1-t2",
            "t2 is empty: it takes only a sequence headed by a King, and that of t1 has QS",
        ),
        ({"t1": "2C 8H", "t2": "9D"}, "t1-t2", f"8H does not go on 9D: {BUILD_RULE}"),
        ({"t1": "KH", "t2": "AS"}, "t1-t2", f"KH does not go on AS: {BUILD_RULE}"),
        ({"t1": "2C 9S 8H 7C", "t2": "9D"}, "t1-t2", f"no part of 9S 8H 7C goes on 9D: {BUILD_RULE}"),
    ],
)
def test_why_not(position: dict[str, str], token: str, reason: str) -> None:
    assert refusal(at(**position), token) == reason


def test_why_not_in_a_won_game() -> None:
    assert refusal(nearly(), "draw") == "the game is already won"


SEQUENCE_CARDS = cards(SEQUENCE)


@pytest.mark.parametrize(
    ("position", "move"),
    [
        (
            {"stock": "9D " * 12},
            Move("draw", "draw", "stock", "tableau", (), None, "deals a card to each of t1 to t10"),
        ),
        (
            {"stock": "9D " * 7},
            Move("draw", "draw", "stock", "tableau", (), None, "deals a card to each of t1 to t7"),
        ),
        (
            {"t3": "9C AH"},
            Move("t3-f", "foundation", "t3", "f1", ("AH",), None, "AH goes to the foundation f1"),
        ),
        (
            {"t3": "2C", "f3": "AC", "f4": "AS"},
            Move("t3-f", "foundation", "t3", "f3", ("2C",), "AC", "2C goes to the foundation f3"),
        ),
        (
            {"t3": f"5C {SEQUENCE}", "k1": SEQUENCE},
            Move(
                "t3-k",
                "sequence",
                "t3",
                "k2",
                SEQUENCE_CARDS,
                None,
                "the sequence from KH to AH is discarded to k2",
            ),
        ),
        (
            {"t3": "2C 9S 8H 7C", "t5": "2D 9C"},
            Move("t3-t5", "build", "t3", "t5", ("8H", "7C"), "9C", "8H 7C from t3 onto 9C"),
        ),
        (
            {"t3": "2C KH QS", "t5": ""},
            Move("t3-t5", "fill", "t3", "t5", ("KH", "QS"), None, "KH QS to the empty t5"),
        ),
    ],
)
def test_explain(position: dict[str, str], move: Move) -> None:
    game = at(**position)
    assert move.token in legal(game)
    assert game.explain(move.token) == move


@pytest.mark.parametrize("word", rules.TOKEN_FORMS, ids=lambda word: f"{word.form} {word.deal}")
def test_every_example_plays(word: TokenForm) -> None:
    assert form(example(word, "rouge-et-noir").token) == form(word.form)


def test_the_examples_show_every_form() -> None:
    shown = {form(word.form) for word in rules.TOKEN_FORMS}
    assert shown == {form(token) for token in cardsol.deal("rouge-et-noir", seed=1).grammar}


def test_a_double_deck_is_the_standard_one_twice() -> None:
    assert DOUBLE.cards[:52] == DOUBLE.cards[52:]
