"""Puts today's output of each command in README.md that shows one into it: `python -m tests.regenerate.readme`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support import readme


def main() -> None:
    """Runs every block that shows its output and writes the README anew."""
    text = readme.README.read_text(encoding="utf-8")
    chapter, folder = None, Path()
    pieces, end = [], 0
    for block in readme.blocks(text):
        if block.chapter != chapter:
            chapter, folder = block.chapter, readme.prepared(Path(tempfile.mkdtemp()))
        if block.is_setup:
            continue
        done = readme.run(block.script, folder)
        print(f"{done.returncode} {block.chapter}: {block.script.splitlines()[0]}")
        if block.out is not None:
            pieces += [text[end : block.span[0]], f"```sh\n{block.script}```\n```text\n{done.stdout}```\n"]
            end = block.span[1]
    readme.README.write_text("".join([*pieces, text[end:]]), encoding="utf-8")


if __name__ == "__main__":
    main()
