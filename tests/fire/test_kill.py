"""A command killed at any moment leaves the old save or the new one, whole."""

from __future__ import annotations

import os
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

import cardsol
from cardsol import files, saves
from tests.support import harness

AT_ONCE = 2
COMMANDS = (
    ("move", "-q", "d1"),
    ("undo", "-q"),
    ("redo", "-q"),
    ("deal", "three-peaks", "--seed", "2", "--force", "-q"),
)


class Killed(NamedTuple):
    """What was found after one kill."""

    new: bool
    ended: bool
    left: int


def changed(words: tuple[str, ...]) -> bytes:
    """The save that a command would leave."""
    game = start()
    if words[0] == "move":
        game.push("d1")
    elif words[0] == "undo":
        game.undo()
    elif words[0] == "redo":
        game.redo()
    else:
        game = cardsol.deal("three-peaks", seed="2")
    return saves.dump(game)


def start() -> cardsol.Game:
    game = cardsol.deal("three-peaks", seed="1")
    for token in ("draw", "draw"):
        game.push(token)
    game.undo()
    return game


def seconds_of(words: tuple[str, ...], folder: Path) -> float:
    """How long the command takes when it is left alone."""
    (folder / "cardsol.json").write_bytes(saves.dump(start()))
    began = time.monotonic()
    assert harness.run(*words, folder=folder).status == 0
    return time.monotonic() - began


def kill(words: tuple[str, ...], folder: Path, wait: float) -> Killed:
    """Kills a command after `wait` seconds, looks at what lies there, and gives the next command its turn."""
    save = folder / "cardsol.json"
    old, new = saves.dump(start()), changed(words)
    save.write_bytes(old)
    process = subprocess.Popen(
        [harness.COMMAND, *words],
        cwd=folder,
        env=harness.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(wait)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    found = save.read_bytes()
    assert found in (old, new)
    left = len(os.listdir(folder)) - 1
    assert cardsol.load(save).status == "playing"
    assert os.listdir(folder) == ["cardsol.json"]
    return Killed(found == new, process.returncode == 0, left)


@harness.repeated("runs", 12, 300)
def test_a_kill_at_a_random_moment_leaves_the_old_or_the_new_save_whole(runs: int, tmp_path: Path) -> None:
    chance = random.Random(1)
    # Where the writing is in a command's time, as far as the kills so far tell: half of them aim there.
    aim = {words: seconds_of(words, tmp_path) for words in COMMANDS}

    def one(number: int) -> Killed:
        folder = tmp_path / str(number)
        folder.mkdir()
        words = COMMANDS[number % len(COMMANDS)]
        aimed = number % 8 < 4
        run = kill(
            words, folder, aim[words] * (chance.uniform(0.95, 1.05) if aimed else chance.uniform(0, 1.2))
        )
        if aimed:
            aim[words] *= 0.92 if run.new else 1.1
        return run

    with ThreadPoolExecutor(AT_ONCE) as pool:
        found = list(pool.map(one, range(runs)))
    # On a machine that grew busy meanwhile the aim needs more time to follow.
    while not any(run.new for run in found) and len(found) < 5 * runs:
        found.append(one(len(found)))
    killed = [run for run in found if not run.ended]
    harness.figure(
        "kill",
        runs=len(found),
        killed=len(killed),
        killed_after_the_write=sum(run.new for run in killed),
        left_a_temporary_file=sum(run.left for run in killed),
    )
    assert len(killed) > len(found) / 3
    assert any(run.new for run in found)
    assert not all(run.new for run in found)


def test_a_command_killed_before_each_step_of_the_writing_leaves_the_old_save_and_the_next_removes_the_rest(
    tmp_path: Path,
) -> None:
    """The moments that a random kill seldom meets: the process ends itself there, without any clean-up."""
    steps = ("open", "fchmod", "fsync", "replace")
    for step in steps:
        folder = tmp_path / step
        folder.mkdir()
        save = folder / "cardsol.json"
        save.write_bytes(saves.dump(start()))
        program = (
            "import os, sys\n"
            "from cardsol.cli.run import run\n"
            "def die(*words, **more):\n"
            f"    if {step!r} != 'open' or b'.tmp' in words[0]: os._exit(99)\n"
            "    return opened(*words, **more)\n"
            "opened = os.open\n"
            f"os.{step} = die\n"
            "sys.exit(run(['move', '-q', 'd1']))\n"
        )
        done = subprocess.run(
            [harness.PYTHON, "-c", program], cwd=folder, env=harness.environment(), check=False
        )
        assert done.returncode == 99
        assert save.read_bytes() == saves.dump(start())
        left = [name for name in os.listdir(folder) if name != "cardsol.json"]
        assert len(left) == (0 if step == "open" else 1)
        assert harness.run("move", "-q", "d1", folder=folder).status == 0
        assert save.read_bytes() == changed(COMMANDS[0])
        assert os.listdir(folder) == ["cardsol.json"]
    harness.figure("kill at a step", steps=len(steps))


def test_what_a_killed_command_left_is_removed_by_each_next_command(tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    left = Path(os.fsdecode(files.temporary_of(os.fsencode(save))))
    looks = (("show",), ("score",), ("moves",), ("log",), ("move", "--dry-run", "d1"))
    table = [*((words, 0) for words in (*COMMANDS, *looks)), (("move", "a1"), 4)]
    for words, status in table:
        save.write_bytes(saves.dump(start()))
        left.write_bytes(b"{")
        assert harness.run_inside(*words, "-f", str(save)).status == status
        assert os.listdir(tmp_path) == ["cardsol.json"], words
    harness.figure("kill, left over", commands=len(table))


@pytest.mark.parametrize("there", [None, b"shopping", b""], ids=["no save", "another file", "an empty file"])
def test_what_a_killed_command_left_goes_also_where_there_is_no_save(
    there: bytes | None, tmp_path: Path
) -> None:
    """A first `deal` that is killed leaves no save, only its temporary file."""
    save = tmp_path / "cardsol.json"
    left = Path(os.fsdecode(files.temporary_of(os.fsencode(save))))
    if there is not None:
        save.write_bytes(there)
    on_a_save = ("show", "score", "moves", "log", "hint", "solve", "play", "undo", "redo", "move draw")
    on_files = ("check", "scores", "stats")
    for words in (*(f"{each} -f {save}" for each in on_a_save), *(f"{each} {save}" for each in on_files)):
        left.write_bytes(b"{")
        harness.run_inside(*words.split())
        assert not left.exists(), words
        assert save.exists() == (there is not None)


def test_what_another_command_is_writing_stays(tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    left = Path(os.fsdecode(files.temporary_of(os.fsencode(save))))
    with files.locked(os.fsencode(save)):
        left.write_bytes(b"{")
        for words in (("show", "-f", str(save)), ("check", str(save)), ("stats", str(save))):
            harness.run_inside(*words)
            assert left.exists(), words
