"""Games as plug-ins: an installed package adds a sixth game, and every command plays it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

import pytest

import cardsol
from cardsol import registry
from cardsol.errors import UnknownGame
from tests.support.harness import COMMAND, environment

ROOT = Path(__file__).parents[2]
GOLF = ROOT / "examples" / "plugin"


class Installed(NamedTuple):
    """An environment with the example in it: a folder to work in, where its commands are, what they need."""

    home: Path
    scripts: Path
    env: dict[str, str]


@pytest.fixture(scope="module", params=["on the path", pytest.param("by pip", marks=pytest.mark.long)])
def installed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home = tmp_path_factory.mktemp("plugin")
    return by_pip(home) if request.param == "by pip" else on_the_path(home)


def on_the_path(home: Path) -> Installed:
    """The example as an installer lays it down, without the installer."""
    shutil.copytree(GOLF / "cardsol_golf", home / "cardsol_golf")
    info = home / "cardsol_golf-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: cardsol-golf\nVersion: 1\n")
    groups = re.findall(
        r'\[project\.entry-points\."(.*)"\]\n((?:\w.*\n)+)', (GOLF / "pyproject.toml").read_text()
    )
    assert groups
    points = "".join(f"[{group}]\n{lines}" for group, lines in groups).replace('"', "")
    (info / "entry_points.txt").write_text(points)
    return Installed(home, Path(COMMAND).parent, {"PYTHONPATH": str(home)})


def by_pip(home: Path) -> Installed:
    """A fresh environment with this package and the example, from copies: a build leaves files in its source."""
    venv.create(home / "env", with_pip=True)
    for source, copy in ((ROOT, "cardsol"), (GOLF, "golf")):
        unwanted = shutil.ignore_patterns(
            ".git", ".*cache", "__pycache__", "tests", "examples", "build", "*.egg-info"
        )
        shutil.copytree(source, home / copy, ignore=unwanted)
    pip = [str(home / "env" / "bin" / "pip"), "install", "-q", "--disable-pip-version-check"]
    done = subprocess.run([*pip, home / "cardsol", home / "golf", "pytest"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return Installed(home, home / "env" / "bin", {})


def _sh(installed: Installed, script: str) -> str:
    """Runs lines of a shell with that environment's `cardsol`, and returns what they print."""
    path = f"{installed.scripts}{os.pathsep}{os.environ['PATH']}"
    env = environment({"PATH": path, "HOME": str(installed.home), **installed.env})
    done = subprocess.run(
        ["sh", "-ec", script], cwd=installed.home, env=env, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, ""), script
    return done.stdout


COMMANDS: list[tuple[str, str]] = [
    ("cardsol games", r"(?m)^golf +Golf +standard +wrap=off\|on$"),
    ("cardsol deal golf --seed 1", r"^golf  seed 1  wrap=off  score 0/35  playing\n"),
    ("cardsol move t3", r"^t3: 4C from t3 onto 3D"),
    ("cardsol move 5s", r"^t4: 5S from t4 onto 4C"),
    ("cardsol show", r"\n  stock 16  waste 3 \[5S\*\]  draw turns 1\n"),
    ("cardsol show --plain", r"(?m)^t3: 3S 9D 4S QD\.$"),
    ("cardsol show --json", r'"left": 33}$'),
    ("cardsol score", r"(?m)^score: 2\nmax: 35\nstatus: playing\nleft: 33\n"),
    ("cardsol moves", r"^draw  turns a card onto the waste\n"),
    ("cardsol moves --count", r"^[1-7]\n$"),
    ("cardsol undo", r"score 1/35  playing  1 taken back\n"),
    ("cardsol redo", r"score 2/35"),
    ("cardsol log", r"^t3\nt4\n$"),
    ("cardsol log --script > game.sh; sh game.sh -f again.json", r"^golf  seed 1  wrap=off  score 2/35"),
    ("cardsol check cardsol.json again.json", r"^cardsol.json: ok\nagain.json: ok\n$"),
    ("cardsol hint", r"^(draw|t[1-7])  \S"),
    ("cardsol rules golf", r"^Golf \(golf\), standard deck\n"),
    ("cardsol deal golf --deck @cardsol.json -o wrap=on -f mine.json", r"^golf  own deck  wrap=on"),
    ("cardsol solve -f mine.json --max-states 200000 || true", r"^(draw|t[1-7])( (draw|t[1-7]))*\n$"),
    ("cardsol survey golf --seeds 1..2 --player random --jobs 1 2>&1", r'"golf"(.|\n)*\n2 deals: '),
    ("COMP_WORDS='cardsol deal g' COMP_CWORD=2 _CARDSOL_COMPLETE=bash_complete cardsol", r"^plain,golf\n$"),
    (
        "COMP_WORDS='cardsol deal golf -o ' COMP_CWORD=4 _CARDSOL_COMPLETE=bash_complete cardsol",
        r"^plain,wrap=off\nplain,wrap=on\n$",
    ),
    ("COMP_WORDS='cardsol move d' COMP_CWORD=2 _CARDSOL_COMPLETE=bash_complete cardsol", r"^plain,draw\n$"),
]


