"""`undo [N]`, `redo [N]`, `undo --all`, `redo --all`."""

from __future__ import annotations

from pathlib import Path

from tests.support.harness import run_loaded as run
from tests.support.typed import SAVE, SAVE_ALONE, Line, check, game, holds, put, saved, starts_with, table


@table(
    Line("undo", holds("  score -4/466  playing  1 taken back\n"), moves="d4 draw"),
    Line("undo -q", moves="d4 draw"),
    Line("undo 1 -q", moves="d4 draw"),
    Line("undo -q 3", moves=""),
    Line("undo --all -q", moves=""),
    Line("undo --hide-seed", starts_with("three-peaks  seed hidden\nscore -4/466  "), moves="d4 draw"),
    Line("undo 4", "", "cardsol: 4 moves to take back, but there are only 3\n", 4),
    Line("undo 99999999999999999999", "", holds("to take back, but there are only 3"), 4),
    Line("redo", "", "cardsol: there is no move to play again\n", 4),
    Line("redo --all -q"),
    Line("undo 0", "", starts_with("cardsol: N takes a whole number from 1, not '0'"), 2),
    Line("undo -1", "", holds("no such option"), 2),
    Line("undo one", "", starts_with("cardsol: N takes a whole number from 1, not 'one'"), 2),
    Line("undo 1.5", "", starts_with("cardsol: N takes a whole number from 1, not '1.5'"), 2),
    Line("undo 1 2", "", holds("unexpected extra argument"), 2),
    Line("undo 1 --all", "", holds("give a number or --all, not both"), 2),
    Line("redo 1 --all", "", holds("give a number or --all, not both"), 2),
)
def test_undo_and_redo_step_through_the_history(line: Line, tmp_path: Path) -> None:
    check(line._replace(start="peaks played"), tmp_path)


def test_undo_all_with_nothing_to_take_back_is_no_error(tmp_path: Path) -> None:
    before = put("peaks", tmp_path).read_bytes()
    assert run("undo", "--all", "-q", folder=tmp_path) == (0, "", "")
    assert run("undo", "-q", folder=tmp_path).status == 4
    assert (tmp_path / SAVE).read_bytes() == before


def test_undo_and_redo_move_tokens_between_moves_and_undone_and_undos_only_grows(tmp_path: Path) -> None:
    put("peaks played", tmp_path)
    history = []
    for words in ("undo 2", "redo", "undo --all", "redo 2", "redo --all"):
        assert run(*words.split(), "-q", folder=tmp_path) == (0, "", "")
        save = saved(tmp_path)
        history.append((" ".join(save["moves"]), " ".join(save["undone"]), save["undos"]))
    assert history == [
        ("d4", "draw d1", 2),
        ("d4 draw", "d1", 2),
        ("", "d4 draw d1", 4),
        ("d4 draw", "d1", 4),
        ("d4 draw d1", "", 4),
    ]
    assert saved(tmp_path)["piles"]["waste"] == {"down": ["7D", "6S"], "up": ["JD", "TS"]}
    assert run("redo", folder=tmp_path).status == 4
    assert run("score", "--get", "undos", folder=tmp_path).out == "4\n"


def test_in_a_pipe_undo_and_redo_print_the_new_save_alone(tmp_path: Path) -> None:
    save = put("peaks played", tmp_path).read_bytes()
    back = run("undo", "2", "-f", "-", "--json", folder=tmp_path, given=save)
    again = run("redo", "-f", "-", "-q", "--all", folder=tmp_path, given=back.out)
    assert (back.status, back.err, again.status, again.err) == (0, SAVE_ALONE, 0, "")
    assert again.out == save.decode().replace('"undos": 0', '"undos": 2')
    assert game("peaks played").moves == tuple(again.json["moves"])
