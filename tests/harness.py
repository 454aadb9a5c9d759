"""Runs the installed command as a process, as a user's shell does."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

COMMAND = str(Path(sysconfig.get_path("scripts")) / "cardsol")
"""The console script of the environment that runs the tests."""

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
