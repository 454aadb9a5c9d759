"""The rules of Three Peaks, sentence by sentence (`cardsol rules three-peaks`)."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import cardsol
from cardsol.cards import STANDARD, Cards
from cardsol.game import Game
from cardsol.games import three_peaks
from cardsol.moves import TokenForm
from cardsol.piles import Pile
from tests.support.positions import cards, change, example, form, game_at, legal, refusal

POSITIONS = (
    *("a1", "a2", "a3"),
    *("b1", "b2", "b3", "b4", "b5", "b6"),
    *("c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"),
    *("d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10"),
)
COVERS = {
    "a1": ("b1", "b2"),
    "a2": ("b3", "b4"),
    "a3": ("b5", "b6"),
    "b1": ("c1", "c2"),
    "b2": ("c2", "c3"),
    "b3": ("c4", "c5"),
    "b4": ("c5", "c6"),
    "b5": ("c7", "c8"),
    "b6": ("c8", "c9"),
    **{f"c{i}": (f"d{i}", f"d{i + 1}") for i in range(1, 10)},
}
"""In the order of the view."""
RANKS = "A23456789TJQK"
VECTORS = Path(__file__).parents[1] / "data" / "deal-vectors.json"


def at(
    tableau: dict[str, str] | None = None,
    run: str = "6C",
    former: str = "",
    stock: str = "",
    points: int = 0,
    scoring: str = "classic",
    floor: str = "none",
    rounds: str = "single",
    nth_round: int = 1,
) -> Game:
    """Returns a game at a position; `run` is the current run, `former` the waste cards before it."""
    laid = tuple((tableau or {}).get(name, "") for name in POSITIONS)
    seed = "1" if rounds == "progressive" else None
    waste = cards(former), cards(run)
    state = three_peaks.State(laid, cards(stock), *waste, points, nth_round, scoring, floor, seed)
    return game_at(three_peaks, state, scoring=scoring, floor=floor, rounds=rounds)


def from_sorted(**options: str) -> Game:
    return cardsol.deal("three-peaks", deck=STANDARD.cards, options=options)


def in_one_run() -> tuple[Cards, tuple[str, ...]]:
    """Returns a deck that can be played in one run from the foot up, and the tokens that do it."""
    up = tuple(rank + suit for suit in "CDH" for rank in RANKS)[:29]
    order = POSITIONS[::-1]
    card_at = dict(zip(order, up[1:]))
    rest = [card for card in STANDARD.cards if card not in up]
    return (*(card_at[name] for name in POSITIONS), up[0], *rest), order


# Deal


def test_the_deal_is_rows_a_b_c_face_down_then_d_face_up() -> None:
    """a1…a3, b1…b6, c1…c9 face down, then d1…d10 face up, in that order."""
    game = from_sorted()
    piles = game.piles()
    for card, name in zip(game.deck, POSITIONS, strict=False):
        assert piles[name] == (Pile(up=(card,)) if name[0] == "d" else Pile(down=(card,)))


def test_the_next_card_lies_on_the_waste_and_the_other_23_are_the_stock() -> None:
    """The next card face up on the waste; the other 23 are the stock, the next in deck order drawn next."""
    game = from_sorted()
    assert game.piles()["waste"] == Pile(up=game.deck[28:29]) == Pile(up=("3H",))
    assert game.piles()["stock"] == Pile(down=game.deck[:28:-1])
    assert len(game.deck[29:]) == 23
    game.push("draw")
    assert game.piles()["waste"].up == ("4H",)


@pytest.mark.parametrize(("scoring", "most"), [("classic", 466), ("multiplier", 268_435_555)])
def test_all_28_cards_in_one_run_reach_the_maximum(scoring: str, most: int) -> None:
    """Reading: the waste starts with a card: only then is 466 reachable. 406 + 45 + 15 = 466."""
    deck, tokens = in_one_run()
    game = cardsol.deal("three-peaks", deck=deck, options={"scoring": scoring})
    for token in tokens:
        game.push(token)
    assert (game.score, game.view().max, game.status) == (most, most, "won")
    assert game.view().extra["run"] == 28


# Covers


@pytest.mark.parametrize("name", COVERS)
def test_a_card_turns_face_up_when_both_its_covers_are_gone(name: str) -> None:
    """Row d covers row c, row c row b, row b the peaks. Face up when both covers are gone, not before."""
    covers = COVERS[name]
    others = {over: "KS" for over in POSITIONS if over[0] > name[0] and over not in covers}
    for left in ({}, *({over: "KS"} for over in covers), dict.fromkeys(covers, "KS")):
        game = at({name: "7H", **others, **left})
        seen = {"down": 0, "up": ("7H",)} if not left else {"down": 1, "up": ()}
        assert game.view().piles[name]._asdict() == seen
        assert (name in game.legal_moves) == (not left)


def test_only_the_cards_of_row_d_lie_under_none() -> None:
    """Covers: c*i* lies under d*i* and d*i+1*, …"""
    dealt = from_sorted().view().piles
    assert {name for name in POSITIONS if dealt[name].up} == set(POSITIONS) - set(COVERS)


def test_a_card_turns_up_as_part_of_the_move_that_takes_its_last_cover() -> None:
    """A card turns face up when both its covers are gone."""
    game = at({"c1": "9D", "c2": "8D", "d1": "7H", "d2": "6S", "d3": "5S"}, run="6C")
    assert change(game, "d1") == {"d1": "", "waste": "6C 7H"}
    assert change(game, "d2") == {"d2": "", "c1": "9D", "waste": "6C 7H 6S"}
    assert change(game, "d3") == {"d3": "", "c2": "8D", "waste": "6C 7H 6S 5S"}


# Play


def test_the_token_is_the_position_alone() -> None:
    """Play token = the position alone, `d4`."""
    assert from_sorted().grammar == {"draw", *POSITIONS}


def test_a_card_goes_to_the_waste_if_one_rank_above_or_below_an_ace_next_to_king_and_two() -> None:
    """… if it is one rank above or below the top waste card; Ace is next to both King and 2."""
    for top, card in product(RANKS, repeat=2):
        game = at({"d4": f"{card}H"}, run=f"{top}C")
        distance = abs(RANKS.index(top) - RANKS.index(card))
        assert ("d4" in game.legal_moves) == (distance == 1 or {top, card} == {"A", "K"}), (top, card)


def test_suits_are_ignored() -> None:
    """… suits ignored."""
    for top, card in product("CDHS", repeat=2):
        assert "d4" in at({"d4": f"7{card}"}, run=f"6{top}").legal_moves
        assert "d4" not in at({"d4": f"8{card}"}, run=f"6{top}").legal_moves


def test_a_played_card_is_the_top_of_the_waste_then() -> None:
    """… a face-up tableau card goes to the waste."""
    game = at({"d4": "7H", "d5": "8S", "d6": "5D"}, run="9C 6C")
    assert legal(game) == "d4 d6"
    assert change(game, "d4") == {"d4": "", "waste": "9C 6C 7H"}
    assert legal(game) == "d5"


def test_a_face_down_card_and_an_empty_position_are_not_played() -> None:
    """… a *face-up* tableau card."""
    game = at({"c1": "7H", "d1": "7S", "d2": "7D"})
    assert legal(game) == "d1 d2"


# Piles


def test_the_piles_and_their_order() -> None:
    """`stock`, `waste`, a1…a3, b1…b6, c1…c9, d1…d10."""
    assert tuple(from_sorted().piles()) == ("stock", "waste", *POSITIONS)


# Stock


def test_draw_turns_one_card_onto_the_waste_and_ends_the_run() -> None:
    """`draw` turns one card and ends the run: the cards so far are `down`, the current run `up`."""
    game = at({"d1": "7H", "d2": "KH"}, former="JC", run="5C 6C", stock="8S 2D 3D")
    assert game.view().extra["run"] == 1
    assert change(game, "draw") == {"stock": "3D 2D /", "waste": "JC 5C 6C / 8S"}
    assert game.view().extra["run"] == 0
    assert game.view().piles["waste"] == (3, ("8S",))
    assert change(game, "d1") == {"d1": "", "waste": "JC 5C 6C / 8S 7H"}
    assert game.view().extra["run"] == 1


def test_there_is_no_redeal() -> None:
    """No redeal."""
    game = at({"d1": "KH"}, stock="2D")
    assert legal(game) == "draw"
    game.push("draw")
    assert (game.status, legal(game)) == ("lost", "")


def test_the_down_cards_of_the_waste_count_for_nothing_any_more() -> None:
    """The `down` cards of the waste count for nothing any more: they take no card and make no run longer."""
    game = at({"d1": "7H", "d2": "TH"}, former="4C 5C 6C", run="9C")
    assert legal(game) == "d2"
    game.push("d2")
    assert game.score == 1


# Score


SCORES = [
    ("classic", (1, 2, 3, 4), -5, 15),
    ("multiplier", (1, 2, 4, 8), 0, 25),
]


@pytest.mark.parametrize(("scoring", "worth", "draw", "bonus"), SCORES)
def test_each_card_scores_by_its_place_in_the_run(
    scoring: str, worth: tuple[int, ...], draw: int, bonus: int
) -> None:
    """1, 2, 3, … since the last draw. Multiplier: the n-th card of a run scores 2^(n−1)."""
    tableau = {"d1": "7H", "d2": "8H", "d3": "9H", "d4": "TH", "d5": "5H", "d9": "2H"}
    game = at(tableau, stock="4C", scoring=scoring, points=100)
    gains = []
    for token in ("d1", "d2", "d3", "d4"):
        before = game.score
        game.push(token)
        gains.append(game.score - before)
    assert tuple(gains) == worth
    before = game.score
    game.push("draw")
    assert game.score - before == draw
    game.push("d5")
    assert game.score - before == draw + 1


@pytest.mark.parametrize(("scoring", "worth", "draw", "bonus"), SCORES)
@pytest.mark.parametrize("peak", ["a1", "a2", "a3"])
def test_each_peak_cleared_scores_more(
    scoring: str, worth: tuple[int, ...], draw: int, bonus: int, peak: str
) -> None:
    """Each peak (row a) cleared +15; multiplier: 25. No other card brings more."""
    game = at({peak: "7H", "d1": "2C", "d10": "2H"}, scoring=scoring)
    game.push(peak)
    assert game.score == 1 + bonus
    game = at({peak: "7H", "b1": "8H", "c9": "9H", "d2": "9H", "d10": "9H"}, run="9C", scoring=scoring)
    game.push("b1")
    assert game.score == 1


@pytest.mark.parametrize(("scoring", "worth", "draw", "bonus"), SCORES)
def test_clearing_the_tableau_scores_more_again(
    scoring: str, worth: tuple[int, ...], draw: int, bonus: int
) -> None:
    """Clearing the tableau +15 more; multiplier: peaks and clearing 25 each."""
    game = at({"a2": "7H"}, run="3C 4C 5C 6C", scoring=scoring, points=-7)
    game.push("a2")
    assert game.score == -7 + worth[3] + bonus + bonus


@pytest.mark.parametrize(
    ("floor", "scoring", "points", "after"),
    [
        ("none", "classic", 20, 15),
        ("none", "classic", 3, -2),
        ("none", "classic", 0, -5),
        ("none", "classic", -52, -57),
        ("zero", "classic", 20, 15),
        ("zero", "classic", 5, 0),
        ("zero", "classic", 3, 0),
        ("zero", "classic", 0, 0),
        ("none", "multiplier", 3, 3),
        ("zero", "multiplier", 3, 3),
    ],
)
def test_a_draw_and_the_floor(floor: str, scoring: str, points: int, after: int) -> None:
    """Each draw −5. floor=none: no floor; floor=zero: a draw never takes the score below 0."""
    game = at({"d1": "KH"}, stock="2C", floor=floor, scoring=scoring, points=points)
    game.push("draw")
    assert game.score == after


def test_the_options_and_their_defaults() -> None:
    """scoring=classic (default), floor=none (default), rounds=single (default)."""
    assert cardsol.deal("three-peaks", seed=1).options == {
        "scoring": "classic",
        "floor": "none",
        "rounds": "single",
    }
    assert {key: list(values) for key, values in three_peaks.OPTIONS.items()} == {
        "scoring": ["classic", "multiplier"],
        "floor": ["none", "zero"],
        "rounds": ["single", "progressive"],
    }


# Rounds


def test_a_cleared_single_round_is_won_and_over() -> None:
    """rounds=single: cleared = won. Won: the tableau is empty, also where cards are left in the stock."""
    game = at({"a1": "7H"}, stock="2C")
    assert (game.status, legal(game)) == ("playing", "a1 draw")
    game.push("a1")
    assert (game.status, legal(game)) == ("won", "")
    assert len(game.piles()["stock"].down) == 1


def test_a_single_round_is_won_also_where_a_seed_could_deal_another() -> None:
    """`rounds=single` (default): cleared = won."""
    deck, tokens = in_one_run()
    options = cardsol.deal("three-peaks", seed=1).options
    state = three_peaks.deal(deck, options, "1")
    for token in tokens:
        assert not three_peaks.is_won(state)
        state = three_peaks.apply(state, token)
    assert three_peaks.is_won(state)


def test_a_single_round_with_a_card_left_is_not_won() -> None:
    """Won (single round) the tableau is empty."""
    assert at({"a1": "KH"}, stock="2C").status == "playing"
    assert at({"a1": "KH"}).status == "lost"


def order(seed: str, nth_round: int) -> Cards:
    """Returns the published deck order of a seed's round."""
    (found,) = (
        tuple(vector["order"].split())
        for vector in json.loads(VECTORS.read_text("utf-8"))
        if (vector["deck"], vector["seed"], vector["round"]) == ("standard", seed, nth_round)
    )
    return found


