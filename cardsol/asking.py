"""A hint and a solution for a game: what `cardsol.hint` and `cardsol.solve` are."""

from __future__ import annotations

from .game import Game
from .hint import WORLDS, history_of
from .hint import Hint as Hint
from .hint import hint as hint_for
from .solve import Answer as Answer
from .solve import Limits as Limits
from .solve import solve as solve


def hint(game: Game, worlds: int = WORLDS, seconds: float | None = None) -> Hint:
    """Returns a good next move, found from what the player has seen: face-down cards and the seed are not looked at.

    `worlds` is the number of samples of the unknown cards, 1 or more: with more the hint is better, and takes
    longer. `seconds` cuts the work short. Equal histories and numbers of worlds give equal hints.
    Raises NoHint where the game is over, or where no move leads on.
    """
    return hint_for(history_of(game), worlds, seconds)
