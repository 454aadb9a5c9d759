"""`Game.play` and `Game.parse`: the words of a player, all or none."""

from __future__ import annotations

import pytest

import cardsol
from cardsol import notation
from cardsol.errors import AmbiguousMove, BadToken, IllegalMove
from cardsol.moves import Move
from cardsol.survey.players import Seat, greedily


def rouge() -> cardsol.Game:
    return cardsol.deal("rouge-et-noir", seed=1)


def test_words_and_tokens_are_played_and_returned_as_tokens() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    card = game.piles()["d3"].up[-1]
    assert game.play(card.lower(), "DRAW") == ("d3", "draw") == game.moves


def test_each_word_is_read_when_its_turn_comes() -> None:
    game = rouge()
    first = game.legal_moves[0]
    played = game.copy()
    played.push(first)
    move = next(move for move in map(played.explain, played.legal_moves) if move.cards and move.onto)
    assert game.play(first, f"{move.cards[0]}-{move.onto}")[-1] == move.token


@pytest.mark.parametrize("words", [("d3", "d1"), ("d3", "draw", "7D"), ("d3", "zzz"), ("d3", "")])
def test_all_or_none(words: tuple[str, ...]) -> None:
    game = cardsol.deal("three-peaks", seed=1)
    game.push("draw")
    game.undo()
    before = game.view()
    with pytest.raises(cardsol.CardsolError):
        game.play(*words)
    assert game.view() == before and game.undone == ("draw",)


def test_a_refusal_says_which_word_it_is() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    with pytest.raises(IllegalMove, match=r"word 2 of 2, and no move was made$") as caught:
        game.play("d3", "d1")
    assert (caught.value.step, caught.value.token) == (2, "d1")
    with pytest.raises(IllegalMove) as caught:
        game.push("d1")
    assert caught.value.step is None


def test_no_words_change_nothing() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    game.push("d3")
    game.undo()
    assert game.play() == () and game.undone == ("d3",)


def test_words_played_end_what_could_be_redone() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    game.push("draw")
    game.undo()
    assert notation.play(game, ["d3"]) == ["d3"] and game.undone == ()


def test_parse_names_the_token_and_plays_nothing() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    assert game.parse(game.piles()["d3"].up[-1]) == "d3" and game.parse("Draw") == "draw"
    assert game.moves == ()
    with pytest.raises(IllegalMove):
        game.parse("d1")
    with pytest.raises(BadToken):
        game.parse("nonsense")


def test_a_word_for_several_moves_is_refused_with_all_of_them() -> None:
    for seed in range(1, 200):
        game = cardsol.deal("rouge-et-noir", seed=seed)
        named: dict[str, list[str]] = {}
        for move in map(game.explain, game.legal_moves):
            if move.cards and move.onto:
                named.setdefault(f"{move.cards[0]}-{move.onto}", []).append(move.token)
        for word, tokens in named.items():
            if len(tokens) > 1:
                with pytest.raises(AmbiguousMove) as caught:
                    game.play(word)
                assert sorted(caught.value.candidates) == sorted(tokens)
                return
    pytest.fail("no such position was met")


def test_a_kind_that_only_a_plug_in_has_is_played_last(monkeypatch: pytest.MonkeyPatch) -> None:
    game = cardsol.deal("three-peaks", seed=1)
    explain = game.rules.explain

    def odd(view: cardsol.View, token: str) -> Move:
        move = explain(view, token)
        return move._replace(kind="turn") if move.kind == "play" else move

    monkeypatch.setattr(game.rules, "explain", odd)
    greedily(Seat(game))
    assert game.moves[0] == "draw" and game.status == "lost"
