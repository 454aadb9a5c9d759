"""A hint and a solution for a game: what `cardsol.hint` and `cardsol.solve` are.

The arguments are checked here. What they stand on, `cardsol.hint.hint` and `cardsol.solve.solve`, trusts its callers.
"""

from __future__ import annotations

from typing import get_args

from .errors import BadOption
from .game import Game, is_whole
from .hint import WORLDS, history_of
from .hint import Candidate as Candidate
from .hint import Hint as Hint
from .hint import hint as hint_for
from .solve import Answer as Answer
from .solve import BestWin as BestWin
from .solve import Goal, Progress
from .solve import Limits as Limits
from .solve import Proof as Proof
from .solve import solve as solve_for
from .text import as_text, quoted


def hint(game: Game, worlds: int = WORLDS, seconds: float | None = None) -> Hint:
    """Returns a good next move, found from what the player has seen: face-down cards and the seed are not looked at.

    `worlds` is the number of samples of the unknown cards, 1 or more: more give a better hint but take longer.
    `seconds` cuts the work short. Equal histories and numbers of worlds give equal hints.
    Raises NoHint where the game is over, or where no move leads on; BadOption for a number out of range.
    """
    _check_whole("worlds", worlds, 1)
    _check_number("seconds", seconds)
    return hint_for(history_of(game), worlds, seconds)


def solve(
    game: Game,
    goal: Goal = "win",
    limits: Limits | None = None,
    progress: Progress | None = None,
    shorten: bool = True,
) -> Answer:
    """Solves a game from where it stands, with all cards seen; those of a sealed deal too, unlike `cardsol solve`.

    Goal `win` looks for a line that wins; goal `score` for the highest score that any line reaches at any moment.
    Without `limits` the game's own default number of states is the limit. Ctrl-C ends the search like a limit.
    `progress` is called from time to time with the states expanded and the seconds spent so far. `shorten` shortens
    the line where that is cheap; this does not count towards `states`.
    Raises BadOption for another goal, or a limit out of range.
    """
    if goal not in get_args(Goal):
        raise BadOption("goal", as_text(goal), f"goal takes win or score, not {quoted(goal)}")
    if limits is not None:
        if not isinstance(limits, Limits):
            what = f"limits are cardsol.Limits(states=1000), not {type(limits).__name__}"
            raise BadOption("limits", as_text(limits), what)
        if limits.states is not None:
            _check_whole("states", limits.states, 0)
        _check_number("seconds", limits.seconds)
        _check_number("memory", limits.memory)
    return solve_for(game, goal, limits, progress, shorten)


def _check_whole(name: str, value: object, least: int) -> None:
    if not is_whole(value) or value < least:
        raise BadOption(name, as_text(value), f"{name} is a whole number from {least}, not {as_text(value)}")


def _check_number(name: str, value: object) -> None:
    is_number = isinstance(value, (int, float)) and value >= 0  # not NaN
    if value is not None and not is_number:
        raise BadOption(name, as_text(value), f"{name} is a number from 0, not {as_text(value)}")
