"""The rules of Vanishing Cross, sentence by sentence (`cardsol rules vanishing-cross`)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import cardsol
from cardsol.cards import STANDARD
from cardsol.deals import shuffled
from cardsol.errors import BadToken
from cardsol.game import Game
from cardsol.games import vanishing_cross as rules
from cardsol.moves import Move, TokenForm
from tests.support.positions import cards, change, example, form, game_at, refusal

ORDER = shuffled("standard", "1")
QUIET = {"a1": "9H", "a2": "4C", "b1": "4D", "b2": "4H", "b3": "4S", "c2": "6C"}
"""A grid that takes only Threes and Fives, and on the corners Nines and the Ten of hearts."""
SPADES = " ".join(rank + "S" for rank in "9TJQKA2345678")
CLASSIC, DIRECT = {"play": "classic"}, {"play": "direct"}


def at(options: Mapping[str, str] = CLASSIC, /, **named: str) -> Game:
    """A game on the quiet grid, but for the piles named: `at(b1="8H 7S", waste="QD", drawn="KS")`."""
    chosen = {"wrap": "on", "play": "classic", **options}
    piles = {**QUIET, **named}
    stock, drawn, waste, *squares = (
        cards(piles.get(name, "")) for name in ("stock", "drawn", "waste", *rules.CORNERS, *rules.CROSS)
    )
    corners, cross = tuple(squares[:4]), tuple(squares[4:])
    wrap, direct = chosen["wrap"] == "on", chosen["play"] == "direct"
    return game_at(rules, rules.State(stock, drawn, waste, corners, cross, wrap, direct), **chosen)


def legal(game: Game) -> set[str]:
    return set(game.legal_moves)


# Deal


def test_one_card_face_up_on_each_of_a2_b1_b2_b3_c2_then_one_on_a1() -> None:
    """One card face up on each of `a2 b1 b2 b3 c2` (the cross), then one on `a1`."""
    piles = cardsol.deal("vanishing-cross", deck=ORDER).piles()
    for name, card in zip(("a2", "b1", "b2", "b3", "c2", "a1"), ORDER):
        assert piles[name] == ((), (card,))
    for name in ("a3", "c1", "c3", "waste"):
        assert piles[name] == ((), ())


def test_the_rank_of_a1_is_the_base() -> None:
    """Its rank is the base."""
    assert cardsol.deal("vanishing-cross", deck=ORDER).view().extra == {"base": ORDER[5][0]}


def test_the_other_46_are_the_stock() -> None:
    """The other 46 are the stock."""
    game = cardsol.deal("vanishing-cross", deck=ORDER)
    assert game.piles()["stock"] == (ORDER[:5:-1], ())
    assert len(ORDER[6:]) == 46
    assert change(game, "draw")["stock"].endswith(f"/ {ORDER[6]}")


# Piles


def test_the_piles_are_stock_waste_and_the_nine_squares() -> None:
    """`stock`, `waste`, `a1`…`c3`."""
    expected = ["stock", "waste", "a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]
    assert list(cardsol.deal("vanishing-cross", seed=1).piles()) == expected


# Corners


def test_corners_are_the_foundations() -> None:
    """Corners `a1 a3 c1 c3` are the foundations: what goes up goes there, and nowhere else."""
    game = at(waste="9D 9C 9S")
    for corner, card in (("a3", "9S"), ("c1", "9C"), ("c3", "9D")):
        assert change(game, "w-f") == {"waste": " ".join(game.state.waste), corner: card}


def test_each_corner_starts_with_a_card_of_the_base_rank() -> None:
    """Each starts with a card of the base rank."""
    assert "w-f" in legal(at(waste="9S"))
    for card in ("8S", "TS", "AS", "KS"):
        assert "w-f" not in legal(at(waste=card))


def test_each_corner_goes_up_in_suit() -> None:
    """And goes up in suit."""
    assert "w-f" in legal(at(waste="TH"))
    for card in ("TS", "TD", "8H", "JH"):
        assert "w-f" not in legal(at(waste=card, a3="9C"))
    assert change(at(waste="TC", a3="9C"), "w-f") == {"waste": "", "a3": "9C TC"}


@pytest.mark.parametrize("wrap", ["on", "off"])
def test_each_corner_goes_round_the_corner(wrap: str) -> None:
    """Round the corner (…Q K A 2…), whatever the cross does."""
    game = at({"wrap": wrap}, waste="3S 2S AS KS QS", a3="9S TS JS")
    for _ in range(5):
        game.push("w-f")
    assert game.piles()["a3"].up == cards("9S TS JS QS KS AS 2S 3S")


def test_each_corner_goes_up_to_13_cards() -> None:
    """To 13 cards: the next base card then starts another corner."""
    game = at(waste="9D 8S", a3=SPADES[:-3])
    assert change(game, "w-f") == {"waste": "9D", "a3": SPADES}
    assert change(game, "w-f") == {"waste": "", "c1": "9D"}
    assert max(len(game.piles()[name].up) for name in rules.CORNERS) == 13


@pytest.mark.parametrize("source", ["s", "w", "a2", "b1", "b2", "b3", "c2"])
def test_the_token_to_a_corner_ends_in_f(source: str) -> None:
    """Token `…-f`."""
    pile = {"s": "drawn", "w": "waste"}.get(source, source)
    assert f"{source}-f" in legal(at(**{pile: "TH"}))
    assert f"{source}-f" not in legal(at(**{pile: "JH"}))


@pytest.mark.parametrize(
    ("corners", "first"),
    [
        ({}, "a3"),
        ({"a3": "9D"}, "c1"),
        ({"a3": "9D", "c1": "9C"}, "c3"),
        ({"c1": "9C"}, "a3"),
        ({"a3": "9D TD", "c3": "9C"}, "c1"),
    ],
)
def test_a_new_corner_is_the_first_free_one(corners: dict[str, str], first: str) -> None:
    """A new corner is the first free one in the order a1 a3 c1 c3."""
    assert change(at(waste="9S", **corners), "w-f") == {"waste": "", first: "9S"}


@pytest.mark.parametrize("play", [CLASSIC, DIRECT])
def test_no_corner_need_be_named(play: dict[str, str]) -> None:
    """So no corner need be named: no canonical token does."""
    assert not [token for token in at(play).grammar if any(corner in token for corner in rules.CORNERS)]


# Cross


def test_the_cross_builds_down() -> None:
    """Cross builds down."""
    assert "w-b2" in legal(at(waste="7S", b2="8H"))
    for card in ("8S", "9S", "6S", "QS"):
        assert "w-b2" not in legal(at(waste=card, b2="8H"))
    assert change(at(waste="7S", b2="8H"), "w-b2") == {"waste": "", "b2": "8H 7S"}


@pytest.mark.parametrize("taker", ["8C", "8D", "8H", "8S"])
@pytest.mark.parametrize("card", ["7C", "7D", "7H", "7S"])
def test_the_cross_ignores_suits(card: str, taker: str) -> None:
    """Suits ignored."""
    assert "w-b2" in legal(at(waste=card, b2=taker))


def test_wrap_on_a_king_goes_on_an_ace() -> None:
    """Option `wrap=on` (default): a King goes on an Ace."""
    assert {"w-b2", "b1-b2"} <= legal(at(waste="KS", b1="KD", b2="AH"))
    assert "w-b2" not in legal(at(waste="AS", b2="KH"))
    assert "w-b2" not in legal(at(waste="QS", b2="AH"))


def test_wrap_off_it_does_not() -> None:
    """`wrap=off`: it does not. The rest of the building stays."""
    game = at({"wrap": "off"}, waste="KS", b1="KD", b2="AH", b3="QS")
    assert not {"w-b2", "b1-b2"} & legal(game)
    assert "b3-b1" in legal(game)
    assert "w-b2" in legal(at({"wrap": "off"}, waste="AS", b2="2H"))


def test_wrap_on_is_the_default() -> None:
    assert cardsol.deal("vanishing-cross", seed=1).options == {"wrap": "on", "play": "classic"}
    assert {name: tuple(values) for name, values in rules.OPTIONS.items()} == {
        "wrap": ("on", "off"),
        "play": ("classic", "direct"),
    }


# Stock


def test_draw_turns_the_next_stock_card_face_up_on_the_stock() -> None:
    """`draw` turns the next stock card face up *on the stock* (`stock.up`)."""
    assert change(at(stock="QD KD", waste="JS"), "draw") == {"stock": "KD / QD"}


def test_the_turned_up_card_is_playable_beside_the_top_discard() -> None:
    """It is playable beside the top discard."""
    assert {"s-f", "w-b2"} <= legal(at(drawn="TH", waste="3D"))
    assert {"s-b2", "w-f"} <= legal(at(drawn="3D", waste="TH"))


@pytest.mark.parametrize(
    ("token", "before", "after"),
    [
        pytest.param("s-f", {"drawn": "9S"}, {"a3": "9S"}, id="start a corner"),
        pytest.param("s-f", {"drawn": "TH"}, {"a1": "9H TH"}, id="build a corner"),
        pytest.param("s-b2", {"drawn": "3S"}, {"b2": "4H 3S"}, id="build on the cross"),
        pytest.param("s-b2", {"drawn": "QS", "b2": ""}, {"b2": "QS"}, id="fill a space"),
        pytest.param("s-w", {"drawn": "QS", "waste": "JD"}, {"waste": "JD QS"}, id="discard"),
    ],
)
def test_five_uses(token: str, before: dict[str, str], after: dict[str, str]) -> None:
    """Five uses: start a corner, build a corner, build on the cross or fill a space, discard."""
    assert change(at(stock="KD", **before), token) == {"stock": "KD /", **after}


def test_a_turned_up_card_has_no_other_use() -> None:
    assert legal(at(drawn="QS", stock="KD")) == {"s-w"}
    assert {token for token in at().grammar if token.startswith("s-")} == {
        "s-f",
        "s-w",
        *(f"s-{b}" for b in rules.CROSS),
    }


def test_waste_and_cross_cards_may_be_moved_before_it_is_placed() -> None:
    """Waste and cross cards may be moved before it is placed."""
    game = at(drawn="QS", waste="TH", b1="3C", stock="KD")
    assert legal(game) == {"w-f", "b1-a2", "b1-b2", "b1-b3", "s-w"}
    game.push("w-f")
    game.push("b1-b2")
    assert game.piles()["stock"] == (("KD",), ("QS",))


def test_the_next_draw_waits_until_it_is_gone() -> None:
    """The next `draw` waits until it is gone."""
    game = at(drawn="QS", stock="KD")
    assert "draw" not in legal(game)
    game.push("s-w")
    assert "draw" in legal(game)


@pytest.mark.parametrize("play", [CLASSIC, DIRECT])
def test_once_through_only(play: dict[str, str]) -> None:
    """Once through only: no waste is turned over, however many cards it has."""
    assert legal(at(play, waste="JS QD KD")) == set()
    assert at(play, waste="JS QD KD").status == "lost"


# Waste


def test_the_top_card_of_the_waste_goes_to_a_corner_or_the_cross() -> None:
    """Top card: `w-f`, `w-b2`."""
    assert change(at(waste="3D TH"), "w-f") == {"waste": "3D", "a1": "9H TH"}
    assert change(at(waste="TH 3D"), "w-b2") == {"waste": "TH", "b2": "4H 3D"}


def test_only_the_top_card_of_the_waste_moves() -> None:
    assert legal(at(waste="TH QD")) == set()
    assert legal(at(waste="3D QD")) == set()


# Cross to elsewhere


def test_the_top_card_of_the_cross_goes_to_a_corner_or_the_cross() -> None:
    """The top card: `b1-f`, `b1-b2`."""
    assert change(at(b1="QD TH"), "b1-f") == {"b1": "QD", "a1": "9H TH"}
    assert change(at(b1="QD 3D"), "b1-b2") == {"b1": "QD", "b2": "4H 3D"}


def test_only_the_top_card_goes_on_a_card() -> None:
    """Not a covered card, and not several onto a card, though they are in sequence."""
    assert legal(at(b1="TH QD")) == set()
    assert legal(at(b1="3D 2C", stock="KD")) == {"draw"}


def test_a_cross_card_never_goes_to_the_waste() -> None:
    """Never to the waste."""
    for name in rules.CROSS:
        with pytest.raises(BadToken):
            at(waste="KD").push(f"{name}-w")


def test_into_a_space_go_one_or_more_cards_off_the_top_kept_in_order() -> None:
    """**Into a space** one or more cards off the top of another cross pile, kept in order: `b1-c2x3`."""
    position = {"b1": "QD 2S JH KC", "c2": ""}
    assert change(at(**position), "b1-c2") == {"b1": "QD 2S JH", "c2": "KC"}
    assert change(at(**position), "b1-c2x2") == {"b1": "QD 2S", "c2": "JH KC"}
    assert change(at(**position), "b1-c2x3") == {"b1": "QD", "c2": "2S JH KC"}


def test_but_never_the_whole_pile() -> None:
    """But never the whole pile."""
    assert legal(at(b1="QD 2S JH", c2="")) == {"b1-c2", "b1-c2x2"}
    assert legal(at(b1="QD", c2="")) == set()


def test_several_cards_go_only_into_a_space() -> None:
    assert not [token for token in at(b1="QD 3D 2C", b2="4H").legal_moves if "x" in token]


def test_every_space_is_open_to_every_card() -> None:
    game = at(b1="QD 2S", b2="", c2="", drawn="KD", waste="JS")
    assert legal(game) == {f"{source}-{space}" for source in ("s", "w", "b1") for space in ("b2", "c2")}


# Spaces must be filled


def test_no_discard_while_a_cross_square_is_empty() -> None:
    """`s-w` is not legal while a cross square is empty."""
    assert "s-w" in legal(at(drawn="QS"))
    for name in rules.CROSS:
        assert "s-w" not in legal(at(drawn="QS", **{name: ""}))


def test_a_stock_card_may_go_anywhere_else_though_there_is_a_space() -> None:
    """That is all that is forced: the corners and the cross stay open to it."""
    assert {"s-f", "s-c2"} <= legal(at(drawn="TH", c2=""))
    assert {"s-a2", "s-b2", "s-c2"} <= legal(at(drawn="3H", c2=""))


def test_draw_is_legal_with_a_space_open() -> None:
    """`draw` is legal with a space open."""
    assert legal(at(stock="KD", c2="")) == {"draw"}


def test_after_the_stock_is_gone_spaces_may_stay_empty() -> None:
    """And after the stock is gone spaces may stay empty."""
    game = at(waste="TH", b1="QD 3D", c2="")
    assert {"w-f", "b1-b2"} <= legal(game)
    game.push("w-f")
    game.push("b1-b2")
    assert game.piles()["c2"].up == ()


def test_the_last_stock_card_too_fills_a_space_before_it_is_discarded() -> None:
    assert legal(at(drawn="QS", c2="")) == {"s-c2"}


# Base-rank cards, heights


def test_base_rank_cards_may_lie_on_the_cross_and_be_built_on() -> None:
    """Base-rank cards may lie on the cross and be built on like any other."""
    assert {"w-f", "w-b2"} <= legal(at(waste="9S", b2="TC"))
    assert change(at(waste="8D", b2="TC 9S"), "w-b2") == {"waste": "", "b2": "TC 9S 8D"}
    assert change(at(waste="9S", b2=""), "w-b2") == {"waste": "", "b2": "9S"}


def test_piles_may_grow_past_13_cards() -> None:
    """And piles may grow past 13 cards."""
    tall = "2D AC KC QC JC TC 9C 8C 7C 6D 5C 4H 3C"
    assert len(change(at(waste="2C", b2=tall), "w-b2")["b2"].split()) == 14


# play=direct


def test_direct_draws_straight_to_the_waste() -> None:
    """`play=direct`: `draw` puts the card straight on the waste."""
    assert change(at(DIRECT, stock="QD KD", waste="JS"), "draw") == {"stock": "KD /", "waste": "JS QD"}


def test_direct_has_no_tokens_of_the_stock_card() -> None:
    """(there are no `s-…` tokens)"""
    assert not [token for token in at(DIRECT).grammar if token.startswith("s")]
    assert [token for token in at(CLASSIC).grammar if token.startswith("s")]
    with pytest.raises(BadToken):
        at(DIRECT, stock="QD").push("s-w")


def test_direct_need_not_fill_spaces() -> None:
    """Spaces need not be filled: a draw buries cards though there is one."""
    game = at(DIRECT, stock="QD KD", b2="")
    game.push("draw")
    assert legal(game) == {"draw", "w-b2"}
    assert change(game, "draw") == {"stock": "", "waste": "QD KD"}


def test_direct_moves_only_one_card_at_a_time_into_a_space() -> None:
    """And only one card at a time goes into a space."""
    assert legal(at(DIRECT, b1="QD 2S JH", c2="")) == {"b1-c2"}
    assert not [token for token in at(DIRECT).grammar if "x" in token]
    assert legal(at(DIRECT, b1="QD", c2="")) == set()


def test_direct_keeps_the_other_rules() -> None:
    assert legal(at(DIRECT, waste="TH", b1="3D")) == {"w-f", "b1-a2", "b1-b2", "b1-b3"}


# Score and Won


def test_one_point_a_card_on_the_corners() -> None:
    """One point a card on the corners."""
    game = at(waste="QD TH")
    assert game.score == 1
    game.push("w-f")
    assert game.score == 2
    assert at(a1="9H TH", a3="9S", c3="9C TC JC").score == 6


def whole(last: str = "") -> dict[str, str]:
    """All cards on the corners, the spades in order but for the last, if it is given."""
    suits = [SPADES.replace("S", suit) for suit in "HSCD"]
    corners = dict(zip(rules.CORNERS, suits))
    if last:
        corners["a3"] = corners["a3"].removesuffix(" 8S")
    return {**dict.fromkeys(rules.CROSS, ""), **corners, "b2": last}


def test_at_most_52() -> None:
    """At most 52."""
    assert at(**whole()).score == 52
    assert at().view().max == 52


def test_won_with_all_52_there() -> None:
    """**Won** all 52 there."""
    game = at(**whole("8S"))
    assert (game.score, game.status, legal(game)) == (51, "playing", {"b2-f"})
    game.push("b2-f")
    assert (game.score, game.status, legal(game)) == (52, "won", set())


# What is said of moves


BUILD_RULE = "the cross builds down by one, whatever the suit"
SPACE_FIRST = "a space has to be filled first"
CLUB, SPADE = (
    f"does not go up: a corner goes up in suit from the base rank 9, and the next {suit}"
    for suit in ("club", "spade")
)


@pytest.mark.parametrize(
    ("options", "position", "token", "reason"),
    [
        (
            CLASSIC,
            {"drawn": "QS", "stock": "KD"},
            "draw",
            "QS is turned up on the stock: it has to be placed before the next draw",
        ),
        (CLASSIC, {}, "draw", "the stock is empty, and there is no redeal"),
        (DIRECT, {"waste": "QS"}, "draw", "the stock is empty, and there is no redeal"),
        (CLASSIC, {"stock": "KD"}, "s-f", "no stock card is turned up: draw comes first"),
        (CLASSIC, {}, "s-w", "the stock is empty"),
        (CLASSIC, {}, "w-b2", "the waste is empty"),
        (CLASSIC, {"b1": ""}, "b1-b2", "b1 is empty"),
        (CLASSIC, {"b1": ""}, "b1-b2x3", "b1 is empty"),
        (CLASSIC, {"waste": "QS"}, "w-f", f"QS {SPADE} is 9S"),
        (CLASSIC, {"b1": "QC", "a3": "9C TC"}, "b1-f", f"QC {CLUB} is JC"),
        (CLASSIC, {"drawn": "QS", "c2": ""}, "s-w", f"QS is not discarded while c2 is empty: {SPACE_FIRST}"),
        (
            CLASSIC,
            {"drawn": "QS", "a2": "", "c2": ""},
            "s-w",
            f"QS is not discarded while a2 and c2 are empty: {SPACE_FIRST}",
        ),
        (
            CLASSIC,
            {"b1": "QS", "c2": ""},
            "b1-c2",
            "QS is the whole pile b1: moving it to the empty c2 changes nothing",
        ),
        (
            CLASSIC,
            {"b1": "QS 2D KC", "c2": ""},
            "b1-c2x3",
            "QS to KC is the whole pile b1: moving it to the empty c2 changes nothing",
        ),
        (CLASSIC, {"b1": "QS", "c2": ""}, "b1-c2x2", "b1 has only 1 card, not 2"),
        (CLASSIC, {"b1": "QS JS", "c2": ""}, "b1-c2x5", "b1 has only 2 cards, not 5"),
        (
            CLASSIC,
            {"b1": "QS 3S 2S", "b2": "4H"},
            "b1-b2x2",
            "b2 has 4H: several cards move together only into a space",
        ),
        (
            {"wrap": "off"},
            {"waste": "KS", "b2": "AH"},
            "w-b2",
            "KS does not go on AH: with wrap=off no King goes on an Ace of the cross",
        ),
        (CLASSIC, {"waste": "QS"}, "w-b2", f"QS does not go on 4H: {BUILD_RULE}"),
        (CLASSIC, {"drawn": "5S"}, "s-b2", f"5S does not go on 4H: {BUILD_RULE}"),
        (CLASSIC, {"b1": "3S 2C"}, "b1-b2", f"2C does not go on 4H: {BUILD_RULE}"),
        (CLASSIC, whole(), "w-f", "the game is already won"),
    ],
)
def test_why_not(options: dict[str, str], position: dict[str, str], token: str, reason: str) -> None:
    assert refusal(at(options, **position), token) == reason


@pytest.mark.parametrize(
    ("options", "position", "move"),
    [
        (
            CLASSIC,
            {"stock": "KD"},
            Move("draw", "draw", "stock", "stock", (), None, "turns up the next stock card"),
        ),
        (
            DIRECT,
            {"stock": "KD"},
            Move("draw", "draw", "stock", "waste", (), None, "turns a stock card onto the waste"),
        ),
        (
            CLASSIC,
            {"drawn": "9S"},
            Move("s-f", "foundation", "stock", "a3", ("9S",), None, "9S starts the corner a3"),
        ),
        (
            CLASSIC,
            {"waste": "TH"},
            Move("w-f", "foundation", "waste", "a1", ("TH",), "9H", "TH goes to the corner a1"),
        ),
        (
            CLASSIC,
            {"b1": "TH"},
            Move("b1-f", "foundation", "b1", "a1", ("TH",), "9H", "TH goes to the corner a1"),
        ),
        (
            CLASSIC,
            {"drawn": "QS"},
            Move("s-w", "discard", "stock", "waste", ("QS",), None, "QS is discarded"),
        ),
        (
            CLASSIC,
            {"drawn": "3S"},
            Move("s-b2", "build", "stock", "b2", ("3S",), "4H", "3S from stock onto 4H"),
        ),
        (
            CLASSIC,
            {"waste": "3S"},
            Move("w-b2", "build", "waste", "b2", ("3S",), "4H", "3S from waste onto 4H"),
        ),
        (CLASSIC, {"b1": "QD 3S"}, Move("b1-b2", "build", "b1", "b2", ("3S",), "4H", "3S from b1 onto 4H")),
        (
            CLASSIC,
            {"waste": "QS", "b2": ""},
            Move("w-b2", "fill", "waste", "b2", ("QS",), None, "QS from waste to the empty b2"),
        ),
        (
            CLASSIC,
            {"b1": "QD 2S KC", "c2": ""},
            Move("b1-c2x2", "fill", "b1", "c2", ("2S", "KC"), None, "2S KC from b1 to the empty c2"),
        ),
    ],
)
def test_explain(options: dict[str, str], position: dict[str, str], move: Move) -> None:
    game = at(options, **position)
    assert move.token in legal(game)
    assert game.explain(move.token) == move


@pytest.mark.parametrize("word", rules.TOKEN_FORMS, ids=lambda word: f"{word.form} {word.deal}")
def test_every_example_plays(word: TokenForm) -> None:
    move = example(word, "vanishing-cross")
    assert form(move.token) == form(word.form)
    fills = "x" in word.form
    assert move.kind in ({"fill"} if fills else {"draw", "foundation", "build", "fill", "discard"})


def test_the_examples_show_every_form_and_kind() -> None:
    shown = {form(word.form) for word in rules.TOKEN_FORMS}
    assert shown == {form(token) for token in cardsol.deal("vanishing-cross", seed=1).grammar}
    kinds = {example(word, "vanishing-cross").kind for word in rules.TOKEN_FORMS}
    assert kinds == {"draw", "foundation", "build", "fill", "discard"}


def test_the_deck_is_one_standard_deck() -> None:
    """One standard deck, on a 3 × 3 grid."""
    piles = cardsol.deal("vanishing-cross", seed=1).piles().values()
    assert sorted(card for pile in piles for card in (*pile.down, *pile.up)) == sorted(STANDARD.cards)
