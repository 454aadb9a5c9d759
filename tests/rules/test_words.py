"""The rules that all games share, and how a player may name a move (README)."""

from __future__ import annotations

import json
import random
import re
import shlex
from collections.abc import Iterator
from itertools import islice

import pytest

import cardsol
from cardsol.cards import DECKS, STANDARD, normalized
from cardsol.deals import shuffled
from cardsol.errors import AmbiguousMove, BadToken, IllegalMove
from cardsol.game import Game
from cardsol.games import camelot, rouge_et_noir, three_peaks, universal, vanishing_cross
from cardsol.moves import Move
from cardsol.notation import check, resolve
from cardsol.piles import Pile
from tests.support import engine
from tests.support.positions import cards, change, game_at, pile

each_game = pytest.mark.parametrize("variant", engine.few(2), ids=engine.variant_name)
Variant = tuple[str, dict[str, str]]


def cut(play: Iterator[Game], step: int) -> Iterator[Game]:
    """Yields the game at every step-th moment only."""
    return islice(play, 0, None, step)


def dealt(variant: Variant, seed: int = 1) -> Game:
    return cardsol.deal(variant[0], seed=seed, options=variant[1])


def random_play(variant: Variant, seed: int, most: int = 60) -> Iterator[Game]:
    """Yields a game at every moment of a line of random moves, draws among them rarely."""
    game, dice = dealt(variant, seed), random.Random(seed)
    for _ in range(most):
        yield game
        if game.status != "playing":
            return
        others = [token for token in game.legal_moves if token != "draw"]
        game.push(dice.choice(others) if others and dice.random() < 0.8 else dice.choice(game.legal_moves))


# Positions built by hand, one a game, with a move of every kind.


def at_universal(bar: str = "1E|||||") -> Game:
    columns = ("2N 3N / 7E 6J", "5V", "", "3M / GS", "5M / MJ", "4E / 1S")
    bars = tuple(cards(suit) for suit in bar.split("|"))
    state = universal.State(3, 1, cards("4J 4M"), cards("2J 6M"), tuple(map(pile, columns)), bars)
    return game_at(universal, state, draw="3")


def at_three_peaks(stock: str = "TC", former: str = "3C", run: str = "4C 5S", **tableau: str) -> Game:
    placed = tableau or {"c1": "9D", "d1": "6H", "d2": "TH", "d9": "4S"}
    spots = tuple(placed.get(name, "") for name in three_peaks.POSITIONS)
    state = three_peaks.State(spots, cards(stock), cards(former), cards(run), 0, 1, "classic", "none", None)
    return game_at(three_peaks, state)


def at_vanishing_cross(waste: str = "TH", play: str = "classic", **grid: str) -> Game:
    """The stock card 7S, and in b1 QD JS 2C; a3 is the first free corner, c2 the space."""
    piles = {"a1": "9H", "a2": "8D", "b1": "QD JS 2C", "b2": "9S", "b3": "3D", "c2": "", **grid}
    corners = tuple(cards(piles.get(name, "")) for name in vanishing_cross.CORNERS)
    cross = tuple(cards(piles[name]) for name in vanishing_cross.CROSS)
    direct = play == "direct"
    drawn = () if direct else cards("7S")
    state = vanishing_cross.State(cards("KC"), drawn, cards(waste), corners, cross, True, direct)
    return game_at(vanishing_cross, state, play=play)


KING_TO_ACE = "KC QD JC TD 9C 8D 7C 6D 5C 4D 3C 2D AC"


def at_rouge_et_noir(**columns: str) -> Game:
    """t1 and t2 both end with 7H; t6 is empty."""
    named = {
        "t1": "4S / 7H", "t2": "JC 8S 7H", "t3": "9D 8C", "t4": "2H / KD QS", "t5": f"5C / {KING_TO_ACE}",
        "t6": "", "t7": "9S / 2D", "t8": "JH 3D", **columns,
    }  # fmt: skip
    piles = tuple(pile(named.get(name, "5S 5C")) for name in rouge_et_noir.COLUMNS)
    foundations = (("AH", "2D"), ("AD",), (), ())
    state = rouge_et_noir.State(cards("9C"), piles, foundations, ((),) * 4)
    return game_at(rouge_et_noir, state)


def at_camelot(waste: str = "", phase: int = 2, **grid: str) -> Game:
    laid = {"a1": "KH", "b2": "TH", "b3": "7H", "c2": "3S", "c3": "3D", "d2": "QS", **grid}
    cells = tuple(laid.get(cell, "") for cell in camelot.CELLS)
    return game_at(camelot, camelot.State(cards("4H 5H"), cards(waste), cells, cards("6S 4C"), phase))


# Card


