"""Hostile command lines, streams that are closed, full or broken, and Ctrl-C: never a traceback."""

from __future__ import annotations

import fcntl
import os
import pty
import random
import re
import signal
import string
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import files, saves
from tests.support import engine, harness

IN_MAIN = re.compile(r"cardsol/__main__\.py\", line \d+, in main")


def game() -> cardsol.Game:
    found = cardsol.deal("three-peaks", seed="1")
    for token in ("draw", "draw"):
        found.push(token)
    found.undo()
    return found


@pytest.fixture
def save(tmp_path: Path) -> Path:
    path = tmp_path / "cardsol.json"
    path.write_bytes(saves.dump(game()))
    return path


def shell(line: str, folder: Path, env: dict[str, str] | None = None) -> harness.Result:
    """Runs a line of POSIX shell in which $CARDSOL is the command."""
    done = subprocess.run(
        ["sh", "-c", line], cwd=folder, env=harness.environment({"CARDSOL": harness.COMMAND, **(env or {})}),
        stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    return harness.Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def one_line(result: harness.Result) -> None:
    assert result.out == ""
    assert result.err.count("\n") == 1
    assert result.err.rstrip("\n").isprintable()
    assert "Traceback" not in result.err


# Words


@pytest.mark.parametrize("variant", engine.VARIANTS, ids=engine.variant_name)
@harness.part(48)
def test_every_token_that_the_grammar_can_express_is_made_or_refused_with_4(
    variant: tuple[str, dict[str, str]], tmp_path: Path, part: int
) -> None:
    start = cardsol.deal(variant[0], seed="1", options=variant[1])
    save = tmp_path / "cardsol.json"
    save.write_bytes(saves.dump(start))
    for token in sorted(start.grammar)[::part]:
        result = harness.run_inside("move", "--dry-run", "-q", token, "-f", str(save))
        legal = token in start.legal_moves
        assert result.status == (0 if legal else 4), token
        assert (result.err == "") == legal
        assert result.out == ""
    assert save.read_bytes() == saves.dump(start)
    harness.figure("streams, grammar", tokens=len(start.grammar) // part)


def random_word(chance: random.Random, pieces: Sequence[str]) -> str:
    kind = chance.randrange(3)
    if kind == 0:
        return "".join(
            chance.choices(
                string.printable + "\u2660\u2665\ufe0f\u202e\0\udc80\U0001f0a1\u0130\u00df",
                k=chance.randint(0, 12),
            )
        )
    if kind == 1:
        return "".join(chance.choices(pieces, k=chance.randint(1, 4)))
    return chance.choice(pieces) + chance.choice("-+x- ") + chance.choice(pieces)


@harness.repeated("number", 500, 20_000)
@pytest.mark.parametrize("name", cardsol.names())
def test_random_words_are_made_or_refused(name: str, number: int) -> None:
    """Through the functions under `move`; what is taken is legal."""
    from cardsol import notation

    chance = random.Random(name)
    start = cardsol.deal(name, seed="1")
    cards = sorted({*start.deck})
    pieces = [
        *cards,
        *map(str.lower, cards),
        *start.rules.PILES,
        *sorted(start.grammar),
        *start.legal_moves * 9,
        "-",
        "+",
        "x2",
        "x1",
        "10H",
        "f",
        "w",
    ]
    taken, illegal, unknown, slowest = 0, 0, 0, 0.0
    for _ in range(number):
        word = random_word(chance, pieces)
        began = time.process_time()
        try:
            assert notation.resolve(start, word) in start.legal_moves
            taken += 1
        except cardsol.IllegalMove as error:
            assert "\n" not in str(error)
            illegal += 1
        except cardsol.BadToken:
            unknown += 1
        slowest = max(slowest, time.process_time() - began)
    harness.figure("streams, words", taken=taken, illegal=illegal, unknown=unknown, slowest_s=slowest)
    assert taken
    assert illegal
    assert unknown
    assert slowest < 1


@harness.repeated("number", 10, 400)
@pytest.mark.parametrize("name", cardsol.names())
def test_random_words_as_commands_get_2_or_4_and_one_line(name: str, number: int, tmp_path: Path) -> None:
    chance = random.Random(name)
    start = cardsol.deal(name, seed="1")
    save = tmp_path / "cardsol.json"
    pieces = [*sorted({*start.deck}), *start.rules.PILES, *sorted(start.grammar)]
    save.write_bytes(saves.dump(start))
    for _ in range(number):
        words = [random_word(chance, pieces) for _ in range(chance.randint(1, 3))]
        result = harness.run_inside(
            "move", "-q", "--dry-run", "-f", str(save), "--", *(w for w in words if w != "-")
        )
        assert result.status in (0, 2, 4), words
        if result.status:
            one_line(result)
    for _ in range(number):
        words = [
            random_word(chance, [*pieces, "deal", "move", "show", "--json", "-q", "--at", "--seed"])
            for _ in range(3)
        ]
        words = [word for word in words if word not in ("-", "--help", "-h")]
        result = harness.run_inside(
            chance.choice(["show", "score", "moves", "log", "rules", "undo", words[0]]), *words
        )
        if result.status:
            one_line(result)


@pytest.mark.parametrize(
    "kind", ["tokens", pytest.param("names", marks=pytest.mark.long), "nonsense", "one word"]
)
def test_a_megabyte_of_tokens_is_read_soon(kind: str, tmp_path: Path) -> None:
    (tmp_path / "cardsol.json").write_bytes(saves.dump(cardsol.deal("vanishing-cross", seed="1")))
    text = {
        "tokens": "draw s-w\n" * 120_000,
        "names": "7H-8S 10\u2665-9s\n" * 70_000,
        "nonsense": "draw " * 200_000 + "x!",
        "one word": "7" * 2**20,
    }
    began = time.monotonic()
    result = harness.run("move", "-q", "-", folder=tmp_path, given=text[kind])
    seconds = time.monotonic() - began
    one_line(result)
    assert result.status == (2 if kind in ("nonsense", "one word") else 4)
    assert len(result.err) < 1000
    harness.figure("streams, megabyte", bytes=len(text[kind]), seconds=seconds)
    assert seconds < 20


# Streams

BOARDS = ("deal camelot --force", "move draw", "undo", "redo")
LOOKS = (
    "show",
    "show --json",
    "score",
    "moves",
    "check",
    "games",
    "rules camelot",
    "--help",
    "show --help",
    "--version",
    "",
)


@pytest.mark.parametrize("line", harness.some([*BOARDS, *LOOKS], 7))
@pytest.mark.parametrize("where", [">&-", pytest.param(">/dev/full", marks=pytest.mark.long)])
def test_an_answer_that_cannot_be_printed_is_status_3_and_a_save_written_before_is_said(
    line: str, where: str, save: Path
) -> None:
    before = save.read_bytes()
    result = shell(f"$CARDSOL {line} {where}", save.parent)
    assert result.status == 3
    one_line(result)
    assert "standard output" in result.err
    assert ("is saved, but" in result.err) == (line in BOARDS) == (save.read_bytes() != before)
    assert os.listdir(save.parent) == ["cardsol.json"]


@pytest.mark.parametrize("line", harness.some([*BOARDS, *LOOKS], 9))
def test_a_closed_pipe_is_silent(line: str, save: Path) -> None:
    before = save.read_bytes()
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [harness.COMMAND, *line.split()], cwd=save.parent, env=harness.environment(),
        stdout=writer, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    os.close(writer)
    assert done.stderr == b""
    assert done.returncode == (0 if line in BOARDS else 141)
    assert (save.read_bytes() != before) == (line in BOARDS)


@pytest.mark.parametrize("env", harness.some([{}, {"PYTHONUNBUFFERED": "1"}], 2), ids=repr)
def test_a_pipe_that_is_read_in_part_is_silent(env: dict[str, str], save: Path) -> None:
    for line in ("show", "rules universal", "games", "log"):
        result = shell(f"$CARDSOL {line} | head -1", save.parent, env)
        assert result.err == ""
        assert result.out.count("\n") == 1


def test_nothing_to_say_needs_no_standard_output(save: Path) -> None:
    for line in ("move -q draw", "undo -q", "redo -q", "deal camelot -q --force"):
        assert shell(f"$CARDSOL {line} >&-", save.parent) == (0, "", "")


@pytest.mark.parametrize("where", harness.some(["2>&-", "2>/dev/full"], 2))
def test_a_full_or_closed_standard_error_stops_nothing(where: str, save: Path) -> None:
    assert shell(f"$CARDSOL move a1 {where}", save.parent) == (4, "", "")
    assert shell(f"$CARDSOL show {where}", save.parent).status == 0
    assert shell(f"$CARDSOL nonsense {where} >&-", save.parent).status == 2
    assert shell(f"$CARDSOL move -q draw 0>&- 1>&- {where} && $CARDSOL undo -q", save.parent).status == 0
    assert saves.load(save).moves == game().moves


STREAMED = (
    "move -",
    "move draw -f -",
    "show -f -",
    "undo -f -",
    "deal camelot --deck - -f new.json",
    "score -f -",
)
"""What reads standard input: tokens, a save or a deck."""


@pytest.mark.parametrize("line", harness.some(STREAMED, 4))
def test_standard_input_that_is_closed_empty_or_a_terminal(line: str, save: Path) -> None:
    before = save.read_bytes()
    for where, statuses in (("<&-", (3,)), ("</dev/null", (2, 3))):
        result = shell(f"$CARDSOL {line} {where}", save.parent)
        one_line(result)
        assert result.status in statuses
    outer, inner = pty.openpty()
    done = subprocess.run(
        [harness.COMMAND, *line.split()], cwd=save.parent, env=harness.environment(),
        stdin=inner, capture_output=True, timeout=20, check=False,
    )  # fmt: skip
    os.close(outer)
    os.close(inner)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"terminal" in done.stderr
    assert save.read_bytes() == before
    assert os.listdir(save.parent) == ["cardsol.json"]


def test_bytes_that_are_no_text_on_standard_input_are_refused_with_3(save: Path) -> None:
    for words in (("move", "-"), ("deal", "camelot", "--deck", "-", "-f", "new.json"), ("show", "-f", "-")):
        result = harness.run_loaded(*words, folder=save.parent, given=b"\xff\xfe\xff")
        one_line(result)
        assert result.status == 3
    (save.parent / "deck").write_bytes(b"\xff")
    result = harness.run_loaded("deal", "camelot", "--deck", "@deck", "-f", "new.json", folder=save.parent)
    one_line(result)
    assert result.status == 3


# Settings

NO_COERCION = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
SETTINGS: tuple[dict[str, str], ...] = (
    {"PYTHONUNBUFFERED": "1"},
    {"PYTHONOPTIMIZE": "2"},
    *({"PYTHONHASHSEED": value} for value in ("0", "1", "4294967295")),
    {"LC_ALL": "C"},
    {"LC_ALL": "POSIX", "LANG": "xx_YY.nonsense"},
    NO_COERCION,
    {**NO_COERCION, "PYTHONIOENCODING": "ascii:strict"},
    {**NO_COERCION, "PYTHONIOENCODING": "latin-1"},
    {"PYTHONIOENCODING": "cp1252:strict"},
    {"PYTHONDEVMODE": "1"},
    {"TERM": "dumb"},
    {"COLUMNS": "0"},
)
AT_ONCE = {"PYTHONOPTIMIZE": "2", **NO_COERCION, "PYTHONIOENCODING": "ascii:strict"}
"""The settings that matter most, together; the long tests set them one by one."""
ODD_SEED = "\u00fcb \u2660 \U0001f0a1"


def without_seed(text: bytes) -> bytes:
    """What stands in the heading for the seed depends on the encoding; nothing else does."""
    return b"".join(line for line in text.splitlines(True) if b"\\" not in line and line.isascii())


def as_process(words: Sequence[str], folder: Path, env: dict[str, str]) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [harness.COMMAND, *words], cwd=folder, env=harness.environment(env),
        stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def loaded(words: Sequence[str], folder: Path, env: dict[str, str]) -> tuple[int, bytes, bytes]:
    done = harness.run_loaded(*words, folder=folder, env=env)
    return done.status, done.out.encode(), done.err.encode()


def answers(
    folder: Path,
    env: dict[str, str],
    run: Callable[[Sequence[str], Path, dict[str, str]], tuple[int, bytes, bytes]] = as_process,
) -> tuple[list[tuple[int, bytes]], bytes]:
    """What a few commands print, one after the other, and the save that they leave."""
    name = "\u00fc\u2660.json"
    lines: tuple[tuple[str, ...], ...] = (
        ("deal", "camelot", "--seed", ODD_SEED, "-f", name),
        ("move", "draw", "--json", "-f", name),
        ("show", "--style", "unicode", "--hide-seed", "-f", name),
        ("show", "-f", name),
        ("log", "--script", "-f", name),
        ("check", "--json", name),
        ("move", "\u2660", "-f", name),
        ("games",),
    )
    found = []
    for words in lines:
        status, out, err = run(words, folder, env)
        assert b"Traceback" not in err, words
        assert err.count(b"\n") == (status != 0), err
        exact = "--json" in words or "unicode" in words or "--script" in words
        found.append((status, out if exact else without_seed(out)))
    return found, (folder / name).read_bytes()


@pytest.fixture(scope="module")
def due(tmp_path_factory: pytest.TempPathFactory) -> object:
    return answers(tmp_path_factory.mktemp("due"), {}, loaded)


@pytest.mark.parametrize(
    "env",
    [AT_ONCE, *(pytest.param(env, marks=pytest.mark.long) for env in SETTINGS)],
    ids=repr,
)
def test_settings_of_the_interpreter_and_the_locale_change_no_answer(
    env: dict[str, str], due: object, tmp_path: Path
) -> None:
    assert answers(tmp_path, env) == due


@harness.part(3)
def test_no_home_and_no_current_folder(tmp_path: Path, part: int) -> None:
    saved = tmp_path / "x.json"
    gone = "mkdir gone && cd gone && rmdir ../gone && unset HOME"
    line = f"{gone} && $CARDSOL deal camelot -q && $CARDSOL show"
    result = shell(line, tmp_path, {"CARDSOL_SAVE": str(saved)})
    assert (result.status, result.err) == (0, "")
    for words in ("show", "move draw", "deal camelot", "undo", "check")[::part]:
        result = shell(f"{gone} && $CARDSOL {words}", tmp_path)
        assert result.status == 3
        assert (result.out + result.err).count("\n") == 1
        assert "No such file" in result.out + result.err


# Ctrl-C


def started(words: Sequence[str], folder: Path, **streams: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [harness.COMMAND, *words], cwd=folder, env=harness.environment(), stderr=subprocess.PIPE,
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, **streams},
    )  # fmt: skip


def waits(process: subprocess.Popen[bytes]) -> None:
    """Waits until the process sleeps, and goes on sleeping, which it does only after its start."""
    last = ""
    for _ in range(4000):
        assert process.poll() is None, "the command ended, and should have waited"
        # The state stands behind the name of the program, which is in brackets.
        last = (last + Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0])[-20:]
        if last.count("S") >= 18:
            return
        time.sleep(0.01)
    raise AssertionError(f"the command never came to wait: {last}")


