"""What Three Peaks still allows from each tableau, and that the best score may be searched for with it."""

from __future__ import annotations

import random
from functools import cache

import pytest

import cardsol
from cardsol.games import three_peaks as rules
from cardsol.solve.limits import Limits, Meter
from cardsol.solve.model import Found
from cardsol.solve.three_peaks import scores
from cardsol.solve.three_peaks.bounds import Bound, Outlook
from cardsol.solve.three_peaks.guess import HOPELESS, guess
from cardsol.solve.three_peaks.model import NEXT_TO, RANKS, ThreePeaksModel, graph
from cardsol.solve.three_peaks.scores import LONGEST, Scores
from tests.support.harness import part

from .test_solving_three_peaks import SETTINGS, State, normalized, small, walk


def unlimited() -> Meter:
    return Meter(Limits())


def looked_at(state: State) -> tuple[ThreePeaksModel, list[int], list[list[tuple[int, int]]], Outlook]:
    model = ThreePeaksModel(state)
    masks, plays = graph(model.start.left, model.start.open)
    return model, masks, plays, Outlook(model, masks, plays, unlimited())


def bound_of(state: State) -> int:
    """Returns the bound of the best score, as the search for it takes it."""
    model, masks, _, outlook = looked_at(state)
    start = model.start
    bound = Bound(model.place, model.draw_costs, LONGEST)
    own = sum(model.bonus[i] for i in range(28) if start.left >> i & 1) + (model.cleared if start.left else 0)
    cards, later = masks[0].bit_count(), outlook.later[0]
    kept = start.points + bound.more(cards, later, outlook.run[0][start.top])[LONGEST - start.run]
    lifted = bound.pack(cards, later) + model.draw_costs
    return own + (max(kept, lifted) if model.floor else kept)


def check_outlook(state: State) -> tuple[int, int]:
    """Compares the outlook with plain search; returns how often a win was left, and how often none."""
    model, masks, plays, outlook = looked_at(state)

    def playable(number: int, top: int) -> list[tuple[int, int]]:
        """Returns rank and tableau to come of each play."""
        return [(model.rank[i], there) for i, there in plays[number] if model.rank[i] in NEXT_TO[top]]

    @cache
    def run(number: int, top: int) -> int:
        return max((1 + run(there, rank) for rank, there in playable(number, top)), default=0)

    @cache
    def wins(number: int, top: int, drawn: int) -> bool:
        if not masks[number] or any(wins(there, rank, drawn) for rank, there in playable(number, top)):
            return True
        return drawn < len(model.stock) and wins(number, model.stock[drawn], drawn + 1)

    @cache
    def later(number: int) -> int:
        here = max((run(number, top) for top in model.stock), default=0)
        return max([here, *(later(there) for _, there in plays[number])])

    won = lost = 0
    for number in range(len(masks)):
        assert outlook.later[number] == later(number)
        for top in range(RANKS):
            assert outlook.run[number][top] == run(number, top)
            for drawn in range(len(model.stock) + 1):
                can = wins(number, top, drawn)
                assert can == (drawn <= outlook.won[number][top])
                won, lost = won + can, lost + (not can)
    return won, lost


