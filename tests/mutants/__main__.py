"""Seeds faults one at a time in a copy of the project, and tells which tests find each.

    python -m tests.mutants [NAME...] [--jobs N]

NAME picks the faults whose name has it in it. Ends with 1 where a fault is found by no test, or where its place in
the source is no longer there.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutants.faults import FAULTS, Fault
from tests.support.harness import environment

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".*venv*", ".*cache", "__pycache__", "*.egg-info", "build", "dist")
TOLD = 3
"""How many of the tests that fail are listed."""


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


def failures(python: Path, fault: Fault) -> list[str]:
    """Returns the tests that fail, a few at the most."""
    words = ["-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "--maxfail", str(TOLD), "--tb=no", "-rfE"]
    done = subprocess.run(
        [python, *words, *fault.tests], cwd=python.parents[2] / "project", env=environment(),
        capture_output=True, text=True, timeout=1800, check=False,
    )  # fmt: skip
    found = re.findall(r"^(?:FAILED|ERROR) \S*/(\S+?::\w+)", done.stdout, re.M)
    assert bool(found) == bool(done.returncode), done.stdout + done.stderr
    return list(dict.fromkeys(found))


def outcome(fault: Fault) -> tuple[Fault, list[str] | None]:
    """Returns a fault with the tests that find it; None where its place is not there."""
    with tempfile.TemporaryDirectory() as folder:
        python = copied(Path(folder))
        path = Path(folder) / "project" / "cardsol" / fault.path
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if text.count(fault.right) != 1:
            return fault, None
        path.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
        return fault, failures(python, fault)


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
        for fault, found in pool.map(outcome, chosen):
            wrong += not found
            told = "its place in the source is gone" if found is None else ", ".join(found) or "SURVIVED"
            print(f"{fault.name} ({fault.path}): {told}", flush=True)
    print(f"{len(chosen)} faults, {len(chosen) - wrong} found by tests")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