def interrupted(process: subprocess.Popen[bytes]) -> harness.Result:
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return harness.Result(process.returncode, (out or b"").decode(), err.decode())


linux_only = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="only Linux tells whether a process sleeps"
)


@linux_only
@pytest.mark.parametrize(
    "env", [{}, pytest.param({"PYTHONUNBUFFERED": "1"}, marks=pytest.mark.long)], ids=repr
)
@pytest.mark.parametrize(
    "line", harness.some(["deal camelot --seed 1 --force", *BOARDS[1:], *LOOKS[:7], ""], 9)
)
def test_an_output_that_does_not_block_is_waited_for_without_work(
    line: str, env: dict[str, str], save: Path
) -> None:
    due = shell(f"mkdir other && cp cardsol.json other && cd other && $CARDSOL {line}", save.parent)
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(writer, False)
    os.write(writer, b" " * 4096)
    process = subprocess.Popen(
        [harness.COMMAND, *line.split()], cwd=save.parent, env=harness.environment(env),
        stdin=subprocess.DEVNULL, stdout=writer, stderr=subprocess.PIPE,
    )  # fmt: skip
    os.close(writer)
    waits(process)
    with open(reader, "rb") as pipe:
        assert pipe.read().decode() == " " * 4096 + due.out
    assert (process.wait(timeout=30), process.communicate()[1]) == (due.status, b"")


