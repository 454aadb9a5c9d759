"""Plays by chat: reads lines `SEED/MOVE MOVE …` and answers each with the board of that seed's game.

    printf '7/\\n7/d4 draw\\n8/\\n' | python examples/chat.py [GAME]

A seed that has no game yet is dealt. `SEED/undo` takes a move back. A refused move is answered with the rule.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby

import cardsol
from cardsol import drawing


def answers(name: str, lines: Iterable[str]) -> Iterator[str]:
    """Yields an answer for each line; lines without a slash are not for the game, and get none."""
    games: dict[str, cardsol.Game] = {}
    for line in lines:
        seed, slash, words = line.strip().partition("/")
        if slash:
            try:
                game = games.setdefault(seed, cardsol.deal(name, seed=seed))
                games[seed] = played(game, words.split())
                yield board(games[seed])
            except cardsol.CardsolError as error:
                yield str(error)


def played(game: cardsol.Game, words: list[str]) -> cardsol.Game:
    """Returns the game after the moves; the game given does not change."""
    after = game.copy()
    for undo, group in groupby(words, "undo".__eq__):
        if undo:
            after.undo(len(list(group)))
        else:
            after.play(*group)
    return after


def board(game: cardsol.Game) -> str:
    """Returns the board in letters, with the deal, score and status above it."""
    return "\n".join(drawing.lines(game))


def main() -> None:
    """Answers the lines of standard input."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head -n 1` ends the program, without a traceback
    name = sys.argv[1] if len(sys.argv) > 1 else "three-peaks"
    for answer in answers(name, sys.stdin):
        print(answer, flush=True)


if __name__ == "__main__":
    main()
