"""Hints in a game of many rounds: what they cost, and that they are those of a replay from the deal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import pytest

import cardsol
from cardsol.hint import adviser, history_of
from cardsol.hint.knowledge import Guess, Snapshot
from cardsol.solve import winning_line
from cardsol.view import Shown
from tests.support import harness


def after_rounds(count: int) -> cardsol.Game:
    """Returns a game of Three Peaks in which some rounds were cleared, in the middle of the next."""
    game = cardsol.deal("three-peaks", seed="1", options={"rounds": "progressive"})
    for _ in range(count):
        game.play(*winning_line(game.rules, game.state, 200))
    game.play(*winning_line(game.rules, game.state, 200)[:12])
    return game


@contextmanager
def replayed_from_the_deal() -> Iterator[None]:
    def nowhere(*_: Any) -> None:
        """Lets a guess go on without another start."""

    with mock.patch.object(Guess, "_start_at", nowhere):
        yield


@pytest.mark.parametrize("rounds", harness.some([1, 2], 2))
def test_a_hint_is_the_same_as_by_a_replay_from_the_deal(rounds: int) -> None:
    history = history_of(after_rounds(rounds))
    found = adviser.hint(history, 3)
    with replayed_from_the_deal():
        assert adviser.hint(history, 3) == found


def test_only_the_latest_round_is_replayed() -> None:
    history = history_of(after_rounds(3))
    following = adviser.Adviser(history.now, history.snapshots[0])
    for token, snapshot in zip(history.moves, history.snapshots[1:]):
        following.note(token, snapshot)
        assert len(following.knowledge.guess.path) < 60
    assert len(history.moves) > 120


def test_a_hint_takes_time_in_proportion_to_the_rounds() -> None:
    def seconds(rounds: int) -> float:
        history = history_of(after_rounds(rounds))
        start = time.process_time()
        adviser.hint(history, 1)
        return time.process_time() - start

    assert seconds(8) < 8 * seconds(2)  # 4 times as long, but 16 times with replays from the deal


def test_positions_of_different_scores_are_never_told_as_the_same_layout() -> None:
    one, none = Shown(0, ("AS",)), Shown(0, ())
    before = Snapshot(((one, none), ()), 0)
    assert adviser._layout(before) == adviser._layout(Snapshot(((none, one), ()), 0))
    assert adviser._layout(before) != adviser._layout(Snapshot(((none, one), ()), 1))
