"""The real engine behind the small interface of the reference, so that tests can hold one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Literal

import pytest

import cardsol
from cardsol.game import Game
from cardsol.registry import BUILT_IN, rules_of


class Engine:
    """A game of `cardsol` as `reference.oracle.Playable`."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def legal(self) -> list[str]:
        return list(self.game.legal_moves)

    def play(self, token: str) -> None:
        self.game.push(token)

    def piles(self) -> dict[str, dict[str, list[str]]]:
        return {
            name: {"down": list(pile.down), "up": list(pile.up)} for name, pile in self.game.piles().items()
        }

    def score(self) -> int:
        return self.game.score

    def status(self) -> str:
        return self.game.status


def start(game: str, deck: list[str], options: dict[str, str]) -> Engine:
    """Deals a deck order."""
    return Engine(cardsol.deal(game, deck=deck, options=options))


Variant = tuple[str, dict[str, str]]
"""A game and its options."""

VARIANTS: list[Variant] = [
    (game, dict(zip(options, values)))
    for game in BUILT_IN
    for options in [rules_of(game).OPTIONS]
    for values in product(*options.values())
]
"""Every game of the registry with every combination of its options: a game is tested by being there."""


def few(number: Literal[1, 2], variants: Sequence[Variant] = VARIANTS) -> list[Any]:
    """Returns variants as parameters of a test: one or two of each game by default, the others in the long tests.

    Two are those with the first and the last value of each option, one is the latter: the farthest from the
    options of a plain `deal`.
    """
    last = {game: place for place, (game, _) in enumerate(variants)}
    first = {game: place for place, (game, _) in reversed([*enumerate(variants)])} if number == 2 else {}
    chosen = {*first.values(), *last.values()}
    return [
        pytest.param(variant, marks=() if place in chosen else pytest.mark.long)
        for place, variant in enumerate(variants)
    ]


def variant_name(variant: Variant) -> str:
    game, options = variant
    return " ".join([game, *options.values()])
