"""The games by name. A sixth game is one more line here, or an entry point of a package.

A game is named with a reference `module` or `module:object` to something of the shape of `rules.Rules`: here,
or by an entry point in the group `cardsol.games` of an installed package. Both are resolved alike.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import BrokenGame, UnknownGame
from .text import quoted

if TYPE_CHECKING:
    from .rules import Rules

GROUP = "cardsol.games"

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
    """Returns the names of all games: those of the rulebook in its order, then added ones by name."""
    return (*BUILT_IN, *sorted(_added().keys() - BUILT_IN.keys()))


def _resolved(name: str, reference: str) -> Rules[Any]:
    if name in BUILT_IN:
        rules: Rules[Any] = import_module(reference)
        return rules
    try:
        found = referred(reference)
    except Exception as error:
        # Whatever a stranger's package raises, the other games go on.
        raise BrokenGame(name, reference, f"{type(error).__name__}: {error}") from error
    missing = _missing(found)
    if missing:
        raise BrokenGame(name, reference, f"it has no {', '.join(missing)}")
    if name != found.NAME:
        raise BrokenGame(name, reference, f"it calls itself {quoted(found.NAME)}")
    checked: Rules[Any] = found
    return checked


def referred(reference: str) -> Any:
    """Returns what a reference `module` or `module:object` names; raises whatever the import does."""
    module, _, path = reference.partition(":")
    found: Any = import_module(module)
    for attribute in filter(None, path.split(".")):
        found = getattr(found, attribute)
    return found


def _missing(found: Any) -> list[str]:
    """Returns what an object lacks of the shape of a game."""
    from .rules import Rules

    return [part for part in vars(Rules) if not part.startswith("_") and not hasattr(found, part)]


def _added() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {entry.name: entry.value.replace(" ", "") for entry in entry_points(group=GROUP)}
