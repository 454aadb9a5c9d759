"""What a command loads and leaves when it starts and ends: a move is the start of a process."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest

import cardsol
from tests.support.harness import PYTHON, environment

COMMANDS = [("move", "draw"), ("undo",), ("show",), ("show", "--json"), ("moves",), ("score",)]

NEEDED = {
    *("json", "json.decoder", "json.encoder", "json.scanner", "_json"),
    *("fcntl", "gc", "locale", "_locale", "signal", "zlib", "_sha3"),
}
"""What a command needs of the standard library, beyond what Click has loaded."""

LIST = "import atexit, sys; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); "


@cache
def loaded(program: str, words: tuple[str, ...], folder: Path) -> set[str]:
    """Returns the names of the modules that a Python program has loaded when it ends."""
    done = subprocess.run(
        [PYTHON, "-c", LIST + program, *words],
        cwd=folder, env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(done.stderr.split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    game = cardsol.deal("three-peaks", seed="1")
    game.push("draw")
    cardsol.save(game, tmp_path / "cardsol.json")
    return tmp_path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_loads_little_besides_click(words: tuple[str, ...], folder: Path) -> None:
    more = loaded("from cardsol.__main__ import main; main()", words, folder) - loaded(
        "import click", (), Path("/")
    )
    ours = {name for name in more if name.partition(".")[0] == "cardsol"}
    assert "cardsol.games.three_peaks" in ours
    assert not {name for name in ours if name.startswith(("cardsol.solve", "cardsol.hint", "cardsol.survey"))}
    assert {name for name in more - ours if not name.startswith("encodings.")} <= NEEDED


MEASURED = """
import atexit, sys
atexit.register(print, "at the end", file=sys.stderr)
sys.argv[1:] = ["show", "-q"]
from cardsol.__main__ import main
main()
"""

WITH_A_THREAD = """
import sys, threading, time
def late():
    time.sleep(1.5)
    print("at the end", file=sys.stderr)
threading.Thread(target=late).start()
sys.argv[1:] = ["show", "-q"]
from cardsol.__main__ import main
main()
"""


@pytest.mark.parametrize("program", [MEASURED, WITH_A_THREAD], ids=["registered", "a thread"])
def test_what_waits_for_the_end_of_the_process_is_not_cut_off(program: str, folder: Path) -> None:
    done = subprocess.run(
        [PYTHON, "-c", program], cwd=folder, env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 2  # show has no -q
    assert done.stderr.splitlines() == [
        "cardsol: no such option '-q'; see 'cardsol show --help'",
        "at the end",
    ]
