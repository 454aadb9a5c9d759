"""Perft: the number of distinct token lines to a depth, counted by engine and reference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.registry import rules_of
from tests import reference
from tests.support import engine
from tests.support.harness import part, some

TABLE: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data/perft.json").read_text())


def _name(row: dict[str, Any]) -> str:
    return " ".join([row["game"], *row["options"].values(), "seed", row["seed"]])


def lines(game: cardsol.Game, depth: int) -> list[int]:
    """Counts the lines of 1, 2, … `depth` tokens, position by position."""
    rules = rules_of(game.name)
    counts = []
    positions = {game.state: 1}
    for _ in range(depth):
        after: dict[Any, int] = {}
        total = 0
        for state, ways in positions.items():
            for token in rules.moves(state):
                next_state = rules.apply(state, token)
                after[next_state] = after.get(next_state, 0) + ways
                total += ways
        counts.append(total)
        positions = after
    return counts


@pytest.mark.parametrize("row", some(TABLE, 3), ids=_name)
def test_the_engine_counts_what_the_table_says(row: dict[str, Any]) -> None:
    game = cardsol.deal(row["game"], seed=row["seed"], options=row["options"])
    assert lines(game, len(row["counts"])) == row["counts"]


@pytest.mark.parametrize("row", [row for row in TABLE if row["seed"] == "1"], ids=_name)
@part(3)
def test_the_reference_counts_what_the_table_says(row: dict[str, Any], part: int) -> None:
    deck = reference.shuffle(row["deck_name"], row["seed"])
    depth = sum(count < 600 / part for count in row["counts"])
    counts = [reference.perft(row["game"], deck, row["options"], n, row["seed"]) for n in range(1, depth + 1)]
    assert counts == row["counts"][:depth]


def test_the_table_has_every_game_and_option() -> None:
    counted = {(row["game"], value) for row in TABLE for value in row["options"].values()}
    assert counted >= {(game, value) for game, options in engine.VARIANTS for value in options.values()}
