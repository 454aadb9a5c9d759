"""The README's shell blocks, and what they print.

    python -m tests.support.readme --write      puts today's output into the README

A block ```sh is run; a block ```text right behind it is what it prints. Blocks of one chapter (## or ###) share a
folder, in the README's order; a chapter begins with an empty one, beside a copy of `examples/`. A block of
setup (it has `venv` in it) is told apart by `is_setup`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
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


def main() -> None:
    """Runs every block that shows its output and writes the README anew."""
    text = README.read_text(encoding="utf-8")
    chapter, folder = None, Path()
    pieces, end = [], 0
    for block in blocks(text):
        if block.chapter != chapter:
            chapter, folder = block.chapter, prepared(Path(tempfile.mkdtemp()))
        if block.is_setup:
            continue
        done = run(block.script, folder)
        print(f"{done.returncode} {block.chapter}: {block.script.splitlines()[0]}")
        if block.out is not None:
            pieces += [text[end : block.span[0]], f"```sh\n{block.script}```\n```text\n{done.stdout}```\n"]
            end = block.span[1]
    README.write_text("".join([*pieces, text[end:]]), encoding="utf-8")


if __name__ == "__main__":
    if "--write" not in sys.argv:
        raise SystemExit(__doc__)
    main()
