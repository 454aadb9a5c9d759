"""What can be done about an error, in the words of the place where it is read: a shell, a prompt, or a pipe.

The errors themselves know none of these places.
"""

from __future__ import annotations

from typing import NamedTuple

from .. import errors
from ..notation import NONE_LEFT
from ..registry import names
from ..text import clauses, quoted


class Advice(NamedTuple):
    """What can be done about each kind of error; GAMES stands for the names of the games."""

    bad_token: str
    none_left: str
    in_the_way: str
    no_game: str
    bad_request: str = ""


AT_SHELL = Advice(
    bad_token="'cardsol moves' lists the legal ones",
    none_left="'cardsol undo' takes moves back, 'cardsol deal GAME' starts another",
    in_the_way="--force replaces it, -f PATH deals elsewhere",
    no_game="'cardsol play GAME' deals one; the games are GAMES",
)
AT_PROMPT = Advice(
    bad_token="'m' lists the legal moves, '?' the commands",
    none_left="'u' takes a move back, 'again' or 'next' deals",
    in_the_way="'deal GAME --force' replaces it",
    no_game="'deal GAME' deals one; the games are GAMES",
    bad_request="'?' lists the commands",
)
IN_PIPE = Advice(
    bad_token='{"moves": true} lists the legal ones',
    none_left='{"undo": 1} takes a move back, {"deal": true} deals again',
    in_the_way='{"deal": {"force": true}} replaces it',
    no_game='{"deal": {"game": NAME}} deals one; the games are GAMES',
)


def advised(error: errors.CardsolError, advice: Advice) -> str:
    """Returns the message of an error, and what can be done about it."""
    if advice is AT_SHELL and isinstance(error, errors.BadToken) and _is_command(error.token):
        return (
            f"{quoted(error.token)} is a command, not a move: did you mean 'cardsol {error.token.lower()}'?"
        )
    return clauses(str(error), _help(error, advice).replace("GAMES", ", ".join(names())))


def _is_command(word: str) -> bool:
    from . import COMMANDS

    return word.lower() in COMMANDS


def _help(error: errors.CardsolError, advice: Advice) -> str:
    if isinstance(error, errors.BadToken):
        return advice.bad_token
    if isinstance(error, errors.IllegalMove) and NONE_LEFT in str(error):
        return advice.none_left
    if isinstance(error, errors.GameInTheWay):
        return advice.in_the_way
    if isinstance(error, errors.NoGame):
        return advice.no_game
    return advice.bad_request if isinstance(error, errors.BadRequest) else ""
