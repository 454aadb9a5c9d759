"""Results of hints as data, equal in every process, and hints on the longest games there can be."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

import cardsol
from cardsol.errors import NoHint
from cardsol.game import MOST_MOVES, Game
from cardsol.hint import hint as advise
from cardsol.hint import history_of
from tests.support import harness
from tests.support.engine import VARIANTS

EVERY_GAME = """\
import cardsol
from cardsol.hint import hint, history_of
for name in cardsol.names():
    game = cardsol.deal(name, seed=3)
    for _ in range(8):
        game.push(game.legal_moves[-1])
    print(name, hint(history_of(game), 4))
"""


def test_results_pickle_and_copy() -> None:
    for name, options in VARIANTS:
        history = history_of(cardsol.deal(name, seed=2, options=options))
        found = advise(history, 1)
        for value in (history, found, found.candidates[0]):
            assert pickle.loads(pickle.dumps(value)) == value == copy.deepcopy(value)
        assert advise(pickle.loads(pickle.dumps(history)), 1) == found


@harness.part(2)
def test_equal_histories_get_equal_hints_in_every_process(part: int) -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", EVERY_GAME],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")[::part]
    }
    assert len(printed) == 1
    assert printed.pop().count("Hint(") == len(cardsol.names())


def to_and_fro(moves: int) -> Game:
    """Returns a game of Vanishing Cross in which a card went to and fro between two squares."""
    game = cardsol.deal("vanishing-cross", seed=1)
    for seed in range(1000):
        game = cardsol.deal("vanishing-cross", seed=seed)
        while len(game.moves) < moves:
            between = [token for token in game.legal_moves if token != "draw" and "-f" not in token]
            if not between:
                break
            game.push(between[0])
        if len(game.moves) == moves:
            break
    return game


@harness.part(10)
def test_a_hint_on_the_longest_game_takes_little_time(part: int) -> None:
    game = to_and_fro(MOST_MOVES // part - 1)
    start = time.process_time()
    with pytest.raises(NoHint, match="neither drawn nor turned"):
        advise(history_of(game), 16)
    game.push("draw")
    assert advise(history_of(game), 16).token in game.legal_moves
    assert time.process_time() - start < 5 / part


def test_time_grows_with_the_moves_and_no_faster(tmp_path: Path) -> None:
    def spent(moves: int) -> float:
        history = history_of(to_and_fro(moves))
        start = time.process_time()
        with pytest.raises(NoHint):
            advise(history, 1)
        return time.process_time() - start

    assert spent(6000) < 4 * 3 * spent(1500)
