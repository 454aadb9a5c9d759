"""`scores`: saves compared, the best first."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import cardsol
from tests.support import harness


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    """Three saves of one deal: as dealt, after two moves, and after two moves of which one was taken back."""
    for name in ("dealt", "moved", "back"):
        harness.run_loaded("deal", "three-peaks", "--seed", "1", "-q", "-f", name, folder=tmp_path)
    for name in ("moved", "back"):
        assert harness.run_loaded("move", "d4", "-q", "-f", name, folder=tmp_path).status == 0
    harness.run_loaded("undo", "-q", "-f", "back", folder=tmp_path)
    return tmp_path


def test_the_highest_score_is_first_and_then_the_fewest_moves_taken_back(saves: Path) -> None:
    printed = harness.run_loaded("scores", "back", "dealt", "moved", "--json", folder=saves).out
    rows = [json.loads(line) for line in printed.splitlines()]
    assert [(row["file"], row["score"], row["moves"], row["undos"]) for row in rows] == [
        ("moved", 1, 1, 0),
        ("dealt", 0, 0, 0),
        ("back", 0, 0, 1),
    ]


def test_games_that_are_over_come_before_those_still_played(saves: Path) -> None:
    game = cardsol.deal("three-peaks", seed=1)
    while game.legal_moves:
        game.push("draw" if "draw" in game.legal_moves else game.legal_moves[0])
    assert game.score < 0
    cardsol.save(game, saves / "lost")
    printed = harness.run("scores", "dealt", "moved", "lost", "--json", folder=saves).out
    assert [json.loads(line)["file"] for line in printed.splitlines()] == ["lost", "moved", "dealt"]


def test_each_game_stands_together_in_the_order_met(saves: Path) -> None:
    harness.run_loaded("deal", "camelot", "--seed", "a b", "-q", "-f", "camelot", folder=saves)
    harness.run_loaded(
        "deal", "three-peaks", "-o", "floor=zero", "--seed", "1", "-q", "-f", "zero", folder=saves
    )
    done = harness.run_loaded("scores", "dealt", "camelot", "zero", "moved", folder=saves)
    assert (done.status, done.err) == (0, "")
    head, *rows = done.out.splitlines()
    assert head.split() == ["file", "game", "seed", "score", "status", "moves", "undos"]
    assert [row.split()[0] for row in rows] == ["moved", "dealt", "camelot", "zero"]
    assert "'a b'" in rows[2] and "three-peaks floor=zero" in rows[3]


def test_the_seed_can_be_hidden(saves: Path) -> None:
    table = harness.run_loaded("scores", "dealt", "--hide-seed", folder=saves).out
    assert "seed" not in table
    assert harness.run_loaded("scores", "dealt", "--hide-seed", "--json", folder=saves).json["seed"] is None
    (row,) = csv.DictReader(
        io.StringIO(harness.run_loaded("scores", "dealt", "--hide-seed", "--csv", folder=saves).out)
    )
    assert (row["file"], row["seed"], row["status"]) == ("dealt", "", "playing")


def test_a_file_that_is_no_save_is_named_and_the_others_are_listed(saves: Path) -> None:
    (saves / "text").write_text("hello\n")
    done = harness.run_loaded("scores", "text", "dealt", "nowhere", folder=saves)
    assert done.status == 3
    assert [line.split()[0] for line in done.out.splitlines()] == ["file", "dealt"]
    first, second = done.err.splitlines()
    assert "'text'" in first and "'nowhere'" in second


def test_standard_input_can_be_a_save_once(saves: Path) -> None:
    given = (saves / "dealt").read_bytes()
    assert harness.run_loaded("scores", "-", "--json", folder=saves, given=given).json["file"] == "-"
    assert harness.run_loaded("scores", "-", "-", folder=saves, given=given).status == 2
    assert harness.run_loaded("scores", "dealt", "--csv", "--json", folder=saves).status == 2
