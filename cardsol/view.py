"""What a player may see: a type that has no room for a hidden card."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .cards import Card, Cards

Extra = Mapping[str, "int | str"]


class Shown(NamedTuple):
    """A pile from outside: how many cards lie face down, and the face-up ones, bottom to top."""

    down: int
    up: Cards

    @property
    def last(self) -> Card | None:
        """The top card, where it is face up."""
        return self.up[-1] if self.up else None


class View(NamedTuple):
    """A game as its player sees it at one moment (COMMANDS, The view)."""

    game: str
    options: Mapping[str, str]
    seed: str | None
    pysol: str | None
    piles: Mapping[str, Shown]
    score: int
    max: int | None
    status: str
    made: int
    undone: int
    undos: int
    legal: tuple[str, ...]
    extra: Extra

    def as_dict(self) -> dict[str, object]:
        """Returns what `show --json` prints, keys in the documented order."""
        facts = self._asdict()
        del facts["extra"]
        facts["options"] = dict(self.options)
        facts["piles"] = {name: {"down": p.down, "up": list(p.up)} for name, p in self.piles.items()}
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
