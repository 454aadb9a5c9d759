"""The pictures of the boards are what a terminal shows today."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.regenerate import board_pictures
from tests.support.harness import some


@pytest.mark.parametrize("game", some(board_pictures.BOARDS, 3))
def test_a_picture_is_what_a_terminal_shows_now(game: str) -> None:
    shown = board_pictures.shown(game)
    picture = (board_pictures.FOLDER / f"{game}.svg").read_text(encoding="utf-8")
    assert picture == board_pictures.svg(shown), "python -m tests.regenerate.board_pictures draws them anew"
    texts = [
        element.text or "" for element in ElementTree.fromstring(picture) if element.tag.endswith("text")
    ]
    words = re.sub(r"\x1b\[[0-9;]*m", "", shown).split()
    assert "".join(texts).replace(" ", "") == "".join(words)
