"""Positions built by hand: piles from texts, games that stand at a state, and what a move does there."""

from __future__ import annotations

import re
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

import cardsol
from cardsol.cards import DECKS, Cards
from cardsol.game import Game, choose_options
from cardsol.moves import Move, TokenForm
from cardsol.piles import Pile
from cardsol.rules import Rules


def cards(text: str) -> Cards:
    return tuple(text.split())


def pile(text: str) -> Pile:
    """Returns a pile: in `2N 3V / 7M 6J` the cards before the stroke are face down, the others face up."""
    down, _, up = text.rpartition("/")
    return Pile(cards(down), cards(up))


def written(pile: Pile) -> str:
    """Returns the text from which `pile` makes this pile."""
    down = (*pile.down, "/") if pile.down else ()
    return " ".join((*down, *pile.up))


def game_at(rules: ModuleType, state: object, **options: str) -> Game:
    """Returns a game that stands at a state, as if it had been dealt so."""
    staged = SimpleNamespace(**{**vars(rules), "deal": lambda *_: state})
    chosen = choose_options(rules, options)
    return Game(cast("Rules[Any]", staged), chosen, DECKS[rules.DECK].cards, seed=None)


def legal(game: Game) -> str:
    """Returns the legal tokens, sorted, with blanks between."""
    return " ".join(game.legal_moves)


def change(game: Game, token: str) -> dict[str, str]:
    """Plays a token, and returns every pile that is no longer as it was, as `written` has it."""
    before = game.piles()
    game.push(token)
    return {name: written(now) for name, now in game.piles().items() if now != before[name]}


def refusal(game: Game, token: str) -> str:
    """Returns the reason for which a token is refused; nothing may change by the try."""
    state, made = game.state, game.moves
    with pytest.raises(cardsol.IllegalMove) as refused:
        game.push(token)
    assert (game.state, game.moves) == (state, made)
    return refused.value.reason


def form(token: str) -> str:
    """Returns what tokens of one form have in common: `t#-t#`, `w-@#` with @ for any row of cells."""
    return re.sub(r"\b[a-d]#", "@#", re.sub(r"\d+", "#", token))


def example(word: TokenForm, name: str) -> Move:
    """Plays the example of a form of token, and returns its last move told apart."""
    dealt = word.deal.split()
    assert dealt[0] == "--seed" and set(dealt[2::2]) <= {"-o"}
    options = dict(pair.split("=") for pair in dealt[3::2])
    game = cardsol.deal(name, seed=dealt[1], options=options)
    *before, last = word.moves.split()
    for token in before:
        game.push(token)
    move = game.explain(last)
    game.push(last)
    return move
