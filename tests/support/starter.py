"""Starts commands from an interpreter that has loaded them already, at a tenth of the price of a process.

Each command runs in a process of its own, forked from one that waits with `cardsol` imported: its streams, current
folder, environment and exit status are its own, as in a shell. What is a matter of starting Python itself (its
options and variables, signals before the first line) needs `harness.run`.
"""

from __future__ import annotations

import atexit
import base64
import gc
import importlib
import io
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

SERVER = "from tests.support.starter import serve; serve()"
PACKAGES = (
    "cardsol.cli",
    "cardsol.games",
    "cardsol.hint",
    "cardsol.hint.policies",
    "cardsol.solve",
    "cardsol.survey",
)
"""Packages of which every module is loaded, whichever command comes."""
LOADED = (
    "difflib",
    "encodings.utf_8_sig",
    "importlib.metadata",
    "concurrent.futures.process",
    "cardsol.__main__",
)
"""What commands load beside."""
OPTIONAL = ("dask",)
"""Modules that need an extra."""

_server: subprocess.Popen[bytes] | None = None


def serve() -> None:
    """Runs one command a line of standard input, and answers with its status, until the input ends."""
    for name in LOADED:
        importlib.import_module(name)
    for package in PACKAGES:
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            if not module.name.endswith(OPTIONAL):
                importlib.import_module(module.name)
    _warm_up()
    # The collector would write to the objects of all these modules, and so copy their memory into each child.
    gc.freeze()
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            _become(asked)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _warm_up() -> None:
    """Runs a few commands, so that each child finds filled what Python and the libraries fill at the first use."""
    from cardsol.cli.run import run

    with tempfile.TemporaryDirectory() as place:
        save = f"{place}/save"
        for words in (("deal", "camelot", "-f", save), ("show", "-f", save), ("moves", "--json", "-f", save),
                      ("move", "nonsense", "-f", save), ("nonsense",), ("--version",)):  # fmt: skip
            out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in "oe")
            with redirect_stdout(out), redirect_stderr(err):
                run(words)


def _become(asked: Mapping[str, Any]) -> None:
    """Turns this process into the command, and ends with its status."""
    status: Any = 1
    signal.alarm(asked["seconds"])
    try:
        streams = [os.open(asked["given"], os.O_RDONLY)]
        streams += [os.open(asked[name], os.O_WRONLY | os.O_TRUNC) for name in ("out", "err")]
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            errors = "surrogateescape" if number < 2 else "backslashreplace"
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8", errors=errors))
        os.chdir(asked["folder"])
        os.environ.clear()
        os.environ.update(asked["env"])
        _find_packages_in(asked["env"].get("PYTHONPATH", ""))
        sys.argv = ["cardsol", *(os.fsdecode(base64.b64decode(word)) for word in asked["words"])]
        from cardsol.__main__ import main

        main()
    except SystemExit as end:
        status = end.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _find_packages_in(path: str) -> None:
    """Puts folders on the path of imports, as Python does when it starts."""
    sys.path[:0] = filter(None, path.split(os.pathsep))
    importlib.invalidate_caches()


def start(
    words: Sequence[str | bytes | os.PathLike[str]],
    folder: str,
    given: bytes,
    env: Mapping[str, str],
    seconds: int,
) -> tuple[int, bytes, bytes]:
    """Returns the status of a command, and what it wrote to its two streams; it is killed after some seconds."""
    with tempfile.TemporaryDirectory() as place:
        names = {name: f"{place}/{name}" for name in ("given", "out", "err")}
        for name, path in names.items():
            with open(path, "wb") as file:
                file.write(given if name == "given" else b"")
        coded = [base64.b64encode(os.fsencode(word)).decode() for word in words]
        status = _ask(
            {
                **names, "folder": folder, "env": dict(env), "words": coded, "seconds": seconds,
            }
        )  # fmt: skip
        return status, Path(names["out"]).read_bytes(), Path(names["err"]).read_bytes()


def _ask(asked: Mapping[str, Any]) -> int:
    global _server
    if _server is None or _server.poll() is not None:
        _server = subprocess.Popen(
            [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
        atexit.register(_stop, _server)
    assert _server.stdin is not None and _server.stdout is not None
    _server.stdin.write(json.dumps(asked).encode() + b"\n")
    _server.stdin.flush()
    return int(_server.stdout.readline())


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Ends a server, and waits for its end."""
    server.communicate()
