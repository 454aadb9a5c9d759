"""The view in `info`: made only when it is looked at, because most steps of a learner never do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..view import View
from .table import Table


class SeenView(Mapping[str, object]):
    """What `cardsol show --hide-seed --json` prints, as a read-only mapping; `dict(view)` is a plain dict.

    It stays the view of its own moment, whatever is played afterwards. A copy or a pickle of it is a plain dict.
    """

    __slots__ = ("_facts", "_legal", "_made", "_state", "_table")

    def __init__(self, table: Table, state: Any, legal: tuple[str, ...], made: int) -> None:
        self._table = table
        self._state = state
        self._legal = legal
        self._made = made
        self._facts: dict[str, object] | None = None

    def _read(self) -> dict[str, object]:
        if self._facts is None:
            self._facts = self.view().as_dict()
        return self._facts

    def view(self) -> View:
        """Returns the same as a `cardsol.View`."""
        return self._table.view(self._state, self._legal, self._made)

    def __getitem__(self, key: str) -> object:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return repr(self._read())

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self._read(),)