def test_clearing_deals_a_new_round_at_once_from_all_52_cards() -> None:
    """Progressive: clearing deals a new round at once from all 52 cards, each round its own deck order."""
    game = at({"a1": "7H"}, former="JC QC", run="9C 8C", stock="2C", rounds="progressive")
    game.push("a1")
    second = order("1", 2)
    piles = game.piles()
    assert game.view().extra == {"run": 0, "round": 2}
    assert tuple((*piles[name].down, *piles[name].up) for name in POSITIONS) == tuple(zip(second[:28]))
    assert (piles["waste"], piles["stock"]) == (Pile(up=second[28:29]), Pile(down=second[:28:-1]))


def test_each_round_has_its_own_order_from_the_same_seed() -> None:
    """Round r (1, 2, …) has its own deck order from the same seed."""
    assert cardsol.deal("three-peaks", seed="1", options={"rounds": "progressive"}).deck == order("1", 1)
    dealt: list[Cards] = [order("1", 1)[:28]]
    for number in (1, 2, 3):
        game = at({"a1": "7H"}, rounds="progressive", nth_round=number)
        game.push("a1")
        assert game.view().extra["round"] == number + 1
        dealt.append(game.state.tableau)
    assert dealt[1] == order("1", 2)[:28]
    assert len(set(dealt)) == 4


