"""Plays many deals through the library and prints how they ended.

    python examples/library_player.py [GAME] [DEALS]

Moves are random, but it draws only where no other move is left.
"""

from __future__ import annotations

import random
import signal
import sys

import cardsol

MOST_MOVES = 500
"""In some games cards can be moved back and forth for ever, so a random player needs a limit."""


def play(game: cardsol.Game, chance: random.Random) -> None:
    """Plays a game to its end, or for MOST_MOVES moves."""
    while game.status == "playing" and len(game.moves) < MOST_MOVES:
        cards = [token for token in game.legal_moves if token != "draw"]
        game.push(chance.choice(cards or ["draw"]))


def main() -> None:
    """Plays the deals that the command line names."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head -n 1` ends the program, without a traceback
    name, deals = (*sys.argv[1:], *["three-peaks", "20"][len(sys.argv) - 1 :])[:2]
    if not (deals.isdecimal() and int(deals[:9])):
        sys.exit(f"library_player.py: DEALS is a whole number from 1, not {deals!r}")
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
