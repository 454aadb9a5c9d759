"""The README's shell blocks, and what they print.

A block ```sh is run; a block ```text right behind it is what it prints. Blocks of one chapter (## or ###) share a
folder, in the README's order; a chapter begins with an empty one, beside a copy of `examples/`. A block of
setup has `venv` in it: see `is_setup`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

_BLOCK = re.compile(r"^```sh\n(?P<script>.*?)^```\n(?:\n?```text\n(?P<out>.*?)^```\n)?", re.M | re.S)


class Block(NamedTuple):
    """A shell block of a chapter; `out` is None where the README shows no output."""

    chapter: str
    script: str
    out: str | None
    span: tuple[int, int]

    @property
    def is_setup(self) -> bool:
        return "venv" in self.script

    @property
    def takes_long(self) -> bool:
        """Whether it plays whole games by the programs of `examples/`, or surveys, or reads what a survey wrote."""
        return bool(re.search(r"examples/\w+\.(py|sh)|cardsol (survey|stats)\b", self.script))


def blocks(text: str) -> Iterator[Block]:
    """Yields the shell blocks in order."""
    for found in _BLOCK.finditer(text):
        chapters = re.findall(r"^###? (.*)$", text[: found.start()], re.M)
        yield Block(chapters[-1] if chapters else "", found["script"], found["out"], found.span())


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a block as a user's shell does, with the tested `cardsol` and `python` first on the path."""
    scripts = sysconfig.get_path("scripts")
    keep = {name: os.environ[name] for name in ("TMPDIR", "HOME") if name in os.environ}
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**keep, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )


def prepared(folder: Path) -> Path:
    """Puts the examples into a folder, as the README's reader has them."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    return folder