def test_a_card_is_rank_then_suit_upper_case() -> None:
    """**Card** two characters, rank then suit, upper case: `7H`, `TC`, `AS`."""
    for deck in DECKS.values():
        assert all(re.fullmatch("[A-Z1-9][A-Z]", card) for card in deck.cards)
    assert {"7H", "TC", "AS"} < set(DECKS["standard"].cards)


def test_standard_ranks_and_suits() -> None:
    """Standard ranks `A 2 3 4 5 6 7 8 9 T J Q K`, suits `C D H S`."""
    expected = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    assert list(DECKS["standard"].cards) == expected
    assert list(DECKS["double"].cards) == 2 * expected


def test_universal_ranks_and_suits() -> None:
    """The universal deck has ranks `1 2 3 4 5 6 7 M S G` and suits `E J M N S V`."""
    expected = [rank + suit for suit in "EJMNSV" for rank in "1234567MSG"]
    assert list(DECKS["universal"].cards) == expected


def test_the_rank_always_comes_first() -> None:
    """So `MS` is the Moon of Saturn and `SM` the Sun of Mars."""
    state = at_universal().state._replace(waste=("MS",), bar=((),) * 6)
    assert "next card of Saturn" in game_at(universal, state, draw="3").why_not("w-f")
    state = state._replace(waste=("SM",))
    assert "next card of Mars" in game_at(universal, state, draw="3").why_not("w-f")


@pytest.mark.parametrize(
    ("typed", "card"),
    [("7H", "7H"), ("10H", "TH"), ("10h", "TH"), ("th", "TH"), ("7h", "7H"), ("7♣", "7C"), ("7♦", "7D"),
     ("7♥", "7H"), ("7♠", "7S"), ("10♠", "TS"), ("a♥\ufe0f", "AH")],
)  # fmt: skip
def test_input_also_takes_10h_lower_case_and_suit_signs(typed: str, card: str) -> None:
    """Input also takes `10H`, lower case, and the suit signs ♣ ♦ ♥ ♠."""
    assert normalized(typed, STANDARD) == card
    order = shuffled("standard", "1")
    deck = " ".join(typed if each == card else each for each in order)
    assert cardsol.deal("camelot", deck=deck).deck == order


# Deck order


def test_first_card_dealt_first() -> None:
    """**Deck order** the list of cards, *first card dealt first*."""
    first = {"universal": "t1", "three-peaks": "a1", "vanishing-cross": "a2", "rouge-et-noir": "t1"}
    for name, place in first.items():
        game = cardsol.deal(name, seed=1)
        down, up = game.piles()[place]
        assert (*down, *up)[0] == game.deck[0]
    game = cardsol.deal("camelot", seed=1)
    game.push("draw")
    assert game.piles()["waste"].up == game.deck[:1]


@pytest.mark.parametrize(
    "variant", [v for v in engine.VARIANTS if v[1].get("rounds") != "progressive"], ids=engine.variant_name
)
def test_a_deck_order_and_a_game_with_its_options_fix_the_whole_deal(variant: Variant) -> None:
    """A deck order and a game (with its options) fix the whole deal."""
    game = dealt(variant)
    assert cardsol.deal(variant[0], deck=game.deck, options=variant[1]).state == game.state


@each_game
def test_every_card_lies_in_a_pile(variant: Variant) -> None:
    for game in random_play(variant, 3, 20):
        lying = sorted(card for each in game.piles().values() for card in (*each.down, *each.up))
        missing = "round" in game.view().extra and game.view().extra["round"] != 1
        assert missing or lying == sorted(game.deck)


# Pile


@each_game
def test_a_pile_is_shown_as_down_and_up(variant: Variant) -> None:
    """`{"down": number of face-down cards under, "up": [face-up cards, bottom to top]}`."""
    for game in random_play(variant, 2, 20):
        shown = json.loads(json.dumps(game.view().as_dict()))["piles"]
        assert list(shown) == list(game.rules.PILES)
        assert shown == {name: {"down": len(p.down), "up": list(p.up)} for name, p in game.piles().items()}


def test_bottom_card_first_top_card_last() -> None:
    """Bottom card first, top card last: it is the last card that plays."""
    assert change(at_universal(), "t1-t5") == {"t1": "2N / 3N", "t5": "5M / MJ 7E 6J"}
    assert change(at_rouge_et_noir(), "t7-f") == {"t7": "9S", "f2": "AD 2D"}


# Token


@each_game
def test_a_token_is_one_shell_word(variant: Variant) -> None:
    """**Token** one shell word, no blanks and no character that a shell treats specially."""
    for token in dealt(variant).grammar:
        assert shlex.quote(token) == token
        assert re.fullmatch(r"[a-z][a-z0-9+-]*", token)


