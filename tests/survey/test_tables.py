"""The scripts in examples/can_it_be_won: tables from surveys, their check, and the page that shows them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support import harness

FOLDER = Path(__file__).parents[2] / "examples" / "can_it_be_won"
ONE = "camelot --player random"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the examples are not here")


def script(name: str) -> ModuleType:
    """Loads a script as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def run(name: str, *words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a script on the folder `records`, with figures in another file than the project's."""
    return subprocess.run(
        [harness.PYTHON, str(FOLDER / f"{name}.py"), "records", *words, "--results", "figures.json"],
        cwd=folder,
        env=harness.environment({"PATH": os.environ["PATH"]}),
        capture_output=True,
        text=True,
    )


def made(folder: Path, *, deals: int, only: str) -> str:
    words = ("--deals", str(deals), "--jobs", "1", "--only", only)
    done = run("tables", *words, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(tables: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ")[:2] for line in tables.splitlines() if line.startswith("| `")]


def changed(path: Path, **facts: Any) -> None:
    """Changes the first record of a file."""
    first, *others = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(json.dumps({**json.loads(first), **facts}) + "\n" + "".join(others), "utf-8")


def test_records_are_made_once_and_their_tables_are_the_same_each_time(tmp_path: Path) -> None:
    first = made(tmp_path, deals=2, only=ONE)
    path = tmp_path / "records" / "camelot-player-random.jsonl"
    records = path.read_bytes()
    assert rows(first) == [[f"`{ONE}`", "2"]]
    assert made(tmp_path, deals=2, only=ONE) == first
    assert path.read_bytes() == records
    assert [json.loads(line)["seed"] for line in records.splitlines()] == ["test-1", "test-2"]


def test_a_check_replays_records_and_finds_one_that_was_changed(tmp_path: Path) -> None:
    made(tmp_path, deals=2, only=ONE)
    path = tmp_path / "records" / "camelot-player-random.jsonl"
    right = run("check", "--again", folder=tmp_path)
    assert right.returncode == 0 and "right" in right.stdout, right.stdout + right.stderr
    score = json.loads(path.read_text("utf-8").splitlines()[0])["score"]
    changed(path, score=score + 1)
    wrong = run("check", folder=tmp_path)
    assert wrong.returncode == 1
    assert f"the record's score is {score + 1}, the replay's {score}" in wrong.stdout
    assert "the digest is not the one that was noted" in wrong.stdout


def test_a_digest_leaves_out_the_seconds_and_the_order(tmp_path: Path) -> None:
    digest = script("tables").digest
    lines = [f'{{"seed": "test-{number}", "seconds": {number}}}\n' for number in (1, 2, 10)]
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("".join(lines))
    other.write_text("".join(reversed(lines)).replace(": 10}", ": 0.5}"))
    assert digest(one) == digest(other)
    other.write_text("".join(lines[:2]))
    assert digest(one) != digest(other)


def test_the_page_shows_the_tables_of_the_figures_in_the_project() -> None:
    tables = script("tables")
    page = tables.README.read_text("utf-8")
    assert tables.with_tables(page, tables.markdown(tables.noted(tables.RESULTS))) == page


@pytest.mark.long
def test_each_kind_of_set_has_its_table_and_passes_the_check(tmp_path: Path) -> None:
    tables = made(tmp_path, deals=2, only="camelot")
    assert rows(tables) == [
        [f"`camelot{words}`", "2"]
        for words in ("", " --goal score", " --player hint", " --player greedy", " --player random")
    ]
    checked = run("check", "--again", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert checked.stdout.count("right") == 5