def test_every_command_plays_an_added_game(installed: Installed) -> None:
    for typed, printed in COMMANDS:
        assert re.search(printed, _sh(installed, typed)), typed


def test_the_played_examples_of_an_added_game_run(installed: Installed) -> None:
    lines = re.findall(
        r"^ +(cardsol deal .*) && (cardsol move .*)$", _sh(installed, "cardsol rules golf"), re.MULTILINE
    )
    assert len(lines) == 3
    for deal, move in lines:
        _sh(installed, f"{deal} --force -q -f rules.json; {move} -q -f rules.json")


def test_an_added_game_passes_its_own_tests_of_random_play(installed: Installed) -> None:
    tests: list[str | Path] = [
        installed.scripts / "python",
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        GOLF / "tests",
    ]
    done = subprocess.run(
        tests, cwd=installed.home, env=environment(installed.env), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout


def test_a_sixth_game_is_one_file_and_one_line_of_the_registry(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "cardsol", tmp_path / "cardsol", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(GOLF / "cardsol_golf" / "__init__.py", tmp_path / "cardsol" / "games" / "golf.py")
    home = tmp_path / "cardsol" / "registry.py"
    lines = home.read_text(encoding="utf-8")
    line = '    "camelot": "cardsol.games.camelot",\n'
    assert line in lines
    home.write_text(lines.replace(line, line + '    "golf": "cardsol.games.golf",\n'), encoding="utf-8")
    for words, status in (
        ("deal golf --seed 1", 0),
        ("check cardsol.json", 0),
        ("hint --worlds 2", 0),
        ("hint --worlds 2 --json", 0),
        ("move draw", 0),
        ("solve --max-states 2000", 6),
        ("solve --goal score --max-states 2000 --json", 0),
        ("survey golf --seeds 1..2 --player hint --jobs 1", 0),
        ("survey golf --seeds 1..2 --max-states 500 --jobs 1", 0),
        ("deal golf --seed 2 --force", 0),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "cardsol", *words.split()],
            cwd=tmp_path, env=environment({"PYTHONPATH": str(tmp_path)}), capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == status, (words, done)
        assert "Traceback" not in done.stderr + done.stdout and " error" not in done.stderr, (words, done)


PLUGINS: list[tuple[str, str, str]] = [
    ("no_such_module_here", "", "ModuleNotFoundError: No module named 'no_such_module_here'"),
    ("added_a", "1 / 0", "ZeroDivisionError: division by zero"),
    ("added_b:game", "", "AttributeError: module 'added_b' has no attribute 'game'"),
    ("added_c", "NAME = 'ours'", "it has no TITLE, DECK, OPTIONS, "),
    ("added_d", "from cardsol.games.camelot import *", "it calls itself 'camelot'"),
]
"""Reference of a game named `ours`, text of its module, and what is wrong with it."""


@pytest.mark.parametrize(("reference", "text", "what"), PLUGINS, ids=[plugin[2] for plugin in PLUGINS])
def test_a_broken_game_is_told_on_one_line_and_stops_no_other(
    reference: str, text: str, what: str, tmp_path: Path
) -> None:
    info = tmp_path / "ours-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ours\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\nours = {reference}\n")
    (tmp_path / f"{reference.partition(':')[0]}.py").write_text(text) if text or ":" in reference else None
    env = environment({"PYTHONPATH": str(tmp_path)})

    def cardsol(*words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "cardsol", *words], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr

    status, out, err = cardsol("deal", "ours")
    assert (status, out) == (2, "") and err.startswith("cardsol: the game 'ours' is added by ")
    assert what in err and err.count("\n") == 1 and "uninstall the package" in err
    status, out, err = cardsol("games", "--json")
    assert status == 0 and [game["name"] for game in json.loads(out)["games"]] == list(registry.BUILT_IN)
    assert what in err and err.count("\n") == 1
    assert cardsol("deal", "camelot", "-q", "--seed", "1") == (0, "", "")


def test_no_package_replaces_one_of_the_five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_added", lambda: {"camelot": "no_such_module_here", "zebra": "nor_this"})
    monkeypatch.setattr(registry, "_found", {})
    assert registry.names() == (*registry.BUILT_IN, "zebra")
    assert cardsol.deal("camelot", seed=1).rules.NAME == "camelot"
    with pytest.raises(UnknownGame, match="nor_this"):
        registry.rules_of("zebra")
