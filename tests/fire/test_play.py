"""`cardsol play` where the save can't be written, where it has to wait, and where it is killed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import files, saves
from tests.fire.test_disk import become_ordinary
from tests.support import harness

HOLDER = """
import sys, time
from cardsol import files
with files.locked(b"cardsol.json"):
    print("held", flush=True)
    time.sleep(float(sys.argv[1]))
"""


class Table:
    """A session of `cardsol play` in a pipe, and what it said on standard error."""

    def __init__(self, folder: Path, before: Callable[[], None] | None = None) -> None:
        self.process = subprocess.Popen(
            [harness.COMMAND, "play", "three-peaks", "--seed", "1"], cwd=folder, env=harness.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before,
        )  # fmt: skip
        self.hello = self.read()

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ask(self, line: str) -> Any:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.read()

    def end(self) -> tuple[int, str]:
        """Closes the input; returns the exit status and standard error."""
        out, err = self.process.communicate(timeout=20)
        assert out == b""
        return self.process.returncode, err.decode()


@contextmanager
def sitting(folder: Path, before: Callable[[], None] | None = None) -> Iterator[Table]:
    table = Table(folder, before)
    try:
        yield table
    finally:
        table.process.kill()
        table.process.communicate()


def refuse(folder: Path) -> None:
    folder.chmod(0o555)


def allow(folder: Path) -> None:
    folder.chmod(0o755)


def obstruct(folder: Path) -> None:
    """Puts a folder where the temporary file would be, which no file replaces."""
    os.mkdir(files.temporary_of(bytes(folder / "cardsol.json")))


def clear(folder: Path) -> None:
    os.rmdir(files.temporary_of(bytes(folder / "cardsol.json")))


@pytest.mark.parametrize(
    ("harm", "heal"), [(refuse, allow), (obstruct, clear)], ids=["read-only", "obstructed"]
)
def test_a_step_that_cannot_be_saved_is_refused_and_the_table_goes_on(
    harm: Callable[[Path], None], heal: Callable[[Path], None], tmp_path: Path
) -> None:
    save = tmp_path / "cardsol.json"
    with sitting(tmp_path, become_ordinary) as table:
        made = table.ask("draw")["made"]
        old = save.read_bytes()
        harm(tmp_path)
        try:
            for line in ("draw", "undo", '{"deal": {"game": "camelot", "force": true}}'):
                error = table.ask(line)["error"]
                assert (error["status"], error["kind"]) == (3, "file"), line
                assert save.read_bytes() == old
                assert table.ask("show")["made"] == made
        finally:
            heal(tmp_path)
        assert table.ask("draw")["made"] == made + 1
        assert table.end() == (0, "")
    assert len(cardsol.load(save).moves) == made + 1
    assert os.listdir(tmp_path) == ["cardsol.json"]


def small_files() -> None:
    """The nearest thing to a disk that fills up midway: no file may grow beyond the first save and a little."""
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = len(saves.dump(cardsol.deal("three-peaks", seed="1"))) + 10
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_disk_that_fills_up_midway_costs_only_the_steps_that_find_no_room(tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    with sitting(tmp_path, small_files) as table:
        view = table.hello["view"]
        while "error" not in (answer := table.ask("draw")):
            view = answer
            assert view["made"] < 10
        assert answer["error"]["status"] == 3
        assert "too large" in answer["error"]["message"]
        assert table.ask("show") == view
        assert table.ask("undo")["made"] == view["made"] - 1
        assert table.ask("nonsense")["error"]["status"] == 2
        assert table.end() == (0, "")
    assert len(cardsol.load(save).moves) == view["made"] - 1
    assert os.listdir(tmp_path) == ["cardsol.json"]


def test_a_long_wait_at_the_table_is_told_once_on_standard_error_and_never_among_the_replies(
    tmp_path: Path,
) -> None:
    with sitting(tmp_path) as table:
        holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, "2"], cwd=tmp_path, stdout=subprocess.PIPE, text=True
        )
        with holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            assert table.ask("show")["made"] == 0
            assert table.ask("draw")["made"] == 1
        status, err = table.end()
    assert status == 0
    assert err.count("\n") == 1
    assert err.startswith("cardsol: waiting for another command that holds ")
    assert "cardsol.json" in err


@harness.repeated("runs", 5, 100)
def test_a_kill_of_the_table_at_any_moment_loses_no_step_that_was_answered(runs: int, tmp_path: Path) -> None:
    chance = random.Random(1)
    unanswered = 0
    for number in range(runs):
        folder = tmp_path / str(number)
        folder.mkdir()
        with sitting(folder) as table:
            process = table.process
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(b"draw\nundo\n" * 3000)
            process.stdin.flush()
            process.stdout.readline()
            time.sleep(chance.uniform(0, 0.05))
            process.kill()
            answers = process.stdout.read().split(b"\n")[:-1]
        save = folder / "cardsol.json"
        game = cardsol.load(save)
        steps = 2 * game.undos + len(game.moves)
        # The first reply was read before the kill, the others lay in the pipe; one step more may be saved.
        assert 1 + len(answers) <= steps <= 2 + len(answers)
        unanswered += steps > 1 + len(answers)
        assert harness.run_inside("show", "-f", str(save)).status == 0
        assert os.listdir(folder) == ["cardsol.json"]
    harness.figure("kill, play", runs=runs, saved_and_not_answered=unanswered)
