"""The games by name. A sixth game is one more line here, or an entry point of a package.

An installed package adds a game by an entry point in the group `cardsol.games`, whose name is the
game's and whose object is a module (or anything else) of the shape of `rules.Rules`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import UnknownGame

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
"""Read without looking at the installed packages, which takes longer than a whole move."""


def rules_of(name: str) -> Rules[Any]:
    """Returns the game of this name; raises UnknownGame."""
    if name in BUILT_IN:
        rules: Rules[Any] = import_module(BUILT_IN[name])
        return rules
    added = _added()
    if name in added:
        found: Rules[Any] = added[name].load()
        return found
    raise UnknownGame(name, names())


def names() -> tuple[str, ...]:
    """Returns the names of all games: those of the rulebook in its order, then added ones by name."""
    return (*BUILT_IN, *sorted(_added().keys() - BUILT_IN.keys()))


def _added() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}
