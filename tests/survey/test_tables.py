"""The script that makes the tables of examples/can_it_be_won/README.md."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support import harness

SCRIPT = Path(__file__).parents[2] / "examples" / "can_it_be_won" / "tables.py"
PLAYERS = tuple(f"camelot --player {player}" for player in ("hint", "greedy", "random"))


@pytest.mark.parametrize(
    ("only", "sets"),
    [
        (PLAYERS[-1], PLAYERS[-1:]),
        pytest.param("camelot", ("camelot", "camelot --goal score", *PLAYERS), marks=pytest.mark.long),
    ],
)
def test_the_tables_are_made_from_surveys_and_the_same_when_gone_on_with(
    only: str, sets: tuple[str, ...], tmp_path: Path
) -> None:
    path = f"{Path(harness.COMMAND).parent}{os.pathsep}{os.environ['PATH']}"
    command = [harness.PYTHON, str(SCRIPT), "tables", "--deals", "2", "--jobs", "1", "--only", only]

    def tables() -> str:
        made = subprocess.run(
            command,
            cwd=tmp_path,
            env=harness.environment({"PATH": path}),
            capture_output=True,
            text=True,
            check=True,
        )
        return made.stdout

    first = tables()
    assert [line.split(" | ")[:2] for line in first.splitlines() if line.startswith("| `")] == [
        [f"| `{each}`", "2"] for each in sets
    ]
    assert tables() == first
    for each in sets:
        records = tmp_path / "tables" / f"{each.replace(' --', '-').replace(' ', '-')}.jsonl"
        assert records.read_bytes().count(b"\n") == 2
