"""Games that other programs recorded, and deals with known answers, through the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference import oracle
from tests.support import engine

FOLDER = oracle.folder()


def _files(kind: str) -> list[Path]:
    return sorted((FOLDER / kind).glob("*.jsonl.gz")) if FOLDER else []


def _name(path: Path) -> str:
    return path.name.removesuffix(".jsonl.gz")


@pytest.mark.parametrize("path", _files("recorded"), ids=_name)
def test_every_recorded_game_replays(path: Path) -> None:
    steps = [oracle.replay_recorded(record, engine.start) for record in oracle.recorded(path)]
    print(f"{path.name}: {len(steps)} games, {sum(steps)} steps")
    assert steps
    assert all(steps)


@pytest.mark.parametrize("path", _files("answers"), ids=_name)
def test_every_known_line_ends_as_it_claims(path: Path) -> None:
    lines = [oracle.replay_answer(answer, engine.start) for answer in oracle.answers(path)]
    print(f"{path.name}: {len(lines)} deals, {sum(lines)} lines")
    assert sum(lines) > 0
