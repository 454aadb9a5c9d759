"""Five solitaires for people who script; the commands stand on this library.

>>> import cardsol
>>> game = cardsol.deal("three-peaks", seed=1)
>>> game.legal_moves
<LegalMoves: d2 d3 d4 d9 draw>
>>> game.push("d3")
>>> game.score
1
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the name; `typing` is imported later, where Ctrl-C has its answer
if TYPE_CHECKING:
    from typing import Any

    from .errors import AmbiguousMove as AmbiguousMove
    from .errors import BadDeck as BadDeck
    from .errors import BadOption as BadOption
    from .errors import BadSave as BadSave
    from .errors import BadSeed as BadSeed
    from .errors import BadToken as BadToken
    from .errors import CardsolError as CardsolError
    from .errors import FileTrouble as FileTrouble
    from .errors import IllegalMove as IllegalMove
    from .errors import NoSuchMove as NoSuchMove
    from .errors import UnknownGame as UnknownGame
    from .game import Game as Game
    from .game import LegalMoves as LegalMoves
    from .game import deal as deal
    from .registry import names as names
    from .saves import load as load
    from .saves import save as save
    from .view import Shown as Shown
    from .view import View as View

_HOMES = {
    "deal": "game",
    "Game": "game",
    "LegalMoves": "game",
    "names": "registry",
    "load": "saves",
    "save": "saves",
    "View": "view",
    "Shown": "view",
}
"""Where each public name lives; the errors are those that are not named here."""

__all__ = [
    *("deal", "load", "save", "names", "Game", "LegalMoves", "View", "Shown"),
    *("CardsolError", "UnknownGame", "BadOption", "BadSeed", "BadDeck", "BadToken"),
    *("IllegalMove", "AmbiguousMove", "NoSuchMove", "BadSave", "FileTrouble"),
]


def __getattr__(name: str) -> Any:
    """Imports a public name when it is first used: a command loads only what it needs."""
    if name == "__version__":
        from importlib.metadata import version

        return version("cardsol-solitaire")
    if name not in __all__:
        raise AttributeError(f"module 'cardsol' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module("." + _HOMES.get(name, "errors"), __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
