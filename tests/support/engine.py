"""The real engine behind the small interface of the reference, so that tests can hold one to the other."""

from __future__ import annotations

from itertools import product

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


VARIANTS: list[tuple[str, dict[str, str]]] = [
    (game, dict(zip(options, values)))
    for game in BUILT_IN
    for options in [rules_of(game).OPTIONS]
    for values in product(*options.values())
]
"""Every game of the registry with every combination of its options: a game is tested by being there."""


def variant_name(variant: tuple[str, dict[str, str]]) -> str:
    game, options = variant
    return " ".join([game, *options.values()])
