"""The man page `cardsol.6` is made from the commands, and a man page that `man` can show."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from cardsol.cli import COMMANDS
from tests.regenerate import manual

PAGE = manual.PAGE


def test_the_page_is_what_the_commands_say_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual.page(), "run: python -m tests.regenerate.manual"


def test_the_page_has_every_command_and_only_ascii() -> None:
    text = PAGE.read_text(encoding="ascii")
    assert [line.split()[2] for line in text.splitlines() if line.startswith(".SS ")] == list(COMMANDS)
    assert all(len(line) < 2000 for line in text.splitlines())


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("a-b", "a\\-b"),
        ("it's", "it\\(aqs"),
        (".x", "\\&.x"),
        ("'x", "\\(aqx"),
        ("\\n", "\\en"),
        ("7♥", "7\\[u2665]"),
    ],
)
def test_nothing_in_a_text_is_taken_for_roff(given: str, written: str) -> None:
    assert manual._text(given) == written


def test_the_page_is_installed_where_man_looks() -> None:
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parents[2] / "setup.cfg")
    assert setup["options.data_files"]["share/man/man6"].split() == ["cardsol/man/cardsol.6"]


@pytest.mark.skipif(shutil.which("groff") is None, reason="no groff here")
def test_groff_sets_the_page_without_a_warning() -> None:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", PAGE], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "EXIT STATUS" in re.sub(".\b", "", done.stdout)


@pytest.mark.skipif(shutil.which("man") is None, reason="no man here")
def test_man_shows_the_page() -> None:
    done = subprocess.run(["man", "-l", PAGE], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "CARDSOL(6)" in done.stdout
