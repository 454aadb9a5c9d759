"""A second opinion on the rules: what `cardsol rules` prints, once more, by the simplest means.

For every token that a game's grammar can express it asks whether each rule
allows it. Slow on purpose, and independent: nothing of `cardsol` is imported.
"""

from __future__ import annotations

from tests.reference.camelot import Camelot
from tests.reference.common import DECKS, Game, shuffle
from tests.reference.rouge_et_noir import RougeEtNoir
from tests.reference.three_peaks import ThreePeaks
from tests.reference.universal import Universal
from tests.reference.vanishing_cross import VanishingCross

__all__ = ["DECKS", "GAMES", "Game", "perft", "shuffle", "start"]

GAMES: dict[str, type[Game]] = {
    "universal": Universal,
    "three-peaks": ThreePeaks,
    "vanishing-cross": VanishingCross,
    "rouge-et-noir": RougeEtNoir,
    "camelot": Camelot,
}


def start(game: str, deck: list[str], options: dict[str, str], seed: str | None = None) -> Game:
    """Deal a game; options left out take their default."""
    return GAMES[game](deck, options, seed)


def perft(game: str, deck: list[str], options: dict[str, str], depth: int, seed: str | None = None) -> int:
    """Count the different lines of exactly `depth` tokens from the start."""
    return _lines(start(game, deck, options, seed), depth)


def _lines(game: Game, depth: int) -> int:
    if depth == 0:
        return 1
    tokens = game.legal()
    if depth == 1:
        return len(tokens)
    total = 0
    for token in tokens:
        after = game.copy()
        after.play(token)
        total += _lines(after, depth - 1)
    return total
