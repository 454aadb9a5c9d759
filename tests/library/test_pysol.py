"""`deal GAME --pysol NUMBER` deals what PySolFC deals for the number, in the four games that it has too."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import pysol
from cardsol.errors import BadOption, UnknownGame
from tests.support.harness import run_inside
from tests.support.harness import run_loaded as run

KNOWN: list[dict[str, str]] = json.loads(
    (Path(__file__).parents[1] / "data" / "pysolfc-deals.json").read_text()
)
"""What that program deals: game, number as a player types it, deck order."""


@pytest.mark.parametrize("known", KNOWN, ids=[f"{known['game']} {known['number']}" for known in KNOWN])
def test_a_number_deals_what_that_program_deals(known: dict[str, str]) -> None:
    assert " ".join(pysol.deal(known["game"], known["number"]).deck) == known["deck"]


@pytest.mark.parametrize("game", pysol.played())
def test_every_number_deals_a_whole_deck(game: str) -> None:
    for number in (
        *range(1, 50),
        *range(31_990, 32_010),
        "ms1",
        "ms2147483648",
        "ms4294967295",
        "ms8589934591",
    ):
        dealt = pysol.deal(game, str(number))
        assert cardsol.deal(game, deck=dealt.deck).deck == dealt.deck


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("100", "100"), ("#100", "100"), ("# 100", "100"), ("1,234,567", "1234567"), ("1.234.567", "1234567"),
        ("1 234 567", "1234567"), ("1_000", "1000"), ("-100", "100"), ("00000000000000032001", "32001"),
        ("100L", "100"), ("ms1", "ms1"), ("MS1", "ms1"), ("#ms1", "ms1"), ("ms8589934591", "ms8589934591"),
    ],
)  # fmt: skip
def test_a_number_may_be_written_as_that_program_and_its_players_write_it(typed: str, normal: str) -> None:
    assert pysol.normal(typed) == normal
    assert pysol.deal("camelot", typed).deck == pysol.deal("camelot", normal).deck


@pytest.mark.parametrize(
    "number",
    [
        "",
        "0",
        "-0",
        "#0",
        "000",
        "-",
        "#",
        "ms0",
        "ms-0",
        "ms",
        "ms8589934592",
        "abc",
        "1e3",
        "0x10",
        "1/2",
        "+5",
        "१",
        "ms-",
        "9" * 101,
    ],
)
def test_what_is_no_number_is_refused_in_one_line(
    number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run_inside("deal", "camelot", "--pysol", number)
    assert (result.status, result.out) == (2, "") and list(tmp_path.iterdir()) == []
    assert " is no deal number of PySolFC: " in result.err and result.err.count("\n") == 1


def test_the_save_says_where_the_deck_came_from(tmp_path: Path) -> None:
    shown = run("deal", "three-peaks", "--pysol", "#1,234,567", folder=tmp_path)
    assert shown.status == 0 and shown.out.startswith("three-peaks  pysol 1234567  score ")
    save: dict[str, Any] = json.loads((tmp_path / "cardsol.json").read_text())
    assert (save["pysol"], save["seed"], save["deal"]) == ("1234567", None, None)
    assert run("check", folder=tmp_path).out == "cardsol.json: ok\n"
    view = run("show", "--json", folder=tmp_path).json
    assert (view["pysol"], view["seed"]) == ("1234567", None)
    assert run("show", "--json", "--hide-seed", folder=tmp_path).json["pysol"] is None
    assert "1234567" not in run("show", "--hide-seed", folder=tmp_path).out


def test_options_of_the_game_go_with_a_number() -> None:
    game = pysol.deal("vanishing-cross", "ms5", {"wrap": "off", "play": "direct"})
    assert game.options == {"wrap": "off", "play": "direct"}
    with pytest.raises(BadOption, match="needs a seed"):
        pysol.deal("three-peaks", "5", {"rounds": "progressive"})
    with pytest.raises(UnknownGame):
        pysol.deal("klondike", "5")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("universal --pysol 1", "--pysol goes with three-peaks, vanishing-cross, rouge-et-noir, camelot"),
        ("camelot --pysol 1 --seed 1", "give --seed or --pysol, not both"),
        ("camelot --pysol 1 --deck AS", "give --deck or --pysol, not both"),
    ],
)
def test_a_number_has_its_place(words: str, says: str, tmp_path: Path) -> None:
    result = run("deal", *words.split(), folder=tmp_path)
    assert (result.status, result.out) == (2, "") and says in result.err and result.err.count("\n") == 1


def test_without_the_extra_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in [name for name in sys.modules if name.startswith("pysol_cards")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pysol_cards", None)
    monkeypatch.chdir(tmp_path)
    result = run_inside("deal", "camelot", "--pysol", "1")
    assert (result.status, result.out) == (2, "") and list(tmp_path.iterdir()) == []
    assert result.err == (
        "cardsol: --pysol needs the package pysol-cards:"
        " pip install '.[pysol]' in a checkout of cardsol, or deal by --seed\n"
    )