@each_game
def test_a_token_is_one_legal_move(variant: Variant) -> None:
    for game in random_play(variant, 4, 20):
        assert set(game.legal_moves) <= game.grammar
        assert len(set(game.legal_moves)) == len(game.legal_moves)
        assert list(game.legal_moves) == sorted(game.legal_moves)


@each_game
def test_draw_turns_or_deals_from_the_stock(variant: Variant) -> None:
    """`draw` turns or deals from the stock."""
    game = dealt(variant)
    before = game.piles()["stock"]
    game.push("draw")
    stock = game.piles()["stock"]
    assert stock.down == before.down[: len(stock.down)] != before.down


@each_game
def test_src_dst_moves_from_one_pile_to_another(variant: Variant) -> None:
    """`SRC-DST` moves from one pile to another: these two change, and no third."""
    for game in random_play(variant, 5, 30):
        for token in game.legal_moves:
            if "-" in token:
                move, tried = game.explain(token), game.copy()
                assert change(tried, token).keys() == {move.source, move.target}


def test_a_count_is_named_only_where_the_rules_leave_it_open() -> None:
    """`SRC-DSTxN` says how many cards, only where the rules leave that open and N > 1."""
    counted = [token for variant in engine.VARIANTS for token in dealt(variant).grammar if "x" in token]
    assert all(re.fullmatch(r"[abc]\d-[abc]\dx([2-9]|[1-9]\d)", token) for token in counted)
    for name, options in engine.VARIANTS:
        has = any("x" in token for token in dealt((name, options)).grammar)
        assert has == (options.get("play") == "classic")


# Won, lost, playing


@each_game
def test_a_game_is_won_lost_or_playing(variant: Variant) -> None:
    """*Lost* when it is not won and no legal move is left; otherwise *playing*."""
    for seed in range(3):
        for game in random_play(variant, seed, 150):
            won = game.rules.is_won(game.state)
            assert game.status == ("won" if won else "playing" if game.legal_moves else "lost")
            assert game.status in ("playing", "won", "lost")


def test_a_game_with_no_legal_move_is_lost() -> None:
    assert at_three_peaks(d1="6H").status == "playing"
    assert at_three_peaks(stock="", d1="6H").status == "playing"
    assert at_three_peaks(stock="", d1="9H").status == "lost"


def test_a_won_game_has_no_legal_moves_though_cards_are_left_in_the_stock() -> None:
    """A won game has no legal moves: it is over, also where cards are left in the stock."""
    game = at_three_peaks(d1="6H")
    game.push("d1")
    assert game.piles()["stock"].down == ("TC",)
    assert (game.status, tuple(game.legal_moves)) == ("won", ())
    with pytest.raises(IllegalMove, match="the game is already won"):
        game.push("draw")


# Moving a whole pile


def in_universal(t1: str, t2: str) -> Game:
    columns = (pile(t1), pile(t2), *(Pile(("1E",), ("3V",)),) * 4)
    return game_at(universal, universal.State(1, 1, (), (), columns, ((),) * 6))


@pytest.mark.parametrize(
    ("whole", "part", "token"),
    [
        (in_universal("GS", ""), in_universal("1M / GS", ""), "t1-t2"),
        (in_universal("GS SM", ""), in_universal("1M / GS SM", ""), "t1-t2"),
        (at_rouge_et_noir(t1="KD QS"), at_rouge_et_noir(t1="5C KD QS"), "t1-t6"),
        (at_rouge_et_noir(t1="KS"), at_rouge_et_noir(t1="KS / KS"), "t1-t6"),
        (at_vanishing_cross(b1="QD"), at_vanishing_cross(b1="JS QD"), "b1-c2"),
        (at_vanishing_cross(b1="QD JS"), at_vanishing_cross(b1="2C QD JS"), "b1-c2x2"),
    ],
)
def test_moving_a_whole_pile_to_an_empty_pile_is_never_legal(whole: Game, part: Game, token: str) -> None:
    """Moving a whole pile to an empty pile of the same kind changes nothing, and is never legal."""
    assert token in part.legal_moves
    assert token not in whole.legal_moves
    assert re.search("changes? nothing", whole.why_not(token))


# Face-down cards


@pytest.mark.parametrize(
    ("game", "token", "column"),
    [
        (at_universal(), "t1-t5", "2N / 3N"),
        (at_universal(), "t6-f", "/ 4E"),
        (at_universal(), "t4-t3", "/ 3M"),
        (at_rouge_et_noir(), "t1-t3", "/ 4S"),
        (at_rouge_et_noir(), "t7-f", "/ 9S"),
        (at_rouge_et_noir(), "t4-t6", "/ 2H"),
        (at_rouge_et_noir(), "t5-k", "/ 5C"),
    ],
)
def test_a_face_down_card_that_becomes_the_top_turns_up_at_once(game: Game, token: str, column: str) -> None:
    """A face-down card that becomes the top card of its column (`t…`) turns face up at once."""
    source = token.partition("-")[0]
    game.push(token)
    assert game.piles()[source] == pile(column)