def test_the_score_is_carried_over_and_a_new_run_starts() -> None:
    """… the score carried over, … and starts a new run."""
    game = at({"a1": "7H"}, run="5C 6C", points=-20, rounds="progressive")
    game.push("a1")
    assert game.score == -20 + 2 + 15 + 15
    before = game.score
    token = next(token for token in game.legal_moves if token != "draw")
    game.push(token)
    assert (game.score - before, game.view().extra["run"]) == (1, 1)


def test_progressive_rounds_need_a_seed() -> None:
    """It needs a seed: with `--deck` it is refused."""
    with pytest.raises(cardsol.BadOption, match="rounds=progressive needs a seed") as refused:
        from_sorted(rounds="progressive")
    assert (refused.value.key, refused.value.value) == ("rounds", "progressive")
    assert cardsol.deal("three-peaks", seed=1, options={"rounds": "progressive"}).status == "playing"
    assert from_sorted(rounds="single").status == "playing"


def test_a_progressive_game_has_no_maximum() -> None:
    """There is no maximum."""
    for scoring, most in (("classic", 466), ("multiplier", 268_435_555)):
        assert at({"d1": "KH"}, rounds="progressive", scoring=scoring).view().max is None
        assert at({"d1": "KH"}, rounds="single", scoring=scoring).view().max == most


