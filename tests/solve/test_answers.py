"""What an answer tells: wins beside the best score, short lines, and solvers that games bring along."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import cardsol
from cardsol.errors import BrokenGame
from cardsol.games import three_peaks
from cardsol.solve import Answer, Found, Limits, Meter, default_states, solve, solver_of
from cardsol.solve.answer import MANY
from cardsol.solve.any_game import AnyGameSolver
from cardsol.solve.shorter import shorter
from cardsol.solve.three_peaks.solver import shortest
from tests.support import harness
from tests.support.engine import few, variant_name

from . import test_solving_three_peaks as of_peaks


class Heap:
    """A heap to take one or two from, a point each, or to push one back to for a point; to empty it wins and costs 3.

    A state is (left, score, times pushed back). The highest score and a win exclude each other.
    """

    NAME = "heap"

    def __init__(
        self, solver: str | None = None, max_score: int | None = None, winnable: bool = True
    ) -> None:
        if solver is not None:
            self.SOLVER = solver
        self.most, self.least = max_score, 0 if winnable else 1

    def moves(self, state: Any, source: str | None = None) -> list[str]:
        left, _, pushed = state
        if left <= 0:
            return []
        tokens = [f"take-{n}" for n in (1, 2) if left - n >= self.least]
        return [*tokens, "push"] if pushed < 2 else tokens

    def apply(self, state: Any, token: str) -> Any:
        left, score, pushed = state
        if token == "push":
            return left + 1, score - 1, pushed + 1
        left -= int(token[-1])
        return left, score + int(token[-1]) - (3 if left == 0 else 0), pushed

    def is_won(self, state: Any) -> bool:
        return bool(state[0] == 0)

    def score(self, state: Any) -> int:
        return int(state[1])

    def max_score(self, options: Any) -> int | None:
        return self.most


def table(rules: Any, state: Any) -> Any:
    """Stands for a game in play."""
    return SimpleNamespace(name="graph", rules=rules, options={}, state=state, score=rules.score(state))


def asked(rules: Any, state: Any, goal: Any, **limits: Any) -> Answer:
    return solve(table(rules, state), goal, Limits(**limits) if limits else None)


def replayed(game: cardsol.Game, line: Any) -> cardsol.Game:
    game = game.copy()
    for token in line:
        game.push(token)
    return game


def test_the_best_score_and_the_best_score_of_a_win_are_told_apart() -> None:
    for most in (None, 20):
        answer = asked(Heap(max_score=most), (5, 0, 0), "score")
        assert (answer.verdict, answer.score, answer.optimal) == ("best", 4, True)
        assert answer.winnable is True
        win = answer.best_winning
        assert win is not None and (win.score, win.optimal) == (2, True)
        state: Any = (5, 0, 0)
        for token in win.line:
            state = Heap().apply(state, token)
        assert state[:2] == (0, 2)


def test_no_win_and_no_known_win_differ() -> None:
    impossible = asked(Heap(winnable=False), (5, 0, 0), "score")
    assert (impossible.winnable, impossible.best_winning) == (False, None)
    unknown = asked(Heap(), (50, 0, 0), "score", states=3)
    assert (unknown.winnable, unknown.best_winning, unknown.limit) == (None, None, "states")


def test_a_game_without_a_solver_has_one_of_the_same_shape() -> None:
    solver = solver_of(Heap())  # type: ignore[arg-type]
    assert isinstance(solver, AnyGameSolver)
    assert solver.STATES > 0
    assert solver.solve((3, 0, 0), "win", Meter(Limits())).verdict == "won"
    assert list(solver.model((3, 0, 0)).expand((3, 0, 0)))


class Always:
    """A solver that a plug-in might bring: it knows a line to every win."""

    STATES = 7

    @staticmethod
    def model(state: Any) -> Any:
        return AnyGameSolver(Heap()).model(state)  # type: ignore[arg-type]

    @staticmethod
    def solve(state: Any, goal: Any, meter: Meter) -> Found:
        meter.count()
        return Found(
            "won", ["push", "take-1", *["take-1"] * state[0]], state[1] + state[0] - 3, True, winnable=True
        )


ALWAYS = Always()
USELESS = object()


def test_a_game_may_bring_its_own_solver_an_object_of_a_module() -> None:
    rules: Any = Heap(solver=f"{__name__}:ALWAYS")
    assert solver_of(rules) is ALWAYS
    answer = asked(rules, (3, 0, 0), "win")
    assert (answer.verdict, answer.states) == ("won", 1)
    assert answer.line == ("take-1", "take-1", "take-1")  # without what leads back
    assert answer.winnable is True and answer.shortest is False
    assert default_states(table(rules, (3, 0, 0))) == 7


@pytest.mark.parametrize(
    "reference, why",
    [
        ("no_such_module", "No module"),
        (f"{__name__}:NOTHING", "no attribute"),
        (f"{__name__}:USELESS", "has no STATES and no model and no solve"),
    ],
)
def test_a_solver_that_is_none_is_named_in_one_line(reference: str, why: str) -> None:
    with pytest.raises(BrokenGame, match=why) as raised:
        solver_of(Heap(solver=reference))  # type: ignore[arg-type]
    assert "\n" not in str(raised.value)


def late(variant: tuple[str, dict[str, str]], number: int) -> Iterator[cardsol.Game]:
    """Yields games of a variant after random moves."""
    name, options = variant
    for seed in range(number):
        chance = random.Random(seed)
        game = cardsol.deal(name, seed=seed, options=options)
        for _ in range(chance.choice((0, 20, 60))):
            if game.status != "playing":
                break
            game.push(chance.choice(game.legal_moves))
        yield game


@pytest.mark.parametrize("variant", few(1), ids=variant_name)
@harness.part(5)
def test_lines_are_legal_and_win_as_told_and_shortening_changes_nothing_else(
    variant: tuple[str, dict[str, str]], part: int
) -> None:
    for game in late(variant, 5 // part):
        one_round = game.rules.NAME == "three-peaks"
        for goal in ("win", "score"):
            limits = Limits(states=1500 if not one_round else 60_000)
            long, short = (solve(game, goal, limits, shorten=shorten) for shorten in (False, True))
            assert (long.verdict, long.optimal, long.states, long.limit, long.winnable) == (
                short.verdict, short.optimal, short.states, short.limit, short.winnable,
            )  # fmt: skip
            assert (long.line is None) == (short.line is None) == (short.shortest is None)
            if short.line is not None and long.line is not None:
                assert len(short.line) <= len(long.line)
                assert short.line.count("draw") <= long.line.count("draw")
                end = replayed(game, short.line)
                assert end.score == short.score
                assert goal == "win" or short.score == long.score
                if short.verdict == "won" and game.options.get("rounds") != "progressive":
                    assert end.status == "won"
            win = short.best_winning
            if win is not None:
                end = replayed(game, win.line)
                assert end.score == win.score <= short.score
                assert short.winnable
                assert end.status == "won" or game.options.get("rounds") == "progressive"


def best_win(state: three_peaks.State) -> int | None:
    """Returns the best score of a won position, by going through all lines."""
    seen, waiting = {state}, [state]
    for here in waiting:
        for token in three_peaks.moves(here):
            after = three_peaks.apply(here, token)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return max((three_peaks.score(here) for here in waiting if three_peaks.is_won(here)), default=None)


@harness.part(3)
def test_three_peaks_best_win_is_exact(part: int) -> None:
    chance = random.Random(20)
    apart = 0
    for _ in range(400 // part):
        state = of_peaks.small(chance)
        state = state._replace(run=state.run[:1] * 12, scoring=chance.choice(("classic", "multiplier")))
        found = of_peaks.solved(state, "score")
        best = best_win(state)
        assert found.winnable == (best is not None)
        assert (found.best_winning is None) == (best is None), state
        if found.best_winning is not None:
            assert (found.best_winning.score, found.best_winning.optimal) == (best, True), state
            end = state
            for token in found.best_winning.line:
                assert token in three_peaks.moves(end)
                end = three_peaks.apply(end, token)
            assert three_peaks.is_won(end) and three_peaks.score(end) == best
        apart += best is not None and best < found.score
    assert apart >= 3 // part


def lengths(state: three_peaks.State, is_end: Any) -> tuple[tuple[int, int], int] | None:
    """Returns the fewest draws and the fewest moves with them, and the fewest moves, of a line to an end."""
    found = []
    seen, waiting = {state}, [(state, 0, 0)]
    for here, draws, moves in waiting:
        if is_end(here):
            found.append((draws, moves))
        for token in three_peaks.moves(here):
            after = three_peaks.apply(here, token)
            if after not in seen:
                seen.add(after)
                waiting.append((after, draws + (token == "draw"), moves + 1))
    return (min(found), min(moves for _, moves in found)) if found else None


@harness.part(4)
def test_three_peaks_wins_have_the_fewest_draws_and_moves_and_best_lines_the_fewest_draws(part: int) -> None:
    chance = random.Random(21)
    for _ in range(100 // part):
        state = of_peaks.small(chance)
        win = shortest(state)
        known = lengths(state, three_peaks.is_won)
        assert (win is None) == (known is None)
        if win is not None and known is not None:
            assert win.shortest
            assert (win.line.count("draw"), len(win.line)) == known[0]
            assert len(win.line) == known[1]
        best = of_peaks.solved(state, "score")
        known = lengths(state, lambda here: three_peaks.score(here) == best.score)  # noqa: B023
        assert known is not None
        assert (best.line.count("draw"), len(best.line)) == known[0], state
        assert best.shortest == (len(best.line) == known[1]), state


@harness.part(3)
def test_camelot_lines_that_win_are_equally_long(part: int) -> None:
    lengths = set()
    for seed in range(60 // part):
        game = cardsol.deal("camelot", seed=seed)
        answer = solve(game)
        if answer.line is not None:
            lengths.add(len(answer.line))
            assert answer.shortest
    assert lengths == {52 + 52 + 4 + 18}


def test_what_is_not_needed_is_left_out() -> None:
    rules: Any = Heap()
    assert shorter(rules, (3, 0, 0), ["take-1", "push", "take-1", "take-1", "take-1"]) == ["take-1"] * 3
    assert shorter(rules, (3, 0, 0), ["take-1", "push", "take-2", "take-1"], moves=0) == [
        "take-1", "push", "take-2", "take-1",
    ]  # fmt: skip


def test_a_won_game_is_won_without_a_move() -> None:
    game = cardsol.deal("camelot", seed=282)
    answer = solve(game)
    game = replayed(game, answer.line)
    assert game.status == "won"
    for goal, verdict in (("win", "won"), ("score", "best")):
        answer = solve(game, goal)  # type: ignore[arg-type]
        assert (answer.verdict, answer.line, answer.winnable, answer.shortest) == (verdict, (), True, True)


class Watch:
    """A solver that notes whether the collector of cyclic garbage runs during a search."""

    STATES = 7
    enabled: bool | None = None

    def model(self, state: Any) -> Any:
        return None

    def solve(self, state: Any, goal: Any, meter: Meter) -> Found:
        self.enabled = gc.isenabled()
        if state == "broken":
            raise KeyboardInterrupt
        return Found("impossible", [], 0, True, winnable=False)


WATCH = Watch()


@pytest.mark.parametrize("name", ["camelot", "graph"])
@pytest.mark.parametrize("state", ["whole", "broken"])
@pytest.mark.parametrize("before", [True, False])
def test_the_collector_is_as_it_was_after_a_search(name: str, state: str, before: bool) -> None:
    rules = SimpleNamespace(
        NAME=name, SOLVER=f"{__name__}:WATCH", moves=lambda _: ["x"], score=lambda _: 0, is_won=lambda _: False,
        max_score=lambda _: 0,
    )  # fmt: skip
    game: Any = SimpleNamespace(name=name, rules=rules, options={}, state=state, score=0)
    (gc.enable if before else gc.disable)()
    try:
        solve(game, "win", Limits())
        assert WATCH.enabled == (before and name == "graph")
        assert gc.isenabled() == before
    finally:
        gc.enable()


def test_a_long_search_leaves_nothing_behind() -> None:
    game = cardsol.deal("vanishing-cross", seed="test-8", options={"wrap": "off"})
    answer = solve(game, "win", Limits(states=MANY))
    assert answer.verdict == "unknown"
    assert gc.collect() < 1000, "the tables of the search would be over 4,000 objects"
