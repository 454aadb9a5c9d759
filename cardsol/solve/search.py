"""The searches. They know no cards: all that they ask of a game is a `Model`.

Two of them share what they have found. A beam goes layer by layer and keeps a limited number of positions; it finds
wins, and where it has left nothing out it is a proof. The exhaustive search goes depth first and is always a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from hashlib import blake2b
from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Any, NamedTuple

from .limits import Meter
from .model import BestWin, Found, Goal, Model

Node = tuple[Any, "Node | None", Any]
"""Position, the node that it was reached from, the step that reached it."""
Entry = tuple[float, int, Node]
"""A node as a beam sorts it: by estimate, then age."""


class Beam(NamedTuple):
    """How a beam chooses the positions that it goes through. Its width, how many enter a layer, comes separately."""

    closure: int = 8
    """At most this many times the width are expanded within a layer."""
    weights: Any = None
    """What the model is to estimate by, where it has a choice: see `Search.run_rounds`."""
    bounded: bool = True
    """Whether positions that enter a layer are compared with the bound."""
    sample: int = 0
    """If not 0, positions to be expanded are compared with it too: one in this many, and all of them as long as one
    in this many is cut."""
    group_key: Callable[[Any], Hashable] | None = None
    """Gives the group of a position; None for no groups."""
    per_group: int = 1
    """How many positions of a group may enter a layer."""
    age_anew: bool = False
    """Whether ages count anew in each layer. Then of equal estimates new positions and those that have entered
    take turns; else those that have entered come first."""


class NotSettled(Exception):
    """A result was asked of a search that has not proved any."""


class Search:
    """A search from the start of a model, with the best node that it has met.

    For the goal of a win the best is a node that is won, else the one with the highest score; `enough` is the
    highest score that there is, which for the goal of a win only won positions have as their bound. A position is
    hopeless if its bound is not above `least`: one short of enough for a win, else the best score so far.

    Used as a context it gives the meter its best line at the end, whatever has ended it.
    """

    def __init__(
        self, model: Model[Any, Any], goal: Goal, meter: Meter, enough: int, root: Node | None = None
    ) -> None:
        """`root` is where the searches begin: the start, or a node that was reached from it."""
        self.model, self.goal, self.meter, self.enough = model, goal, meter, enough
        self.win = goal == "win"
        self.node: Node = (model.start, None, None)
        self.best = model.score(model.start)
        self.least = enough - 1 if self.win else self.best
        self.ceiling = enough
        """What is proved: no position that can be reached, but was not met, has a higher score or, if this is below
        enough, is won."""
        self.over = model.is_won(model.start) if self.win else self.best >= enough
        """Whether a node was met than which none is better."""
        self.line: list[str] = []
        self.root = root or self.node
        if root is not None and not self.over and self._is_better(root[0]):
            self.note(root)

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        self.line = self.model.tokens(steps_to(self.node))
        self.meter.keep(self.model.score(self.node[0]), self.line)

    def found(self) -> Found:
        """Returns the result; raises NotSettled where the search has neither met nor proved it.

        For the best score it also tells of wins, as far as the best node does so: it is won or not.
        """
        score = self.model.score(self.node[0])
        if self.win:
            if self.over:
                return Found("won", self.line, score, True, winnable=True)
            if self.ceiling < self.enough:
                return Found("impossible", [], self.model.score(self.model.start), True, winnable=False)
        elif self.over or self.ceiling <= self.best:
            won = self.model.is_won(self.node[0])
            win = BestWin(score, tuple(self.line), True) if won else None
            return Found("best", self.line, score, True, winnable=won or None, best_winning=win)
        raise NotSettled(f"the goal {self.goal} is not settled by what was searched")

    def hopeless(self, position: Any) -> bool:
        return self.model.bound(position) <= self.least

    def note(self, node: Node) -> int:
        """Keeps a node that is better than any before it; returns its score."""
        self.node, self.best = node, self.model.score(node[0])
        self.over = self.win or self.best >= self.enough
        if not self.win:
            self.least = max(self.least, self.best)
        return self.best

    def _is_better(self, position: Any) -> bool:
        return self.model.is_won(position) if self.win else self.model.score(position) > self.best

    def _settle(self) -> bool:
        """Notes what is proved when nothing was left out but hopeless positions and what comes after them."""
        self.ceiling = min(self.ceiling, self.least)
        return True

    def run_rounds(
        self, rounds: Iterable[tuple[int, float]], beams: Sequence[Beam],
        use_weights: Callable[[Any], None] | None = None,
    ) -> bool:  # fmt: skip
        """Runs all beams in each round, with the width of that round; tells whether one settled the question.

        After them the exhaustive search goes through as many positions as the round allows, if any. `use_weights`
        makes the model estimate by the weights of a beam.
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

    def settle_at_once(self) -> bool:
        """Tells whether the bound of the root alone settles the question."""
        return self.over or (self.hopeless(self.root[0]) and self._settle())

    def beam(self, width: int, beam: Beam) -> bool:
        """Goes layer by layer with the `width` best positions; tells whether that settles the question.

        It does if enough was met, or if no position was left out but hopeless ones.
        """
        complete, age = True, 0
        entering: list[Entry] = [(0, age, self.root)]
        while entering and not self.over:
            age = 0 if beam.age_anew else age
            leaving, age, all_expanded = self._close(entering, width * beam.closure, beam.sample, age)
            entering, all_entered = self._entering(leaving, width, beam)
            complete = complete and all_expanded and all_entered
        return self.over or (complete and self._settle())

    def _close(self, heap: list[Entry], most: int, sample: int, age: int) -> tuple[list[Entry], int, bool]:
        """Expands a layer, best first; returns what leaves it, the last age, and whether that is all.

        The bound costs as much as a few expansions. So with `sample` only one position in this many is compared
        with it, but each of them while that cuts enough.
        """
        model, best, win, states = self.model, self.best, self.win, self.meter.count
        key, layer, forced, expand, estimate, score, is_won = (
            model.key, model.layer, model.forced, model.expand, model.estimate, model.score, model.is_won,
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
                if is_won(after) if win else score(after) > best:
                    best = self.note(new)
                    if self.over:
                        return [], age, False
        return leaving, age, not heap

    def _entering(self, leaving: list[Entry], width: int, beam: Beam) -> tuple[list[Entry], bool]:
        """Chooses what enters the next layer; also tells whether nothing was left out but hopeless positions."""
        chosen: list[Entry] = []
        taken: dict[Hashable, int] = {}
        complete = True
        for entry in sorted(leaving):
            position = entry[2][0]
            group_key = None if beam.group_key is None else beam.group_key(position)
            full = group_key is not None and taken.get(group_key, 0) >= beam.per_group
            if full and not complete:
                continue
            if beam.bounded and self.hopeless(position):
                continue
            if full:
                complete = False
                continue
            if group_key is not None:
                taken[group_key] = taken.get(group_key, 0) + 1
            if len(chosen) == width:
                return chosen, False
            chosen.append(entry)
        return chosen, complete

    def exhaust(self, most: float = inf) -> bool:
        """Goes depth first through all that matters, at most `most` positions; tells whether that was all.

        Moves that look nearest come first. A position is left out if it was met before, or is hopeless.
        """
        seen = {self.model.key(self.root[0])}
        stack = [self._after(self.root, seen)]
        while stack and not self.over:
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
        return self.over or self._settle()

    def _after(self, node: Node, seen: set[Hashable]) -> list[Node]:
        """Expands a node and returns what is new, what looks nearest last."""
        model, found = self.model, list[Node]()
        self.meter.count()
        forced = model.forced(node[0])
        for step, after in model.expand(node[0]) if forced is None else (forced,):
            known = model.key(after)
            if known not in seen:
                seen.add(known)
                found.append((after, node, step))
                if not self.over and self._is_better(after):
                    self.note(found[-1])
        found.sort(key=lambda new: model.estimate(new[0]), reverse=True)
        return found


class WithForcedMoves:
    """Another model with its forced moves made at once, so that they cost no state; a step is a list of steps.

    For models whose forced moves lower no score, since no score is looked at on the way.
    """

    def __init__(self, model: Model[Any, Any]) -> None:
        self.model, self.start = model, model.start
        self.key, self.is_won, self.score = model.key, model.is_won, model.score
        self.estimate, self.bound, self.layer = model.estimate, model.bound, model.layer

    def root(self) -> Node:
        """Returns the start with its forced moves made."""
        steps, position = self._advance([], self.start)
        return position, (self.start, None, None), steps

    def expand(self, position: Any) -> list[tuple[list[Any], Any]]:
        found, forced = list[tuple[list[Any], Any]](), self.model.forced
        for step, after in self.model.expand(position):
            only = forced(after)
            found.append(([step], after) if only is None else self._advance([step, only[0]], only[1]))
        return found

    def _advance(self, steps: list[Any], position: Any) -> tuple[list[Any], Any]:
        while (forced := self.model.forced(position)) is not None:
            steps.append(forced[0])
            position = forced[1]
        return steps, position

    def forced(self, position: Any) -> None:
        return

    def tokens(self, steps: Sequence[list[Any]]) -> list[str]:
        return self.model.tokens([step for made in steps for step in made])


def jitter(number: int, pile: bytes) -> float:
    """Returns a number from 0 to 1 for this pile, always the same for the same `number`; 0 for number 0.

    Added to a pile's part of an estimate, it makes beams leave out different positions. A deal that one beam
    misses is won by the next often enough that several narrow beams find more than one wide beam.
    """
    if not number:
        return 0.0
    return int.from_bytes(blake2b(pile, digest_size=4, salt=bytes([number])).digest(), "big") / 2**32


def growing(first: int, factor: int, most: int = 0) -> Iterator[tuple[int, int]]:
    """Yields endless rounds: a growing width, and for the exhaustive search `most` positions after the first alone."""
    return ((first * factor**n, 0 if n else most) for n in count())


def steps_to(node: Node) -> list[Any]:
    """Returns the steps that lead to a node."""
    steps = []
    while node[1] is not None:
        steps.append(node[2])
        node = node[1]
    return steps[::-1]
