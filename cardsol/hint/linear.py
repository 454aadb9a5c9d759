"""Values that are sums of named features, each by its weight, and that are told fast; hidden units may be added.

A weight changes in the course of a game: it is a + b·t, where t is the share of the game that is still to come. A
hidden unit is a sum of the features and of t by weights of its own, or 0 where that is negative; the value has it by
one more weight. Where some features depend on little, a column for one, their part of each of these sums is worked
out once and kept.

At last the sum may be bent, so that chances are true: `chances` gives some sums and the log-odds that each of them
stands for, both ascending; between two of them the line is straight, and it goes on beyond the first and the last.

All sums are made by `fsum`, which rounds once and so is the same with every Python; `sum` is not.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from operator import mul
from typing import Any

Sums = tuple[float, ...]
"""A part of the sums: of the a's, of the b's, and of each hidden unit."""


class Value:
    """The weights of a value as their file has them."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self._weights: Mapping[str, Sequence[float]] = weights["weights"]
        self._constant: Sequence[float] = weights["constant"]
        hidden: Mapping[str, Any] = weights.get("hidden", {})
        self._into: Mapping[str, Sequence[float]] = hidden.get("weights", {})
        self._units = [(a, b, out) for (a, b), out in zip(hidden.get("constant", ()), hidden.get("out", ()))]
        bends: Mapping[str, Sequence[float]] = weights.get("chances", {})
        self._bends = [*zip(bends.get("sums", ()), bends.get("log-odds", ()))]
        self._inner = [one for one, _ in self._bends[1:-1]]

    def rows(self, names: Sequence[str]) -> list[list[float]]:
        """Returns the weights of these features, a list for each of the sums."""
        pairs = zip(*(self._weights[name] for name in names))
        units = zip(*(self._into[name] for name in names)) if self._units else ()
        return [[*row] for row in (*pairs, *units)]

    def at(self, share: float, *parts: Sums) -> float:
        """Returns the value at a share, given all parts of its sums."""
        first, more, *units = map(fsum, zip(*parts))
        constant = self._constant
        found = constant[0] + share * (constant[1] + share * constant[2]) + first + share * more
        for (a, b, out), unit in zip(self._units, units):
            unit += a + b * share
            if unit > 0:
                found += out * unit
        return self._bent(found) if self._bends else found

    def _bent(self, total: float) -> float:
        """Returns the log-odds that a sum stands for."""
        place = bisect(self._inner, total)
        (one, low), (other, high) = self._bends[place : place + 2]
        return low + (total - one) * (high - low) / (other - one)


def sums(rows: Sequence[Sequence[float]], features: Sequence[float]) -> Sums:
    """Returns the sums of features by each row of weights."""
    return tuple([fsum(map(mul, row, features)) for row in rows])


class Part(dict[Any, Sums]):
    """The part of the sums that some features have, by what they depend on; worked out when it is first asked for."""

    def __init__(
        self, value: Value, names: Sequence[str], features: Callable[[Any], Sequence[float]]
    ) -> None:
        super().__init__()
        self.rows = value.rows(names)
        self.features = features

    def __missing__(self, key: Any) -> Sums:
        found = self[key] = sums(self.rows, self.features(key))
        return found