def test_only_one_face_down_card_turns_up_and_only_when_it_is_the_top() -> None:
    game = at_rouge_et_noir(t1="4S 9D / 8S 7H")
    game.push("t1-t3")
    assert game.piles()["t1"] == pile("4S 9D / 8S")
    game = at_rouge_et_noir(t1="4S 9D / 7H")
    game.push("t1-t3")
    assert game.piles()["t1"] == pile("4S / 9D")


# Foundations


@each_game
def test_nothing_ever_leaves_a_foundation(variant: Variant) -> None:
    """Nothing ever leaves a foundation: no token can say so, and no move does so."""
    kept = {
        "universal": universal.BAR, "three-peaks": (), "vanishing-cross": vanishing_cross.CORNERS,
        "rouge-et-noir": (*rouge_et_noir.FOUNDATIONS, *rouge_et_noir.SEQUENCES), "camelot": ("removed",),
    }[variant[0]]  # fmt: skip
    assert not [token for token in dealt(variant).grammar if re.match("|".join(kept) or "$", token)]
    before: dict[str, tuple[str, ...]] = dict.fromkeys(kept, ())
    for game in random_play(variant, 6):
        for name, cards_there in before.items():
            now = game.piles()[name].up
            assert now[: len(cards_there)] == cards_there
            before[name] = now


# Seeds: the other sentences of README, Seeds, are tested in test_deals.py.


@each_game
def test_the_deal_depends_on_nothing_but_the_seed(variant: Variant) -> None:
    """The deal depends on nothing else: not on the options."""
    game = dealt(variant)
    assert game.deck == shuffled(game.rules.DECK, "1")


def test_the_sorted_decks() -> None:
    """`standard` is `AC 2C … KC AD …`; `double` that list twice; `universal` `1E 2E … 7E ME SE GE 1J …`."""
    text = {name: " ".join(deck.cards) for name, deck in DECKS.items()}
    assert text["standard"].startswith("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD") and text[
        "standard"
    ].endswith("KS")
    assert text["double"] == f"{text['standard']} {text['standard']}"
    assert text["universal"].startswith("1E 2E 3E 4E 5E 6E 7E ME SE GE 1J")


def test_a_later_round_has_its_own_order_from_the_same_seed() -> None:
    """ROUND `1` but for later rounds of progressive Three Peaks."""
    game = cardsol.deal("three-peaks", seed="7", options={"rounds": "progressive"})
    spots = ("6H", *("",) * 27)
    game = game_at(three_peaks, game.state._replace(tableau=spots, run=("7C",)), rounds="progressive")
    game.push("a1")
    dealt_now = [card for name in three_peaks.POSITIONS for part in game.piles()[name] for card in part]
    assert tuple(dealt_now) == shuffled("standard", "7", 2)[:28] != shuffled("standard", "7", 1)[:28]


# Moves as a player thinks of them

