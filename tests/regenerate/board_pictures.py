"""Draws the boards of the README: `python -m tests.regenerate.board_pictures [--theme dark|light] [FOLDER]`.

Each picture is what `cardsol move` shows on a terminal, turned from ANSI escapes into SVG. Without `--theme` a
picture follows the reader's: dark or light. A test fails where a picture is older than the boards.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

from tests.support.harness import COMMAND, environment

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "boards"
BOARDS = {
    "universal": "--seed 8 -o draw=3: t3-f t6-f t3-t1 t3-f t3-t1 t3-t5 t6-t3 t6-t3 t5-t3 t5-f t1-t2 t2-t5 draw",
    "three-peaks": "--seed 3: d1 d10 draw d2 c1 d6 d8 draw draw draw d7 d9 d5 d4 c9 c8",
    "vanishing-cross": "--seed 7: draw s-b2 b3-b2 b2-b3x2 draw s-b2 b3-b2 b3-c2 b2-b3x2 b3-c2 draw",
    "rouge-et-noir": "--seed 1: t4-t10 t3-t5 draw t9-t4 t4-t3 t3-t6 t1-t7 draw draw draw t6-t7 t3-f",
    "camelot": "--seed 282: " + " ".join(f"draw w-{row}{column}" for row in "abcd" for column in "1234") + " b3+c4",
}  # fmt: skip
"""Game → how it is dealt, and the moves that are made."""
LETTER, LINE, MARGIN = 8.5, 18, 14
"""Width of a letter, height of a line and width of the border, in pixels."""
COLUMNS = 58
SGR = re.compile(r"\x1b\[([0-9;]*)m")
THEMES = {
    "light": {"paper": "#ffffff", "ink": "#1f2328", "red": "#c0202a"},
    "dark": {"paper": "#161b22", "ink": "#e6edf3", "red": "#ff6b70"},
}
"""Colours of a terminal; the others are of the fixed 256."""
LEVELS = (0, 95, 135, 175, 215, 255)


def shown(game: str) -> str:
    """Returns what the terminal gets from the last of a game's moves."""
    dealing, _, moves = BOARDS[game].partition(": ")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([COMMAND, "deal", game, *dealing.split(), "-q"], cwd=folder, check=True)
        *before, last = moves.split()
        if before:
            subprocess.run([COMMAND, "move", *before, "-q"], cwd=folder, check=True)
        return on_terminal(["move", last], folder)


def on_terminal(words: list[str], folder: str) -> str:
    """Returns what a command prints on a terminal."""
    ours, theirs = pty.openpty()
    env = environment({"TERM": "xterm-256color"})
    with subprocess.Popen([COMMAND, *words], cwd=folder, env=env, stdout=theirs) as process:
        os.close(theirs)
        data = b"".join(iter(lambda: _read(ours), b""))
    os.close(ours)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} ended with status {process.returncode}")
    return data.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # On Linux the end of a terminal is an error.
        return b""


def pieces(line: str) -> Iterator[tuple[int, str, str]]:
    """Yields the words of a line: the column of each, the parameters of SGR that hold, and the text."""
    column, look = 0, ""
    for i, part in enumerate(SGR.split(line)):
        if i % 2:
            look = "" if part in ("", "0") else part
            continue
        for word in re.finditer(r"\S+(?: \S+)*", part):
            yield column + word.start(), look, word[0]
        column += len(part)


def classes(look: str) -> str:
    """Returns the CSS classes for the parameters of SGR."""
    names = {"": [], "1": ["b"], "2": ["d"], "31": ["r"]}
    bold = ["b"] if look.startswith("1;") else []
    look = look.removeprefix("1;")
    return " ".join([*bold, *(names[look] if look in names else [f"c{look.rpartition(';')[2]}"])])


def svg(text: str, theme: str | None = None) -> str:
    """Returns the picture of what a terminal shows."""
    lines = text.rstrip("\n").split("\n")
    width, height = COLUMNS * LETTER + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    found, used = [], set()
    for row, line in enumerate(lines):
        for column, look, word in pieces(line):
            kind = classes(look)
            used |= {name for name in kind.split() if name[1:].isdigit()}
            at = f'x="{MARGIN + column * LETTER:g}" y="{MARGIN + row * LINE + 13}"'
            of_class = f' class="{kind}"' if kind else ""
            found.append(f'<text {at} textLength="{len(word) * LETTER:g}"{of_class}>{escape(word)}</text>')
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}">',
            f"<style>{style(sorted(used), theme)}</style>",
            f'<rect class="p" width="{width:g}" height="{height}" rx="6"/>',
            *found,
            "</svg>\n",
        ]
    )


def style(used: list[str], theme: str | None) -> str:
    """Returns the style sheet, for one theme or for the reader's."""
    fixed = "".join(f".{name}{{fill:{color_of(int(name[1:]))}}}" for name in used)
    common = (
        "text{font:14px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}"
        f".b{{font-weight:bold}}.d{{opacity:.6}}{fixed}"
    )
    if theme:
        return _theme(theme) + common
    return f"{_theme('light')}@media(prefers-color-scheme:dark){{{_theme('dark')}}}{common}"


def _theme(theme: str) -> str:
    colors = THEMES[theme]
    return f".p{{fill:{colors['paper']}}}text{{fill:{colors['ink']}}}.r{{fill:{colors['red']}}}"


def color_of(number: int) -> str:
    """Returns a colour of the cube of 6 x 6 x 6 among xterm's 256."""
    red, green, blue = (LEVELS[(number - 16) // step % 6] for step in (36, 6, 1))
    return f"#{red:02x}{green:02x}{blue:02x}"


def main(words: list[str]) -> None:
    """Writes the pictures."""
    theme = None
    if words[:1] == ["--theme"]:
        theme, words = words[1], words[2:]
    folder = Path(words[0]) if words else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for game in BOARDS:
        (folder / f"{game}.svg").write_text(svg(shown(game), theme), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
