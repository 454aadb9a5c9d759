"""The deal travels: what prints a deck order, or holds one, is taken by `deal --deck`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import cardsol
from tests.support.engine import few, variant_name
from tests.support.harness import COMMAND, environment, run_inside, some
from tests.support.harness import run_loaded as run

BOARD = """\
      Kd          Kc          Qh
    Ah  7d      6d  8d      5d  9d
  4d  Td  3d  Jd  2d  Qd  Ad  7c  6c
8c  5c  9c  4c  Tc  3c  Jc  2c  Qc  Ac
6h 7h 5h 8h 4h 9h 3h Th 2h Jh Kh As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks
"""
"""A deal as the TriPeaks solver `solitaire-player` reads it: the rows, the first waste card, the stock."""

FORMS: dict[str, Callable[[list[str]], bytes]] = {
    "blanks": lambda deck: " ".join(deck).encode(),
    "a card a line": lambda deck: "\n".join(deck).encode() + b"\n",
    "commas": lambda deck: ",".join(deck).encode(),
    "commas and blanks": lambda deck: ", ".join(deck).encode(),
    "CRLF": lambda deck: "\r\n".join(deck).encode(),
    "UTF-16": lambda deck: " ".join(deck).encode("utf-16"),
    "byte-order mark": lambda deck: "\ufeff".encode() + " ".join(deck).encode(),
    "lower case": lambda deck: " ".join(deck).lower().encode(),
    "tens": lambda deck: " ".join(deck).replace("T", "10").encode(),
    "comments": lambda deck: b"# my deal\n" + "  # a card\n".join(deck).encode(),
    "JSON": lambda deck: json.dumps({"deck": deck}).encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_deck_is_read_in_every_form(form: str, tmp_path: Path) -> None:
    deck = list(cardsol.deal("camelot", seed=5).deck)
    data = FORMS[form](deck)
    (tmp_path / "order").write_bytes(data)
    assert run("deal", "camelot", "--deck", "@order", "-q", folder=tmp_path) == (0, "", "")
    assert (
        run("deal", "camelot", "--deck", "-", "-q", "-f", "b.json", folder=tmp_path, given=data).status == 0
    )
    first, second = ((tmp_path / name).read_bytes() for name in ("cardsol.json", "b.json"))
    assert first == second and json.loads(first)["deck"] == deck


@pytest.mark.parametrize("variant", few(2), ids=variant_name)
def test_what_show_deck_prints_deals_the_same_game(
    variant: tuple[str, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, options = variant
    if options.get("rounds") == "progressive":
        # Its later rounds come from the seed, which a deck does not hold.
        options = {**options, "rounds": "single"}
    monkeypatch.chdir(tmp_path)
    cardsol.save(cardsol.deal(name, seed=9, options=options), "a.json")
    chosen = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    for words in (["--deck"], ["--deck", "--json"]):
        printed = run_inside("show", *words, "-f", "a.json").out
        assert (
            run_inside("deal", name, *chosen, "--deck", printed, "--force", "-q", "-f", "b.json").status == 0
        )
        assert cardsol.load("b.json").state == cardsol.load("a.json").state


def test_a_whole_save_is_a_deck(tmp_path: Path) -> None:
    """From a file, from a pipe, as a word; what was played in it does not matter, nor which game of the deck it is."""
    run("deal", "three-peaks", "--seed", "1", "-q", folder=tmp_path)
    run("move", "d4", "draw", "-q", folder=tmp_path)
    data = (tmp_path / "cardsol.json").read_bytes()
    for name, words, given in (
        ("file", "@cardsol.json", b""),
        ("pipe", "-", data),
        ("word", data.decode(), b""),
        ("wide", "-", data.decode().encode("utf-16")),
    ):
        result = run("deal", "camelot", "--deck", words, "-q", "-f", name, folder=tmp_path, given=given)
        assert result == (0, "", "")
        assert cardsol.load(tmp_path / name).deck == cardsol.deal("camelot", seed=1).deck


@pytest.mark.parametrize(
    ("data", "status", "says"),
    [
        ("{}", 3, "'order' is no valid save: format: "),
        ('{"deck": ["AS"]}', 2, "1 card was given, 52 are needed: missing "),
        ('{"deck": "AS"}', 3, "'order' is no valid save: format: "),
        ('{"deck": [[]]}', 2, "card 1, '[]', is no card of the standard deck; 1 card"),
        ("{" * 3000, 3, "'order' is no valid save: "),
        ('{"deck": ' + "[" * 100_000, 3, "'order' is no valid save: "),
        ("", 2, "0 cards were given, 52 are needed: missing "),
        ("AS " * 52, 2, "card 2, AS, is the second AS; 52 cards were given, 52 are needed"),
    ],
)
def test_what_is_no_deck_is_refused_in_one_line(data: str, status: int, says: str, tmp_path: Path) -> None:
    (tmp_path / "order").write_text(data)
    result = run("deal", "camelot", "--deck", "@order", folder=tmp_path)
    assert (result.status, result.out) == (status, "")
    assert says in result.err and result.err.count("\n") == 1 and len(result.err) < 300


def test_a_save_of_another_deck_is_told(tmp_path: Path) -> None:
    run("deal", "universal", "-q", folder=tmp_path)
    result = run("deal", "camelot", "--deck", "@cardsol.json", "-f", "b.json", folder=tmp_path)
    assert (
        result.status == 2
        and "is no card of the standard deck; 60 cards were given, 52 are needed" in result.err
    )


def test_a_board_file_of_solitaire_player_is_a_deal_of_three_peaks(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text(BOARD)
    assert run("deal", "three-peaks", "--deck", "@deck.txt", "-q", folder=tmp_path) == (0, "", "")
    piles = cardsol.load(tmp_path / "cardsol.json").piles()
    assert piles["a1"].down == ("KD",) and piles["b6"].down == ("9D",) and piles["d10"].up == ("AC",)
    assert piles["waste"].up == ("6H",) and (piles["stock"].down[-1], piles["stock"].down[0]) == ("7H", "KS")


@pytest.mark.parametrize(
    "origin",
    some([["--pysol", "ms7"], ["--seed", "it's 1"], ["--deck", BOARD.replace("\n", " ")]], 3),
    ids=lambda origin: origin[0],
)
def test_a_logged_script_reproduces_the_game_anywhere(origin: list[str], tmp_path: Path) -> None:
    """Moves, options and what is undone come back; by deck order, so that no package is needed for a number."""
    run("deal", "three-peaks", "-o", "floor=zero", *origin, "-q", folder=tmp_path)
    run("move", "draw", "draw", "draw", "-q", folder=tmp_path)
    run("undo", "-q", folder=tmp_path)
    script = run("log", "--script", folder=tmp_path).out
    there = tmp_path / "there"
    there.mkdir()
    env = environment({"PATH": os.path.dirname(COMMAND) + os.pathsep + os.environ["PATH"]})
    done = subprocess.run(["sh", "-s"], input=script, cwd=there, env=env, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    old, new = (json.loads((folder / "cardsol.json").read_text()) for folder in (tmp_path, there))
    assert {**old, "pysol": None} == new
    assert ("PySolFC" in script) is (origin[0] == "--pysol")
