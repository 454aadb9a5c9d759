"""On a terminal: suit signs, two colours, and no waiting for what nobody pipes in."""

from __future__ import annotations

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.support.harness import COMMAND, environment, some
from tests.support.typed import put


def on_terminal(*words: str, folder: Path, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Runs `cardsol WORD...` on a pseudo-terminal; returns its status and all that it showed."""
    ours, theirs = pty.openpty()
    try:
        process = subprocess.Popen(
            [COMMAND, *words], cwd=folder, env=environment({"TERM": "xterm", **(env or {})}),
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
        )  # fmt: skip
    finally:
        os.close(theirs)
    shown = b""
    while chunk := _read(ours):
        shown += chunk
    os.close(ours)
    return process.wait(timeout=60), shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # On Linux the end of a terminal is an error.
        return b""


LETTERS, SIGNS = "6H    8C    6S", "6♥    8♣    6♠"
RED_LETTERS, RED_SIGNS = (
    f"\x1b[1;31m{six}\x1b[0m    \x1b[1m{eight}\x1b[0m    \x1b[1m{other}\x1b[0m"
    for six, eight, other in (("6H", "8C", "6S"), ("6♥", "8♣", "6♠"))
)
NOT_PLAYABLE = "\x1b[31m6♥\x1b[0m    8♣    6♠"
NO_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.parametrize(
    ("words", "env", "cards"),
    some(
        [
            ("show", {}, RED_SIGNS),
            ("show", {"NO_COLOR": "1"}, SIGNS),
            ("show", {"NO_COLOR": ""}, RED_SIGNS),
            ("show", {"TERM": "dumb"}, SIGNS),
            ("show --color always", {"NO_COLOR": "1"}, RED_SIGNS),
            ("show --color never", {}, SIGNS),
            ("show --style ascii", {}, RED_LETTERS),
            ("show --style ascii --color never", {}, LETTERS),
            ("show", NO_UTF8, RED_LETTERS),
            ("move --dry-run draw", {}, NOT_PLAYABLE),
            ("deal three-peaks --seed 1 --force", {}, RED_SIGNS),
        ],
        2,
        names=3,
    ),
)
def test_a_utf8_terminal_gets_suit_signs_and_two_colours(
    words: str, env: dict[str, str], cards: str, tmp_path: Path
) -> None:
    put("peaks", tmp_path)
    status, shown = on_terminal(*words.split(), folder=tmp_path, env=env)
    assert status == 0
    assert cards in shown


@pytest.mark.parametrize(
    "words", some(["show --json", "show --plain", "moves", "score", "log --script", "show --deck"], 2)
)
def test_all_but_boards_looks_the_same_on_a_terminal(words: str, tmp_path: Path) -> None:
    put("peaks", tmp_path)
    status, shown = on_terminal(*words.split(), folder=tmp_path)
    assert (status, "\x1b" in shown, "♥" in shown) == (0, False, False)


@pytest.mark.parametrize(
    "words",
    some(["show -f -", "undo -f -", "move -", "move -f - d4", "deal camelot --deck - --force", "check -"], 2),
)
def test_standard_input_that_is_a_terminal_is_not_waited_for(words: str, tmp_path: Path) -> None:
    before = put("peaks", tmp_path).read_bytes()
    status, shown = on_terminal(*words.split(), folder=tmp_path)
    assert (status, shown.count("\n")) == (2, 1)
    assert "standard input, which is a terminal" in shown
    assert (tmp_path / "cardsol.json").read_bytes() == before
