"""Turns positions into arrays, pile by pile, and only the piles that changed since the last one."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cards import Cards
from ..view import Seen
from .table import Table

Observation = dict[str, npt.NDArray[Any]]


class Observer:
    """The arrays of the position seen last, kept to be brought up to the next one and copied."""

    def __init__(self, table: Table, piles: Mapping[str, Seen], extra: Mapping[str, int | str]) -> None:
        """Looks at a position: what is seen of every pile, and the further keys of its view."""
        self._table, self._actions, self._codes = table, table.actions, table.codes
        rows, width = table.shape
        # Plain bytes are quicker to write to than an array, and an array over them is quick to copy.
        self._board, self._mask = bytearray(rows * width), bytearray(table.count)
        self._facts = array("q", bytes(8 * len(table.facts)))
        self._copy_board = np.ndarray(table.shape, np.int8, self._board).copy
        self._copy_mask = np.ndarray(table.count, np.int8, self._mask).copy
        self._copy_facts = np.ndarray(len(table.facts), np.int64, self._facts).copy
        self._nothing_legal = bytes(table.count)
        self._extra: Mapping[str, int | str] = {}
        self._rows: dict[str, tuple[int, Cards]] = {
            name: (row * width, ()) for row, name in enumerate(table.rules.PILES)
        }
        """Pile → where its row begins on the board, and the face-up cards that are written there."""
        self.look(piles, extra)

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy is made anew, because a copied array would no longer lie over the copied bytes."""
        piles = {name: (self._board[start], up) for name, (start, up) in self._rows.items()}
        return Observer, (self._table, piles, self._extra)

    def look(self, piles: Mapping[str, Seen], extra: Mapping[str, int | str]) -> None:
        """Brings the board up to the position: in each row the face-down cards counted, then the face-up ones.

        `piles` need not have those that are as they were.
        """
        board, rows, codes = self._board, self._rows, self._codes
        for name, (down, up) in piles.items():
            start, had = rows[name]
            board[start] = down
            if up == had:
                continue
            rows[name] = start, up
            # Most moves add one card or take one.
            if up[:-1] == had:
                board[start + len(up)] = codes[up[-1]]
            elif had[:-1] == up:
                board[start + len(had)] = 0
            else:
                row = bytes([codes[card] for card in up]).ljust(len(had), b"\0")
                board[start + 1 : start + 1 + len(row)] = row
        if extra != self._extra:
            self._look_further(extra)

    def _look_further(self, extra: Mapping[str, int | str]) -> None:
        self._extra = extra
        table = self._table
        for place, key in enumerate(table.extras, start=2):
            value = extra.get(key, 0)
            self._facts[place] = value if isinstance(value, int) else table.ranks.get(value, 0)

    def arrays(self, score: int, steps: int, legal: Iterable[str]) -> Observation:
        """Returns new arrays: `board` int8 (piles, 1 + cards), `facts` int64, `action_mask` int8 (actions)."""
        mask, actions, facts = self._mask, self._actions, self._facts
        mask[:] = self._nothing_legal
        for token in legal:
            mask[actions[token]] = 1
        facts[0] = score
        facts[1] = steps
        return {"board": self._copy_board(), "facts": self._copy_facts(), "action_mask": self._copy_mask()}