def test_a_progressive_game_is_never_won_and_ends_when_no_move_is_left() -> None:
    """… such a game is never won, and ends when no move is left."""
    game = at({"a1": "7H"}, rounds="progressive")
    game.push("a1")
    assert game.status == "playing"
    assert at({"a1": "KH"}, rounds="progressive").status == "lost"


# Tokens in words

WHY_NOT = [
    (at({"d1": "KH"}), "draw", "the stock is empty, and there is no redeal"),
    (at({"d1": "KH"}), "d2", "d2 is empty: its card has been played"),
    (at({"d1": "KH"}), "a1", "a1 is empty: its card has been played"),
    (
        at({"c1": "7H", "d1": "KH", "d2": "KS"}),
        "c1",
        "c1 is face down, under d1 and d2: a card is played only when no other lies on it",
    ),
    (
        at({"a3": "7H", "b6": "KH"}),
        "a3",
        "a3 is face down, under b6: a card is played only when no other lies on it",
    ),
    *(
        (
            at({"d10": card}, run=f"2C {top}"),
            "d10",
            f"{card} does not go on {top}: only a card one rank below or above does, {ranks}, of any suit",
        )
        for card, top, ranks in (
            ("5H", "9S", "8 or T"),
            ("9H", "9S", "8 or T"),
            ("QH", "AS", "K or 2"),
            ("2H", "KS", "Q or A"),
            ("7H", "JS", "T or Q"),
        )
    ),
    (at({}, stock="2C"), "draw", "the game is already won"),
]


