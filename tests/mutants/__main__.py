"""Seeds faults one at a time in a copy of the project, and tells which test finds each.

    python -m tests.mutants [NAME...] [--jobs N]

NAME picks the faults whose name has it in it. Of each fault, the tests that could find it run until one does, the
likeliest first. Ends with 1 where a fault is found by no test, or where its place in the source is no longer there.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.mutants.faults import FAULTS, Fault
from tests.support.harness import environment

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".*venv*", ".*cache", "*.egg-info", "build", "dist")
MOST_SECONDS = 900
"""A fault after which the tests run longer than this is found: they hang."""


def copied(folder: Path) -> Path:
    """Copies the project, with an environment in which `cardsol` is the copy; returns its interpreter."""
    shutil.copytree(ROOT, folder / "project", ignore=LEFT_OUT)
    venv.create(folder / "env")
    scripts = folder / "env" / "bin"
    places = Path(sysconfig.get_path("purelib", vars={"base": str(folder / "env")}))
    (places / "project.pth").write_text(f"{folder / 'project'}\n{sysconfig.get_path('purelib')}\n")
    command = scripts / "cardsol"
    command.write_text(
        f"#!{scripts / 'python'}\nimport sys\nfrom cardsol.__main__ import main\nsys.exit(main())\n"
    )
    command.chmod(0o755)
    return scripts / "python"


def finder(python: Path, fault: Fault) -> str:
    """Returns the first test that fails, or no text."""
    words = ["-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "--exitfirst", "--tb=no", "-rfE"]
    try:
        done = subprocess.run(
            [python, *words, *fault.tests], cwd=python.parents[2] / "project", env=environment(),
            capture_output=True, text=True, timeout=MOST_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"the tests hang for {MOST_SECONDS} s"
    found = re.search(r"^(?:FAILED|ERROR) (\S*?)(?:\[| |$)", done.stdout, re.M)
    assert bool(found) == bool(done.returncode), done.stdout + done.stderr
    return found[1] if found else ""


class Outcome(NamedTuple):
    """What came of a fault: the test that found it, or no text; None where its place is not there."""

    fault: Fault
    found: str | None
    seconds: float


def outcome(fault: Fault) -> Outcome:
    """Seeds a fault and runs the tests."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        python = copied(Path(folder))
        path = Path(folder) / "project" / "cardsol" / fault.path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if text.count(fault.right) != 1:
            return Outcome(fault, None, 0)
        path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
        found = finder(python, fault)
    return Outcome(fault, found, time.monotonic() - start)


def main() -> int:
    """Prints a line for each fault; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="only faults with this in their name")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once (2)")
    given = parser.parse_args()
    chosen = [fault for fault in FAULTS if not given.names or any(name in fault.name for name in given.names)]
    wrong = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for fault, found, seconds in pool.map(outcome, chosen):
            wrong += not found
            told = "its place in the source is gone" if found is None else found or "SURVIVED"
            print(f"{fault.name} ({fault.path}): {told}, {seconds:.0f} s", flush=True)
    print(f"{len(chosen)} faults, {len(chosen) - wrong} found by tests")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
