"""`log --share`: a game in a few lines to paste in a chat, without a card in them."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardsol
from cardsol.cli.sharing import BLOCKS, LONGEST_STRIP, SIGNS, share, strip
from tests.support import engine
from tests.support.typed import SAVE, in_process, put


def played(name: str, options: dict[str, str], seed: str, most: int = 200) -> cardsol.Game:
    game = cardsol.deal(name, seed=seed, options=options)
    while game.status == "playing" and len(game.moves) < most:
        game.push(game.legal_moves[len(game.moves) % len(game.legal_moves)])
    return game


def test_it_tells_what_was_played_the_result_and_the_course(tmp_path: Path) -> None:
    game = cardsol.deal("three-peaks", seed="daily-2026-12-02", options={"floor": "zero"})
    cardsol.save(game, tmp_path / SAVE)
    first = "cardsol three-peaks floor=zero, daily 2026-12-02\n"
    assert (
        in_process("log", "--share", folder=tmp_path).out
        == f"{first}playing, score 0/{game.view().max}, 0 moves\n"
    )
    put("peaks played", tmp_path)
    in_process("undo", "-q", folder=tmp_path)
    score = cardsol.load(tmp_path / SAVE).score
    done = in_process("log", "--share", folder=tmp_path, env={"PYTHONIOENCODING": "utf-8"})
    assert done.out.splitlines()[:2] == [
        "cardsol three-peaks, seed 1", f"playing, score {score}/466, 2 moves, 1 taken back",
    ]  # fmt: skip
    assert in_process("log", "--share", "--json", folder=tmp_path).json == {
        "share": f"cardsol three-peaks, seed 1\nplaying, score {score}/466, 2 moves, 1 taken back\n▇▁\n"
    }


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        ([0], ""), ([0, 0], "▁"), ([0, 1], "▇"), ([0, 1, -4], "▇▁"), ([0, 1, 3, 6, 10], "▂▃▅▇"), ([0, 8, 8, 9], "▇▁▂"),
        (list(range(41)), "▇" * 20), ([0] * 30 + [5], "▁" * 19 + "▇"), (list(range(23)), None),
    ],
)  # fmt: skip
def test_the_strip_is_higher_where_more_points_were_gained(scores: list[int], shown: str | None) -> None:
    found = strip(scores, BLOCKS)
    assert shown is None or found == shown
    assert len(found) == min(len(scores) - 1, LONGEST_STRIP)
    assert strip(scores, SIGNS) == found.translate(dict(zip(map(ord, BLOCKS), SIGNS)))


@pytest.mark.parametrize("variant", engine.few(2), ids=engine.variant_name)
def test_it_names_no_card_and_is_four_lines_at_most_in_every_game(
    variant: tuple[str, dict[str, str]],
) -> None:
    game = played(*variant, "a seed")
    text = share(game, blocks=True)
    assert len(text.splitlines()) == 3 and text.endswith("\n")
    assert not set(text.replace(",", " ").split()) & set(game.deck)
    assert share(game, blocks=False).isascii()


def test_it_says_where_the_deck_came_from_unless_that_is_sealed(tmp_path: Path) -> None:
    from cardsol import pysol

    deck = cardsol.deal("camelot", seed=1).deck
    for game, origin in (
        (cardsol.deal("camelot", deck=deck), "own deck"), (pysol.deal("camelot", "77", {}), "pysol 77"),
        (cardsol.deal("camelot", seed="a b"), "seed 'a b'"), (cardsol.deal("camelot", seed="daily-x"), "seed daily-x"),
    ):  # fmt: skip
        assert share(game, blocks=False).splitlines()[0] == f"cardsol camelot, {origin}"
        game.sealed = True
        assert share(game, blocks=False).splitlines()[0] == "cardsol camelot, seed hidden"


def test_an_output_without_unicode_gets_plain_signs(tmp_path: Path) -> None:
    from tests.support import harness

    put("peaks played", tmp_path)
    plain = harness.run("log", "--share", folder=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    full = harness.run("log", "--share", folder=tmp_path, env={"PYTHONIOENCODING": "utf-8"})
    assert plain.out.splitlines()[-1] == full.out.splitlines()[-1].translate(
        dict(zip(map(ord, BLOCKS), SIGNS))
    )
    assert set(plain.out.splitlines()[-1]) <= set(SIGNS)


def test_it_goes_with_no_script(tmp_path: Path) -> None:
    put("peaks", tmp_path)
    assert in_process("log", "--share", "--script", folder=tmp_path).status == 2
