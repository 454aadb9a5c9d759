"""What a command says on stderr beside its result: the end of a game, a wait, what was meant."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import time
from pathlib import Path

import pytest

import cardsol
from tests.support.harness import COMMAND, environment
from tests.support.typed import in_process, put, saved

LOST = (
    "cardsol: lost: no move is left; 'cardsol undo' takes moves back, "
    "'cardsol solve --where-lost' finds the move that lost it\n"
)


def one_before_the_end(ended: str, folder: Path) -> tuple[cardsol.Game, str]:
    """Saves a sample of Camelot one move before its end, and returns the game at its end and the last move."""
    game = cardsol.load(Path(__file__).parents[1] / "saves" / "v1" / f"camelot-{ended}.json")
    last = game.moves[-1]
    before = game.copy()
    before.undo()
    cardsol.save(before, folder / "cardsol.json")
    return game, last


def test_winning_is_told_with_score_moves_and_what_the_game_adds(tmp_path: Path) -> None:
    game, last = one_before_the_end("won", tmp_path)
    result = in_process("move", last, folder=tmp_path)
    assert result.status == 0 and saved(tmp_path)["status"] == "won"
    extra = "".join(f", {key} {value}" for key, value in game.view().extra.items())
    assert result.err == f"cardsol: won: score {game.score}, {len(game.moves)} moves{extra}\n"


def test_losing_is_told_with_what_can_be_done(tmp_path: Path) -> None:
    _, last = one_before_the_end("lost", tmp_path)
    assert in_process("move", last, folder=tmp_path)[::2] == (0, LOST)
    assert in_process("undo", folder=tmp_path).err == ""
    assert in_process("redo", folder=tmp_path).err == LOST


@pytest.mark.parametrize("option", ["--json", "-q", "--dry-run"])
@pytest.mark.parametrize("ended", ["won", "lost"])
def test_scripts_are_told_nothing_of_the_end(ended: str, option: str, tmp_path: Path) -> None:
    _, last = one_before_the_end(ended, tmp_path)
    result = in_process("move", last, option, folder=tmp_path)
    assert result.status == 0 and "won: " not in result.err and "lost: " not in result.err


def test_solve_says_that_a_won_game_is_won(tmp_path: Path) -> None:
    _, last = one_before_the_end("won", tmp_path)
    in_process("move", "-q", last, folder=tmp_path)
    for more in ((), ("--where-lost",)):
        assert in_process("solve", *more, folder=tmp_path) == (0, "", "cardsol: the game is already won\n")
    assert json.loads(in_process("solve", "--json", folder=tmp_path).out)["line"] == []


def test_solve_tells_the_best_score_of_a_win_where_another_line_scores_more(tmp_path: Path) -> None:
    in_process("deal", "three-peaks", "--seed", "34", "-q", folder=tmp_path)
    played = "d4 d1 d2 d10 draw d3 draw c3 draw draw draw d5 c2 d8 d9"
    assert in_process("move", *played.split(), "-q", folder=tmp_path).status == 0
    told = in_process("solve", "--goal", "score", folder=tmp_path).err
    answer = json.loads(in_process("solve", "--goal", "score", "--json", folder=tmp_path).out)
    best, winning = answer["score"], answer["best_winning"]["score"]
    assert best > winning
    assert told.splitlines() == [
        f"cardsol: score {best}, proved the best",
        f"cardsol: the best score of a line that wins is {winning}: --json prints that line",
    ]


def test_where_lost_says_that_the_deal_itself_could_not_be_won(tmp_path: Path) -> None:
    in_process("deal", "camelot", "--seed", "3", "-q", folder=tmp_path)
    told = in_process("solve", "--where-lost", folder=tmp_path)
    assert told.status == 5 and not told.out
    assert told.err.startswith("cardsol: impossible: the grid is full for good before ")
    assert told.err.endswith("; the deal itself can't be won\n")


@pytest.mark.parametrize(
    ("start", "words", "status", "says"),
    [
        ("rouge", "move t7 t3", 2, "did you mean t7-t3?"),
        ("peaks", "deal universal draw=3", 2, "unexpected extra argument 'draw=3': did you mean -o draw=3?"),
        ("peaks", "deal universal --draw 3", 2, "no such option '--draw'; did you mean -o draw=3?"),
        ("peaks", "deal universal --draw=2", 2, "no such option '--draw'; did you mean -o draw=2?"),
        ("peaks", "deal universal --draw 9", 2, "did you mean -o draw=1?"),
        ("peaks", "survey universal --seeds 1 --draw 2", 2, "did you mean -o draw=2?"),
        (
            "peaks",
            "show --draw 3",
            2,
            "no such option '--draw'; did you mean --at? see 'cardsol show --help'",
        ),
    ],
)
def test_what_was_meant_is_asked(start: str, words: str, status: int, says: str, tmp_path: Path) -> None:
    save = put(start, tmp_path).read_bytes()
    result = in_process(*words.split(), folder=tmp_path)
    assert (result.status, result.out) == (status, "") and says in result.err and result.err.count("\n") == 1
    assert (tmp_path / "cardsol.json").read_bytes() == save


@pytest.mark.parametrize(("start", "card", "token"), [("rouge", "2H", "t8-t9"), ("peaks", "6S", "d4")])
def test_a_card_with_one_legal_move_is_that_move(start: str, card: str, token: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    assert in_process("move", "-q", card, folder=tmp_path) == (0, "", "")
    assert saved(tmp_path)["moves"] == [token]


@pytest.mark.parametrize(
    "words",
    [
        ("move", "d4", "-q"),
        pytest.param(("deal", "camelot", "--force", "-q"), marks=pytest.mark.long),
        pytest.param(("undo", "-q"), marks=pytest.mark.long),
    ],
)
def test_a_long_wait_for_a_save_is_told_once(words: tuple[str, ...], tmp_path: Path) -> None:
    put("peaks played" if words[0] == "undo" else "peaks", tmp_path)
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        waiting = subprocess.Popen(
            [COMMAND, *words], cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
        )
        time.sleep(2.5)
    finally:
        os.close(folder)
    _, told = waiting.communicate(timeout=60)
    assert (waiting.returncode, told) == (
        0,
        "cardsol: waiting for another command that holds 'cardsol.json'\n",
    )
