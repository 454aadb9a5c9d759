"""The estimate of Vanishing Cross with learned weights."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import cardsol
from cardsol.solve.vanishing_cross import Position, VanishingCrossModel
from cardsol.solve.vanishing_value import CLASSIC, DIRECT, Estimate, Learned, _near, _nearness, _over

NOTHING = CLASSIC._replace(
    **dict.fromkeys(set(Learned._fields) - {"spaces"}, 0),
    spaces=(0, 0, 0, 0, 0, 0),
)
CLUBS, DIAMONDS = 0, 13


def positions(options: dict[str, str], number: int) -> Iterator[tuple[VanishingCrossModel, Position]]:
    rng = random.Random(str(options))
    for seed in range(1, 4):
        model = VanishingCrossModel(cardsol.deal("vanishing-cross", seed=str(seed), options=options).state)
        position = model.start
        for _ in range(number):
            yield model, position
            moves = model.expand(position)
            if not moves:
                break
            position = rng.choice(moves)[1]


@pytest.mark.parametrize("weights", [CLASSIC, DIRECT], ids=["classic", "direct"])
@pytest.mark.parametrize("wrap", ["on", "off"])
def test_it_depends_on_nothing_that_was_asked_before(weights: Learned, wrap: str) -> None:
    for model, (head, waste, cross) in positions({"wrap": wrap}, 60):
        model.use_weights(weights)
        model.estimate((head, waste, cross))
        fresh = Estimate(weights, model.host, model.by_stock)
        assert model.estimate((head, waste, cross)) == fresh(head & 0xFFFF, waste, cross)


def only(**weights: float) -> Estimate:
    return Estimate(NOTHING._replace(**weights), VANISHING.host, VANISHING.by_stock)  # type: ignore[arg-type]


VANISHING = VanishingCrossModel(cardsol.deal("vanishing-cross", seed="1", options={"wrap": "off"}).state)


def test_cards_over_lower_ones_are_counted() -> None:
    by_stock = tuple(range(52))
    assert _over(bytes([CLUBS + 5, CLUBS + 4, CLUBS + 3]), by_stock) == (0, 0, 0)
    assert _over(bytes([CLUBS + 3, CLUBS + 5, DIAMONDS + 4]), by_stock) == (2, 2, 1)
    assert _over(bytes([DIAMONDS + 1, CLUBS + 5]), by_stock) == (1, 0, 0)


def test_near_cards_weigh_more_the_deeper_they_lie() -> None:
    one_up = _nearness(0x1)
    assert _near(bytes([CLUBS + 1]), one_up) == (0, 0)
    assert _near(bytes([CLUBS + 1, DIAMONDS + 9]), one_up) == (4, 1)
    assert _near(bytes([CLUBS + 2, DIAMONDS + 9, DIAMONDS + 8]), one_up) == (6, 1)
    assert _near(bytes([CLUBS + 5, DIAMONDS + 9]), one_up) == (0, 0)


@pytest.mark.parametrize(
    "weight, ups, waste, cross, times",
    [
        ("up", 0x0021, b"", [b""] * 5, 3),
        ("least_up", 0x2345, b"", [b""] * 5, 2),
        ("most_up", 0x2345, b"", [b""] * 5, 5),
        ("started", 0x0201, b"", [b""] * 5, 2),
        ("unlike", 1, b"", [b"", bytes([3]), bytes([16]), bytes([4]), bytes([5])], 3),
        ("single", 1, b"", [b"", bytes([3]), bytes([16, 2]), bytes([4]), bytes([5])], 3),
        ("next_on_top", 1, b"", [b"", bytes([1]), bytes([13]), bytes([4]), bytes([5])], 2),
        ("wasted", 1, bytes([7, 8, 9]), [b""] * 5, 3),
        ("high", 1, bytes([7, 9, 12]), [b""] * 5, 2),
        ("waste_over_suit", 1, bytes([7, 9, 8]), [b""] * 5, 2),
        ("on_suit", 1, b"", [b""] * 4 + [bytes([7, 6, 18])], 1),
        ("on_base", 1, b"", [b""] * 4 + [bytes([13, 12, 24])], 1),
        ("run", 1, b"", [b""] * 4 + [bytes([7, 6, 5, 4])], 3),
    ],
)
def test_each_weight_counts_what_it_says(
    weight: str, ups: int, waste: bytes, cross: list[bytes], times: int
) -> None:
    assert only(**{weight: 1.0})(ups, waste, tuple(cross)) == times


def test_spaces_have_a_value_each() -> None:
    estimate = Estimate(NOTHING._replace(spaces=(0, -1, -3, -6, -7, -8)), VANISHING.host, VANISHING.by_stock)
    for spaces, worth in enumerate((0, -1, -3, -6, -7, -8)):
        cross = (b"",) * spaces + tuple(bytes([20 + n]) for n in range(5 - spaces))
        assert estimate(1, b"", cross) == worth
