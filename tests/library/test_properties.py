"""What holds in every game at every moment, over random play (Hypothesis)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardsol
from cardsol import saves
from cardsol.cards import DECKS
from cardsol.game import Game, first_part
from tests import reference
from tests.support import engine

one_of_each_game = pytest.mark.parametrize("variant", engine.few(1), ids=engine.variant_name)
two_of_each_game = pytest.mark.parametrize("variant", engine.few(2), ids=engine.variant_name)


def dealt(variant: tuple[str, dict[str, str]], seed: int) -> Game:
    return cardsol.deal(variant[0], seed=seed, options=variant[1])


def choose(game: Game, data: st.DataObject) -> str:
    """Picks a legal move, but a draw only one time in four, so that games go deep."""
    legal = list(game.legal_moves)
    others = [token for token in legal if token != "draw"]
    if others and data.draw(st.integers(min_value=0, max_value=3)) > 0:
        legal = others
    return legal[data.draw(st.integers(min_value=0, max_value=len(legal) - 1))]


def played(variant: tuple[str, dict[str, str]], data: st.DataObject, most: int = 120) -> Game:
    """A game after a random number of random moves."""
    game = dealt(variant, data.draw(st.integers(0, 10**6)))
    for _ in range(data.draw(st.integers(0, most))):
        if game.status != "playing":
            break
        game.push(choose(game, data))
    return game


def everything(game: Game) -> tuple[Any, ...]:
    """All that may be asked of a game at one moment, but for the count of moves taken back."""
    view = game.view()
    return (
        game.state,
        view._replace(undos=0, undone=0),
        game.piles(),
        game.score,
        game.status,
        game.legal_moves,
    )


@one_of_each_game
@given(data=st.data())
def test_cards_are_conserved(variant: tuple[str, dict[str, str]], data: st.DataObject) -> None:
    game = played(variant, data)
    lying = Counter(card for pile in game.piles().values() for card in (*pile.down, *pile.up))
    assert lying == Counter(DECKS[game.rules.DECK].cards)


@one_of_each_game
@given(data=st.data())
def test_undo_and_redo_are_exact(variant: tuple[str, dict[str, str]], data: st.DataObject) -> None:
    game = played(variant, data)
    moves = game.moves
    seen = [everything(game.rewound(made)) for made in range(len(moves) + 1)]
    fresh = dealt(variant, 0) if not moves else cardsol.deal(game.name, seed=game.seed, options=game.options)
    for made, token in enumerate(moves):
        assert everything(fresh) == seen[made]
        fresh.push(token)
    back = data.draw(st.integers(0, len(moves)))
    if back:
        game.undo(back)
        assert everything(game) == seen[len(moves) - back]
        assert game.undone == moves[len(moves) - back :]
        game.redo(back)
    assert everything(game) == seen[-1]
    assert game.undos == back


@two_of_each_game
@given(data=st.data())
def test_a_save_round_trip_is_byte_equal(variant: tuple[str, dict[str, str]], data: st.DataObject) -> None:
    game = played(variant, data)
    if game.moves:
        game.undo(data.draw(st.integers(1, len(game.moves))))
    text = saves.dump(game)
    again = saves.parse(text, "test")
    assert saves.dump(again) == text
    assert everything(again) == everything(game)
    assert (again.moves, again.undone, again.undos) == (game.moves, game.undone, game.undos)


@two_of_each_game
@given(data=st.data())
def test_each_token_of_the_grammar_is_accepted_exactly_when_it_is_in_moves(
    variant: tuple[str, dict[str, str]], data: st.DataObject
) -> None:
    game = played(variant, data)
    legal = set(game.legal_moves)
    assert list(game.legal_moves) == sorted(legal)
    before = everything(game)
    for token in game.grammar:
        copy = game.copy()
        if token in legal:
            copy.push(token)
            assert copy.state != game.state
        else:
            with pytest.raises(cardsol.IllegalMove) as caught:
                copy.push(token)
            assert caught.value.token == token
            assert caught.value.reason
            assert everything(copy) == before
    assert everything(game) == before


@one_of_each_game
@given(data=st.data())
def test_the_moves_of_one_source_are_those_that_begin_there(
    variant: tuple[str, dict[str, str]], data: st.DataObject
) -> None:
    game = played(variant, data)
    for source in {first_part(token) for token in game.grammar}:
        begin = [token for token in game.legal_moves if first_part(token) == source]
        assert sorted(game.rules.moves(game.state, source)) == begin


@one_of_each_game
@given(data=st.data())
def test_a_game_is_lost_exactly_when_it_is_not_won_and_nothing_is_legal(
    variant: tuple[str, dict[str, str]], data: st.DataObject
) -> None:
    game = played(variant, data, most=400)
    if game.rules.is_won(game.state):
        assert game.status == "won"
        assert not game.legal_moves
    else:
        assert (game.status == "lost") == (not game.legal_moves)


@one_of_each_game
@given(data=st.data())
def test_the_score_is_the_start_score_and_what_the_moves_scored(
    variant: tuple[str, dict[str, str]], data: st.DataObject
) -> None:
    """What a move scores is asked of the reference, which knows the rules alone."""
    game = played(variant, data, most=60)
    other = reference.start(game.name, list(game.deck), game.options, game.seed)
    total = other.score()
    for made, token in enumerate(game.moves, start=1):
        before = other.score()
        other.play(token)
        total += other.score() - before
        assert game.rewound(made).score == total


@two_of_each_game
@given(data=st.data())
def test_engine_and_reference_agree_in_everything(
    variant: tuple[str, dict[str, str]], data: st.DataObject
) -> None:
    game = dealt(variant, data.draw(st.integers(0, 10**6)))
    other = reference.start(game.name, list(game.deck), game.options, game.seed)
    assert set(other.grammar()) == set(game.grammar)
    for _ in range(data.draw(st.integers(0, 40))):
        assert list(game.legal_moves) == other.legal()
        assert engine.Engine(game).piles() == other.piles()
        assert list(game.piles()) == list(other.piles())
        assert (game.score, game.status) == (other.score(), other.status())
        assert game.view().extra == other.extra()
        assert list(game.view().extra) == list(other.extra())
        if game.status != "playing":
            break
        token = choose(game, data)
        game.push(token)
        other.play(token)


@one_of_each_game
@given(data=st.data())
def test_a_view_holds_no_hidden_card(variant: tuple[str, dict[str, str]], data: st.DataObject) -> None:
    """Everything but the face-up cards of the piles is a number, or a word that is no card."""
    game = played(variant, data)
    view = game.view(hide_seed=True)
    shown = Counter(card for pile in view.piles.values() for card in pile.up)
    due = Counter(card for pile in game.piles().values() for card in pile.up)
    assert shown == due
    assert view.seed is None
    assert view.pysol is None
    assert all(isinstance(pile.down, int) for pile in view.piles.values())


@one_of_each_game
@given(data=st.data())
def test_every_legal_move_is_explained(variant: tuple[str, dict[str, str]], data: st.DataObject) -> None:
    kinds = ["draw", "play", "build", "slip", "fill", "foundation", "discard", "sequence", "place", "remove"]
    game = played(variant, data)
    view = game.view()
    for token in game.legal_moves:
        move = game.explain(token)
        assert move.token == token
        assert move.kind in kinds
        assert move.text
        assert all(any(card in pile.up for pile in view.piles.values()) for card in move.cards)
        assert (move.cards == ()) == (move.kind == "draw")
