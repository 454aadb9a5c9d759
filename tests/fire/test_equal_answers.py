"""Equal games get equal answers in every process: no line, hint or record depends on the order of a set."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

import cardsol
from cardsol import saves
from tests.support import harness

HASH_SEEDS = ("1", "4294967295", "0")

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("solve", "--max-states", "STATES", "--json"),
    ("solve", "--goal", "score", "--max-states", "STATES", "--json"),
    ("hint", "--worlds", "2", "--json"),
    ("moves", "--json"),
)
"""STATES stands for how many states are searched."""


def timeless(value: Any) -> Any:
    """Returns an answer without what may differ from run to run."""
    if isinstance(value, dict):
        unlike = ("seconds", "memory", "memory_mb")
        return {key: timeless(inner) for key, inner in value.items() if key not in unlike}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


LINES = [(game, *words) for game in cardsol.names() for words in COMMANDS]


@pytest.fixture(scope="module")
def answers(part: int, tmp_path_factory: pytest.TempPathFactory) -> list[list[Any]]:
    """What each of the lines answers, for each hash seed in a process of its own."""
    folder = tmp_path_factory.mktemp("saves")
    for game in cardsol.names():
        (folder / f"{game}.json").write_bytes(saves.dump(cardsol.deal(game, seed="12")))
    program = (
        "import json, sys\n"
        "from tests.support.harness import run_inside\n"
        "print(json.dumps([run_inside(*line) for line in json.load(sys.stdin)]))\n"
    )
    states = str(3000 // part)
    lines = [
        [*(states if word == "STATES" else word for word in words), "-f", str(folder / f"{game}.json")]
        for game, *words in LINES
    ]
    path = os.pathsep.join(sys.path)

    def answered(hash_seed: str) -> list[Any]:
        done = subprocess.run(
            [sys.executable, "-c", program], input=json.dumps(lines), capture_output=True, text=True, check=True,
            env=harness.environment({"PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}),
        )  # fmt: skip
        found: list[Any] = json.loads(done.stdout)
        return found

    return [answered(hash_seed) for hash_seed in (HASH_SEEDS if part == 1 else HASH_SEEDS[:2])]


@harness.part(12, scope="module")
@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_a_command_answers_the_same_under_every_hash_seed(
    line: tuple[str, ...], part: int, answers: list[list[Any]]
) -> None:
    results = [harness.Result(*each[LINES.index(line)]) for each in answers]
    assert {result.err for result in results} == {""}
    found = [(result.status, timeless(result.json)) for result in results]
    assert found[0][1]
    assert found.count(found[0]) == len(found), json.dumps(found, indent=1)