@linux_only
@pytest.mark.parametrize("line", harness.some(STREAMED, 4))
def test_ctrl_c_while_reading_standard_input_is_130(line: str, save: Path) -> None:
    before = save.read_bytes()
    process = started(line.split(), save.parent, stdin=subprocess.PIPE)
    waits(process)
    result = interrupted(process)
    assert (result.status, result.out) == (130, "")
    assert "Traceback" not in result.err
    assert save.read_bytes() == before
    assert os.listdir(save.parent) == ["cardsol.json"]


@linux_only
@pytest.mark.parametrize("line", harness.some([*BOARDS, "move -q draw"], 4))
def test_ctrl_c_while_waiting_for_the_lock_is_130(line: str, save: Path) -> None:
    before = save.read_bytes()
    with files.locked(os.fsencode(save)):
        process = started(line.split(), save.parent)
        waits(process)
        result = interrupted(process)
    assert (result.status, result.out) == (130, "")
    assert "Traceback" not in result.err
    assert save.read_bytes() == before
    assert os.listdir(save.parent) == ["cardsol.json"]


@linux_only
@pytest.mark.parametrize("line", harness.some([*BOARDS, *LOOKS[:7]], 9))
def test_ctrl_c_while_writing_the_answer_says_what_was_saved(line: str, save: Path) -> None:
    before = save.read_bytes()
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    os.write(writer, b" " * 4096)
    process = started(line.split(), save.parent, stdout=writer)
    os.close(writer)
    waits(process)
    result = interrupted(process)
    os.close(reader)
    assert "Traceback" not in result.err
    if line in BOARDS:
        assert result.status == 3
        assert "the move is saved, but" in result.err
        assert save.read_bytes() != before
    else:
        assert result.status == 130
        assert save.read_bytes() == before