@part(5)
def test_the_outlook_is_what_plain_search_finds(part: int) -> None:
    chance = random.Random(21)
    won, lost = zip(*(check_outlook(small(chance)) for _ in range(120 // part)))
    assert sum(won) > 5_000 // part and sum(lost) > 5_000 // part


@part(20)
def test_runs_packed_no_line_beats_the_bound(part: int) -> None:
    chance = random.Random(22)
    tight = dict.fromkeys(SETTINGS, 0)
    for _ in range(1500 // part):
        state = small(chance)
        best, bound = normalized(state)[1], bound_of(state)
        assert best <= bound, state
        tight[state.scoring, state.floor] += best == bound
    assert min(tight.values()) > 40 // part - 2


def test_runs_packed_no_division_into_runs_has_more() -> None:
    """Tries all ways to divide cards into a first run and later ones."""

    @cache
    def divided(cards: int, longest: int) -> int:
        """Returns the most that later runs of these cards or fewer have, less a draw for each."""
        ways = (run[n] - costs + divided(cards - n, longest) for n in range(1, min(cards, longest) + 1))
        return max([0, *ways])

    for multiplier in (False, True):
        costs = 0 if multiplier else 5
        divided.cache_clear()
        run = [0]
        for n in range(60):
            run.append(run[-1] + (1 << n if multiplier else n + 1))
        bound = Bound(lambda k, run=run: run[k + 1] - run[k], costs, LONGEST)  # type: ignore[misc]
        for cards in range(29):
            for longest in range(cards + 1):
                assert bound.pack(cards, longest) == divided(cards, longest)
                for own in range(0, cards + 1, 3):
                    more = bound.more(cards, longest, own)
                    for present in range(LONGEST - cards):
                        due = max(
                            run[present + n] - run[present] + divided(cards - n, longest)
                            for n in range(own + 1)
                        )
                        assert more[LONGEST - present] == due


def solved_from(state: State, needed: int, needed_to_win: int, patch: pytest.MonkeyPatch) -> Found:
    """Finds the best score when lines are known that have these points more than the start."""
    with patch.context() as known:
        known.setattr(scores, "guess", lambda *_: (needed, needed_to_win))
        return Scores(ThreePeaksModel(state), unlimited()).solve()


def told(found: Found) -> tuple[object, ...]:
    """Returns all but the lines, of which only the length is told."""
    win = found.best_winning
    return *found._replace(line=[], best_winning=None), len(found.line), win and (win.score, len(win.line))


def check_nothing_is_lost(state: State, patch: pytest.MonkeyPatch) -> None:
    """Compares the search with the plain one that leaves nothing out, and with one that knows the best beforehand."""
    plain = solved_from(state, HOPELESS, HOPELESS, patch)
    before = ThreePeaksModel(state).start.points
    win = plain.best_winning
    knowing = solved_from(state, plain.score - before, HOPELESS if win is None else win.score - before, patch)
    as_it_is = Scores(ThreePeaksModel(state), unlimited()).solve()
    assert told(plain) == told(as_it_is) == told(knowing), state


@part(12)
def test_nothing_is_lost_in_small_positions(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(23)
    for _ in range(1500 // part):
        check_nothing_is_lost(small(chance), monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("scoring, floor", SETTINGS)
def test_nothing_is_lost_in_games_under_way(
    scoring: str, floor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(3):
        options = {"scoring": scoring, "floor": floor}
        start = cardsol.deal("three-peaks", seed=f"nothing {seed}", options=options).state
        for number, state in enumerate(walk(start, random.Random(seed))):
            if number % 7 == 6:
                check_nothing_is_lost(state, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize("scoring, floor", SETTINGS)
def test_nothing_is_lost_in_whole_deals(scoring: str, floor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(12):
        options = {"scoring": scoring, "floor": floor}
        state = cardsol.deal("three-peaks", seed=f"whole {seed}", options=options).state
        check_nothing_is_lost(state, monkeypatch)


def test_a_bound_that_is_too_low_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = Bound.pack
    monkeypatch.setattr(Bound, "pack", lambda self, cards, longest: pack(self, cards, longest) - 1)
    chance = random.Random(24)
    with pytest.raises((AssertionError, StopIteration)):
        for _ in range(1500):
            check_nothing_is_lost(small(chance), monkeypatch)


def test_the_first_lines_can_be_played() -> None:
    chance = random.Random(25)
    wins = 0
    for _ in range(300):
        state = small(chance)
        model, masks, plays, outlook = looked_at(state)
        meter = unlimited()
        best, won = guess(model, masks, plays, outlook, meter)
        for token in meter.best_line:
            assert token in rules.moves(state)
            state = rules.apply(state, token)
        assert rules.score(state) == meter.best_score == model.start.points + best
        assert won <= best
        assert (won == HOPELESS) == (outlook.won[0][model.start.top] < 0)
        wins += won != HOPELESS
    assert 50 < wins < 250
