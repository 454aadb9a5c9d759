"""The lemmas of the solvers, each attacked by trying every line of small positions with the game's own rules."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import cardsol
from cardsol.games import camelot, rouge_et_noir, three_peaks, universal, vanishing_cross
from cardsol.solve.camelot import CamelotModel
from cardsol.solve.camelot.model import Node
from cardsol.solve.limits import Limits, Meter
from cardsol.solve.rouge_et_noir import WON, RougeEtNoirModel
from cardsol.solve.search import Search
from cardsol.solve.three_peaks import ThreePeaksModel
from cardsol.solve.three_peaks.model import DRAW
from cardsol.solve.three_peaks.win import least_draws, quick_win
from cardsol.solve.universal import UniversalModel
from cardsol.solve.vanishing_cross import VanishingCrossModel
from tests.support import harness

from . import test_solving_camelot as of_camelot
from . import test_solving_rouge_et_noir as of_rouge
from . import test_solving_three_peaks as of_peaks
from . import test_solving_universal as of_universal
from . import test_solving_vanishing_cross as of_cross

KINDS = of_cross.KINDS


# Universal


def universal_positions(first: int, number: int, most: int = 400) -> Iterator[tuple[universal.State, int]]:
    """Yields small positions with their best scores."""
    for seed in range(first, first + number):
        state = of_universal.cut_game(random.Random(seed))
        best = of_universal.plain_best(state, most)
        if best is not None:
            yield state, best


@harness.part(8)
def test_universal_relaxed_game_no_line_beats_the_bound(part: int) -> None:
    tight = 0
    for state, best in universal_positions(0, 500 // part):
        model = UniversalModel(state)
        bound = model.bound(model.start)
        assert bound >= best, state
        tight += bound == best < universal.FULL_SCORE
    assert tight > 15 // part


@harness.part(8)
def test_universal_safe_moves_lose_nothing_from_column_and_waste(part: int) -> None:
    safe = {"column": 0, "waste": 0}
    for seed in range(5000, 5000 + 3000 // part):
        state = of_universal.cut_game(random.Random(seed))
        model = UniversalModel(state)
        forced = model.forced(model.start)
        if forced is None:
            continue
        (token,) = model.tokens([forced[0]])
        kind = "waste" if token[0] == "w" else "column"
        best = of_universal.plain_best(state, 150) if safe[kind] < 60 // part else None
        if best is not None:
            after = universal.apply(state, token)
            assert of_universal.plain_best(after, 400) == best, (state, token)
            safe[kind] += best < universal.FULL_SCORE
    assert safe["column"] > 20 // part and safe["waste"] > 4 // part


@harness.part(2)
def test_universal_columns_in_any_order_have_equal_keys_and_equal_bests(part: int) -> None:
    for seed, (state, best) in enumerate(universal_positions(9000, 150 // part, 200)):
        columns = random.Random(seed).sample(state.columns, len(state.columns))
        other = state._replace(columns=tuple(columns))
        assert of_universal.plain_best(other, 300) == best
        one, two = UniversalModel(state), UniversalModel(other)
        assert one.bound(one.start) == two.bound(two.start)


# Vanishing Cross


def cross_positions(kind: dict[str, str], number: int) -> Iterator[tuple[vanishing_cross.State, int]]:
    rng = random.Random(f"lemmas {kind}")
    for _ in range(number):
        state = of_cross.small(rng, kind, rng.choice((3, 4, 5, 6, 8, 12)))
        best = of_cross.normalized(state, 500, group_key=True)
        if best is not None:
            yield state, best
    for _ in range(8 * number):
        state = barred(rng, kind)
        model = VanishingCrossModel(state)
        if model.forced(model.start) is not None:
            best = of_cross.normalized(state, 60, group_key=True)
            if best is not None:
                yield state, best


@pytest.mark.parametrize("kind", harness.some(KINDS, 2), ids=of_cross.BY_NAME)
@harness.part(4)
def test_vanishing_cross_forced_moves_lose_nothing(kind: dict[str, str], part: int) -> None:
    corners = draws = 0
    for state, best in cross_positions(kind, 100 // part):
        model = VanishingCrossModel(state)
        forced = model.forced(model.start)
        if forced is not None:
            (token,) = model.tokens([forced[0]])
            after = vanishing_cross.apply(state, token)
            assert of_cross.normalized(after, 1000, group_key=True) == best, (state, token)
            draws += token == "draw"
            corners += token != "draw"
    assert corners > 10 // part
    assert draws > 2 // part or kind["play"] == "direct"


def barred(rng: random.Random, kind: dict[str, str]) -> vanishing_cross.State:
    """Deals few cards, none of the squares empty: where no pile can be emptied the game is lost."""
    while True:
        state = of_cross.small(rng, kind, rng.randint(12, 40))
        if all(state.cross):
            return state


@pytest.mark.parametrize("kind", harness.some(KINDS, 2), ids=of_cross.BY_NAME)
@harness.part(4)
def test_vanishing_cross_no_space_no_line_beats_the_bound(kind: dict[str, str], part: int) -> None:
    rng = random.Random(f"bound {kind}")
    tight = 0
    for _ in range(1500 // part):
        state = barred(rng, kind)
        model = VanishingCrossModel(state)
        bound = model.bound(model.start)
        best = of_cross.normalized(state, 120, group_key=True) if bound < 52 else None
        if best is not None:
            assert bound >= best, state
            tight += bound == best
    assert tight > 5 // part


def suit(text: str, rank: int, count: int) -> tuple[str, ...]:
    ranks = "A23456789TJQK"
    return tuple(ranks[(rank - 1 + n) % 13] + text for n in range(count))


TOO_EARLY = [
    vanishing_cross.State(
        ("2S", "JS"), (), ("9S", "4S", "7S"), (suit("C", 3, 13), suit("D", 3, 13), suit("H", 3, 2), ()),
        (
            ("5S", "8H", "5H"), ("QS", "AH", "7H"), ("JH", "6S", "KH", "8S"), ("6H", "TS", "2H", "9H", "QH"),
            ("KS", "AS", "3S", "TH"),
        ), True, True,
    ),
    vanishing_cross.State(
        (), (), ("2H", "8C", "9S", "4S", "8H"), (suit("D", 11, 13), suit("S", 11, 5), suit("H", 11, 4), ()),
        (
            ("3H", "9C", "6C", "TS", "3S"), ("TC", "9H", "7C", "QC", "6S"), ("5H", "4C", "7H", "JC", "2C"),
            ("AC", "5S", "TH", "6H", "5C"), ("3C", "KC", "7S", "8S", "4H"),
        ), False, False,
    ),
]  # fmt: skip
"""Positions in which the corner move a2-f costs a card: another suit is too far behind."""


@pytest.mark.parametrize("state", TOO_EARLY, ids=["direct", "classic"])
def test_vanishing_cross_a_corner_too_early_is_not_forced(state: vanishing_cross.State) -> None:
    best = of_cross.normalized(state, 1000, group_key=True)
    after = of_cross.normalized(vanishing_cross.apply(state, "a2-f"), 1000, group_key=True)
    assert best is not None and after == best - 1
    model = VanishingCrossModel(state)
    forced = model.forced(model.start)
    assert forced is None or model.tokens([forced[0]]) != ["a2-f"]


# Rouge et Noir


@harness.part(6)
def test_rouge_et_noir_points_no_line_beats_the_bound(part: int) -> None:
    tight = 0
    for state, (won, best) in of_rouge.small_positions(11, 40 // part, 150):
        model = RougeEtNoirModel(state)
        bound = model.bound(model.start)
        assert bound >= best, state
        tight += bound == best < WON
        model = RougeEtNoirModel(state, "win")
        assert not won or model.bound(model.start) == WON, state
    assert tight > 2 // part


@harness.part(4)
def test_rouge_et_noir_columns_and_foundations_in_any_order_have_equal_keys_and_equal_futures(
    part: int,
) -> None:
    chance = random.Random(4)
    for state, truth in of_rouge.small_positions(12, 20 // part, 150):
        waiting = [tuple(rouge_et_noir.ALIKE[card] for card in state.stock[i::10]) for i in range(10)]
        columns = list(state.columns)
        for group in {tuple(i for i in range(10) if waiting[i] == waiting[j]) for j in range(10)}:
            for i, j in zip(group, chance.sample(group, len(group))):
                columns[i] = state.columns[j]
        a, b, c, d = state.foundations
        other = state._replace(columns=tuple(columns), foundations=(b, a, d, c))
        model, swapped = RougeEtNoirModel(state), RougeEtNoirModel(other)
        there = [model._number[swapped._cards[column]] for column in swapped.start[:10]]
        assert swapped._gone[swapped.start[10]] == model._gone[model.start[10]]
        assert model.key((*there, *model.start[10:])) == model.key(model.start)
        assert of_rouge.plain_search(other, 400) == truth


@harness.part(4)
def test_rouge_et_noir_columns_that_await_other_cards_are_not_exchanged(part: int) -> None:
    """Positions with equal keys have equal futures: tried on exchanges that the lemma does not allow."""
    chance = random.Random(5)
    compared = 0
    for state, truth in of_rouge.small_positions(13, 25 // part, 150):
        i, j = chance.sample(range(10), 2)
        columns = list(state.columns)
        columns[i], columns[j] = columns[j], columns[i]
        other = state._replace(columns=tuple(columns))
        model = RougeEtNoirModel(state)
        number = model._number
        swapped = (*(number[model._cards[model.start[k]]] for k in swap(i, j)), *model.start[10:])
        if model.key(swapped) == model.key(model.start):
            compared += 1
            assert of_rouge.plain_search(other, 400) == truth
    assert compared > 5 // part


def swap(i: int, j: int) -> list[int]:
    order = list(range(10))
    order[i], order[j] = j, i
    return order


@harness.part(2)
def test_rouge_et_noir_third_sequence_of_a_colour_no_line_wins(part: int) -> None:
    """Going through everything with third sequences allowed finds no more wins than without them."""
    two = 0
    for state, (won, _) in of_rouge.small_positions(14, 25 // part, 150):
        verdicts = set()
        for goal in ("win", "score"):
            with Search(RougeEtNoirModel(state, goal), "win", Meter(Limits()), WON) as search:
                search.exhaust()
            verdicts.add(search.found().verdict)
        assert verdicts == {"won" if won else "impossible"}, state
        two += sum(rouge_et_noir.RED[cards[0]] for cards in state.sequences if cards) == 2
    assert two > 5 // part


# Three Peaks


@harness.part(8)
def test_three_peaks_one_run_no_line_beats_the_bound(part: int) -> None:
    chance = random.Random(7)
    tight = 0
    for _ in range(300 // part):
        state = of_peaks.small(chance)
        model = ThreePeaksModel(state)
        best = of_peaks.normalized(state)[1]
        assert best <= model.bound(model.start)
        tight += best == model.bound(model.start)
    assert tight > 30 // part


def fewest_draws(state: three_peaks.State) -> int | None:
    """Returns the least number of draws with which a line wins, by going through all lines."""
    best: int | None = None
    seen, waiting = {state}, [state]
    for here in waiting:
        if three_peaks.is_won(here):
            drawn = len(state.stock) - len(here.stock)
            best = drawn if best is None else min(best, drawn)
        for token in three_peaks.moves(here):
            after = three_peaks.apply(here, token)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return best


@harness.part(6)
def test_three_peaks_fewer_draws_do_what_more_can(part: int) -> None:
    chance = random.Random(8)
    won = 0
    for _ in range(400 // part):
        state = of_peaks.small(chance)
        fewest = fewest_draws(state)
        model = ThreePeaksModel(state)
        quick, exhausted = quick_win(model, Meter(Limits()))
        assert exhausted and (quick is None) == (fewest is None), state
        table = least_draws(model, Meter(Limits()))
        assert (None if table is None else table.count(DRAW)) == fewest, state
        won += fewest is not None and fewest > 0
    assert won >= 80 // part


@harness.part(8)
def test_three_peaks_covered_entries_score_no_more(part: int) -> None:
    chance = random.Random(9)
    strict = 0
    for _ in range(500 // part):
        state = of_peaks.small(chance)
        cost = three_peaks.DRAW_COSTS[state.scoring]
        drawn = chance.randint(0, len(state.stock))
        fewer = chance.randint(0, drawn)
        worth = chance.randint(0, 30) + cost * len(state.stock)
        more = worth + chance.choice((0, 0, 1, 5))
        run = len(state.run)
        longer = run + chance.choice((0, 0, 1, 3))
        covered = state._replace(stock=state.stock[drawn:], points=worth - cost * drawn)
        covering = state._replace(
            stock=state.stock[fewer:], points=more - cost * fewer, run=state.run[-1:] * longer
        )
        covered = covered._replace(run=state.run[-1:] * run)
        one, other = of_peaks.normalized(covering)[1], of_peaks.normalized(covered)[1]
        assert one >= other, (covering, covered)
        strict += one > other
    assert strict > 50 // part


# Camelot


@harness.part(4)
def test_camelot_order_of_removing_does_not_matter(part: int) -> None:
    chance = random.Random(10)
    for _ in range(3000 // part):
        state = of_camelot.cut(chance)
        model = CamelotModel(state)
        if not model.may_remove:
            continue
        for _ in range(4):
            here = state
            while pairs := [t for t in camelot.moves(here) if t != "draw" and t[0] != "w"]:
                here = camelot.apply(here, chance.choice(pairs))
            assert camelot.score(here) == model.score(model.start), state


def reached(state: camelot.State, most: int = 5000) -> tuple[int, int] | None:
    """Returns the most cards that any line places, and the best score; None if there are too many lines."""
    before = len(state.stock) + len(state.waste)
    seen, waiting = set(), [state]
    for here in waiting:
        for token in camelot.moves(here):
            after = camelot.apply(here, token)
            look = len(after.stock), after.waste, after.phase, tuple(card[:1] for card in after.grid)
            if look not in seen:
                seen.add(look)
                waiting.append(after)
        if len(waiting) > most:
            return None
    placed = max(before - len(here.stock) - len(here.waste) for here in waiting)
    return placed, max(map(camelot.score, waiting))


def camelot_positions(seed: int, number: int) -> Iterator[tuple[camelot.State, tuple[int, int]]]:
    chance = random.Random(seed)
    for n in range(number):
        state = of_camelot.cut(chance) if n % 2 else of_camelot.end_game(chance.randrange(10**6))
        known = None if state is None else reached(state)
        if state is not None and known is not None:
            yield state, known


@harness.part(4)
def test_camelot_reach_and_end_no_line_places_more_cards(part: int) -> None:
    tight = {"reach": 0, "end": 0}
    for state, (placed, _) in camelot_positions(11, 500 // part):
        model = CamelotModel(state)
        assert placed <= model.end, state
        tight["end"] += placed == model.end < len(model.ranks)
        if model.may_remove or not any(model.start.free):
            reach = model.reach(model.start)
            assert placed <= reach, state
            tight["reach"] += placed == reach < model.end
    assert tight["reach"] > 5 // part and tight["end"] > 5 // part


@harness.part(3)
def test_camelot_reach_and_bound_hold_at_every_moment_of_the_search(part: int) -> None:
    """The best that the model itself can reach from a node, by trying everything, is not above what is promised."""
    nodes = 0
    for state, _ in camelot_positions(12, 160 // part):
        model = CamelotModel(state)
        best: dict[Node, tuple[int, int]] = {}

        def truth(
            node: Node, model: CamelotModel = model, best: dict[Node, tuple[int, int]] = best
        ) -> tuple[int, int]:
            if node not in best:
                ends = [truth(after) for _, after in model.expand(node)]
                drawn = max([node.drawn, *(end[0] for end in ends)])
                best[node] = drawn, max([model.score(node), *(end[1] for end in ends)])
            return best[node]

        truth(model.start)
        for node, (drawn, score) in best.items():
            assert drawn <= model.reach(node), (state, node)
            assert score <= model.bound(node), (state, node)
            nodes += 1
    assert nodes > 1000 // part


@harness.part(4)
def test_camelot_full_grids_are_not_passed(part: int) -> None:
    exact = 0
    for state, (_, best) in camelot_positions(13, 400 // part):
        model = CamelotModel(state)
        bound = model.bound(model.start)
        assert best <= bound, state
        exact += best == bound
    assert exact > 50 // part


def test_deals_from_seeds_reach_what_their_bounds_allow() -> None:
    """The bounds of whole deals are not below what the solvers reach."""
    for seed in range(20):
        state = cardsol.deal("camelot", seed=seed).state
        model = CamelotModel(state)
        assert of_camelot.solved(state, "score").score <= model.bound(model.start)
