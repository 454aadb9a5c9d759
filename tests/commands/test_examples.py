"""Every example ends quietly when nobody reads what it prints."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.harness import repeated

EXAMPLES = Path(__file__).parents[2] / "examples"
WORDS = {
    "can_it_be_won/tables.py": ("{folder}", "--deals", "2", "--only", "camelot --player random"),
    "chat.py": ("camelot",),
    "fair_play/measure.py": ("vanishing-cross", "--deals", "4"),
    "greedy.sh": ("1",),
    "json_player.py": ("camelot", "1"),
    "learn_three_peaks.py": ("--generations", "1", "--test-deals", "2"),
    "learn_values.py": (
        "vanishing-cross",
        "--rounds",
        "1",
        "--deals",
        "4",
        "--choose",
        "4",
        "--out",
        "{folder}",
    ),
    "library_player.py": ("three-peaks", "3"),
    "whole_game.sh": (),
}
"""Example → the words that make it short."""
WRONG = {
    ("universal", "x"): "DEALS is a whole number from 1, not 'x'",
    ("universal", "0"): "DEALS is a whole number from 1, not '0'",
    ("universal", "-3"): "DEALS is a whole number from 1, not '-3'",
    ("klondike",): "no game is named 'klondike'",
}
"""Wrong words for library_player.py → what it says."""
TALK = "".join(f"{seed}/\n{seed}/draw\n" for seed in range(1, 40)).encode()
"""Standard input, for the example that reads it."""
LONG = (
    *("can_it_be_won/tables.py", "fair_play/measure.py", "greedy.sh", "json_player.py"),
    *("learn_three_peaks.py", "learn_values.py"),
)
"""Examples that start many processes, or work for seconds."""

pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the examples are not here")


def command(name: str, folder: Path) -> list[str]:
    program = "sh" if name.endswith(".sh") else sys.executable
    return [program, str(EXAMPLES / name), *(word.format(folder=folder / "records") for word in WORDS[name])]


def environment(folder: Path) -> dict[str, str]:
    """Returns an environment that finds this `cardsol` and makes temporary files in a folder of its own."""
    (folder / "tmp").mkdir(exist_ok=True)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "TMPDIR": str(folder / "tmp")}


def examples() -> list[object]:
    """Returns the examples as parameters; learning takes some seconds, and packages of its own."""
    missing = any(importlib.util.find_spec(name) is None for name in ("gymnasium", "numpy"))
    skip = pytest.mark.skipif(missing, reason="gymnasium or numpy is not installed")
    return [
        pytest.param(
            name,
            marks=[*[pytest.mark.long] * (name in LONG), *[skip] * name.startswith("learn")],
        )
        for name in WORDS
    ]


def quiet(errors: bytes, name: str) -> bool:
    """Tells whether nothing was written to standard error but progress."""
    return (
        not errors
        if name != "can_it_be_won/tables.py"
        else b"Error" not in errors and b"Exception" not in errors
    )


def test_every_example_is_tried() -> None:
    folders = (EXAMPLES, EXAMPLES / "can_it_be_won", EXAMPLES / "fair_play")
    files = {
        str(path.relative_to(EXAMPLES))
        for folder in folders
        for path in folder.iterdir()
        if path.suffix in (".py", ".sh")
    }
    assert files == set(WORDS)


@pytest.mark.parametrize("name", examples())
@pytest.mark.parametrize("lines", [0, 1])
@repeated("times", 1, 2)
def test_a_closed_pipe_ends_an_example_quietly(name: str, lines: int, times: int, tmp_path: Path) -> None:
    """As with `| head -n 1`, and with a reader that is gone before the first line."""
    (tmp_path / "talk").write_bytes(TALK)
    for _ in range(times):
        read, write = os.pipe()
        if not lines:
            os.close(read)
        with (tmp_path / "talk").open("rb") as talk, (tmp_path / "errors").open("wb") as errors:
            started = subprocess.Popen(
                command(name, tmp_path), stdin=talk, stdout=write, stderr=errors, cwd=tmp_path,
                env=environment(tmp_path),
            )  # fmt: skip
            os.close(write)
            if lines:
                with open(read, "rb") as pipe:
                    assert pipe.readline()
            started.wait(120)
        said = (tmp_path / "errors").read_bytes()
        assert quiet(said, name), said.decode()
        assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("name", examples())
def test_an_example_without_standard_output_shows_no_traceback(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *command(name, tmp_path)],
        input=TALK, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(tmp_path), timeout=120,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr
    if name != "can_it_be_won/tables.py":  # which sums its surveys up on standard error
        assert done.stderr.count(b"\n") <= 2, done.stderr.decode()
    assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_word_is_told_on_one_line(words: tuple[str, ...], tmp_path: Path) -> None:
    program = [sys.executable, str(EXAMPLES / "library_player.py"), *words]
    done = subprocess.run(
        program, env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"library_player.py: {WRONG[words]}") and done.stderr.count("\n") == 1