FITS: dict[str, list[tuple[Game, str, str]]] = {
    "universal": [
        (at_universal(), token, words)
        for token, words in (
            ("draw", "draw DRAW Draw"),
            ("t1-t5", "t1-t5 T1-T5 7E-t5 7e-T5 t1-MJ 7E-MJ 7e-mj"),
            ("t2-t1", "t2-t1 5V-t1 5v-6j t2-6J"),
            ("t4-t3", "GS-t3 gs-T3"),
            ("w-h2", "w-h2 W-H2 waste-h2 WASTE-h2 6M-h2 6m-5v w-5V waste-5V"),
            ("t6-f", "t6-f 1S-f 1s-bar t6-bar t6-BAR t6-foundation t6-f5 1S-F5"),
        )
    ],
    "three-peaks": [
        (at_three_peaks(), token, words)
        for token, words in (
            ("d1", "d1 D1 6H 6h 6♥ 6♥\ufe0f"),
            ("d9", "d9 4S 4s 4♠"),
            ("draw", "draw DRAW"),
        )
    ]
    + [(at_three_peaks(run="9C", d2="TH", d1="TS"), "d2", "10H 10h TH th T♥ 10♥ 10♥\ufe0f d2")],
    "vanishing-cross": [
        (at_vanishing_cross(), token, words)
        for token, words in (
            (
                "w-f",
                "w-f waste-f WASTE-foundation discard-f 10H-f TH-corner T♥-f 10♥\ufe0f-f th-a1 w-a1 10H-9H",
            ),
            ("s-a2", "s-a2 stock-a2 7S-a2 7s-8d 7♠-8♦ 7♠\ufe0f-8♦\ufe0f stock-8D S-A2 STOCK-8D"),
            ("s-c2", "s-c2 stock-c2 7s-c2"),
            ("b1-b3", "b1-b3 2C-b3 2c-3d b1-3D B1-B3"),
            ("b1-c2", "b1-c2 2C-c2 B1-C2"),
            ("b1-c2x2", "b1-c2x2 B1-C2X2 JS-c2 js-c2x2 JS-C2X2"),
            ("b2-f", "9S-f 9s-a3 b2-corner b2-a3 b2-A3"),
        )
    ]
    + [
        (
            at_vanishing_cross(c2="JC", a2="KC"),
            "s-w",
            "s-w stock-waste stock-discard s-waste 7S-w 7s-WASTE S-W",
        )
    ]
    + [(at_vanishing_cross(play="direct"), "w-c2", "waste-c2 10H-c2 W-C2")],
    "rouge-et-noir": [
        (at_rouge_et_noir(), token, words)
        for token, words in (
            ("t1-t3", "t1-t3 T1-T3 t1-8C t1-8♣"),
            ("t4-t6", "t4-t6 KD-t6 kd-T6 K♦-t6"),
            ("t5-k", "t5-k KC-k kc-sequence t5-sequence t5-k1 KC-K1"),
            ("t8-f", "t8-f 3D-f 3d-foundation t8-foundation t8-f1 3D-F1"),
            ("t7-f", "t7-f 2D-f2 t7-F2"),
        )
    ]
    + [(at_rouge_et_noir(t10="TS", t8="9H"), "t8-t10", "9H-10S 9h-ts t8-T10 9H-t10 9♥-10♠")],
    "camelot": [
        (at_camelot(), token, words)
        for token, words in (
            ("b2", "b2 B2 TH th 10H 10♥"),
            ("b3+c2", "b3+c2 c2+b3 B3+C2 7H+3S 3s+7h 7H+c2 c2+7H b3+3S 3S+b3 7♥+3♠"),
            ("draw", "draw"),
        )
    ]
    + [(at_camelot("KD"), "w-d4", "w-d4 W-D4 waste-d4 KD-d4 kd-D4 K♦-d4")],
}


@pytest.mark.parametrize(
    ("game", "token", "words"),
    [pytest.param(*row, id=f"{name} {row[1]}") for name, rows in FITS.items() for row in rows],
)
def test_moves_as_a_player_thinks_are_taken(game: Game, token: str, words: str) -> None:
    """Cards as source or destination, a card alone, long pile names, any case, `10H`, signs, pairs turned."""
    for word in words.split():
        check(game, word)
        assert resolve(game, word) == token, word


def names_of(game: Game, token: str) -> set[str]:
    """Returns every name that a player may give a legal move."""
    move = game.explain(token)
    found = re.fullmatch(r"([a-z]+\d*)(?:([-+])([a-z]+\d*?)(x\d+)?)?", token)
    assert found
    first, joint, second, times = (group or "" for group in found.groups())
    if joint == "+":
        one, two = ({cell, card} for cell, card in zip((first, second), move.cards))
        return {f"{a}+{b}" for x, y in ((one, two), (two, one)) for a in x for b in y}
    longer = game.rules.LONG_NAMES
    sources = {first, *longer.get(first, ())}
    if not joint:
        return {first, *move.cards[:1]}
    targets = {second, *longer.get(second, ()), *([move.onto] if move.onto else [])}
    if second in ("f", "k"):
        targets.add(move.target)
    named = {f"{a}-{b}{times}" for a in sources for b in targets}
    return named | {f"{move.cards[0]}-{b}{n}" for b in targets for n in {times, ""}}


@each_game
def test_every_name_of_every_legal_move_leads_to_it(variant: Variant) -> None:
    """In any case; or, where several legal moves have the name, to an answer that lists them."""
    dice = random.Random(0)
    for game in cut(random_play(variant, 10, 40), 6):
        names = {token: {name.upper() for name in names_of(game, token)} for token in game.legal_moves}
        for name in sorted(set().union(*names.values())):
            if dice.random() < 8 / len(names):
                expected = {token for token in names if name in names[token]}
                assert found(game, dice.choice((name, name.lower(), name.title()))) == expected


def found(game: Game, word: str) -> set[str]:
    """Returns the legal moves that a word is taken for: one, or those that an answer lists."""
    check(game, word)
    try:
        return {resolve(game, word)}
    except AmbiguousMove as caught:
        return set(caught.candidates)


