"""`show [--plain] [--at N] [--deck] [--hide-seed]`, and `--style` and `--color` on boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.harness import run_loaded as run
from tests.support.typed import STARTS, Line, check, game, holds, in_process, put, starts_with, table

UNIVERSAL = """\
universal  seed 1  draw=1  score 15/300  playing
  stock 24  waste 5 [7N]  draw turns 1  pass 1 of 1
  waste 6S  4N  5V  4S  7N                Novice

  Earth    Jupiter  Mars     Neptune  Saturn   Venus
  f1 1E    f2 1J    f3 .     f4 .     f5 1S    f6 .

  t1       t2       t3       t4       t5       t6
  --       --       --       --       --       --
  --       --       --       --       --       --
  --       --       --       --       --       --
  MS       7V       SS       MJ       6J       MN
  7E                         7M       5S*      7S
"""
CAMELOT = """\
b3+c4: removes 4H from b3 and 6S from c4  (+2)
camelot  seed 282  score 2/40  playing
  stock 36  waste 0  draw turns 1
  phase 2: remove tens, and pairs that make ten
  removed 2 [4H* 6S*]

      1     2     3     4
  a   2H    QC    2S    7C
  b   AS    TD    .     3S
  c   8D    9H    7D   (j)
  d   5C    AC    6C    4D

  (k) (q) (j)  places of Kings, Queens and Jacks;
               other cards go to any empty cell
"""
CROSS = """\
vanishing-cross  seed 7  score 1/52  playing
  stock 45 [9D*]  waste 0  draw turns 1  base 5

      1            2            3
  a   5H  1/13     KC           .   0/13

  b   3S           TD           8D

  c   .   0/13     TC           .   0/13
"""
ROUGE = """\
rouge-et-noir  seed 1  score 0/104  playing
  stock 67  draw deals 10  7 deals left
  f1 .   f2 .   f3 .   f4 .   k1 .   k2 .   k3 .   k4 .

  t1   t2   t3   t4   t5   t6   t7   t8   t9   t10
  --   --   --   --   --   --   --   2H   3S   .
  --   --   --   --   --   --   7H
  --   --   --   --   --   KS
  --   --   --   --   9H
  --   --   --   KC
  --   --   8S
  --   8C
  5S
"""
PLAIN_CAMELOT = """\
camelot  seed 1  score 0/40  playing
stock: 48 face down.
waste: AD.
"""


@table(
    Line("show", ROUGE, start="rouge"),
    Line("show", UNIVERSAL, start="universal played"),
    Line("move --dry-run b3+c4", CAMELOT, start="camelot full"),
    Line("show", starts_with(CROSS), start="cross drawn"),
    Line("show --style unicode", holds("T♠    6♥    8♣    6♠    2♦"), start="peaks"),
    Line("show --style ascii --color never", holds(" TS    6H    8C    6S    2D")),
    Line("show --color always", holds("TS    \x1b[1;31m6H\x1b[0m    \x1b[1m8C\x1b[0m    ")),
    Line("show --color always", holds("\x1b[1m6S\x1b[0m    \x1b[31m2D\x1b[0m    ")),
    Line("show --color always --style unicode", holds("T♠    \x1b[1;31m6♥\x1b[0m    \x1b[1m8♣\x1b[0m")),
    Line(
        "show --color always",
        holds("\x1b[1;38;5;30m1S\x1b[0m       \x1b[1;38;5;130m1J\x1b[0m       \x1b[38;5;30m5S\x1b[0m       "),
        start="universal",
    ),
    Line("show --style unicode", holds("1♄       1♃       5♄       7♁"), start="universal"),
    Line(
        "show --hide-seed", starts_with("rouge-et-noir  seed hidden  score 0/104  playing\n"), start="rouge"
    ),
    Line(
        "show --plain --hide-seed",
        starts_with(PLAIN_CAMELOT.replace("seed 1", "seed hidden")),
        start="camelot drawn",
    ),
    Line("show --plain", starts_with(PLAIN_CAMELOT), start="camelot drawn"),
    Line("show --plain", holds("\na1: face down, under b1 and b2.\n"), start="peaks"),
    Line("show --plain --style unicode --color always", holds("\nd4: 6S.\n")),
    Line(
        "show --at 0",
        starts_with("three-peaks  seed 1  score 0/466  playing\n"),
        start="peaks played",
    ),
    Line("show --at 2", holds("score -4/466"), start="peaks played"),
    Line("show --at 3", holds("score -3/466"), start="peaks played"),
    Line("show --at 4", "", "cardsol: the history has 3 moves, not 4\n", 4, start="peaks played"),
    Line("show --at -1", "", starts_with("cardsol: --at takes a whole number from 0, not "), 2),
    Line("show --at x", "", starts_with("cardsol: --at takes a whole number from 0, not "), 2),
    Line(
        "show --style latin",
        "",
        starts_with("cardsol: --style takes auto or ascii or unicode, not 'latin'"),
        2,
    ),
    Line(
        "show --color blue", "", starts_with("cardsol: --color takes auto or always or never, not 'blue'"), 2
    ),
    Line("show more", "", holds("unexpected extra argument"), 2),
    Line("show -f nowhere.json", "", starts_with("cardsol: 'nowhere.json'"), 3),
)
def test_show_prints_the_board(line: Line, tmp_path: Path) -> None:
    check(line, tmp_path)


@pytest.mark.parametrize("start", STARTS)
def test_every_board_is_plain_ascii_of_58_columns_where_no_terminal_is(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    _, *lines = in_process("show", folder=tmp_path).out.splitlines()
    assert all(line.isascii() and line == line.rstrip() and len(line) <= 58 for line in lines)


@pytest.mark.parametrize("start", STARTS)
def test_plain_says_every_pile_in_a_sentence_of_its_own(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    lines = in_process("show", "--plain", folder=tmp_path).out.splitlines()[1:]
    assert [line.partition(": ")[0] for line in lines] == list(game(start).piles())
    assert all(line.endswith(".") for line in lines)


@pytest.mark.parametrize("start", STARTS)
def test_at_shows_each_board_of_the_history(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    played = game(start)
    for made in range(len(played.moves), -1, -1):
        shown = in_process("show", "--json", "--at", str(made), folder=tmp_path).json
        assert (shown["made"], shown["piles"]) == (made, played.view().as_dict()["piles"])
        if made:
            played.undo()


@pytest.mark.parametrize("start", ["universal", "peaks", "cross", "rouge", "camelot"])
def test_deck_prints_the_deck_order_on_a_line(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    assert run("show", "--deck", folder=tmp_path) == (0, " ".join(game(start).deck) + "\n", "")
    assert in_process("show", "--deck", "--json", folder=tmp_path).json == {"deck": list(game(start).deck)}


def test_moves_taken_back_are_told_above_the_board(tmp_path: Path) -> None:
    put("peaks played", tmp_path)
    run("undo", "2", "-q", folder=tmp_path)
    assert run("show", folder=tmp_path).out.splitlines()[0].endswith("  playing  2 taken back")
