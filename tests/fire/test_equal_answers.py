"""Equal games get equal answers in every process: no line, hint or record depends on the order of a set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import saves
from tests.support import harness

HASH_SEEDS = ("0", "1", "4294967295")

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("solve", "--max-states", "3000", "--json"),
    ("solve", "--goal", "score", "--max-states", "2000", "--json"),
    ("hint", "--worlds", "2", "--json"),
    ("moves", "--json"),
)


def timeless(value: Any) -> Any:
    """Returns an answer without what may differ from run to run."""
    if isinstance(value, dict):
        unlike = ("seconds", "memory", "memory_mb")
        return {key: timeless(inner) for key, inner in value.items() if key not in unlike}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("game", cardsol.names())
def test_a_command_answers_the_same_under_every_hash_seed(
    game: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "cardsol.json").write_bytes(saves.dump(cardsol.deal(game, seed="12")))
    found = []
    for hash_seed in HASH_SEEDS:
        result = harness.run(*words, folder=tmp_path, env={"PYTHONHASHSEED": hash_seed})
        assert result.err == ""
        found.append((result.status, timeless(result.json)))
    assert found[0][1]
    assert found.count(found[0]) == len(found), json.dumps(found, indent=1)