@pytest.mark.parametrize(
    ("game", "word", "candidates"),
    [
        (at_rouge_et_noir(), "7H-t3", ("t1-t3", "t2-t3")),
        (at_rouge_et_noir(), "7h-8c", ("t1-t3", "t2-t3")),
        (at_rouge_et_noir(t9="8C"), "t1-8C", ("t1-t3", "t1-t9")),
        (at_rouge_et_noir(t9="8C"), "7H-8C", ("t1-t3", "t1-t9", "t2-t3", "t2-t9")),
        (at_rouge_et_noir(t9="9S 3D"), "3D-f", ("t8-f", "t9-f")),
        (at_rouge_et_noir(t9="9S 3D"), "3D-f1", ("t8-f", "t9-f")),
    ],
)
def test_where_a_name_fits_several_moves_the_answer_lists_them(
    game: Game, word: str, candidates: tuple[str, ...]
) -> None:
    """Where a name fits several legal moves the answer lists them."""
    with pytest.raises(AmbiguousMove) as caught:
        resolve(game, word)
    assert caught.value.candidates == candidates
    assert all(token in str(caught.value) for token in candidates)


def test_a_card_stands_for_the_lowest_that_moves() -> None:
    """As *source* a card's name stands for the lowest card that moves: not for one above it in the run."""
    with pytest.raises(IllegalMove):
        resolve(at_universal(), "6J-t5")
    with pytest.raises(IllegalMove):
        resolve(at_rouge_et_noir(), "QS-t6")
    assert resolve(at_vanishing_cross(), "JS-c2") == "b1-c2x2"
    with pytest.raises(IllegalMove):
        resolve(at_vanishing_cross(), "JS-c2x3")


def hidden_words(card: str, game: str) -> list[str]:
    """Words that name a card, in each place where the game's moves take one."""
    return {
        "universal": [f"{card}-t3", f"{card}-f", f"w-{card}", f"t1-{card}"],
        "three-peaks": [card],
        "vanishing-cross": [f"{card}-f", f"{card}-c2", f"{card}-c2x2", f"w-{card}", f"b1-{card}"],
        "rouge-et-noir": [f"{card}-t3", f"{card}-f", f"{card}-k", f"t1-{card}"],
        "camelot": [card, f"{card}-b2", f"{card}+b2", f"c3+{card}", f"b2-{card}"],
    }[game]


@each_game
def test_a_face_down_card_gets_the_same_answer_as_one_not_in_play(variant: Variant) -> None:
    """A face-down card gets the same answer as one that is not in play: nothing can be learnt by asking."""
    dice = random.Random(0)
    for game in cut(random_play(variant, 8, 15), 7):
        up = {card for each in game.piles().values() for card in each.up}
        unseen = sorted(set(DECKS[game.rules.DECK].cards) - up)
        answers = {
            tuple(answer(game, word).replace(card, "CARD") for word in hidden_words(card, game.name))
            for card in dice.sample(unseen, 6)
        }
        assert len(answers) == 1


def answer(game: Game, word: str) -> str:
    with pytest.raises((BadToken, IllegalMove)) as caught:
        resolve(game, word)
    return f"{type(caught.value).__name__}: {caught.value}"


def told(game: Game, word: str) -> tuple[str, str]:
    """Returns the token that a word names, and why it is refused if it is."""
    try:
        return resolve(game, word), ""
    except IllegalMove as refused:
        return refused.token, refused.reason


@each_game
def test_a_token_in_capitals_is_answered_as_the_token(variant: Variant) -> None:
    for game in cut(random_play(variant, 11, 20), 10):
        for token in sorted(game.grammar)[::5]:
            assert told(game, token.upper()) == told(game, token), token


def test_hidden_and_absent_in_one_position() -> None:
    """By hand: 9D lies face down on c1, TC in the stock, 3C in the former waste, KH nowhere."""
    answers = {answer(at_three_peaks(), card).replace(card, "CARD") for card in ("9D", "TC", "3C", "KH")}
    assert answers == {"IllegalMove: illegal move CARD: no CARD lies face up"}
    answers = {answer(at_rouge_et_noir(), f"{card}-t3").replace(card, "CARD") for card in ("4S", "9S", "KS")}
    assert answers == {"IllegalMove: illegal move CARD-t3: no CARD lies face up"}


