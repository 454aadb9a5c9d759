"""The searches. They know no cards: all that they ask of a game is a `Model`.

Two of them share what they have found. A beam goes layer by layer and keeps a limited number of positions; it finds
wins, and where it has left nothing out it is a proof. The exhaustive search goes depth first and always is one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, NamedTuple

from .limits import Meter
from .model import Found, Goal, Model

Node = tuple[Any, "Node | None", Any]
"""Position, the node that it was reached from, the step that reached it."""
Entry = tuple[float, int, Node]
"""A node as a beam sorts it: by estimate, then age."""


class Beam(NamedTuple):
    """How a beam chooses the positions that it goes through. A width goes with it: how many enter a layer."""

    closure: int = 8
    """How many times the width are expanded within a layer, at most."""
    weights: Any = None
    """What the model is to estimate by, where it has a choice: see `Search.run_rounds`."""
    bounded: bool = True
    """Whether what enters a layer is held against the bound."""
    sample: int = 0
    """Likewise what is expanded: one position of so many, and all while one of so many is cut; 0 for none."""
    group_key: Callable[[Any], Hashable] | None = None
    """What is the same for two positions that are alike."""
    per_group: int = 1
    """How many that are alike may enter a layer."""
    age_anew: bool = False
    """Whether ages count anew in each layer. Then of equal estimates new positions and those that have entered
    take turns; else those that have entered come first."""


class Search:
    """A search from the start of a model, with the best that it has met: a score, and the node that has it.

    Nothing is better than `enough`. Hopeless is what by its bound does not go beyond `least`: for the goal of
    a win one short of enough, else the best so far. Used as a context it gives the meter its best line at the
    end, whatever has ended it.
    """

    def __init__(
        self, model: Model[Any, Any], goal: Goal, meter: Meter, enough: int,
        root: Node | None = None,
        worth: Callable[[Any], int] | None = None, bound: Callable[[Any], int] | None = None,
    ) -> None:  # fmt: skip
        self.model, self.goal, self.meter, self.enough = model, goal, meter, enough
        self.worth = worth or model.score
        """What is to be high: the score, unless it is something else, that has its own bound."""
        self.bound = bound or model.bound
        self.node: Node = (model.start, None, None)
        self.best = self.worth(model.start)
        self.least = enough - 1 if goal == "win" else self.best
        self.line: list[str] = []
        self.root = root or self.node
        """Where the searches begin: the start, or what was reached from it."""
        if self.worth(self.root[0]) > self.best:
            self.note(self.root)

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        self.line = self.model.tokens(steps_to(self.node))
        self.meter.keep(self.model.score(self.node[0]), self.line)

    def found(self) -> Found:
        """Returns what the search came to, once it is over."""
        if self.goal == "win" and self.best < self.enough:
            return Found("impossible", [], self.model.score(self.model.start), True)
        score = self.model.score(self.node[0])
        return Found("won" if self.goal == "win" else "best", self.line, score, True)

    def hopeless(self, position: Any) -> bool:
        return self.bound(position) <= self.least

    def note(self, node: Node) -> int:
        """Keeps a node that is better than any before it; returns the best, which it is now."""
        self.node, self.best = node, self.worth(node[0])
        self.least = max(self.least, self.best)
        return self.best

    def run_rounds(
        self, rounds: Iterable[tuple[int, float]], beams: Sequence[Beam],
        use_weights: Callable[[Any], None] | None = None,
    ) -> bool:  # fmt: skip
        """Sends all beams in each round, with the width of that round; tells whether one settled the question.

        After them the exhaustive search goes through as many positions as the round allows. `use_weights` makes
        the model estimate by the weights of a beam.
        """
        for width, most in rounds:
            for beam in beams:
                if use_weights is not None:
                    use_weights(beam.weights)
                if self.beam(width, beam):
                    return True
            if most and self.exhaust(most):
                return True
        return False

    def beam(self, width: int, beam: Beam) -> bool:
        """Goes layer by layer with the `width` best positions; tells whether that settles the question.

        It does where enough was met, and where no position was left out but hopeless ones.
        """
        complete, age = True, 0
        entering: list[Entry] = [(0, age, self.root)]
        while entering and self.best < self.enough:
            age = 0 if beam.age_anew else age
            leaving, age, all_expanded = self._close(entering, width * beam.closure, beam.sample, age)
            entering, all_entered = self._entering(leaving, width, beam)
            complete = complete and all_expanded and all_entered
        return complete or self.best >= self.enough

    def _close(self, heap: list[Entry], most: int, sample: int, age: int) -> tuple[list[Entry], int, bool]:
        """Expands a layer, best first; returns what leaves it, the last age, and whether that is all.

        The bound costs as much as a few expansions. So with `sample` it is asked for one position of so many,
        and each time while it cuts enough.
        """
        model, worth, best, states = self.model, self.worth, self.best, self.meter.count
        key, layer, forced, expand, estimate = (
            model.key, model.layer, model.forced, model.expand, model.estimate,
        )  # fmt: skip
        seen = {key(node[0]) for _, _, node in heap}
        leaving: list[Entry] = []
        asked = cut = 0
        while heap and most > 0:
            node = heappop(heap)[2]
            position = node[0]
            most -= 1
            states()
            if sample and (most % sample == 0 or cut * sample > asked):
                asked += 1
                if self.hopeless(position):
                    cut += 1
                    continue
            here, only = layer(position), forced(position)
            for step, after in expand(position) if only is None else (only,):
                known = key(after)
                if known in seen:
                    continue
                seen.add(known)
                age += 1
                new = (after, node, step)
                if layer(after) > here:
                    leaving.append((estimate(after), age, new))
                else:
                    heappush(heap, (estimate(after), age, new))
                if worth(after) > best:
                    best = self.note(new)
                    if best >= self.enough:
                        return [], age, False
        return leaving, age, not heap

    def _entering(self, leaving: list[Entry], width: int, beam: Beam) -> tuple[list[Entry], bool]:
        """Chooses what enters the next layer; tells also whether none was left out but hopeless ones."""
        chosen: list[Entry] = []
        taken: dict[Hashable, int] = {}
        complete = True
        for entry in sorted(leaving):
            position = entry[2][0]
            if beam.bounded and self.hopeless(position):
                continue
            if beam.group_key is not None:
                group_key = beam.group_key(position)
                taken[group_key] = taken.get(group_key, 0) + 1
                if taken[group_key] > beam.per_group:
                    complete = False
                    continue
            if len(chosen) == width:
                return chosen, False
            chosen.append(entry)
        return chosen, complete

    def exhaust(self, most: float = inf) -> bool:
        """Goes depth first through all that matters, at most `most` positions; tells whether that was all.

        Nearest-looking moves come first. A position is left out if it was met before, or is hopeless.
        """
        seen = {self.model.key(self.root[0])}
        stack = [self._after(self.root, seen)]
        while stack and self.best < self.enough:
            if not stack[-1]:
                stack.pop()
                continue
            node = stack[-1].pop()
            if self.hopeless(node[0]):
                continue
            if not most:
                return False
            most -= 1
            stack.append(self._after(node, seen))
        return True

    def _after(self, node: Node, seen: set[Hashable]) -> list[Node]:
        """Expands a node and returns what is new, the nearest-looking last."""
        model, found = self.model, list[Node]()
        self.meter.count()
        forced = model.forced(node[0])
        for step, after in model.expand(node[0]) if forced is None else (forced,):
            known = model.key(after)
            if known not in seen:
                seen.add(known)
                found.append((after, node, step))
                if self.worth(after) > self.best:
                    self.note(found[-1])
        found.sort(key=lambda new: model.estimate(new[0]), reverse=True)
        return found


class WithForcedMoves:
    """Another model with its forced moves made at once, so that they cost no state; a step is a list of steps.

    For models whose forced moves lower no score, since what is passed on the way is not looked at.
    """

    def __init__(self, model: Model[Any, Any]) -> None:
        self.model, self.start = model, model.start
        self.key, self.is_won, self.score = model.key, model.is_won, model.score
        self.estimate, self.bound, self.layer = model.estimate, model.bound, model.layer

    def root(self) -> Node:
        """Returns the start with its forced moves made."""
        steps, position = self._settle([], self.start)
        return position, (self.start, None, None), steps

    def expand(self, position: Any) -> Iterator[tuple[list[Any], Any]]:
        for step, after in self.model.expand(position):
            yield self._settle([step], after)

    def _settle(self, steps: list[Any], position: Any) -> tuple[list[Any], Any]:
        while (forced := self.model.forced(position)) is not None:
            steps.append(forced[0])
            position = forced[1]
        return steps, position

    def forced(self, position: Any) -> None:
        return

    def tokens(self, steps: Sequence[list[Any]]) -> list[str]:
        return self.model.tokens([step for made in steps for step in made])


def jitter(weights: int, pile: bytes) -> float:
    """Returns a number from 0 to 1 that this weights gives to this pile, always the same; 0 from weights 0.

    Added to what a pile looks like, it makes beams leave out different positions. A deal that a beam misses
    is met by the next as likely as not, so that a few narrow ones with whims find more than a wide one.
    """
    if not weights:
        return 0.0
    return int.from_bytes(blake2b(pile, digest_size=4, salt=bytes([weights])).digest(), "big") / 2**32


def growing(first: int, factor: int, most: int = 0) -> Iterator[tuple[int, int]]:
    """Yields rounds without end: a width that grows, and for the exhaustive search `most` after the first only."""
    return ((first * factor**n, 0 if n else most) for n in count())


def steps_to(node: Node) -> list[Any]:
    """Returns the steps that lead to a node."""
    steps = []
    while node[1] is not None:
        steps.append(node[2])
        node = node[1]
    return steps[::-1]
