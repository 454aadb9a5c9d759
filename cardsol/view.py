"""What a player may see: a type that cannot hold a hidden card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .cards import Card, Cards

Extra = Mapping[str, "int | str"]


Seen = tuple[int, Cards]
"""How many cards of a pile lie face down, and the face-up ones, bottom to top; a `Shown` is one too."""


class Shown(NamedTuple):
    """A pile from outside: how many cards lie face down, and the face-up ones, bottom to top."""

    down: int
    """How many cards lie face down."""
    up: Cards
    """The face-up cards, bottom to top."""

    @property
    def last(self) -> Card | None:
        """The top card, where it is face up."""
        return self.up[-1] if self.up else None


class View(NamedTuple):
    """A game as its player sees it at one moment."""

    game: str
    """The game's name: `three-peaks`."""
    options: Mapping[str, str]
    """Every option with its value."""
    seed: str | None
    """The seed; None for another kind of deal, and where it is hidden."""
    pysol: str | None
    """The number of PySolFC's deal; None for another kind of deal, and where it is hidden."""
    piles: Mapping[str, Shown]
    """The piles by name, in the game's order."""
    score: int
    """The score now; below 0 in some games."""
    max: int | None
    """The highest possible score; None where there is no highest."""
    status: str
    """`playing`, `won` or `lost`."""
    made: int
    """Moves made, 0 to 20,000."""
    undone: int
    """Moves that can be made again."""
    undos: int
    """Moves ever taken back."""
    legal: tuple[str, ...]
    """The legal tokens, sorted."""
    extra: Extra
    """What the game adds, by name: `run` and `round` in Three Peaks."""

    def as_dict(self) -> dict[str, object]:
        """Returns what `show --json` prints, keys in the documented order."""
        facts = self._asdict()
        del facts["extra"]
        facts["options"] = dict(self.options)
        facts["piles"] = {name: {"down": down, "up": [*up]} for name, (down, up) in self.piles.items()}
        facts["legal"] = list(self.legal)
        return {"format": "cardsol-view", "version": 1, **facts, **self.extra}

    def standing(self) -> dict[str, object]:
        """Returns what `score --json` prints: score, maximum, status, what the game adds, moves taken back."""
        return {
            "score": self.score,
            "max": self.max,
            "status": self.status,
            **self.extra,
            "undos": self.undos,
        }
