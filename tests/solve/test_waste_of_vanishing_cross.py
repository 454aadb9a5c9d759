"""The relaxed game by which Vanishing Cross is proved lost, against trying everything by the game's own rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

import cardsol
from cardsol.cards import STANDARD
from cardsol.games import vanishing_cross as game
from cardsol.games.vanishing_cross import RANK, State
from cardsol.solve import vanishing_waste, winning_line
from cardsol.solve.limits import Limits, Meter
from cardsol.solve.vanishing_cross import VanishingCrossModel, solve
from cardsol.solve.vanishing_waste import Wastes, fewest_piles
from tests.solve.test_solving_vanishing_cross import normalized, replay
from tests.support.harness import part, some

POSITIONS = 2_600
"""Of each way of playing."""


def built(rng: random.Random, direct: bool) -> State:
    """Deals few cards with wrap=off, all others up: built runs in the cross, the rest in waste and stock."""
    base = rng.randrange(13)
    ranks = STANDARD.ranks[base:] + STANDARD.ranks[:base]
    left = dict.fromkeys(STANDARD.suits, 0)
    suits = rng.sample(STANDARD.suits, rng.randint(2, 4))
    for _ in range(rng.randint(10, 34)):
        suit = rng.choice(suits)
        left[suit] += left[suit] < 12
    corners = [tuple(rank + suit for rank in ranks[: 13 - left[suit]]) for suit in left]
    rest = [rank + suit for suit in left for rank in ranks[13 - left[suit] :]]
    rng.shuffle(rest)
    cross: list[tuple[str, ...]] = []
    for _ in range(rng.choice((5, 5, 5, 5, 4))):
        if rest:
            cross.append((rest.pop(),))
    for card in rest[:]:
        for index, pile in enumerate(cross):
            if RANK[pile[-1]] == RANK[card] + 1 and rng.random() < 0.6:
                cross[index] = (*pile, card)
                rest.remove(card)
                break
    cross += [()] * (5 - len(cross))
    cut = rng.randint(0, rng.randint(0, len(rest)))
    stock, waste = tuple(rest[:cut]), tuple(rest[cut:])
    drawn = stock[:1] if not direct and rng.random() < 0.5 else ()
    return State(stock[len(drawn) :], drawn, waste, tuple(corners), tuple(cross), False, direct)


def states(direct: bool, number: int = POSITIONS) -> Iterator[State]:
    rng = random.Random(f"waste {direct}")
    for _ in range(number):
        yield built(rng, direct)


def lost_by_waste(state: State) -> bool:
    model = VanishingCrossModel(state)
    assert model.watch_waste(int)
    head, waste, _ = model.start
    return not model._may_empty(head, waste)


def verdicts(direct: bool, number: int = POSITIONS) -> Iterator[bool]:
    """Yields of each position said to be lost whether a line wins, where that is soon known.

    Where there are too many lines to try them all, a win that the first beams find still shows a wrong verdict.
    """
    for state in states(direct, number):
        if lost_by_waste(state):
            best = normalized(state, 800, group_key=True)
            if best is not None:
                yield best == 52
            elif winning_line(game, state, 200):
                yield True


@part(20)
@pytest.mark.parametrize("direct", [False, True], ids=["classic", "direct"])
def test_a_waste_that_cannot_be_laid_out_is_never_won(direct: bool, part: int) -> None:
    won = list(verdicts(direct, POSITIONS // part))
    assert not any(won)
    assert len(won) > 50 // part


def on_the_way_to_wins(direct: bool, number: int = 8) -> Iterator[bool]:
    """Yields of positions on lines that win so many whole deals whether they are said to be lost."""
    options = {"wrap": "off", "play": "direct" if direct else "classic"}
    for seed in range(1, 1 + number):
        state = cardsol.deal("vanishing-cross", seed=str(seed), options=options).state
        for number, token in enumerate(winning_line(game, state, 40_000)):
            if number % 7 == 0:
                yield lost_by_waste(state)
            state = game.apply(state, token)


@pytest.mark.parametrize("direct", [False, True], ids=["classic", "direct"])
@part(8)
def test_no_position_of_a_won_game_is_said_to_be_lost(direct: bool, part: int) -> None:
    said = list(on_the_way_to_wins(direct, 8 // part))
    assert len(said) > 40 // part and not any(said)


def few_squares(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(vanishing_waste, "SQUARES", 4)


def most_of_each_rank(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(vanishing_waste, "fewest_piles", lambda least, most: fewest_piles(most, most))


def no_card_goes_up(patch: pytest.MonkeyPatch) -> None:
    real = Wastes._held
    patch.setattr(
        Wastes, "_held", lambda self, suit, away: (*real(self, suit, away)[:2], real(self, suit, away)[2][:1])
    )


def ranks_one_off(patch: pytest.MonkeyPatch) -> None:
    real = Wastes.__init__

    def shifted(self: Wastes, cross: bytes, order: bytes, base: int, count: Callable[[], object]) -> None:
        real(self, cross, order, (base + 1) % 13, count)

    patch.setattr(Wastes, "__init__", shifted)


def nothing_comes_onto_it(patch: pytest.MonkeyPatch) -> None:
    def kept(self: Wastes, waste: int, moments: int, wanted: int) -> int:
        return vanishing_waste_lasting(moments, self._times(waste))

    patch.setattr(Wastes, "_returns", kept)


vanishing_waste_lasting = vanishing_waste._lasting
FAULTS = [few_squares, most_of_each_rank, no_card_goes_up, ranks_one_off, nothing_comes_onto_it]


@pytest.mark.parametrize("fault", some(FAULTS, 5), ids=lambda fault: fault.__name__)
def test_a_fault_in_the_lemma_is_seen(
    fault: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault(monkeypatch)
    assert any(on_the_way_to_wins(False)) or any(verdicts(False))


def test_the_fewest_piles_of_a_few_cards_are_counted_rightly() -> None:
    rng = random.Random(5)
    for _ in range(500):
        ranks = [rng.randrange(13) for _ in range(rng.randint(0, 7))]
        counts = sum(1 << vanishing_waste.FIELD * rank for rank in ranks)
        heads: list[int] = []
        for rank in sorted(ranks, reverse=True):
            if rank + 1 in heads:
                heads.remove(rank + 1)
            heads.append(rank)
        assert fewest_piles(counts, counts) == len(heads)


def test_a_range_of_counts_needs_as_few_piles_as_the_best_in_it() -> None:
    rng = random.Random(6)
    for _ in range(200):
        ranges = [sorted((rng.randrange(3), rng.randrange(3))) for _ in range(5)]
        least, most = (
            sum(pair[i] << vanishing_waste.FIELD * n for n, pair in enumerate(ranges)) for i in (0, 1)
        )
        packed = [0]
        for n, (low, high) in enumerate(ranges):
            packed = [c + (k << vanishing_waste.FIELD * n) for c in packed for k in range(low, high + 1)]
        assert fewest_piles(least, most) == min(fewest_piles(counts, counts) for counts in packed)


def test_a_start_that_is_not_built_is_not_judged() -> None:
    state = next(states(True))
    unbuilt = state._replace(cross=(sum(state.cross, ()), *[()] * 4))
    assert any(RANK[a] != RANK[b] + 1 for a, b in pairwise(unbuilt.cross[0]))
    assert not VanishingCrossModel(unbuilt).watch_waste(int)
    assert not VanishingCrossModel(state._replace(wrap=True)).watch_waste(int)


@part(4)
def test_the_solver_agrees_with_trying_everything(part: int) -> None:
    settled = 0
    for state in states(False, 300 // part):
        best = normalized(state, 300, group_key=True)
        if best is not None:
            settled += 1
            found = solve(state, "win", Meter(Limits(states=200_000)))
            assert found.verdict == ("won" if best == 52 else "impossible")
            assert game.score(replay(state, found.line)) == found.score
    assert settled > 10 // part
