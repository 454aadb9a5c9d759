"""A save can't be written: the old one stays, byte for byte. What can be written goes to the right place."""

from __future__ import annotations

import ctypes
import errno
import io
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import files, saves
from tests.support import harness

NOBODY = 65534
OVERRIDES = (1, 2, 3)
"""Linux's CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH and CAP_FOWNER: what root may and others not."""


def become_ordinary() -> None:
    """Makes a child of root one that files can refuse, though it still reaches root's own interpreter."""
    if os.geteuid() == 0:
        prctl, drop = ctypes.CDLL(None).prctl, 24
        for capability in OVERRIDES:
            prctl(drop, capability, 0, 0, 0)


OLD = saves.dump(cardsol.deal("three-peaks", seed="1"))
CHANGES = (
    ("move", "draw"),
    ("move", "-q", "d4", "--json"),
    ("undo",),
    ("redo",),
    ("deal", "camelot", "--force"),
)


def played() -> cardsol.Game:
    game = cardsol.deal("three-peaks", seed="1")
    for token in ("d3", "draw"):
        game.push(token)
    game.undo()
    return game


def one_line(result: harness.Result) -> str:
    """The line that a refusal prints; nothing else stands on either stream."""
    assert result.out == ""
    assert "Traceback" not in result.err
    assert result.err.count("\n") == 1
    assert result.err.startswith(("cardsol: ", '{"error": '))
    return result.err


def as_ordinary_user(*words: str | bytes, folder: Path) -> harness.Result:
    """Runs the command as a user who can be refused: root never is."""
    done = subprocess.run(
        [harness.COMMAND, *words], cwd=folder, env=harness.environment(), stdin=subprocess.DEVNULL,
        capture_output=True, timeout=60, check=False, preexec_fn=become_ordinary,
    )  # fmt: skip
    return harness.Result(done.returncode, done.stdout.decode(), done.stderr.decode())


class Full(io.FileIO):
    """A file on a disk that is full: the write fails at once, or only when what was buffered goes out."""

    def write(self, data: Any, /) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def no_space(*args: object, **more: object) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def failing(wanted: str) -> Callable[[pytest.MonkeyPatch], None]:
    """Returns what makes one step of the writing fail."""

    def inject(patch: pytest.MonkeyPatch) -> None:
        real_open = os.open

        def opened(file: int, mode: str, **more: Any) -> Any:
            if mode != "wb":
                return open(file, mode, **more)
            raw = Full(file, "wb")
            return raw if wanted == "write" else io.BufferedWriter(raw)

        if wanted in ("write", "flush"):
            patch.setattr(files, "open", opened, raising=False)
        elif wanted == "create":
            patch.setattr(
                os, "open", lambda path, *a, **k: no_space() if b".tmp" in path else real_open(path, *a, **k)
            )
        else:
            patch.setattr(os, wanted, no_space)

    return inject