@pytest.mark.parametrize(("game", "token", "reason"), WHY_NOT)
def test_a_refusal_names_the_rule(game: Game, token: str, reason: str) -> None:
    assert refusal(game, token) == reason


ON_THE_WASTE = "turns a card onto the waste and ends the run"
EXPLAINED = [
    (at({"d1": "KH"}, stock="2C"), "draw", f"{ON_THE_WASTE}: -5"),
    (at({"d1": "KH"}, stock="2C", floor="zero", points=20), "draw", f"{ON_THE_WASTE}: -5"),
    (at({"d1": "KH"}, stock="2C", floor="zero", points=3), "draw", f"{ON_THE_WASTE}: -3"),
    (at({"d1": "KH"}, stock="2C", floor="zero"), "draw", ON_THE_WASTE),
    (at({"d1": "KH"}, stock="2C", scoring="multiplier"), "draw", ON_THE_WASTE),
    (at({"d1": "7H", "d2": "7H"}), "d1", "7H onto 6C: +1"),
    (at({"d1": "7H", "d2": "7H"}, run="3C 4C 5C 6C"), "d1", "7H onto 6C: +4"),
    (at({"d1": "7H", "d2": "7H"}, run="3C 4C 5C 6C", scoring="multiplier"), "d1", "7H onto 6C: +8"),
    (at({"a1": "7H", "d9": "7H"}, run="5C 6C"), "a1", "7H onto 6C: +17, with a peak"),
    (
        at({"a1": "7H", "d9": "7H"}, run="5C 6C", scoring="multiplier"),
        "a1",
        "7H onto 6C: +27, with a peak",
    ),
    (at({"a1": "7H"}, run="5C 6C"), "a1", "7H onto 6C: +32, and the tableau is cleared"),
]


@pytest.mark.parametrize(("game", "token", "text"), EXPLAINED)
def test_a_move_is_told_apart(game: Game, token: str, text: str) -> None:
    assert token in game.legal_moves
    if token == "draw":
        assert game.explain(token) == (token, "draw", "stock", "waste", (), None, text)
    else:
        assert game.explain(token) == (token, "play", token, "waste", ("7H",), "6C", text)


@pytest.mark.parametrize(("game", "token", "text"), [row for row in EXPLAINED if row[2][-1].isdigit()])
def test_the_points_in_the_words_are_those_that_the_move_makes(game: Game, token: str, text: str) -> None:
    after = game.copy()
    after.push(token)
    assert after.score - game.score == int(text.rpartition(" ")[2])


@pytest.mark.parametrize(("word", "kind"), list(zip(three_peaks.TOKEN_FORMS, ("draw", "play"))))
def test_the_example_of_each_form_of_token_plays(word: TokenForm, kind: str) -> None:
    move = example(word, "three-peaks")
    assert (form(move.token), move.kind) == (form(word.form), kind)


def test_every_form_of_token_has_an_example() -> None:
    assert {form(word.form) for word in three_peaks.TOKEN_FORMS} == set(map(form, from_sorted().grammar))
