"""Turns positions into arrays, pile by pile, and only the piles that changed since the last one."""

from __future__ import annotations

from array import array
from itertools import compress
from operator import is_not
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cards import Cards
from ..piles import EMPTY
from .table import Table

Observation = dict[str, npt.NDArray[Any]]


class Observer:
    """The arrays of the position seen last, kept to be brought up to the next one and copied."""

    def __init__(self, table: Table) -> None:
        self._table = table
        rows, width = table.shape
        # Plain bytes are quicker to write to than an array, and an array over them is quick to copy.
        self._board, self._mask = bytearray(rows * width), bytearray(len(table.tokens))
        self._board_array = np.ndarray(table.shape, np.int8, self._board)
        self._mask_array = np.ndarray(len(table.tokens), np.int8, self._mask)
        self._facts = array("q", bytes(8 * len(table.facts)))
        self._facts_array = np.ndarray(len(table.facts), np.int64, self._facts)
        self._piles = [EMPTY] * rows
        self._legal: tuple[str, ...] = ()
        self._rows = [(row, row * width) for row in range(rows)]

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy begins with nothing seen: a copied array would no longer lie over the copied bytes."""
        return Observer, (self._table,)

    def observe(self, state: Any, score: int, legal: tuple[str, ...], steps: int) -> Observation:
        """Returns new arrays: `board` int8 (piles, 1 + cards), `facts` int64, `action_mask` int8 (actions)."""
        table = self._table
        self._look(state)
        mask, actions = self._mask, table.actions
        for token in self._legal:
            mask[actions[token]] = 0
        for token in legal:
            mask[actions[token]] = 1
        self._legal = legal
        facts = self._facts
        facts[0], facts[1] = score, steps
        if table.extras:
            extra = table.rules.extra(state)
            for place, key in enumerate(table.extras, start=2):
                value = extra.get(key, 0)
                facts[place] = value if isinstance(value, int) else table.ranks.get(value, 0)
        return {
            "board": self._board_array.copy(),
            "facts": self._facts_array.copy(),
            "action_mask": self._mask_array.copy(),
        }

    def _look(self, state: Any) -> None:
        """Brings the board up to the position: in each row the face-down cards counted, then the face-up ones."""
        board, before = self._board, self._piles
        self._piles = now = [*self._table.rules.piles(state).values()]
        for row, start in compress(self._rows, map(is_not, now, before)):
            down, up = now[row]
            board[start] = len(down)
            had = before[row][1]
            if up != had:
                self._write(start + 1, up, had)

    def _write(self, start: int, up: Cards, had: Cards) -> None:
        """Writes the face-up cards over those that there were; most moves add one card or take one."""
        codes = self._table.codes
        if up[:-1] == had:
            self._board[start + len(had)] = codes[up[-1]]
        elif up == had[:-1]:
            self._board[start + len(up)] = 0
        else:
            row = bytes([codes[card] for card in up]).ljust(len(had), b"\0")
            self._board[start : start + len(row)] = row
