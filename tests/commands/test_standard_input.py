"""`-f/--save PATH`, CARDSOL_SAVE, `-f -` in pipes, and what standard input may hold."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

import cardsol
from tests.support.harness import COMMAND, environment
from tests.support.harness import run_loaded as run
from tests.support.typed import SAVE, SAVE_ALONE, game, in_process, put, saved


def shell(line: str, folder: Path) -> tuple[int, str, str]:
    """Runs a line by `sh` with the installed command on the path."""
    env = environment()
    env["PATH"] = os.path.dirname(COMMAND) + os.pathsep + env["PATH"]
    done = subprocess.run(["sh", "-c", line], cwd=folder, env=env, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_pipe_deals_moves_twice_and_shows(tmp_path: Path) -> None:
    line = "cardsol deal three-peaks --seed 1 -f - | cardsol move -f - d4 draw | cardsol show -f -"
    status, out, err = shell(line, tmp_path)
    assert (status, err, list(tmp_path.iterdir())) == (0, "", [])
    played = game("peaks")
    played.push("d4")
    played.push("draw")
    cardsol.save(played, tmp_path / SAVE)
    assert out == in_process("show", folder=tmp_path).out


@pytest.mark.parametrize("more", ["", "-q", "--json", "--hide-seed --color always --style unicode"])
def test_in_a_pipe_move_prints_the_new_save_alone(more: str, tmp_path: Path) -> None:
    save = put("peaks", tmp_path).read_bytes()
    result = run("move", "-f", "-", "d4", *more.split(), folder=tmp_path, given=save)
    assert (result.status, result.err) == (0, SAVE_ALONE if more == "--json" else "")
    assert (tmp_path / SAVE).read_bytes() == save
    assert run("move", "-q", "d4", folder=tmp_path).status == 0
    assert result.out == (tmp_path / SAVE).read_text("utf-8")


@pytest.mark.parametrize(
    "words", ["move -f - d4 d4", "move -f - x9", "undo -f -", "redo -f - 2", "deal camelot -f - --seed ''"]
)
def test_in_a_pipe_a_refusal_prints_no_save(words: str, tmp_path: Path) -> None:
    save = put("peaks", tmp_path).read_bytes()
    result = run(*shlex.split(words), folder=tmp_path, given=save)
    assert result.status in (2, 4) and result.out == "" and result.err.count("\n") == 1


EMPTY = "cardsol: standard input is empty: did the command before the pipe fail?\n"


@pytest.mark.parametrize(
    "words",
    ["show -f -", "score -f -", "moves -f -", "log -f -", "hint -f -", "solve -f -", "undo -f -", "redo -f -",
     "move d4 -f -", "scores -", "deal camelot -f other.json --deck -"],
)  # fmt: skip
@pytest.mark.parametrize("given", ["", " \n"])
def test_where_nothing_comes_from_a_pipe_the_command_before_it_is_suspected(
    words: str, given: str, tmp_path: Path
) -> None:
    result = in_process(*words.split(), folder=tmp_path, given=given)
    assert (result.status, result.out, result.err) == (2 if "deck" in words else 3, "", EMPTY)
    assert list(tmp_path.iterdir()) == []


def test_no_moves_from_a_pipe_are_told_too(tmp_path: Path) -> None:
    put("peaks", tmp_path)
    for given in ("", "# nothing\n"):
        result = in_process("move", "-", folder=tmp_path, given=given)
        assert result.status == 2 and "standard input holds no token: did the command before" in result.err
    assert (
        in_process("check", "-", folder=tmp_path).out
        == "-: is empty: did the command before the pipe fail?\n"
    )


@pytest.mark.parametrize(
    ("words", "given", "status"),
    [("show -f -", b"{", 3), ("show -f -", b"\xff", 3), ("scores -", b"{}", 3), ("move -", b"\xff", 3),
     ("deal camelot --force --deck -", b"{", 3), ("deal camelot --force --deck -", b"\xff", 3)],
)  # fmt: skip
def test_what_is_wrong_in_a_pipe_is_told_of_standard_input(
    words: str, given: bytes, status: int, tmp_path: Path
) -> None:
    put("peaks", tmp_path)
    result = in_process(*words.split(), folder=tmp_path, given=given)
    assert result.status == status and result.err.startswith("cardsol: standard input is no")
    assert "'-'" not in result.err


def test_a_dry_run_in_a_pipe_prints_the_board_or_the_view(tmp_path: Path) -> None:
    save = put("peaks", tmp_path).read_bytes()
    board = run("move", "--dry-run", "-f", "-", "d4", folder=tmp_path, given=save)
    assert (board.status, board.out.splitlines()[0]) == (0, "d4: 6S onto 7D: +1")
    view = run("move", "--dry-run", "-f", "-", "d4", "--json", folder=tmp_path, given=save)
    assert (view.status, view.json["format"], view.json["made"]) == (0, "cardsol-view", 1)


@pytest.mark.parametrize(
    "words", ["show", "score", "moves", "log", "check", "show --plain", "show --deck", "log --script"]
)
def test_every_command_that_asks_reads_a_pipe(words: str, tmp_path: Path) -> None:
    save = put("peaks played", tmp_path).read_bytes()
    piped = in_process(*words.split(), "-f", "-", folder=tmp_path, given=save)
    file = in_process(*words.split(), folder=tmp_path)
    assert piped.status == 0
    assert piped.out.replace("-: ok", "cardsol.json: ok") == file.out


@pytest.mark.parametrize(
    ("words", "env", "used"),
    [
        ("", {}, SAVE),
        ("", {"CARDSOL_SAVE": ""}, SAVE),
        ("", {"CARDSOL_SAVE": "env.json"}, "env.json"),
        ("-f option.json", {"CARDSOL_SAVE": "env.json"}, "option.json"),
        ("--save option.json", {}, "option.json"),
        ("--save=option.json", {"CARDSOL_SAVE": ""}, "option.json"),
        ("-foption.json", {}, "option.json"),
        ("-f './a b\nc.json'", {}, "a b\nc.json"),
    ],
)
def test_the_save_is_the_option_else_the_variable_else_cardsol_json(
    words: str, env: dict[str, str], used: str, tmp_path: Path
) -> None:
    for name in (SAVE, "env.json", "option.json", "a b\nc.json"):
        put("peaks", tmp_path, name)
    assert run("move", "-q", "d4", *shlex.split(words), folder=tmp_path, env=env) == (0, "", "")
    changed = [path.name for path in tmp_path.iterdir() if saved(tmp_path, path.name)["moves"] == ["d4"]]
    assert changed == [used]


def test_the_variable_may_name_the_pipe(tmp_path: Path) -> None:
    save = put("peaks", tmp_path).read_bytes()
    result = run("move", "d4", folder=tmp_path, given=save, env={"CARDSOL_SAVE": "-"})
    assert (result.status, result.json["moves"]) == (0, ["d4"])


def test_an_empty_path_is_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    put("peaks", tmp_path)
    result = run("show", "-f", "", folder=tmp_path)
    assert (result.status, result.out, result.err.count("\n")) == (3, "", 1)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "crlf"])
def test_a_save_may_come_in_another_encoding(encoding: str, tmp_path: Path) -> None:
    text = put("peaks played", tmp_path).read_text("utf-8")
    data = text.replace("\n", "\r\n").encode() if encoding == "crlf" else text.encode(encoding)
    if encoding in ("utf-16-le", "utf-16-be"):
        data = "\ufeff".encode(encoding) + data
    assert in_process("check", "-f", "-", folder=tmp_path, given=data) == (0, "-: ok\n", "")


@pytest.mark.parametrize(
    "given", [b"", b"\n", b"{", b"[]", b"null", b"\xff", b"\x00", b'{"format": "cardsol-view"}']
)
def test_a_pipe_that_holds_no_save_is_refused(given: bytes, tmp_path: Path) -> None:
    for words in (("show",), ("move", "d4"), ("undo",)):
        result = in_process(*words, "-f", "-", folder=tmp_path, given=given)
        assert (result.status, result.out, result.err.count("\n")) == (3, "", 1)


@pytest.mark.parametrize(
    "line",
    ["show -f - <&-", "move -q - <&-", "deal camelot --deck - -f new.json <&-", "check - <&-"],
)
def test_a_closed_standard_input_cannot_be_read(line: str, tmp_path: Path) -> None:
    put("peaks", tmp_path)
    status, out, err = shell(f"cardsol {line}", tmp_path)
    assert (status, "Traceback" in err) == (3, False)
    assert (out + err).count("\n") == 1
