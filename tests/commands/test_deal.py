"""`deal GAME [--seed TEXT | --deck CARDS] [-o KEY=VALUE]… [--force]` starts a game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import cardsol
from tests.support.harness import run_loaded as run
from tests.support.typed import (
    SAVE,
    SAVE_ALONE,
    Line,
    check,
    game,
    holds,
    in_process,
    put,
    saved,
    starts_with,
    table,
)

PEAKS = """\
three-peaks  seed 1  score 0/466  playing
  stock 23  waste 1 [7D]  draw turns 1, -5

          a1                a2                a3
          --                --                --
       b1    b2          b3    b4          b5    b6
       --    --          --    --          --    --
    c1    c2    c3    c4    c5    c6    c7    c8    c9
    --    --    --    --    --    --    --    --    --
 d1    d2    d3    d4    d5    d6    d7    d8    d9    d10
 TS    6H    8C    6S    2D    QD    5H    KC    8S    9H

  run 0, next +1
  7D
"""
CAMELOT_ORDER = " ".join(cardsol.deal("camelot", seed="1").deck)


@table(
    Line("deal three-peaks --seed 1 --force", PEAKS, moves=""),
    Line("deal --seed 1 --force three-peaks -q", moves=""),
    Line(
        "deal --force -o floor=zero three-peaks --seed 1 -o rounds=progressive",
        holds("seed 1\nfloor=zero rounds=progressive  score 0  playing\n"),
        moves="",
    ),
    Line(
        "deal universal --option draw=3 --force --seed -1",
        starts_with("universal  seed -1  draw=3  score 0/300  playing\n"),
        moves="",
    ),
    Line(
        "deal camelot --seed ' blank ' --force",
        starts_with("camelot  seed  blank   score 0/40  playing\n"),
        moves="",
    ),
    Line(
        "deal camelot --seed naïve♥ --force",
        starts_with("camelot  seed naïve♥  score 0/40  playing\n"),
        moves="",
    ),
    Line(
        "deal camelot --seed 1 --force --hide-seed",
        starts_with("camelot  seed hidden  score 0/40  playing\n"),
        moves="",
    ),
    Line(
        f"deal camelot --force --deck '{CAMELOT_ORDER}'",
        starts_with("camelot  own deck  score 0/40  playing\n"),
        moves="",
    ),
    Line(
        f"deal camelot --force --deck {CAMELOT_ORDER.replace(' ', ',')}",
        starts_with("camelot  own deck  "),
        moves="",
    ),
    Line("deal camelot --force --deck -", starts_with("camelot  own deck  "), moves="", given=CAMELOT_ORDER),
    Line(
        "deal camelot --force --deck -",
        starts_with("camelot  own deck  "),
        moves="",
        given=CAMELOT_ORDER.lower().replace(" ", ",\r\n").replace("th", "10♥"),
    ),
)
def test_deal_starts_a_game_and_prints_its_board(line: Line, tmp_path: Path) -> None:
    check(line, tmp_path)


@table(
    Line(
        "deal three-peaks --seed 1",
        "",
        re.compile(
            r"cardsol: 'cardsol\.json' holds a game of three-peaks that is still being played; --force .*\n"
        ),
        4,
    ),
    Line("deal", "", holds("missing argument 'GAME'"), 2),
    Line(
        "deal klondike --force",
        "",
        starts_with(
            "cardsol: no game is named 'klondike': the games are universal, three-peaks, "
            "vanishing-cross, rouge-et-noir, camelot\n"
        ),
        2,
    ),
    Line("deal camelot extra --force", "", holds("unexpected extra argument"), 2),
    Line(
        "deal camelot --force --seed ''", "", "cardsol: a seed has 1 to 200 characters, this one has 0\n", 2
    ),
    Line(
        f"deal camelot --force --seed {'x' * 201}",
        "",
        "cardsol: a seed has 1 to 200 characters, this one has 201\n",
        2,
    ),
    Line("deal camelot --force --seed 'a\tb'", "", holds("U+0009 is its character 2"), 2),
    Line("deal camelot --force --seed 'a\u2028'", "", holds("U+2028 is its character 2"), 2),
    Line("deal camelot --force --seed 1 --deck AS", "", holds("not both"), 2),
    Line(
        "deal camelot --force -o draw=1", "", "cardsol: camelot has no option 'draw': it has no options\n", 2
    ),
    Line("deal universal --force -o draw=4", "", "cardsol: option draw takes 1 or 2 or 3, not '4'\n", 2),
    Line(
        "deal universal --force -o pass=1",
        "",
        "cardsol: universal has no option 'pass': its options are draw\n",
        2,
    ),
    Line("deal universal --force -o draw", "", holds("KEY=VALUE, not 'draw'"), 2),
    Line("deal universal --force -o draw=1 -o draw=2", "", holds("option 'draw' is given twice"), 2),
    Line("deal camelot --force --deck 'AS 2S'", "", holds("2 cards were given, 52 are needed"), 2),
    Line(f"deal camelot --force --deck '{CAMELOT_ORDER} AS'", "", holds("card 53, AS, is the second AS"), 2),
    Line(
        f"deal camelot --force --deck '{CAMELOT_ORDER.replace('AS', '1E')}'",
        "",
        holds("'1E', is no card of the standard deck"),
        2,
    ),
    Line(
        "deal three-peaks --force -o rounds=progressive --deck -",
        "",
        holds("rounds=progressive needs a seed"),
        2,
        given=CAMELOT_ORDER,
    ),
    Line(
        "deal camelot --force --deck @nowhere.txt",
        "",
        starts_with("cardsol: 'nowhere.txt': can't be read: "),
        3,
    ),
    Line("deal camelot --force --nosuch", "", holds("no such option"), 2),
    Line("deal camelot --forc", "", holds("no such option"), 2),
)
def test_deal_refuses_and_leaves_the_save_alone(line: Line, tmp_path: Path) -> None:
    check(line, tmp_path)


def test_without_a_seed_a_fresh_one_of_at_least_60_bits_is_made_shown_and_stored(tmp_path: Path) -> None:
    seeds = set()
    for _ in range(2):
        heading = run("deal", "camelot", "--force", folder=tmp_path).out.splitlines()[0]
        found = re.fullmatch(r"camelot  seed ([0-9a-f]{15,})  score 0/40  playing", heading)
        assert found
        assert saved(tmp_path)["seed"] == found[1]
        seeds.add(found[1])
    assert len(seeds) == 2


def test_the_seeds_7_and_07_differ(tmp_path: Path) -> None:
    decks = []
    for seed in ("7", "07"):
        assert run("deal", "camelot", "--seed", seed, "--force", "-q", folder=tmp_path).status == 0
        decks.append(saved(tmp_path)["deck"])
    assert decks[0] != decks[1]


def test_a_given_deck_has_neither_seed_nor_algorithm(tmp_path: Path) -> None:
    (tmp_path / "order.txt").write_bytes(b"\xef\xbb\xbf" + CAMELOT_ORDER.replace(" ", "\r\n").encode())
    assert run("deal", "camelot", "--deck", "@order.txt", folder=tmp_path).status == 0
    save = saved(tmp_path)
    assert (save["seed"], save["deal"], save["pysol"]) == (None, None, None)
    assert save["deck"] == CAMELOT_ORDER.split()


@pytest.mark.parametrize("start", ["universal", "peaks", "cross", "rouge", "camelot"])
def test_the_order_that_show_deck_prints_deals_the_same_game(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    name = game(start).name
    order = in_process("show", "--deck", folder=tmp_path).out
    result = run("deal", name, "--deck", "-", "-f", "copy.json", "-q", folder=tmp_path, given=order)
    assert result == (0, "", "")
    assert saved(tmp_path, "copy.json")["piles"] == saved(tmp_path)["piles"]


@pytest.mark.parametrize("seed, first, status", [("462", True, "won"), ("1", False, "lost")])
def test_a_game_that_is_over_is_replaced(seed: str, first: bool, status: str, tmp_path: Path) -> None:
    over = cardsol.deal("camelot" if first else "three-peaks", seed=seed)
    while over.legal_moves:
        over.push(over.legal_moves[0 if first else -1])
    assert over.status == status
    cardsol.save(over, tmp_path / SAVE)
    assert run("deal", "camelot", "-q", folder=tmp_path) == (0, "", "")
    assert saved(tmp_path)["moves"] == []


@pytest.mark.parametrize("text", ["", "a letter to a friend\n", '{"format": "cardsol-view"}\n'])
def test_a_file_that_is_no_save_is_never_replaced(text: str, tmp_path: Path) -> None:
    (tmp_path / SAVE).write_text(text)
    result = run("deal", "camelot", "--force", folder=tmp_path)
    assert (result.status, result.out) == (3, "")
    assert result.err.startswith("cardsol: 'cardsol.json' is no valid save: ")
    assert (tmp_path / SAVE).read_text() == text


@pytest.mark.parametrize("more", [(), ("--json",), ("-q",)])
def test_deal_into_a_pipe_reads_nothing_and_prints_the_save_alone(
    more: tuple[str, ...], tmp_path: Path
) -> None:
    result = run("deal", "camelot", "--seed", "1", "-f", "-", *more, folder=tmp_path, given="no save")
    assert (result.status, result.err) == (0, SAVE_ALONE if "--json" in more else "")
    cardsol.save(cardsol.deal("camelot", seed="1"), tmp_path / "wanted.json")
    assert result.out == (tmp_path / "wanted.json").read_text()


def test_the_deck_may_come_from_the_pipe_into_which_the_save_goes(tmp_path: Path) -> None:
    result = run("deal", "camelot", "--deck", "-", "-f", "-", folder=tmp_path, given=CAMELOT_ORDER)
    assert (result.status, json.loads(result.out)["deck"]) == (0, CAMELOT_ORDER.split())
