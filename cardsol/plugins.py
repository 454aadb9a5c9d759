"""Games that installed packages add: loaded, checked, and kept from doing harm to the other games.

Whatever the package does wrong is a BrokenGame, one clear line: an import that fails, a constant of a wrong type, a
function that raises or returns something else than `cardsol.rules` asks for.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from .cards import DECKS
from .errors import BadOption, BrokenGame, CardsolError
from .moves import Move, TokenForm
from .piles import Pile
from .registry import added_games, referred
from .rules import Optional, Rules
from .saves import LONGEST_NUMBER
from .text import as_text, quoted

if TYPE_CHECKING:
    from .solve.model import Found, Goal

LONGEST_MESSAGE = 200
"""Characters of a message of somebody else's package that are passed on."""
MOST_COLUMNS = 1000
"""More than any terminal shows."""


def loaded(name: str, reference: str) -> Rules[Any]:
    """Returns the game that a package adds under a name, with its functions guarded; raises BrokenGame."""
    try:
        with redirect_stdout(sys.stderr):  # stdout belongs to the results of commands
            return _checked(referred(reference), name, reference)
    except (BrokenGame, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise BrokenGame(name, reference, described(error)) from error


def _checked(found: Any, name: str, reference: str) -> Rules[Any]:
    """Returns a game with its functions guarded; raises BrokenGame, and whatever looking at its parts raises."""
    faults = [*faults_of(found)]
    if not faults and name != found.NAME:
        faults = [f"it calls itself {quoted(found.NAME)}"]
    if faults:
        raise BrokenGame(name, reference, faults[0])
    parts = {
        part: getattr(found, part) for part in (*parts_of(Rules), *parts_of(Optional)) if hasattr(found, part)
    }
    guarded = {
        part: _guarded(value, part, tuple(found.PILES), name, reference) if part in RESULTS else value
        for part, value in parts.items()
    }
    rules: Any = SimpleNamespace(**guarded)
    checked: Rules[Any] = rules
    return checked


def described(error: BaseException) -> str:
    """Returns an exception in one line, whatever it is."""
    text = _text_of(str, error)
    text = " ".join(text[: 10 * LONGEST_MESSAGE].split())[:LONGEST_MESSAGE]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def parts_of(shape: type) -> list[str]:
    """Returns the names of the constants and functions that a protocol asks for."""
    return [part for part in vars(shape) if not part.startswith("_")]


def faults_of(found: Any) -> Iterator[str]:
    """Yields what is wrong with the constants of a game, each in words, and which of its parts are missing."""
    missing = [part for part in parts_of(Rules) if not hasattr(found, part)]
    if missing:
        yield f"it has no {', '.join(missing)}"
        return
    for part, (is_right, what) in CONSTANTS.items():
        if hasattr(found, part) and not _holds(is_right, getattr(found, part)):
            yield f"its {part} should be {what}"
    for part in RESULTS:
        if hasattr(found, part) and not callable(getattr(found, part)):
            yield f"its {part} should be a function"


def _holds(is_right: Callable[[Any], bool], value: Any) -> bool:
    try:
        return is_right(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # of somebody else's classes
        return False


def _text_of(function: Callable[[Any], str], value: Any) -> str:
    """Returns a value as text, by `str` or `repr`; an empty one where its class fails at that."""
    try:
        return function(value)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return ""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_texts(value: Any) -> bool:
    return isinstance(value, tuple) and all(map(_is_text, value))


def _is_word(value: Any) -> bool:
    return _is_text(value) and value.isprintable() and not value.startswith("-") and len(value.split()) == 1


def _are_options(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        _is_word(key) and isinstance(values, Mapping) and values
        and all(_is_word(one) and _is_text(meaning) for one, meaning in values.items())
        for key, values in value.items()
    )  # fmt: skip


def _are_forms(value: Any) -> bool:
    return isinstance(value, tuple) and all(
        isinstance(form, TokenForm) and all(isinstance(text, str) for text in form) for form in value
    )


CONSTANTS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "NAME": (_is_word, "one word"),
    "TITLE": (_is_text, "a text"),
    "DECK": (lambda value: value in DECKS, f"one of the decks {', '.join(DECKS)}"),
    "OPTIONS": (_are_options, "a mapping of options, each a mapping of one or more values to what they mean"),
    "PILES": (
        lambda value: _are_texts(value) and 0 < len(value) == len(set(value)) and all(map(_is_word, value)),
        "a tuple of one or more words, each another",
    ),
    "LONG_NAMES": (
        lambda value: isinstance(value, Mapping) and all(map(_is_text, value)) and all(map(_are_texts, value.values())),
        "a mapping of parts of tokens to tuples of words",
    ),
    "ABOUT": (_is_text, "a text"),
    "TOKEN_FORMS": (_are_forms, "a tuple of TokenForm"),
    "NOT_PLAYED": (_are_texts, "a tuple of texts"),
    "SOURCE": (_is_text, "a text"),
    "SOLVER": (_is_text, "a reference 'module' or 'module:object'"),
    "POLICY": (_is_text, "a reference 'module' or 'module:object'"),
}  # fmt: skip
"""Constant → whether a value is right, and what it should be."""


def _is_whole(value: Any) -> bool:
    """Tells whether a value is an int that a save may hold."""
    return type(value) is int and abs(value) < 10**LONGEST_NUMBER


def _are_tokens(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(token, str) for token in value)


def _are_cards(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(card, str) for card in value)


def _are_piles(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(pile, Pile) and _are_cards(pile.down) and _are_cards(pile.up) for pile in value.values()
    )


def _are_seen(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(seen, tuple) and len(seen) == 2 and type(seen[0]) is int and seen[0] >= 0 and _are_cards(seen[1])
        for seen in value.values()
    )  # fmt: skip


def _are_facts(value: Any) -> bool:
    return isinstance(value, dict) and all(
        isinstance(key, str) and (isinstance(fact, (bool, str)) or _is_whole(fact))
        for key, fact in value.items()
    )


def _is_move(value: Any) -> bool:
    return (
        isinstance(value, Move)
        and all(map(_is_text, (value.token, value.kind, value.source, value.target, value.text)))
        and _are_cards(value.cards)
        and (value.onto is None or isinstance(value.onto, str))
    )


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(cell, tuple) and len(cell) == 2 and type(cell[0]) is int and 0 <= cell[0] < MOST_COLUMNS
        and isinstance(cell[1], str)
        for row in value
        for cell in row
    )  # fmt: skip