NO_TOKENS: dict[str, str] = {
    "universal": "t1 w h2 f draw-t1 draw- -t1 t1- t1-t5x1 t1-t5x2 t01-t5 t1-t05 t7-t1 t1-f7 t1-h2 t1-w"
    " t1-waste t1-stock stock-t1 h2-t1 f1-t1 w-w w-stock w-waste t1-t1 t1+t5 7E+MJ t1-t5-t3"
    " 8E-t1 TH-f 10H-f 7Ex2 t1--t5 bar w-h7",
    "three-peaks": "d0 d11 d04 d01 c10 a4 e1 d1x1 d1x2 d1-w d1-waste 6H-w w-d1 waste stock d1+d2 6H-TH 1H"
    " 11H 0H 7E XX",
    "vanishing-cross": "b1 s w b1-c2x1 b1-c2x0 b1-c2x02 b1-c2x1.5 b01-c2 b1-c02 a1-b1 c3-f a1-f b1-w"
    " b1-waste b1-discard 7H-stock b1-stock b1-s s-s s-stock w-s w-w w-waste b1-b1 b1-fx2 w-b2x2 s-b2x2"
    " waste-b2x2 b1+c2 b1-d1 b4-f draw2 JS-fx2 b1-cornerx2 b1-c2xx2 b1-c2x b1-c2x2x2"
    " b1-c2x1\u0663 b1-b2\u0662",
    "rouge-et-noir": "t1 f k f1-t1 k1-t1 t1-f5 t1-k5 t1-stock t1-t1 t1-t2x2 t1-t2x1 t01-t2 t11-t1 t1-t11"
    " stock-t1 w-t1 f-t1 f1-f2 t1+t2 t1-waste 1H-t1 t1-t010 foundation-t1 k-f",
    "camelot": "a0 a5 e1 b02 w b2x1 b2-c3 b2-w w-b2x2 w-w w-waste w-removed w-stock b2+b2 b2+c3+d4"
    " removed-b2 stock-b2 w+b2 b2+w b2+ +b2 b2++c3 7E+b2 b2+c3x2 TH-7H-b2",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "word"), [(name, word) for name, words in NO_TOKENS.items() for word in words.split()]
)
def test_not_taken(name: str, word: str) -> None:
    """Not taken: `x1`, leading zeros; and whatever else is not a token of this game's grammar."""
    game = cardsol.deal(name, seed=1)
    with pytest.raises(BadToken) as caught:
        check(game, word)
    assert caught.value.token == word
    with pytest.raises(BadToken):
        resolve(game, word)


@pytest.mark.parametrize(
    "word",
    ["", " ", "-", "+", "x", "\n", "d\u0131", "draw ", " draw", "draw\n", "\ufe0f", "♥", "10", "t3 -t5"],
)
@pytest.mark.parametrize("name", NO_TOKENS)
def test_rubbish_is_no_token(name: str, word: str) -> None:
    with pytest.raises(BadToken):
        check(cardsol.deal(name, seed=1), word)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("vanishing-cross", "\u017f-f"),
        ("vanishing-cross", "7\u017f-f"),
        ("rouge-et-noir", "t1-\u212a"),
        ("universal", "1\u017f-f"),
    ],
)
def test_letters_that_only_fold_to_latin_ones_are_not_taken(name: str, word: str) -> None:
    """Upper or lower case means the letters of the tokens: no long s, no Kelvin sign."""
    with pytest.raises(BadToken):
        check(cardsol.deal(name, seed=1), word)


def test_suit_signs_belong_to_the_standard_suits() -> None:
    """♠ is Spades: in the universal deck there are none, and S is Saturn."""
    with pytest.raises(BadToken):
        check(cardsol.deal("universal", seed=1), "7♠-f")


def test_direct_play_has_no_stock_card_to_name() -> None:
    game = at_vanishing_cross(play="direct")
    for word in ("s-f", "stock-f", "stock-c2", "JS-c2x2", "b1-c2x2"):
        with pytest.raises(BadToken):
            check(game, word)


LETTERS = "abcdfhkstwxAKTH0123456789-+"
PIECES = "draw t1 t10 w s f k h2 b2 c3 a1 f1 k1 7H TH 10h 7E GS ♥ stock waste bar removed x2 x1 - +"


@each_game
def test_any_word_at_all_gets_an_answer(variant: Variant) -> None:
    """A word is a legal move, illegal or no token, and `check` tells the last before anything is played."""
    dice = random.Random(0)
    for game in cut(random_play(variant, 9, 12), 4):
        for _ in range(30):
            word = "".join(
                dice.choices(PIECES.split(), k=dice.randint(1, 5))
                if dice.random() < 0.7
                else dice.choices(LETTERS, k=5)
            )
            assert outcome(game, word) in ("legal", "illegal", "no token")


def outcome(game: Game, word: str) -> str:
    try:
        check(game, word)
    except BadToken:
        with pytest.raises(BadToken):
            resolve(game, word)
        return "no token"
    try:
        return "legal" if resolve(game, word) in game.legal_moves else "not a move"
    except IllegalMove as refused:
        assert refused.reason and "\n" not in str(refused)
        return "illegal"


@each_game
def test_what_is_stored_is_always_the_canonical_token(variant: Variant) -> None:
    """What is stored and printed is always the canonical token; the library takes no other."""
    for game in random_play(variant, 12, 15):
        for token in game.legal_moves:
            word = max(names_of(game, token), key=len).upper()
            assert word not in game.grammar
            with pytest.raises(BadToken):
                game.copy().push(word)


