"""Solitaire games for the command line; the commands use this library.

>>> import cardsol
>>> game = cardsol.deal("three-peaks", seed=1)
>>> game.legal_moves
<LegalMoves: d2 d3 d4 d9 draw>
>>> game.push("d3")
>>> game.score
1

The public names, with the module that each comes from, stand in `__init__.pyi`. They are imported when they are
first used: a command loads only what it needs.
"""

from __future__ import annotations

import sys


def __getattr__(name: str) -> object:
    """Imports a public name when it is first used."""
    if name == "__version__":
        from importlib.metadata import version

        return version("cardsol-solitaire")
    if name == "__all__":
        return sorted(_homes())
    if name.startswith("__") or name not in _homes():
        raise AttributeError(f"module 'cardsol' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(_homes()[name], __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_homes()})


def _homes() -> dict[str, str]:
    """Returns the module of each public name, as `__init__.pyi` lists them."""
    if not _known:
        # Not by importlib.resources, whose import takes as long as half of a move.
        with open(f"{__path__[0]}/__init__.pyi", encoding="utf-8") as stub:
            for line in stub:
                match line.split():
                    case ["from", module, "import", name, "as", _]:
                        _known[name] = module
    return _known


_known: dict[str, str] = {}


class _Package(type(sys)):  # type: ignore[misc]
    """This module: `cardsol.hint` and `cardsol.solve` are functions, although sub-packages have these names too.

    Importing a sub-package sets it as an attribute of its parent. That is left out for these two; their contents are
    imported from them as from any other: `from cardsol.solve import where_lost`.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if name not in ("hint", "solve") or not isinstance(value, type(sys)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