@harness.repeated("runs", 1, 12)
@pytest.mark.parametrize("line", harness.some(LOOKS, 8))
def test_ctrl_c_after_the_answer_breaks_into_nothing(line: str, runs: int, save: Path) -> None:
    chance = random.Random(line)
    for _ in range(runs):
        process = started(line.split(), save.parent)
        assert process.stdout is not None
        process.stdout.read(1)
        time.sleep(chance.uniform(0, 0.002))
        result = interrupted(process)
        assert result.status in (0, 130)
        assert result.err == ""


@harness.repeated("runs", 8, 60)
def test_ctrl_c_at_a_random_moment_tells_truly_whether_the_move_was_saved(runs: int, tmp_path: Path) -> None:
    chance = random.Random(3)
    makers: tuple[Callable[[], list[str]], ...] = (
        lambda: ["move", "draw"],
        lambda: ["undo"],
        lambda: ["redo", "-q"],
    )
    counts: dict[int, int] = {}
    old = saves.dump(game())
    save = tmp_path / "cardsol.json"
    began = time.monotonic()
    save.write_bytes(old)
    harness.run("undo", folder=tmp_path)
    whole = time.monotonic() - began
    for number in range(runs):
        save.write_bytes(old)
        process = started(makers[number % 3](), tmp_path)
        time.sleep(whole * chance.uniform(0.2, 1.1))
        result = interrupted(process)
        counts[result.status] = counts.get(result.status, 0) + 1
        # Before its first own line the command is Python's, which dies as it likes.
        too_soon = result.status == -signal.SIGINT or "Traceback" in result.err
        assert result.status in (0, 3, 130) or too_soon
        assert not IN_MAIN.search(result.err), result.err
        written = save.read_bytes() != old
        assert written == (result.status in (0, 3))
        assert ("is saved, but" in result.err) == (result.status == 3)
        cardsol.load(save)
        assert os.listdir(tmp_path) == ["cardsol.json"]
    harness.figure(
        "streams, interrupts", runs=runs, **{f"status_{key}": n for key, n in sorted(counts.items())}
    )


INTERRUPTED_CLASS = """
class Field:
    def __set_name__(self, owner, name): raise KeyboardInterrupt

class Owner:
    field = Field()
"""
"""A module in which Ctrl-C comes while a class is made: up to 3.11 Python wraps it in a RuntimeError."""


@pytest.mark.parametrize("module", ["click", "json", "zlib"])
def test_ctrl_c_while_a_class_is_made_in_an_import_is_an_interrupt(module: str, tmp_path: Path) -> None:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / f"{module}.py").write_text(INTERRUPTED_CLASS)
    env = {"PYTHONPATH": str(tmp_path / "modules")}
    done = harness.run("deal", "camelot", "--seed", "1", "--json", folder=tmp_path, env=env)
    assert (done.status, done.out, done.err) == (130, "", "")
    assert not (tmp_path / "cardsol.json").exists()


@pytest.mark.parametrize("out", [">/dev/full", ">&-"])
def test_scores_that_cannot_be_printed_are_told_in_one_line(out: str, save: Path, tmp_path: Path) -> None:
    done = shell(f'"$CARDSOL" scores {save.name} nofile.json {out}', tmp_path)
    one_line(done)
    assert done.status == 3 and "standard output can't be written" in done.err
