"""Ways are compared over the same next cards, and those that fall behind are looked at no further."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from cardsol.cards import STANDARD, Card
from cardsol.hint import plan
from cardsol.hint.outlook import chance
from cardsol.hint.plan import ORDERS, Way, looked_ahead
from tests.hint.ladder_outlook import LadderOutlook
from tests.support import harness

UNSEEN = STANDARD.cards[:40]


class Played(LadderOutlook):
    """Plays a way out: it is won by chance, with a chance of its own."""

    def __init__(self, chances: Sequence[float]) -> None:
        self.chances = chances
        self.asked = Counter[int]()

    def is_won(self, position: object) -> bool:
        return False

    def play_out(self, position: int, cards: Sequence[Card]) -> float:
        self.asked[position] += 1
        return float(Random(repr((position, cards))).random() < self.chances[position])


def ways(count: int) -> list[Way]:
    """Returns so many ways of nearly equal value, the best first."""
    return [Way(-i / 1000, (str(i),), None, i, chance(-i / 1000)) for i in range(count)]


def test_a_way_that_falls_clearly_behind_is_looked_at_no_further() -> None:
    outlook = Played([0.6, 0.9, 0.0, 0.9])
    found = looked_ahead(outlook, ways(4), UNSEEN, 64)
    assert found[0].steps in (("1",), ("3",))
    assert outlook.asked[2] < outlook.asked[0] < outlook.asked[1]
    assert outlook.asked[1] == outlook.asked[3] == 64 * ORDERS, "the best and one as good"


def test_it_ends_where_one_way_is_left() -> None:
    outlook = Played([0.1, 1.0, 0.2])
    assert looked_ahead(outlook, ways(3), UNSEEN, 256)[0].steps == ("1",)
    assert outlook.asked[1] < 256 * ORDERS / 10


def test_ways_that_do_equally_well_are_all_looked_at_to_the_end() -> None:
    outlook = Played([0.5, 0.5, 0.5])
    assert [way.steps for way in looked_ahead(outlook, ways(3), UNSEEN, 4)] == [("0",), ("1",), ("2",)]
    assert set(outlook.asked.values()) == {4 * ORDERS}


@pytest.mark.parametrize("worlds", harness.some([16, 1, 4, 64], 4))
@harness.part(2)
def test_dropping_ways_early_seldom_changes_which_is_best(
    worlds: int, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def best(chances: Sequence[float]) -> tuple[object, ...]:
        return looked_ahead(Played(chances), ways(len(chances)), UNSEEN, worlds)[0].steps

    dice = Random("dropping")
    cases = [[dice.random() for _ in range(5)] for _ in range(40 // part)]
    early = [best(chances) for chances in cases]
    monkeypatch.setattr(plan, "RACE", 10**9)
    late = [best(chances) for chances in cases]
    assert sum(one != other for one, other in zip(early, late)) <= 1


def test_the_prior_way_is_left_only_for_one_that_is_clearly_better() -> None:
    assert looked_ahead(Played([0.50, 0.52]), ways(2), UNSEEN, 1)[0].steps == ("0",)
    assert looked_ahead(Played([0.50, 0.90]), ways(2), UNSEEN, 4)[0].steps == ("1",)


def test_worlds_are_made_only_as_they_are_looked_at() -> None:
    outlook = Played([0.5, 0.5])
    looked_ahead(outlook, ways(2), UNSEEN, 10**12, seconds=0.0)
    assert outlook.asked[0] == ORDERS, "one world, the least"
