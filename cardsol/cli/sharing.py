"""A game in a few lines to paste in a chat: no cards, so nothing is given away."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ..deals import DAILY
from ..game import Game, chosen_options
from ..survey.records import options_in_words, seed_in_words
from ..text import counted

LONGEST_STRIP = 20
"""Characters."""
BLOCKS, SIGNS = "▁▂▃▅▇", ".:-=#"
"""From no gain of points to the largest gain."""


def share(game: Game, *, blocks: bool) -> str:
    """Returns what was played, the result, and a strip of the course, a line each.

    A character of the strip stands for an equal part of the moves, and is the higher the more points those gained.
    `blocks` chooses block characters, and else ASCII.
    """
    chosen = options_in_words(chosen_options(game.name, game.options))
    most = game.rules.max_score(game.options)
    result = (
        game.status,
        f"score {game.score}" + (f"/{most}" if most is not None else ""),
        counted(len(game.moves), "move"),
        f"{game.undos:,} taken back" if game.undos else "",
    )
    scores = [game.rules.score(state) for state in game.states]
    lines = [
        f"cardsol {game.name} {chosen}".rstrip() + f", {_origin(game)}",
        ", ".join(part for part in result if part),
        strip(scores, BLOCKS if blocks else SIGNS),
    ]
    return "".join(line + "\n" for line in lines if line)


def strip(scores: Sequence[int], levels: str) -> str:
    """Returns the gains between the scores of a history as characters, at most `LONGEST_STRIP`.

    The first of `levels` stands for no gain, or a loss; the others share the range up to the largest gain equally.
    """
    made = len(scores) - 1
    width = min(made, LONGEST_STRIP)
    ends = [part * made // width for part in range(width + 1)] if width else []
    gains = [max(0, scores[end] - scores[start]) for start, end in pairwise(ends)]
    steps = len(levels) - 1
    return "".join(levels[-(-gain * steps // max(gains))] if gain else levels[0] for gain in gains)


def _origin(game: Game) -> str:
    if game.keeps_seal:
        return "seed hidden"
    if game.seed is not None:
        day = re.fullmatch(DAILY + r"(\d{4}-\d\d-\d\d)", game.seed, re.ASCII)
        return f"daily {day[1]}" if day else f"seed {seed_in_words(game.seed)}"
    return f"pysol {game.pysol}" if game.pysol else "own deck"