# Refusals of what a player named by cards: true, and about the card named.

NO_MOVE = "no move leads from there to there"


@pytest.mark.parametrize(
    ("game", "word", "token", "says"),
    [
        (at_universal(), "7E-5V", "t1-t2", "moves, never part of it, and its head 7E does not go on 5V"),
        (at_universal(), "1S-f4", "1S-f4", "t6-f is another move: 1S from t6 to the bar, on f5"),
        (at_rouge_et_noir(), "QS-k", "t4-k", "only a complete sequence from King to Ace is discarded"),
        (at_rouge_et_noir(), "t1-k1", "t1-k", "only a complete sequence from King to Ace is discarded"),
        (at_rouge_et_noir(), "t8-f2", "t8-f2", "t8-f is another move: 3D goes to the foundation f1"),
        (
            at_rouge_et_noir(),
            "t5-k2",
            "t5-k2",
            "t5-k is another move: the sequence from KC to AC is discarded to k1",
        ),
        (at_vanishing_cross(), "TH-a3", "TH-a3", "w-f is another move: TH goes to the corner a1"),
        (at_vanishing_cross(), "QD-c2", "b1-c2x3", "QD to 2C is the whole pile b1"),
        (at_camelot(), "b3+3H", "b3+3H", "no 3H lies face up"),
        (at_vanishing_cross(), "JS-c2x52", "JS-c2x52", "no 52 cards can be moved there"),
        (at_camelot(), "3S+TH", "b2+c2", "TH goes alone"),
        (at_three_peaks(), "TH", "d2", "TH does not go on 5S"),
    ],
)
def test_a_refusal_names_the_rule(game: Game, word: str, token: str, says: str) -> None:
    """An illegal move names the rule that forbids it, and its `token` is data: without quotes."""
    with pytest.raises(IllegalMove) as caught:
        resolve(game, word)
    assert says in caught.value.reason
    assert caught.value.token == token


@pytest.mark.parametrize(
    ("game", "word", "card"),
    [
        (at_universal(), "7E-1E", "1E"),
        (at_universal(), "2J-t1", "2J"),
        (at_universal(), "t1-6M", "6M"),
        (at_three_peaks(), "5S", "5S"),
        (at_three_peaks(), "4C", "4C"),
        (at_vanishing_cross(), "9H-b2", "9H"),
        (at_vanishing_cross(), "8D-7S", "7S"),
        (at_vanishing_cross(), "JS-b2", "JS"),
        (at_rouge_et_noir(), "9D-t6", "9D"),
        (at_rouge_et_noir(), "7H-2D", "2D"),
        (at_camelot(), "6S+c2", "6S"),
        (at_camelot(), "7H-b4", "7H"),
    ],
)
def test_a_refusal_speaks_of_the_card_that_was_named(game: Game, word: str, card: str) -> None:
    """A card that lies where it can't be moved, or built on, is not called covered or passed over."""
    with pytest.raises(IllegalMove) as caught:
        resolve(game, word)
    assert card in caught.value.reason
    assert NO_MOVE not in caught.value.reason


@pytest.mark.parametrize(
    ("game", "word", "card"),
    [(at_universal(), "7E-1E", "1E"), (at_vanishing_cross(), "JC-9H", "9H"),
     (at_vanishing_cross(), "b2-TH", "TH"), (at_camelot("8D"), "w-4C", "4C"),
     (at_rouge_et_noir(), "7H-AD", "AD")],
)  # fmt: skip
def test_only_a_covered_card_is_called_covered(game: Game, word: str, card: str) -> None:
    assert any(each.up[-1:] == (card,) for each in game.piles().values())
    with pytest.raises(IllegalMove) as caught:
        resolve(game, word)
    assert "covered" not in caught.value.reason


@pytest.mark.parametrize("name", NO_TOKENS)
def test_the_forms_in_an_answer_are_each_named_once(name: str) -> None:
    with pytest.raises(BadToken) as caught:
        check(cardsol.deal(name, seed=1), "zzz")
    forms = str(caught.value).partition("its tokens are ")[2].split(", ")
    assert forms and len(forms) == len(set(forms))


def test_kinds_are_the_documented_ones() -> None:
    """`kind` one of draw, play, build, slip, fill, foundation, discard, sequence, place, remove."""
    loose = ["draw", "play", "place", "remove", "discard"]
    documented = ["build", "slip", "fill", "foundation", "sequence", *loose]
    moves: list[Move] = [game.explain(token) for rows in FITS.values() for game, token, _ in rows]
    assert {move.kind for move in moves} == set(documented)
