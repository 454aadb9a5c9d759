"""`score [--get KEY]`, `moves [CARD] [--count]`, `log [--script]`, `check [FILE…]`."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

import cardsol
from tests.support import harness
from tests.support.harness import COMMAND, environment
from tests.support.harness import run_loaded as run
from tests.support.typed import (
    SAVE,
    STARTS,
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


@table(
    Line("score", "score: -3\nmax: 466\nstatus: playing\nrun: 1\nround: 1\nundos: 0\n", start="peaks played"),
    Line(
        "score",
        "score: 0\nmax: 268435555\nstatus: playing\nrun: 0\nround: 1\nundos: 0\n",
        start="peaks multiplied",
    ),
    Line(
        "score",
        "score: 0\nmax: none\nstatus: playing\nrun: 0\nround: 1\nundos: 0\n",
        start="peaks progressive",
    ),
    Line(
        "score", "score: 0\nmax: 300\nstatus: playing\npass: 1\nrating: Novice\nundos: 0\n", start="universal"
    ),
    Line("score", "score: 1\nmax: 52\nstatus: playing\nbase: 7\nundos: 0\n", start="cross"),
    Line("score", "score: 0\nmax: 104\nstatus: playing\nundos: 0\n", start="rouge"),
    Line("score", "score: 0\nmax: 40\nstatus: playing\nphase: 2\nundos: 0\n", start="camelot full"),
    Line("score --get status", "playing\n"),
    Line("score --get score", "-3\n", start="peaks played"),
    Line("score --get base", "7\n", start="cross"),
    Line("score --get rating", "Novice\n", start="universal"),
    Line(
        "score --get phase",
        "",
        holds("no 'phase' in a score: there are score, max, status, run, round, undos"),
        2,
    ),
    Line("score status", "", holds("unexpected extra argument"), 2),
    Line(
        "moves",
        "d2  6H onto 7D: +1\nd3  8C onto 7D: +1\nd4  6S onto 7D: +1\nd9  8S onto 7D: +1\n"
        "draw  turns a card onto the waste and ends the run: -5\n",
    ),
    Line("moves 6S", "d4  6S onto 7D: +1\n"),
    Line("moves 6♠", "d4  6S onto 7D: +1\n"),
    Line("moves 6s --count", "1\n"),
    Line("moves --count", "5\n"),
    Line("moves TS", "", "cardsol: no legal move with 'TS'\n"),
    Line("moves TS -q", ""),
    Line("moves --json TS", '{"moves": []}\n'),
    Line("moves 10s --count", "0\n"),
    Line("moves 2C", "", "cardsol: no legal move with '2C'\n"),
    Line("moves 7m", "t4-t3  MJ 7M from t4 onto SS\n", start="universal played"),
    Line(
        "moves 4h",
        "b3+c4  removes 4H from b3 and 6S from c4\nb3+d3  removes 4H from b3 and 6C from d3\n",
        start="camelot full",
    ),
    Line("moves 1E", "", holds("'1E' is neither a pile of three-peaks nor a card of the standard deck"), 2),
    Line("moves d4", starts_with("d4  6S onto 7D")),
    Line("moves a1", "", "cardsol: no legal move with 'a1'\n"),
    Line("moves w -q", "d2\nd3\nd4\nd9\ndraw\n"),
    Line("moves S -q", "draw\n"),
    Line("moves stock -q", "draw\n"),
    Line("moves waste -q", "d2\nd3\nd4\nd9\ndraw\n"),
    Line("moves -q 8C", "d3\n"),
    Line("moves 6S 6H", "", holds("unexpected extra argument"), 2),
    Line("log", "d4\ndraw\nd1\n", start="peaks played"),
    Line("log", ""),
    Line("check", "cardsol.json: ok\n"),
    Line("check cardsol.json ./cardsol.json", "cardsol.json: ok\n./cardsol.json: ok\n"),
    Line("check -f cardsol.json", "cardsol.json: ok\n"),
    Line(
        "check nowhere.json cardsol.json",
        starts_with("nowhere.json: can't be read: No such file or directory\ncardsol.json: ok\n"),
        status=3,
    ),
    Line("check -f cardsol.json cardsol.json", "", holds("give files or -f PATH, not both"), 2),
    Line("check - -", "", holds("standard input can be read only once"), 2),
)
def test_what_is_asked_is_answered_and_nothing_changes(line: Line, tmp_path: Path) -> None:
    if line.status != 3:
        check(line, tmp_path)
        return
    before = put(line.start, tmp_path).read_bytes()
    result = run(*shlex.split(line.words), folder=tmp_path)
    assert (result.status, result.err) == (3, "") and line.out.fullmatch(result.out)  # type: ignore[union-attr]
    assert (tmp_path / SAVE).read_bytes() == before


@pytest.mark.parametrize("start", STARTS)
def test_moves_lists_the_legal_tokens_sorted_as_plain_strings(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    lines = in_process("moves", folder=tmp_path).out.splitlines()
    tokens = [line.partition("  ")[0] for line in lines]
    assert tokens == sorted(tokens) == list(game(start).legal_moves)
    assert all(line.partition("  ")[2] for line in lines)


FAULTS = [
    ('"AD", ', "", "deck"),
    ('"moves": ["d4", "draw", "d1"]', '"moves": ["d4", "draw", "d2"]', "moves[2]"),
    ('"moves": ["d4", "draw", "d1"]', '"moves": ["d4", "x"]', "moves[1]"),
    ('"score": -3', '"score": 3', "score"),
    ('"status": "playing"', '"status": "won"', "status"),
    ('"d2": {"down": [], "up": ["6H"]}', '"d2": {"down": [], "up": ["6S"]}', "piles.d2"),
    ('"seed": "1"', '"seed": "2"', "deck[1]"),
    ('"undos": 0', '"undos": -1', "undos"),
    ('"version": 1', '"version": 3', "version"),
    ('"game": "three-peaks"', '"game": "klondike"', "game"),
    ('"pysol": null,\n', "", "pysol"),
]


def test_check_says_a_line_a_file_what_is_wrong_and_where(tmp_path: Path) -> None:
    text = put("peaks played", tmp_path).read_text()
    names = []
    for number, (old, new, _) in enumerate(FAULTS):
        assert text.count(old) == 1
        names.append(f"{number:02}.json")
        (tmp_path / names[-1]).write_text(text.replace(old, new))
    result = run("check", *names, SAVE, folder=tmp_path)
    assert (result.status, result.err) == (3, "")
    lines = result.out.splitlines()
    assert lines.pop() == "cardsol.json: ok"
    starts = [f"{name}: {where}" for name, (_, _, where) in zip(names, FAULTS)]
    assert [line[: len(start)] for line, start in zip(lines, starts)] == starts
    assert len(lines) == len(starts)
    told = in_process("check", "--json", *names, SAVE, folder=tmp_path).out.splitlines()
    assert len(told) == len(names) + 1


def test_check_names_a_strange_file_on_one_line(tmp_path: Path) -> None:
    for name in ("a\nb.json", "é.json"):
        put("peaks", tmp_path, name)
    assert run("check", "a\nb.json", "é.json", folder=tmp_path).out == "'a\\nb.json': ok\né.json: ok\n"


@pytest.mark.parametrize(
    "start",
    harness.some(
        [
            "universal played",
            "peaks played",
            "cross played",
            "rouge played",
            "camelot full",
            "peaks progressive",
        ],
        3,
    ),
)
def test_log_script_run_by_a_posix_shell_reproduces_the_save_byte_for_byte(
    start: str, tmp_path: Path
) -> None:
    wanted = put(start, tmp_path).read_bytes()
    script = run("log", "--script", folder=tmp_path).out
    (tmp_path / "elsewhere").mkdir()
    done = _sh(script, tmp_path / "elsewhere")
    assert done == in_process("show", folder=tmp_path).out
    assert (tmp_path / "elsewhere" / SAVE).read_bytes() == wanted
    assert script.startswith("#!/bin/sh\n")


@pytest.mark.parametrize(
    "seed", harness.some(['it\'s $HOME `x` "y" \\ ;&|<>*?~ #', "-q", "naïve♥ \u202e"], 2)
)
def test_log_script_holds_any_seed(seed: str, tmp_path: Path) -> None:
    cardsol.save(cardsol.deal("three-peaks", seed=seed, options={"floor": "zero"}), tmp_path / SAVE)
    script = in_process("log", "--script", folder=tmp_path).out
    _sh(script, tmp_path, "-f", "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == (tmp_path / SAVE).read_bytes()


def test_log_script_deals_a_given_deck_and_takes_back_what_was_taken_back(tmp_path: Path) -> None:
    played = cardsol.deal("camelot", deck=game("camelot").deck)
    for token in ("draw", "w-b2", "draw"):
        played.push(token)
    played.undo(2)
    cardsol.save(played, tmp_path / SAVE)
    _sh(in_process("log", "--script", folder=tmp_path).out, tmp_path, "-f", "copy.json")
    assert (tmp_path / "copy.json").read_bytes() == (tmp_path / SAVE).read_bytes()
    assert saved(tmp_path)["undone"] == ["w-b2", "draw"]


@pytest.mark.parametrize(
    "words",
    harness.some([["--force", "-q"], ["--force"], ["--save=cardsol.json", "--force"], ["-fcardsol.json", "--force"],
                  ["--save", "cardsol.json", "--force"]], 2),
)  # fmt: skip
def test_log_script_replaces_a_game_by_force_and_is_quiet_if_asked(words: list[str], tmp_path: Path) -> None:
    wanted = put("peaks played", tmp_path).read_bytes()
    script = in_process("log", "--script", folder=tmp_path).out
    put("camelot drawn", tmp_path)
    printed = _sh(script, tmp_path, *words)
    assert (tmp_path / SAVE).read_bytes() == wanted
    assert printed == ("" if "-q" in words else in_process("show", folder=tmp_path).out)


@pytest.mark.parametrize(
    "look", harness.some([["--json"], ["--hide-seed"], ["--style=unicode", "--color=always"]], 3)
)
def test_log_script_shows_the_board_as_asked(look: list[str], tmp_path: Path) -> None:
    put("peaks played", tmp_path)
    script = in_process("log", "--script", folder=tmp_path).out
    assert _sh(script, tmp_path, *look, "--force") == in_process("show", *look, folder=tmp_path).out


@pytest.mark.parametrize(
    "words",
    [[], ["-x", "--force"], ["--force", "--seed", "2"], ["--force", "--style=x"], ["--force", "-f"],
     ["--force", "-f", ""], ["--force", "--save="],
     ["--force", "-f", "-"], ["--force", "3"], ["--force", "--all"], ["--force", "--dry-run"]],
)  # fmt: skip
def test_log_script_refuses_other_words_before_anything_is_replaced(words: list[str], tmp_path: Path) -> None:
    put("peaks played", tmp_path)
    script = in_process("log", "--script", folder=tmp_path).out
    before = put("camelot drawn", tmp_path).read_bytes()
    done = _run_by_sh(script, tmp_path, *words)
    assert done.returncode == (2 if words else 4) and done.stdout == b"" and done.stderr.count(b"\n") == 1
    assert (tmp_path / SAVE).read_bytes() == before and [each.name for each in tmp_path.iterdir()] == [SAVE]


def _sh(script: str, folder: Path, *words: str) -> str:
    """Runs a script by `sh` with the installed command on the path; returns what it prints."""
    done = _run_by_sh(script, folder, *words)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def _run_by_sh(script: str, folder: Path, *words: str) -> subprocess.CompletedProcess[bytes]:
    env = environment()
    env["PATH"] = os.path.dirname(COMMAND) + os.pathsep + env["PATH"]
    return subprocess.run(
        ["sh", "-s", "--", *words],
        input=script.encode(),
        cwd=folder,
        env=env,
        capture_output=True,
        timeout=60,
        check=False,
    )
