"""`move TOKEN…` makes the moves, all or none, and prints the board after the last."""

from __future__ import annotations

from pathlib import Path

from tests.support.harness import run_loaded as run
from tests.support.typed import FILL, SAVE, Line, check, holds, put, saved, starts_with, table

AFTER_TWO = """\
d4: 6S onto 7D: +1
draw: turns a card onto the waste and ends the run: -5
three-peaks  seed 1  score -4/466  playing
  stock 22  waste 3 [JD*]  draw turns 1, -5

          a1                a2                a3
          --                --                --
       b1    b2          b3    b4          b5    b6
       --    --          --    --          --    --
    c1    c2    c3    c4    c5    c6    c7    c8    c9
    --    --    --    --    --    --    --    --    --
 d1    d2    d3          d5    d6    d7    d8    d9    d10
 TS    6H    8C          2D    QD    5H    KC    8S    9H

  run 0, next +1
  JD*
"""


TURNED_UP = "cardsol: a card that the move turns up stays hidden: move without --dry-run shows it\n"
NOT_TRIED = "cardsol: 2 words not tried: what is legal then depends on a hidden card\n"
TWICE = (
    "cardsol: illegal move d4: d4 is empty: its card has been played; legal here: d7, draw; "
    "word 2 of 2, and no move was made\n"
)


@table(
    Line("move d4 draw", AFTER_TWO, moves="d4 draw"),
    Line("move -q d4 draw d1", moves="d4 draw d1"),
    Line("move d4 -q draw -f cardsol.json d1", moves="d4 draw d1"),
    Line("move --quiet 'd4 draw\td1\n'", moves="d4 draw d1"),
    Line("move -q -- d4", moves="d4"),
    Line("move -q - d1", moves="d4 draw d1", given="d4 draw\n"),
    Line("move -q d4 -", moves="d4 draw d1", given="# d9 a comment\ndraw # d10, too\r\n\r\nd1#d10"),
    Line("move -q d4 -", moves="d4 draw", given="# a comment of one line\u2028d9 \x85 d9 \x0c d9\ndraw"),
    Line("move -q 'd4 -'", moves="d4 draw", given="draw"),
    Line("move -q -", moves="d4", given="\ufeffd4\n"),
    Line(
        "move --hide-seed d4",
        starts_with("d4: 6S onto 7D: +1\nthree-peaks  seed hidden  score"),
        moves="d4",
    ),
    Line(
        "move b3+c4",
        starts_with("b3+c4: removes 4H from b3 and 6S from c4  (+2)\ncamelot  seed 282  score 2/40"),
        start="camelot full",
        moves=f"{FILL} b3+c4",
    ),
)
def test_move_makes_every_move_and_prints_the_board_after_the_last(line: Line, tmp_path: Path) -> None:
    check(line, tmp_path)


@table(
    Line(
        "move d4 draw d9",
        "",
        "cardsol: illegal move d9: 8S does not go on JD: "
        "only a card one rank below or above does, T or Q, of any suit; legal here: d1, d6, draw; "
        "word 3 of 3, and no move was made\n",
        4,
    ),
    Line("move d4 d4", "", TWICE, 4),
    Line(
        "move d4 x9",
        "",
        starts_with("cardsol: 'x9' is not a token of three-peaks: its tokens are like draw, d4"),
        2,
    ),
    Line("move d9 d9 x9", "", starts_with("cardsol: 'x9' is not a token of three-peaks"), 2),
    Line("move d4 d04", "", starts_with("cardsol: 'd04' is not a token of three-peaks"), 2),
    Line("move t1-t2", "", starts_with("cardsol: 't1-t2' is not a token of three-peaks"), 2),
    Line("move", "", holds("no token is given: 'cardsol moves' lists"), 2),
    Line("move ''", "", holds("no token is given"), 2),
    Line(
        "move -", "", holds("standard input holds no token: did the command before"), 2, given="# nothing\n"
    ),
    Line("move - -", "", holds("standard input can be read only once"), 2, given="d4"),
    Line("move -f - -", "", holds("standard input can be read only once"), 2, given="d4"),
    Line("move -d4", "", holds("no such option"), 2),
)
def test_move_makes_all_moves_or_none(line: Line, tmp_path: Path) -> None:
    check(line, tmp_path)


def test_tokens_that_are_no_text_are_refused(tmp_path: Path) -> None:
    before = put("peaks", tmp_path).read_bytes()
    result = run("move", "-", folder=tmp_path, given=b"d4 \xff")
    assert (result.status, result.out) == (3, "")
    assert result.err.startswith("cardsol: standard input is not UTF-8") and result.err.count("\n") == 1
    assert (tmp_path / SAVE).read_bytes() == before


@table(
    Line("move --dry-run d4 draw", AFTER_TWO.replace("JD", "--"), TURNED_UP),
    Line("move --dry-run d4 draw d9 d1", AFTER_TWO.replace("JD", "--"), TURNED_UP + NOT_TRIED),
    Line("move d4 --dry-run -q"),
    Line("move --dry-run d4 d4", "", TWICE, 4),
)
def test_a_dry_run_shows_the_outcome_and_writes_nothing(line: Line, tmp_path: Path) -> None:
    check(line, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [SAVE]


def test_a_new_move_empties_what_redo_could_bring_back(tmp_path: Path) -> None:
    put("peaks played", tmp_path)
    run("undo", "2", "-q", folder=tmp_path)
    assert saved(tmp_path)["undone"] == ["draw", "d1"]
    run("move", "draw", "-q", folder=tmp_path)
    save = saved(tmp_path)
    assert (save["moves"], save["undone"], save["undos"]) == (["d4", "draw"], [], 2)