RESULTS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "deal": (lambda value: value is not None, "a state"),
    "grammar": (
        lambda value: isinstance(value, frozenset) and all(map(_is_text, value)),
        "a frozenset of tokens",
    ),
    "moves": (_are_tokens, "a list of tokens"),
    "apply": (lambda value: value is not None, "a state"),
    "is_won": (lambda value: isinstance(value, bool), "a bool"),
    "score": (_is_whole, f"an int of at most {LONGEST_NUMBER} digits"),
    "max_score": (
        lambda value: value is None or _is_whole(value),
        f"an int of at most {LONGEST_NUMBER} digits or None",
    ),
    "piles": (_are_piles, "a dict of Pile with tuples of cards, one for each of PILES in their order"),
    "changed_piles": (
        _are_seen,
        "a dict of the number of face-down cards and a tuple of face-up ones, for any of PILES",
    ),
    "extra": (_are_facts, f"a dict of texts and ints of at most {LONGEST_NUMBER} digits"),
    "explain": (_is_move, "a Move with texts in its fields"),
    "why_not": (_is_text, "a text"),
    "board": (_are_rows, "a list of rows of (column, text)"),
    "describe": (_is_text, "a text"),
    "pysolfc_order": (_are_cards, "a tuple of cards"),
}
"""Function → whether a result is right, and what it should be."""


def wrong_result(part: str, result: Any, piles: tuple[str, ...]) -> str:
    """Says what is wrong with the type of a function's result; nothing where it is right."""
    is_right, what = RESULTS[part]
    if (
        _holds(is_right, result)
        and (part != "piles" or tuple(result) == piles)
        and (part != "changed_piles" or result.keys() <= {*piles})
    ):
        return ""
    return f"{part}() returned {quoted(_shown(result), 40)}, not {what}"


def _shown(value: Any) -> str:
    return _text_of(as_text if type(value) is int else repr, value) or type(value).__name__


def _guarded(
    function: Callable[..., Any], part: str, piles: tuple[str, ...], name: str, reference: str
) -> Callable[..., Any]:
    """Returns a function of a game that raises BrokenGame where the game fails, and checks what comes back.

    What the function prints goes to stderr, for stdout belongs to the results of commands.
    """

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        stdout, sys.stdout = sys.stdout, sys.stderr
        try:
            result = function(*given, **named)
        except (BadOption, BrokenGame, MemoryError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise BrokenGame(name, reference, f"{part}() raised {described(error)}") from error
        finally:
            sys.stdout = stdout
        if wrong := wrong_result(part, result, piles):
            raise BrokenGame(name, reference, wrong)
        return result

    return call


def checked_found(rules: Rules[Any], goal: Goal, found: Any) -> Found:
    """Returns what a game's own solver found; raises BrokenGame where it is no answer for the goal."""
    from .solve.model import Found, Proof

    verdicts = {"win": ("won", "impossible"), "score": ("best",)}[goal]
    right = isinstance(found, Found) and found.verdict in verdicts and isinstance(found.proof, Proof | None)
    if isinstance(found, Found) and right and _is_whole(found.score):
        return found
    reference = getattr(rules, "SOLVER", rules.NAME)
    what = f"its solver returned {quoted(_shown(found), 40)}, not a Found that is {' or '.join(verdicts)}"
    raise BrokenGame(rules.NAME, reference, what)


@contextmanager
def added_code() -> Iterator[None]:
    """Gives a place in which solvers and policies may run that packages add.

    What they print goes to stderr, and what they raise becomes a BrokenGame.
    """
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (CardsolError, KeyboardInterrupt):
        raise
    except BaseException as error:
        broken = at_fault(error)
        if broken is None:
            raise
        raise broken from error


def at_fault(error: BaseException) -> BrokenGame | None:
    """Returns an exception as that of the added game in whose package it was raised; None where it was in no such.

    This is for what a package has besides the functions of its game: a solver, its model, a policy.
    """
    packages = {}
    for rules in added_games():
        for reference in (getattr(rules, part, "") for part in ("SOLVER", "POLICY")):
            packages[reference.partition(":")[0]] = (rules.NAME, reference)
    packages.pop("", None)
    found = None
    trace = error.__traceback__
    while trace is not None:
        module = trace.tb_frame.f_globals.get("__name__", "")
        if module in packages:
            name, reference = packages[module]
            found = BrokenGame(
                name, reference, f"{trace.tb_frame.f_code.co_name}() raised {described(error)}"
            )
        trace = trace.tb_next
    return found
