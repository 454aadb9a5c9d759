"""Runs the installed command as a process, as a user's shell does."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Literal, NamedTuple
from unittest import mock

import pytest

from tests.support import starter

COMMAND = str(Path(sysconfig.get_path("scripts")) / "cardsol")
"""The console script of the environment that runs the tests."""

PYTHON = sys.executable
"""Its interpreter."""

KEPT = ("PATH", "SYSTEMROOT", "TMPDIR", "COVERAGE_PROCESS_START")


class Result(NamedTuple):
    """How a process ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The object on standard error under --json."""
        return json.loads(self.err)


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns a small environment that does not depend on who runs the tests."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", **(extra or {})}


def run(
    *words: str | bytes | os.PathLike[str],
    folder: Path,
    given: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout: float = 60,
) -> Result:
    """Runs `cardsol WORD...` in a folder, with `given` on standard input, and waits for its end."""
    done = subprocess.run(
        [COMMAND, *words],
        cwd=folder,
        input=given.encode() if isinstance(given, str) else given,
        env=environment(env),
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


def run_loaded(
    *words: str | bytes | os.PathLike[str],
    folder: Path,
    given: str | bytes = b"",
    env: Mapping[str, str] | None = None,
    timeout: float = 60,
) -> Result:
    """Does what `run` does, but Python has started and loaded the command already: see `starter`.

    A survey has one worker where `words` do not say how many: to start each takes longer than most of these surveys.
    With CARDSOL_TESTS=processes in the environment it is `run`.
    """
    if os.environ.get("CARDSOL_TESTS") == "processes":
        return run(*words, folder=folder, given=given, env=env, timeout=timeout)
    if words[:1] == ("survey",) and "--jobs" not in words and "--dask" not in words and len(words) > 2:
        words = (*words, "--jobs", "1")
    data = given.encode() if isinstance(given, str) else given
    status, out, err = starter.start(words, str(folder), data, environment(env), round(timeout))
    return Result(status, out.decode(), err.decode())


def run_inside(*words: str, given: bytes = b"") -> Result:
    """Runs the same command objects in this process, without its price: for what is a matter of text."""
    from cardsol.cli.run import run as run_words

    files = {"stdin": io.BytesIO(given), "stdout": io.BytesIO(), "stderr": io.BytesIO()}
    streams = {name: io.TextIOWrapper(file, "utf-8", "backslashreplace") for name, file in files.items()}
    with ExitStack() as stack:
        for name, stream in streams.items():
            stack.enter_context(mock.patch.object(sys, name, stream))
        status = run_words(words)
        streams["stdout"].flush()
        streams["stderr"].flush()
    return Result(status, files["stdout"].getvalue().decode(), files["stderr"].getvalue().decode())


def repeated(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """Marks a test that gets a number of repetitions as argument `name`: `few`, and in the long tests `many`."""
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=pytest.mark.long)])


def part(divisor: int, scope: Literal["function", "module"] = "function") -> pytest.MarkDecorator:
    """Marks a test that does a part of its work, told by its argument `part`, and in the long tests all of it.

    What it counts is divided by `part`: `divisor` by default, and 1 in the long tests. A fixture of a wider
    scope that takes `part` too needs that `scope`.
    """
    several = pytest.param(divisor, id="a part")
    everything = pytest.param(1, id="all", marks=pytest.mark.long)
    return pytest.mark.parametrize("part", [several, everything], scope=scope)


def some(values: Iterable[Any], every: int, names: int = 1) -> list[Any]:
    """Returns values as parameters of a test: one in `every` comes by default, the others in the long tests.

    Where a test has more `names` than one for its parameters, each value is a tuple of them.
    """
    return [
        pytest.param(*(value if names > 1 else (value,)), marks=pytest.mark.long if place % every else ())
        for place, value in enumerate(values)
    ]


def figure(section: str, **values: object) -> None:
    """Prints what a test measured, in one form, for `pytest -rP`: `figure kill: runs 300, old 120`."""
    texts = {name: f"{v:.3g}" if isinstance(v, float) else f"{v}" for name, v in values.items()}
    shown = (f"{name.replace('_', ' ')} {text}" for name, text in texts.items())
    print(f"figure {section}: {', '.join(shown)}")
