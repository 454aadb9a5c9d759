"""Plays many deals through the library and tells how they ended.

    python examples/library_player.py [GAME] [DEALS]

Random moves, but never a draw while something else can be played: what "playing without thinking" wins.
"""

from __future__ import annotations

import random
import sys

import cardsol

MOST_MOVES = 500
"""Cards can go to and fro for ever in some games; a player of random moves has to stop somewhere."""


def play(game: cardsol.Game, chance: random.Random) -> None:
    """Plays a game to its end, or for MOST_MOVES moves."""
    while game.status == "playing" and len(game.moves) < MOST_MOVES:
        cards = [token for token in game.legal_moves if token != "draw"]
        game.push(chance.choice(cards or ["draw"]))


def main() -> None:
    """Plays the deals that the command line names."""
    name, deals = (*sys.argv[1:], *["three-peaks", "20"][len(sys.argv) - 1 :])[:2]
    scores = []
    won = 0
    for seed in range(1, int(deals) + 1):
        try:
            game = cardsol.deal(name, seed=seed)
        except cardsol.CardsolError as error:
            sys.exit(f"library_player.py: {error}")
        play(game, random.Random(seed))
        scores.append(game.score)
        won += game.status == "won"
    print(f"{name}: {won} of {deals} won, mean score {sum(scores) / len(scores):.1f}, best {max(scores)}")


if __name__ == "__main__":
    main()
