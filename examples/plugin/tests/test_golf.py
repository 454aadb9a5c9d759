"""The rules of Golf, and random play that holds the engine to its promises with a game it has never seen."""

from __future__ import annotations

import random
from collections import Counter

import cardsol_golf as golf
import pytest

import cardsol
from cardsol.cards import STANDARD
from cardsol.errors import IllegalMove
from cardsol.moves import TokenForm
from cardsol.saves import dump, parse

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


@pytest.mark.parametrize("word", golf.TOKEN_FORMS, ids=lambda word: word.meaning)
def test_the_examples_play(word: TokenForm) -> None:
    words = word.deal.split()
    game = cardsol.deal("golf", seed=words[1], options=dict(pair.split("=") for pair in words[3::2]))
    for token in word.moves.split():
        game.push(token)
    assert game.moves[-1] == word.form


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("seed", range(20))
def test_random_play_keeps_every_promise(seed: int, wrap: str) -> None:
    dice = random.Random(seed)
    game = cardsol.deal("golf", seed=seed, options={"wrap": wrap})
    while game.status == "playing":
        before = game.view()
        token = dice.choice(game.legal_moves)
        assert game.explain(token).token == token
        game.push(token)
        assert 0 <= game.score - before.score <= 1
        game.undo()
        assert game.view()._replace(undos=0, undone=0) == before._replace(undos=0)
        game.redo()
        cards = [card for pile in game.piles().values() for card in (*pile.down, *pile.up)]
        assert Counter(cards) == Counter(STANDARD.cards)
        assert dump(parse(dump(game), "here")) == dump(game)
        _check_refusals(game)
    assert (game.status == "won") is (game.score == 35)


def _check_refusals(game: cardsol.Game) -> None:
    """A token of the grammar is accepted exactly when it is in `moves`, and refused with a reason."""
    for token in game.grammar - set(game.legal_moves):
        with pytest.raises(IllegalMove) as caught:
            game.push(token)
        assert caught.value.reason
