"""The searches on random graphs, which have no cards: what they settle is what trying everything comes to."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence

import pytest

from cardsol.solve.limits import LimitReached, Limits, Meter
from cardsol.solve.model import Found, Goal
from cardsol.solve.search import Beam, NotSettled, Search, WithForcedMoves, growing

ENOUGH = 9


class Graph:
    """Points in layers, with ways to points of the same layer, in circles too, or of the next."""

    def __init__(self, rng: random.Random) -> None:
        self.start = 0
        points = range(rng.randint(1, 40))
        self.layers = sorted(rng.randrange(4) for _ in points)
        self.layers[0] = 0
        self.scores = [rng.randrange(ENOUGH + rng.randint(0, 1)) for _ in points]
        self.looks = [rng.randrange(5) for _ in points]
        self.ways: list[list[int]] = []
        for point in points:
            open_ = [to for to in points if 0 <= self.layers[to] - self.layers[point] <= 1]
            self.ways.append(rng.sample(open_, min(len(open_), rng.choice((0, 1, 1, 2, 3)))))
        self.bounds = [max(self.scores[to] for to in self.reach(point)) for point in points]
        self.bounds = [bound + rng.choice((0, 0, 1, 3)) for bound in self.bounds]

    def reach(self, point: int) -> set[int]:
        found, left = {point}, [point]
        while left:
            new = set(self.ways[left.pop()]) - found
            found |= new
            left += new
        return found

    def expand(self, position: int) -> list[tuple[int, int]]:
        return [(to, to) for to in self.ways[position]]

    def key(self, position: int) -> int:
        return position

    def is_won(self, position: int) -> bool:
        return self.scores[position] == ENOUGH

    def score(self, position: int) -> int:
        return self.scores[position]

    def estimate(self, position: int) -> float:
        return self.looks[position]

    def bound(self, position: int) -> int:
        return self.bounds[position]

    def layer(self, position: int) -> int:
        return self.layers[position]

    def forced(self, position: int) -> tuple[int, int] | None:
        """Returns the only way, where it leads on (else it could be followed for ever) and costs no score."""
        (to, *others) = self.ways[position] or [position]
        costs = self.scores[to] < self.scores[position]
        return None if others or to <= position or costs else (to, to)

    def tokens(self, steps: Sequence[int]) -> list[str]:
        return [str(step) for step in steps]


BEAMS = [
    Beam(),
    Beam(closure=1, sample=3),
    Beam(bounded=False, group_key=lambda _: "all"),
    Beam(group_key=lambda position: position % 3, per_group=2, age_anew=True),
]
GOALS: list[Goal] = ["win", "score"]


def check(graph: Graph, goal: Goal, found: Found) -> None:
    """Holds an answer to what can be reached."""
    best = max(graph.scores[point] for point in graph.reach(0))
    at = 0
    for token in found.line:
        assert int(token) in graph.ways[at]
        at = int(token)
    assert found.score == graph.scores[at]
    if goal == "win":
        assert found.verdict == ("won" if best == ENOUGH else "impossible")
    else:
        assert (found.verdict, found.score) == ("best", best)


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("settled", [False, True])
def test_what_is_settled_is_true(goal: Goal, settled: bool) -> None:
    settled_by_beam = left_open = 0
    for seed in range(400):
        graph = Graph(random.Random(seed))
        model = WithForcedMoves(graph) if settled else graph
        root = model.root() if isinstance(model, WithForcedMoves) else None
        for beam in BEAMS:
            with Search(model, goal, Meter(Limits()), ENOUGH, root) as search:
                narrow = search.beam(1 + seed % 3, beam)
            if narrow:
                settled_by_beam += 1
                check(graph, goal, search.found())
            else:
                left_open += hold_to_truth_or_silence(graph, goal, search)
        with Search(model, goal, Meter(Limits()), ENOUGH, root) as search:
            exhausted = search.exhaust(seed % 7)
        if exhausted:
            check(graph, goal, search.found())
        else:
            left_open += hold_to_truth_or_silence(graph, goal, search)
        with Search(model, goal, Meter(Limits()), ENOUGH, root) as search:
            assert search.exhaust()
        check(graph, goal, search.found())
        with Search(model, goal, Meter(Limits()), ENOUGH, root) as search:
            assert search.run_rounds(growing(1, 2), BEAMS[:1])
        check(graph, goal, search.found())
    assert 300 < settled_by_beam < 1500
    assert left_open > 100


def hold_to_truth_or_silence(graph: Graph, goal: Goal, search: Search) -> bool:
    """Asks a search that is not finished for its result; tells whether it refused."""
    try:
        found = search.found()
    except NotSettled:
        return True
    check(graph, goal, found)
    return False


def test_an_unfinished_search_never_says_impossible() -> None:
    refused = 0
    for seed in range(300):
        graph = Graph(random.Random(seed))
        for most in range(1, 12):
            search = Search(graph, "win", Meter(Limits(states=most)), ENOUGH)
            with contextlib.suppress(LimitReached), search:
                search.run_rounds(growing(1, 2, 2), BEAMS)
                continue
            if not search.over:
                with pytest.raises(NotSettled):
                    search.found()
                refused += 1
    assert refused > 200


def test_a_fresh_search_has_proved_nothing() -> None:
    graph = Graph(random.Random(1))
    assert graph.scores[0] < ENOUGH
    for goal in GOALS:
        with pytest.raises(NotSettled):
            Search(graph, goal, Meter(Limits()), ENOUGH).found()


def test_what_was_cut_by_a_higher_aim_proves_nothing_of_the_best_score() -> None:
    """A beam that leaves out all that can't win has not looked at the other scores."""
    silent = 0
    for seed in range(200):
        graph = Graph(random.Random(seed))
        with Search(graph, "score", Meter(Limits()), ENOUGH) as search:
            search.least = ENOUGH - 1
            assert search.exhaust()
        silent += hold_to_truth_or_silence(graph, "score", search)
    assert silent > 50


def test_the_rounds_are_gone_through_in_turn() -> None:
    graph = next(graph for graph in map(Graph, map(random.Random, range(99))) if len(graph.reach(0)) > 9)
    graph.scores = [0] * len(graph.scores)
    adopted: list[str] = []
    graph.bounds = [ENOUGH] * len(graph.scores)
    search = Search(graph, "win", Meter(Limits()), ENOUGH)
    beams = [Beam(weights=weights, closure=0) for weights in ("sweet", "sour")]
    assert not search.run_rounds([(1, 0), (2, 1)], beams, adopted.append)
    assert adopted == ["sweet", "sour"] * 2
    assert search.run_rounds([(1, 1000)], beams, adopted.append)


def test_at_a_limit_the_meter_has_the_best_line() -> None:
    kept = 0
    for seed in range(100):
        graph = Graph(random.Random(seed))
        meter = Meter(Limits(states=4))
        search = Search(graph, "score", meter, ENOUGH)
        try:
            with search:
                search.exhaust()
        except LimitReached:
            kept += meter.best_score is not None and meter.best_score > graph.score(0)
            assert meter.best_score == graph.scores[int(meter.best_line[-1]) if meter.best_line else 0]
    assert kept > 5
