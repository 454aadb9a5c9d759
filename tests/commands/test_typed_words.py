"""Moves as a player thinks are taken too, as input only; what is stored is the canonical token."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.typed import STARTS, game, in_process, put, saved

MEANT: list[tuple[str, str, str]] = [
    # upper or lower case
    ("peaks", "D4", "d4"),
    ("peaks", "DRAW", "draw"),
    ("camelot drawn", "W-B2", "w-b2"),
    ("rouge played", "T2-T10", "t2-t10"),
    ("cross played", "B2-B1X2", "b2-b1x2"),
    # a card alone is a move in Three Peaks, and for a Ten in Camelot
    ("peaks", "6S", "d4"),
    ("peaks", "6s", "d4"),
    ("peaks", "6♠", "d4"),
    ("peaks", "6♠\ufe0f", "d4"),
    ("peaks played", "9H", "d10"),
    ("camelot full", "TD", "b2"),
    ("camelot full", "10d", "b2"),
    ("camelot full", "10♦\ufe0f", "b2"),
    # as source, a card's name stands for the lowest card that moves
    ("universal", "1S-f", "t1-f"),
    ("universal played", "MJ-t3", "t4-t3"),
    ("universal played", "6j-T1", "t5-t1"),
    ("cross played", "AD-b1", "b2-b1"),
    ("cross played", "2C-b1", "b2-b1x2"),
    ("cross played", "2C-b1x2", "b2-b1x2"),
    ("cross played", "6c-b3", "w-b3"),
    ("cross drawn", "9D-b2", "s-b2"),
    ("cross drawn", "9D-w", "s-w"),
    ("rouge played", "3H-t10", "t2-t10"),
    ("rouge", "kc-t10", "t4-t10"),
    # as destination, for the card built on, for w-h… the head
    ("universal played", "MJ-SS", "t4-t3"),
    ("universal played", "6J-7V", "t5-t2"),
    ("universal played", "t5-7v", "t5-t2"),
    ("universal to slip", "ME-7N", "w-h3"),
    ("universal to slip", "w-7N", "w-h3"),
    ("cross", "2c-3s", "b1-b2"),
    ("cross", "b1-3♠", "b1-b2"),
    ("rouge", "7H-8S", "t7-t3"),
    ("rouge played", "3♥-4♣", "t2-t10"),
    # long pile names
    ("camelot drawn", "waste-b2", "w-b2"),
    ("universal", "t1-bar", "t1-f"),
    ("universal", "T1-Foundation", "t1-f"),
    ("universal to slip", "waste-h3", "w-h3"),
    ("cross played", "waste-b3", "w-b3"),
    ("cross drawn", "stock-b2", "s-b2"),
    ("cross drawn", "stock-waste", "s-w"),
    ("cross to its corner", "stock-corner", "s-f"),
    ("rouge played", "t4-foundation", "t4-f"),
    # a named foundation or corner, where it is the one the card goes to
    ("universal", "t1-f5", "t1-f"),
    ("universal", "1S-f5", "t1-f"),
    ("rouge played", "t4-f3", "t4-f"),
    ("cross to its corner", "s-a3", "s-f"),
    ("cross to its corner", "ac-A3", "s-f"),
    # a pair in either order
    ("camelot full", "c4+b3", "b3+c4"),
    ("camelot full", "4H+6S", "b3+c4"),
    ("camelot full", "6s+4h", "b3+c4"),
    ("camelot full", "6S+b3", "b3+c4"),
]

REFUSED: list[tuple[str, str, str]] = [
    ("universal", "t1-f2", "t1-f2: t1-f is another move: 1S from t1 to the bar, on f5"),
    ("universal played", "7M-SS", "7M-SS: t4-t3 is another move: MJ 7M from t4 onto SS"),
    ("universal", "w-h3", "w-h3: the waste is empty"),
    ("cross to its corner", "s-a1", "s-a1: s-f is another move: AC starts the corner a3"),
    ("cross played", "b2-b1x9", "b2-b1x9: b2 has only 3 cards, not 9"),
    ("cross played", "b2-b1x102", "b2-b1x102: no 102 cards can be moved there"),
    ("cross played", "3S-6D", "3S-6D (b2-a2x3): AD lies on 3S, and a2 has 6D: "
     "several cards move together only into a space"),
    ("rouge", "7H-9H", "7H-9H (t7-t5): 7H does not go on 9H: a column builds down by one, in the other colour"),
    ("rouge played", "t1-k1", "t1-k1 (t1-k): only a complete sequence from King to Ace is discarded, "
     "and t1 ends with TS"),
    ("rouge played", "2S-f", "2S-f: it could be t3-f or t6-f"),
    ("peaks", "TS", "TS (d1): TS does not go on 7D: "
     "only a card one rank below or above does, 6 or 8, of any suit"),
    ("peaks", "7D", "7D: 7D lies on waste, and no legal move takes it from there"),
    ("camelot full", "4H+2H", "4H+2H (a1+b3): 2H and 4H are no pair: their ranks add up to 6, not 10"),
    ("camelot full", "9H", "9H: it could be b1+c2 or c2+d2"),
]  # fmt: skip

NO_TOKENS = {
    "universal": "x t1 f h3-f t1-t1 t1-t7 t1-h3 t1-w t1-stock f1-t1 w-w draw-f"
    " t01-t2 t1-f07 t1-t2x2 t1+t2 AS 1X-f t1--t2 -",
    "peaks": "x d0 d11 d04 a4 e1 d4-w 6S-7D d1+d2 11S 6X 010H 6SS drawn",
    "cross": "a1-b1 b1-b1 b1-b2x1 b1-b2x0 b1-b2x02 b1-b2x b1-fx2 b1-a3x2 6D-fx3"
    " s-s w-s w-w b1 b1-b4 b1+b2 1E-b2",
    "rouge": "t1 t1-t1 t1-t11 t0-t1 t1-w s-t1 t1-f5 t1-k5 t1-h1 k-t1 f1-t1 t1-t2x2",
    "camelot": "w w-e1 w-a5 b2-c2 b2+b2 4H+4H b2+c3+d4 w+b2 b2+f draw+b2 a0 b2-f removed-b2",
}


@pytest.mark.parametrize(("start", "word", "token"), MEANT, ids=[word for _, word, _ in MEANT])
def test_a_word_stands_for_the_move_that_a_player_means(
    start: str, word: str, token: str, tmp_path: Path
) -> None:
    put(start, tmp_path)
    assert in_process("move", "-q", word, folder=tmp_path) == (0, "", "")
    assert saved(tmp_path)["moves"] == [*game(start).moves, token]


@pytest.mark.parametrize(("start", "word", "reason"), REFUSED, ids=[word for _, word, _ in REFUSED])
def test_a_word_that_names_no_legal_move_is_refused_with_the_rule(
    start: str, word: str, reason: str, tmp_path: Path
) -> None:
    save = put(start, tmp_path)
    before = save.read_bytes()
    result = in_process("move", word, folder=tmp_path)
    assert result[:2] == (4, "")
    told, _, help = result.err.partition("; ")
    assert told.rstrip("\n") == f"cardsol: illegal move {reason}"
    assert result.err.count("\n") == 1 and (not help or help.startswith(("legal with ", "legal here: ")))
    assert save.read_bytes() == before


@pytest.mark.parametrize("start", NO_TOKENS)
def test_a_word_that_the_grammar_cannot_express_is_no_token(start: str, tmp_path: Path) -> None:
    save = put(start, tmp_path)
    before = save.read_bytes()
    for word in NO_TOKENS[start].split():
        result = in_process("move", "--", word, folder=tmp_path)
        wanted = "no token" if word == "-" else f"cardsol: '{word}' is not a token of {STARTS[start][0]}: "
        assert (result.status, result.out) == (2, "") and wanted in result.err, word
    assert save.read_bytes() == before


@pytest.mark.parametrize("start", STARTS)
def test_every_legal_token_may_be_typed_in_upper_case(start: str, tmp_path: Path) -> None:
    legal = game(start).legal_moves
    assert legal
    for token in legal:
        put(start, tmp_path)
        assert in_process("move", "-q", token.upper(), folder=tmp_path) == (0, "", ""), token
        assert saved(tmp_path)["moves"][-1] == token


@pytest.mark.parametrize(
    ("start", "hidden", "gone"),
    [("peaks played", "2C", "6S"), ("universal played", "GE", "1S"), ("camelot drawn", "TC", "TH")],
)
def test_a_face_down_card_gets_the_same_answer_as_one_that_is_not_in_play(
    start: str, hidden: str, gone: str, tmp_path: Path
) -> None:
    put(start, tmp_path)
    shown = [card for pile in game(start).view().piles.values() for card in pile.up]
    assert hidden not in shown
    for form in ("{}", "{}-t1", "{}-b2", "{}-f"):
        answers = []
        for card in (hidden, gone):
            result = in_process("move", form.format(card), folder=tmp_path)
            answers.append((result.status, result.err.replace(card, "CARD")))
        if gone not in shown:
            assert answers[0] == answers[1]
        assert answers[0][0] in (2, 4)
