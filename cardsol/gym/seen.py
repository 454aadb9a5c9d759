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

    __slots__ = ("_facts", "_moment", "_table")

    def __init__(self, table: Table, *moment: Any) -> None:
        """`moment` are the other arguments of `Table.view`."""
        self._table = table
        self._moment = moment

    def _read(self) -> dict[str, object]:
        # Set when it is first asked for: a view is made at every step, and mostly thrown away unread.
        try:
            return self._facts
        except AttributeError:
            self._facts: dict[str, object] = self.view().as_dict()
            return self._facts

    def view(self) -> View:
        """Returns the same as a `cardsol.View`."""
        return self._table.view(*self._moment)

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
