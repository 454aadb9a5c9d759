"""The games by name. A sixth game is one more line here, or an entry point of a package.

A game is named with a reference `module` or `module:object` to something of the shape of `rules.Rules`: here,
or by an entry point in the group `cardsol.games` of an installed package. Both are resolved alike.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import BrokenGame, UnknownGame

if TYPE_CHECKING:
    from .rules import Rules

GROUP = "cardsol.games"
TWICE = " and "
"""Stands between the references of packages that add a game of the same name."""

BUILT_IN = {
    "universal": "cardsol.games.universal",
    "three-peaks": "cardsol.games.three_peaks",
    "vanishing-cross": "cardsol.games.vanishing_cross",
    "rouge-et-noir": "cardsol.games.rouge_et_noir",
    "camelot": "cardsol.games.camelot",
}
"""The entry points of this package itself, so that a move need not look at what is installed: that takes longer."""

_found: dict[str, Rules[Any]] = {}


def rules_of(name: str) -> Rules[Any]:
    """Returns the game of this name; raises UnknownGame, or BrokenGame below it."""
    if not isinstance(name, str):
        raise UnknownGame(str(name), names())
    if name not in _found:
        reference = BUILT_IN.get(name) or _added().get(name)
        if reference is None:
            raise UnknownGame(name, names())
        _found[name] = _resolved(name, reference)
    return _found[name]


def names() -> tuple[str, ...]:
    """Returns the names of all games: the five of this package, then added ones by name."""
    return (*BUILT_IN, *sorted(_added().keys() - BUILT_IN.keys()))


def _resolved(name: str, reference: str) -> Rules[Any]:
    if name in BUILT_IN:
        rules: Rules[Any] = import_module(reference)
        return rules
    if TWICE in reference:
        raise BrokenGame(
            name, reference, "several packages add a game of this name, and which is meant is not known"
        )
    from .plugins import loaded

    return loaded(name, reference)


def added_games() -> list[Rules[Any]]:
    """Returns the games of installed packages that were asked for so far, and could be loaded."""
    return [rules for name, rules in _found.items() if name not in BUILT_IN]


def not_used() -> list[BrokenGame]:
    """Returns what installed packages add in vain, since cardsol has a game of the same name: each as an error."""
    return [
        BrokenGame(name, reference, "cardsol has a game of this name, which is the one that is played")
        for name, reference in sorted(_added().items())
        if name in BUILT_IN and reference != BUILT_IN[name]
    ]


def referred(reference: str) -> Any:
    """Returns what a reference `module` or `module:object` names; raises whatever the import does.

    What the module prints goes to stderr, for stdout belongs to the results of commands. An exception that is no
    Exception, such as SystemExit, becomes an ImportError: only Ctrl-C ends more than the import.
    """
    module, _, path = reference.partition(":")
    try:
        with redirect_stdout(sys.stderr):
            found: Any = import_module(module)
            for attribute in filter(None, path.split(".")):
                found = getattr(found, attribute)
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ImportError(f"{type(error).__name__}: {error}") from error
    return found


def _added() -> dict[str, str]:
    """Returns the games of installed packages: name → reference, or all the references of one name."""
    from importlib.metadata import entry_points

    found: dict[str, list[str]] = {}
    for entry in entry_points(group=GROUP):
        references = found.setdefault(entry.name, [])
        if (reference := entry.value.replace(" ", "")) not in references:
            references.append(reference)
    return {name: TWICE.join(sorted(references)) for name, references in found.items()}