@pytest.mark.parametrize("step", ["create", "fchmod", "write", "flush", "fsync", "replace"])
@pytest.mark.parametrize("words", CHANGES, ids=" ".join)
def test_a_full_disk_at_each_step_leaves_the_old_save(
    step: str, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = tmp_path / "cardsol.json"
    old = saves.dump(played())
    save.write_bytes(old)
    words = tuple("draw" if word == "d4" else word for word in words)
    with monkeypatch.context() as patch:
        failing(step)(patch)
        result = harness.run_inside(*words, "-f", str(save))
    assert result.status == 3
    assert "No space left on device" in one_line(result)
    assert save.read_bytes() == old
    assert os.listdir(tmp_path) == ["cardsol.json"]
    assert harness.run_inside(*words, "-f", str(save)).status == 0


@harness.part(4)
def test_a_file_size_limit_that_a_process_meets_leaves_the_old_save(tmp_path: Path, part: int) -> None:
    """The nearest thing to a full disk that every machine has: `ulimit -f 0`."""
    save = tmp_path / "cardsol.json"
    old = saves.dump(played())
    save.write_bytes(old)
    for words in CHANGES[::part]:
        done = subprocess.run(
            ["sh", "-c", 'trap "" XFSZ; ulimit -f 0; exec "$@"', "sh", harness.COMMAND, *words],
            cwd=tmp_path, env=harness.environment({"PYTHONDONTWRITEBYTECODE": "1"}),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        result = harness.Result(done.returncode, done.stdout, done.stderr)
        if "d4" not in words:
            assert result.status == 3
            assert "File too large" in one_line(result)
        assert save.read_bytes() == old
        assert os.listdir(tmp_path) == ["cardsol.json"]
    harness.figure("disk, file size limit", commands=len(CHANGES[::part]))


@pytest.mark.parametrize("words", harness.some(CHANGES, 4), ids=" ".join)
def test_a_read_only_folder_is_refused_with_3(words: tuple[str, ...], tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    old = saves.dump(played())
    save.write_bytes(old)
    save.chmod(0o666)
    tmp_path.chmod(0o555)
    words = tuple("draw" if word == "d4" else word for word in words)
    result = as_ordinary_user(*words, folder=tmp_path)
    assert result.status == 3
    assert "Permission denied" in one_line(result)
    assert save.read_bytes() == old
    assert as_ordinary_user("show", folder=tmp_path).status == 0
    tmp_path.chmod(0o755)


@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_file_without_a_write_bit_is_not_replaced_even_by_root(mode: int, tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    save.write_bytes(saves.dump(played()))
    save.chmod(mode)
    for words in (("move", "draw"), ("undo",), ("redo",), ("deal", "camelot", "--force")):
        result = harness.run_loaded(*words, folder=tmp_path)
        assert result.status == 3
        assert "no write permission" in one_line(result)
        assert save.read_bytes() == saves.dump(played())
        assert stat.S_IMODE(save.stat().st_mode) == mode
        assert os.listdir(tmp_path) == ["cardsol.json"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a file that another user owns")
def test_a_file_that_another_user_owns_is_not_replaced(tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    save.write_bytes(OLD)
    save.chmod(0o644)
    os.chown(save, NOBODY, NOBODY)
    result = as_ordinary_user("move", "draw", folder=tmp_path)
    assert result.status == 3
    assert "no write permission" in one_line(result)
    assert save.read_bytes() == OLD


PLACES: list[tuple[str, Callable[[Path], bytes], tuple[str, ...]]] = [
    ("a folder in the save's place", lambda here: made(here / "folder"), ("is a folder",)),
    (
        "a name that ends as a folder's",
        lambda here: bytes(here / "save.json") + b"/",
        ("names a folder", "Not a directory"),
    ),
    ("a missing folder", lambda here: bytes(here / "none" / "save.json"), ("No such file",)),
    ("a file in a folder's place", lambda here: bytes(here / "save.json" / "x"), ("Not a directory",)),
    ("a name too long", lambda here: bytes(here) + b"/" + b"x" * 300, ("File name too long",)),
    ("a path too long", lambda here: bytes(here) + b"/x" * 3000, ("File name too long", "No such file")),
    ("an empty name", lambda here: b"", ("no name of a file",)),
    ("a circle of links", lambda here: circle(here / "circle"), ("symbolic links",)),
    ("a named pipe", lambda here: pipe(here / "pipe"), ("no regular file",)),
    ("a device", lambda here: b"/dev/null", ("no regular file", "no valid save")),
    ("a device without end", lambda here: b"/dev/zero", ("no regular file", "larger than 4 MB")),
    ("the root", lambda here: b"/", ("names a folder", "is a folder")),
]


def made(path: Path) -> bytes:
    path.mkdir()
    return bytes(path)


def circle(path: Path) -> bytes:
    path.symlink_to(path)
    return bytes(path)


def pipe(path: Path) -> bytes:
    os.mkfifo(path)
    return bytes(path)


@pytest.mark.parametrize(("place", "make", "what"), PLACES, ids=[name for name, _, _ in PLACES])
def test_a_place_where_no_save_can_be_is_refused_with_3(
    place: str, make: Callable[[Path], bytes], what: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "save.json").write_bytes(OLD)
    path = make(tmp_path)
    before = sorted(os.listdir(tmp_path))
    # Who reads from a named pipe waits for its writer, as everywhere; only a change is refused.
    looks: tuple[tuple[str, ...], ...] = () if place == "a named pipe" else (("show",), ("score", "--json"))
    for words in (("move", "draw"), ("undo",), ("deal", "camelot"), ("deal", "camelot", "--force"), *looks):
        result = harness.run_inside(*words, "-f", os.fsdecode(path))
        assert result.status == 3
        line = one_line(result)
        assert "standard output" not in line
        assert any(text in line for text in what)
    assert sorted(os.listdir(tmp_path)) == before
    assert (tmp_path / "save.json").read_bytes() == OLD


def test_a_folder_that_may_not_be_searched_is_refused_with_3(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "save.json").write_bytes(OLD)
    inner.chmod(0o644)
    for words in (("move", "draw"), ("deal", "camelot"), ("show",)):
        result = as_ordinary_user(*words, "-f", "inner/save.json", folder=tmp_path)
        assert result.status == 3
        assert "Permission denied" in one_line(result)
        assert "standard output" not in result.err
    inner.chmod(0o755)
    assert (inner / "save.json").read_bytes() == OLD


def test_a_game_is_never_replaced_by_deal_where_the_file_is_no_save(tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    for text in (b"", b"my letters", b"{}", OLD[:-30]):
        save.write_bytes(text)
        result = harness.run_loaded("deal", "camelot", "--force", folder=tmp_path)
        assert result.status == 3
        one_line(result)
        assert save.read_bytes() == text


def test_a_live_symbolic_link_stays_one_and_its_target_is_the_new_save(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    (there / "real.json").write_bytes(OLD)
    (tmp_path / "second").symlink_to("there/real.json")
    link = tmp_path / "cardsol.json"
    link.symlink_to("second")
    for words in (("move", "draw"), ("undo",), ("redo",), ("deal", "camelot", "--force", "--seed", "3")):
        before = (there / "real.json").read_bytes()
        assert harness.run_loaded(*words, folder=tmp_path).status == 0
        assert os.readlink(link) == "second"
        assert (there / "real.json").read_bytes() != before
        assert os.listdir(there) == ["real.json"]
    assert cardsol.load(link).name == "camelot"


@pytest.mark.parametrize("call", ["lstat", "readlink"])
@pytest.mark.parametrize("words", CHANGES, ids=" ".join)
def test_a_link_that_cannot_be_read_is_not_taken_for_a_file(
    words: tuple[str, ...], call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = saves.dump(played())
    (tmp_path / "real.json").write_bytes(old)
    link = tmp_path / "link.json"
    link.symlink_to("real.json")
    words = tuple("draw" if word == "d4" else word for word in words)
    real_call = getattr(os, call)

    def failing(path: Any, *rest: Any, **more: Any) -> Any:
        if os.fsencode(path).endswith(b"link.json"):
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real_call(path, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing)
        result = harness.run_inside(*words, "-f", str(link))
    assert result.status == 3
    assert "Input/output error" in one_line(result)
    assert os.readlink(link) == "real.json"
    assert (tmp_path / "real.json").read_bytes() == old
    assert sorted(os.listdir(tmp_path)) == ["link.json", "real.json"]


def test_deal_through_a_dangling_link_makes_its_target(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "cardsol.json"
    link.symlink_to("there/real.json")
    for words in (("move", "draw"), ("show",), ("undo",)):
        assert harness.run_loaded(*words, folder=tmp_path).status == 3
    assert harness.run_loaded("deal", "camelot", folder=tmp_path).status == 0
    assert link.is_symlink()
    assert cardsol.load(tmp_path / "there" / "real.json").name == "camelot"


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o666, 0o622])
def test_the_mode_of_a_save_is_kept(mode: int, tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    save.write_bytes(OLD)
    save.chmod(mode)
    for words in (("move", "draw"), ("undo",), ("deal", "camelot", "--force")):
        assert harness.run_loaded(*words, folder=tmp_path).status == 0
        assert stat.S_IMODE(save.stat().st_mode) == mode


def test_a_new_save_gets_the_mode_that_the_umask_leaves(tmp_path: Path) -> None:
    for mask, mode in ((0o077, 0o600), (0o022, 0o644)):
        name = f"{mask:o}.json"
        under_mask = ["sh", "-c", 'umask "$1"; shift; exec "$@"', "sh", f"{mask:o}"]
        done = subprocess.run(
            [*under_mask, harness.COMMAND, "deal", "camelot", "-q", "-f", name],
            cwd=tmp_path, env=harness.environment(), check=False,
        )  # fmt: skip
        assert done.returncode == 0
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == mode


NAMES = (
    b"with blank.json", b"'single'.json", b'"double".json', b"new\nline.json", b"tab\tname", b"\xff\xfe.json",
    "übung ♥.json".encode(), b"-dash", b"--json", b"$HOME `id`", b"*", b"\x1b[31m", b"a" * 255, b".hidden",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_save_may_have_any_name(name: bytes, tmp_path: Path) -> None:
    folder = bytes(tmp_path)
    result = harness.run_loaded("deal", "camelot", "-q", "-f", b"./" + name, folder=tmp_path)
    assert (result.status, result.err) == (0, "")
    assert os.listdir(folder) == [name]
    path = os.fsdecode(folder + b"/" + name)
    for words in (("show", "-f", path), ("check", path), ("move", "draw", "-f", path)):
        result = harness.run_inside(*words)
        assert (result.status, result.err) == (0, "")
    assert os.listdir(folder) == [name]
    result = harness.run_inside("show", "-f", path + "x" * 9)
    assert result.status == 3
    assert one_line(result).rstrip("\n").isprintable()
    assert (
        harness.run_loaded("show", folder=tmp_path, env={"CARDSOL_SAVE": os.fsdecode(b"./" + name)}).status
        == 0
    )
