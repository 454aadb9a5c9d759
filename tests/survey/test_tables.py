"""The script that makes the tables of examples/can_it_be_won/README.md."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.support import harness

SCRIPT = Path(__file__).parents[2] / "examples" / "can_it_be_won" / "tables.py"


@harness.repeated("deals", 1, 2)
def test_the_tables_are_made_from_surveys_and_the_same_when_gone_on_with(deals: int, tmp_path: Path) -> None:
    path = f"{Path(harness.COMMAND).parent}{os.pathsep}{os.environ['PATH']}"
    command = [harness.PYTHON, str(SCRIPT), "tables", "--deals", str(deals)]
    command += ["--jobs", "1", "--only", "camelot"]

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
        ["| `camelot`", str(deals)],
        ["| `camelot --goal score`", str(deals)],
        ["| `camelot --player hint`", str(deals)],
        ["| `camelot --player greedy`", str(deals)],
        ["| `camelot --player random`", str(deals)],
    ]
    assert tables() == first
    assert (tmp_path / "tables" / "camelot-goal-score.jsonl").read_bytes().count(b"\n") == deals
