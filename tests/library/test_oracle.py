"""Games that other programs recorded, and deals with known answers, through the engine."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference import oracle
from tests.support import engine
from tests.support.harness import part

FOLDER = oracle.folder()


def _files(kind: str) -> list[Path]:
    return sorted((FOLDER / kind).glob("*.jsonl.gz")) if FOLDER else []


def _name(path: Path) -> str:
    return path.name.removesuffix(".jsonl.gz")


@pytest.mark.parametrize("path", _files("recorded"), ids=_name)
@part(3)
def test_every_recorded_game_replays(path: Path, part: int) -> None:
    steps = [oracle.replay_recorded(record, engine.start) for record in [*oracle.recorded(path)][::part]]
    print(f"{path.name}: {len(steps)} games, {sum(steps)} steps")
    assert steps
    assert all(steps)


@pytest.mark.parametrize("path", _files("answers"), ids=_name)
@part(3)
def test_every_known_line_ends_as_it_claims(path: Path, part: int) -> None:
    lines = [oracle.replay_answer(answer, engine.start) for answer in [*oracle.answers(path)][::part]]
    print(f"{path.name}: {len(lines)} deals, {sum(lines)} lines")
    assert sum(lines) > 0
