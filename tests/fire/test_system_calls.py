"""Each system call of `move` that touches the save fails in turn: the save is the old one or the new one, whole.

The faults are injected by strace, where it is installed and may trace: elsewhere these tests are skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import cardsol
from cardsol import saves
from tests.support import harness

ERRORS = ("EIO", "EINTR", "ENOSPC", "EDQUOT", "EACCES", "EMFILE", "ENOLCK", "ESTALE")
STRACE = ("strace", "-f", "-y", "-e", "trace=%file,%desc")
DEFAULT = 6
"""How many injections the default run makes, spread evenly over all of them."""
COMMANDS: dict[str, tuple[str, ...]] = {
    "quiet": ("move", "-q", "draw"),
    "board": ("move", "draw"),
    "json": ("move", "draw", "--json"),
    "link": ("move", "-q", "draw", "-f", "link"),
}


@cache
def strace_works() -> bool:
    if shutil.which("strace") is None:
        return False
    probe = [*STRACE, "-o", os.devnull, "-e", "inject=fsync:error=EIO:when=1", "true"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


pytestmark = pytest.mark.skipif(not strace_works(), reason="strace is not installed, or may not trace here")


class Call(NamedTuple):
    """The `number`th call of this name that the process makes, from 1."""

    name: str
    number: int


class Place:
    """A folder with a save, reached through a symbolic link for the command `link`."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.save = folder / "real.json" if name == "link" else folder / "cardsol.json"
        self.there = sorted({self.save.name, "link"} if name == "link" else {self.save.name})
        if name == "link":
            (folder / "link").symlink_to(self.save.name)
        game = cardsol.deal("three-peaks", seed="1")
        self.old = saves.dump(game)
        game.push("draw")
        self.new = saves.dump(game)
        self.save.write_bytes(self.old)
        self.save.chmod(0o640)

    def traced(self, *more: str) -> tuple[harness.Result, list[str]]:
        """Runs the command under strace; returns its result, and the calls as lines."""
        trace = self.folder.parent / f"{self.folder.name}.trace"
        done = subprocess.run(
            [*STRACE, "-o", trace, *more, harness.COMMAND, *COMMANDS[self.name]],
            cwd=self.folder, env=harness.environment(), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        lines = trace.read_text(errors="replace").splitlines()
        return harness.Result(done.returncode, done.stdout, done.stderr), lines

    def touches(self, line: str) -> bool:
        """Tells whether a call is about something in the folder, or writes the answer; imports are neither."""
        line = re.sub(r"AT_FDCWD<[^>]*>", "AT_FDCWD", line)
        relative = re.search(r'AT_FDCWD, "[^/"]|^\w+\("[^/"]', line)
        return bool(relative) or bytes(self.folder).decode() in line or bool(re.match(r"\w+\(1<", line))


def calls_of(lines: list[str], place: Place) -> Iterator[Call]:
    """Yields the calls that touch the folder of the save, or that write the answer."""
    counts: Counter[str] = Counter()
    touched = False
    for line in lines:
        found = re.match(r"\d+ +((\w+)\(.*)", line)
        if found:
            counts[found[2]] += 1
            # The loader's own first look at the working folder comes before the command begins.
            named = place.save.name in found[1] or '"link"' in found[1]
            touched = touched or (named and found[2] != "execve")
            if touched and place.touches(found[1]):
                yield Call(found[2], counts[found[2]])


def injections(place: Place) -> list[tuple[Call, str]]:
    """Returns each call of an undisturbed run, with each error that it is to fail with."""
    # Compiles what is not compiled yet.
    harness.run(*COMMANDS[place.name], folder=place.folder)
    place.save.write_bytes(place.old)
    result, lines = place.traced()
    assert (result.status, result.err) == (0, "")
    assert place.save.read_bytes() == place.new
    return [(call, error) for call in calls_of(lines, place) for error in ERRORS]


def fail(place: Place, call: Call, error: str) -> str:
    """Runs the command with one call failing, and checks what it leaves; returns how it ended."""
    place.save.write_bytes(place.old)
    result, lines = place.traced("-e", f"inject={call.name}:error={error}:when={call.number}")
    injected = [line for line in lines if line.endswith("(INJECTED)")]
    what = f"{place.name}: {injected}: status {result.status}: {result.err}"
    assert len(injected) == 1, what
    assert "Traceback" not in result.err, what
    data = place.save.read_bytes()
    assert data in (place.old, place.new), what
    if data == place.old:
        assert result.status == 3, what
        assert "the move is saved" not in result.err, what
    else:
        assert result.status in (0, 3), what
        assert (result.status == 3) == ("the move is saved, but" in result.err), what
    assert result.err.count("\n") == (result.status != 0), what
    left = sorted(os.listdir(place.folder))
    if left != place.there:
        assert harness.run("show", "-f", place.save, folder=place.folder).status == 0, what
        assert sorted(os.listdir(place.folder)) == place.there, what
    if place.name == "link":
        assert os.readlink(place.folder / "link") == "real.json", what
    assert place.save.stat().st_mode & 0o777 == 0o640, what
    return "made" if data == place.new and not result.status else "told" if data == place.new else "refused"


def test_a_system_call_that_fails_leaves_a_whole_save_and_one_line(tmp_path: Path) -> None:
    """A part of all calls and errors, another error for each call that follows."""
    folder = tmp_path / "here"
    folder.mkdir()
    place = Place(folder, "board")
    every = injections(place)
    step = max(1, len(every) // DEFAULT) | 1  # odd, so that all the errors come
    ends = Counter(fail(place, call, error) for call, error in every[::step])
    harness.figure("system calls", injections=ends.total(), **ends)
    assert ends["refused"]


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_every_system_call_that_fails_leaves_a_whole_save_and_one_line(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    place = Place(folder, name)
    every = injections(place)
    ends = Counter(fail(place, call, error) for call, error in every)
    harness.figure(f"system calls, {name}", injections=ends.total(), **ends)
    assert {call.name for call, _ in every} >= {
        "openat",
        "read",
        "write",
        "fsync",
        "rename",
        "unlink",
        "flock",
    }
