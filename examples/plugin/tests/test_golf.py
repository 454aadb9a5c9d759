"""The rules of Golf, and the promises that every game of cardsol keeps."""

from __future__ import annotations

import cardsol_golf as golf
import pytest

import cardsol
from cardsol.testing import check_game

WRAPS = ("off", "on")


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize(
    ("card", "below", "goes"),
    [("7H", "8S", True), ("9H", "8S", True), ("8H", "8S", False), ("6H", "8S", False), ("2H", "AS", True)],
)
def test_a_card_goes_on_one_a_rank_away(card: str, below: str, goes: bool, wrap: str) -> None:
    state = golf.State((), (below,), ((card,), *((),) * 6), wrap == "on")
    assert golf.moves(state) == (["t1"] if goes else [])


@pytest.mark.parametrize(
    ("card", "below", "off", "on"),
    [("AH", "KS", False, True), ("KH", "AS", False, True), ("QH", "KS", False, True)],
)
def test_only_with_wrap_on_does_anything_go_on_a_king(card: str, below: str, off: bool, on: bool) -> None:
    for wrap, goes in ((False, off), (True, on)):
        state = golf.State((), (below,), ((card,), *((),) * 6), wrap)
        assert bool(golf.moves(state)) is goes


def test_it_is_won_when_the_columns_are_gone() -> None:
    state = golf.apply(golf.State((), ("8S",), (("7H",), *((),) * 6), False), "t1")
    assert golf.is_won(state) and golf.moves(state) == [] and golf.score(state) == 35


def test_golf_keeps_what_cardsol_asks_of_a_game() -> None:
    check_game(golf)


def test_golf_is_won_when_the_score_is_the_highest() -> None:
    for seed in range(200):
        game = cardsol.deal("golf", seed=seed, options={"wrap": "on"})
        while game.status == "playing":
            game.push(game.legal_moves[-1])
        assert (game.status == "won") is (game.score == 35)
