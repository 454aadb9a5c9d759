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
from tests.support import harness
from tests.support.harness import COMMAND, Result, environment, run_loaded

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
    if installed.env and re.fullmatch(r"cardsol [\w .=@-]+", script):
        loaded = run_loaded(*script.split()[1:], folder=installed.home, env=installed.env)
        assert (loaded.status, loaded.err) == (0, ""), script
        return loaded.out
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


@harness.part(3)
def test_the_played_examples_of_an_added_game_run(installed: Installed, part: int) -> None:
    lines = re.findall(r"^ +(cardsol deal .*\| .*)$", _sh(installed, "cardsol rules golf"), re.MULTILINE)
    assert len(lines) == 3
    for line in lines[::part]:
        assert "golf" in _sh(installed, line)


@harness.part(2)
def test_an_added_game_passes_its_own_tests(installed: Installed, part: int) -> None:
    """All of them; by default without those of random play, of which `test_contract` has some."""
    tests: list[str | Path] = [
        installed.scripts / "python",
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        GOLF / "tests",
        *(["-k", "not keeps_what_cardsol_asks"] if part > 1 else []),
    ]
    done = subprocess.run(
        tests, cwd=installed.home, env=environment(installed.env), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0 and " passed" in done.stdout, done.stdout


@harness.part(2)
def test_a_sixth_game_is_one_file_and_one_line_of_the_registry(tmp_path: Path, part: int) -> None:
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
    )[::part]:
        done = subprocess.run(
            [sys.executable, "-m", "cardsol", *words.split()],
            cwd=tmp_path, env=environment({"PYTHONPATH": str(tmp_path)}), capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == status, (words, done)
        assert "Traceback" not in done.stderr + done.stdout and " error" not in done.stderr, (words, done)


CAMELOT = "from cardsol.games.camelot import *; NAME = 'ours'"

PLUGINS: list[tuple[str, str, str]] = [
    ("no_such_module_here", "", "ModuleNotFoundError: No module named 'no_such_module_here'"),
    ("added_a", "1 / 0", "ZeroDivisionError: division by zero"),
    ("added_b:game", "", "AttributeError: module 'added_b' has no attribute 'game'"),
    ("added_c", "NAME = 'ours'", "it has no TITLE, DECK, OPTIONS, "),
    ("added_d", "from cardsol.games.camelot import *", "it calls itself 'camelot'"),
    ("added_e", "import sys; sys.exit('good night')", "SystemExit: good night"),
    ("added_p", "class End(BaseException): pass\nraise End('all')", "End: all"),
    ("added_q", "class End(BaseException): pass\ndef __getattr__(name): raise End(name)", "End: NAME"),
    ("added_r:game", "def __getattr__(name): raise KeyError(name)", "KeyError: 'game'"),
    ("added_f", "raise ValueError('two\\nlines')", "ValueError: two lines"),
    ("added_g", "def f(:", "SyntaxError: "),
    ("added_h", f"{CAMELOT}; NAME = 7", "its NAME should be one word"),
    (
        "added_i",
        f"{CAMELOT}; PILES = ['stock']",
        "its PILES should be a tuple of one or more words, each another",
    ),
    (
        "added_j",
        f"{CAMELOT}; DECK = 'tarot'",
        "its DECK should be one of the decks standard, double, universal",
    ),
    (
        "added_k",
        f"{CAMELOT}; OPTIONS = {{'wrap': ('on', 'off')}}",
        "its OPTIONS should be a mapping of options",
    ),
    (
        "added_l",
        f"{CAMELOT}; LONG_NAMES = {{'w': 'waste'}}",
        "its LONG_NAMES should be a mapping of parts of tokens",
    ),
    ("added_m", f"{CAMELOT}; TOKEN_FORMS = ('draw',)", "its TOKEN_FORMS should be a tuple of TokenForm"),
    ("added_n", f"{CAMELOT}; moves = []", "its moves should be a function"),
    ("added_o", f"{CAMELOT}; SOLVER = None", "its SOLVER should be a reference"),
]
"""Reference of a game named `ours`, text of its module, and what is wrong with it."""


@pytest.mark.parametrize(
    ("reference", "text", "what"), harness.some(PLUGINS, 6, names=3), ids=[plugin[2] for plugin in PLUGINS]
)
def test_a_broken_game_is_told_on_one_line_and_stops_no_other(
    reference: str, text: str, what: str, tmp_path: Path
) -> None:
    add_package(tmp_path, "ours", reference, text if text or ":" in reference else None)

    def cardsol(*words: str) -> tuple[int, str, str]:
        return run_added(tmp_path, *words)

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


def add_package(folder: Path, game: str, reference: str, text: str | None, package: str = "ours") -> None:
    """Lays down a package that adds a game, as an installer does; without a text there is no module."""
    info = folder / f"{package}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{game} = {reference}\n")
    if text is not None:
        (folder / f"{reference.partition(':')[0]}.py").write_text(text)


def run_added(folder: Path, *words: str) -> Result:
    """Runs a command with the packages of a folder installed."""
    return run_loaded(*words, folder=folder, env={"PYTHONPATH": str(folder)})


FAILING: list[tuple[str, str, str]] = [
    ("deal", "1 / 0", "deal() raised ZeroDivisionError: division by zero"),
    ("deal", "return None", "deal() returned 'None', not a state"),
    ("grammar", "return ['draw']", "grammar() returned '['draw']', not a frozenset of tokens"),
    ("moves", "raise SystemExit(0)", "moves() raised SystemExit: 0"),
    ("moves", "return None", "moves() returned 'None', not a list of tokens"),
    ("moves", "return [1]", "moves() returned '[1]', not a list of tokens"),
    ("moves", "class End(BaseException): pass\n    raise End('all')", "moves() raised End: all"),
    ("apply", "return None", "apply() returned 'None', not a state"),
    ("apply", "raise CardsolError('two\\nlines')", "apply() raised CardsolError: two lines"),
    ("is_won", "return 0", "is_won() returned '0', not a bool"),
    ("score", "return 1.5", "score() returned '1.5', not an int"),
    ("score", "return 10**5000", "not an int of at most 15 digits"),
    ("score", "return -10**15", "score() returned '-1000000000000000', not an int of at most 15 digits"),
    ("max_score", "return 10**5000", "not an int of at most 15 digits or None"),
    ("extra", "return {'phase': 10**5000}", "extra() returned "),
    ("board", "return [[(10**9, 'far')]]", "board() returned "),
    ("max_score", "return '40'", "max_score() returned ''40'', not an int of at most 15 digits or None"),
    ("piles", "return {'stock': Pile()}", "piles() returned "),
    ("piles", "return {name: [] for name in PILES}", "piles() returned "),
    ("extra", "return {'phase': [1]}", "extra() returned '{'phase': [1]}', not a dict of texts and ints"),
    ("explain", "return token", "explain() returned ''draw'', not a Move"),
    ("explain", "return Move(token, 'draw', 'stock', 'waste', (), None, None)", "explain() returned "),
    ("why_not", "return None", "why_not() returned 'None', not a text"),
    ("board", "return 'a board'", "board() returned ''a board'', not a list of rows"),
    ("board", "def f(): f()\n    f()", "board() raised RecursionError: "),
    ("describe", "raise KeyError(pile)", "describe() raised KeyError: 'stock'"),
]
"""Function of a game, its faulty body, and what is said."""

HEADS = {
    "deal": "deck, options, seed", "grammar": "options", "moves": "state, source=None", "apply": "state, token",
    "max_score": "options", "explain": "view, token", "why_not": "view, token", "board": "view",
    "describe": "view, pile",
}  # fmt: skip
COMMANDS_ON_A_SAVE = ("show --plain", "move w-b2", "move draw", "check ours.json")


@pytest.mark.parametrize(
    ("function", "body", "what"),
    [
        pytest.param(*failing, id=f"{failing[0]}-{place}", marks=pytest.mark.long if place % 13 else ())
        for place, failing in enumerate(FAILING)
    ],
)
def test_a_game_that_fails_ends_its_own_commands_in_one_line_and_no_others(
    function: str, body: str, what: str, tmp_path: Path
) -> None:
    sound = "from cardsol.games.camelot import *\nfrom cardsol.errors import CardsolError\nNAME = 'ours'\n"
    add_package(tmp_path, "ours", "ours", sound)
    assert run_added(tmp_path, "deal", "ours", "--seed", "1", "-f", "ours.json", "-q") == (0, "", "")
    assert run_added(tmp_path, "deal", "camelot", "--seed", "1", "-q") == (0, "", "")
    save = (tmp_path / "ours.json").read_bytes()
    due = run_added(tmp_path, "show")

    (tmp_path / "ours.py").write_text(f"{sound}def {function}({HEADS.get(function, 'state')}):\n    {body}\n")
    shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
    told = 0
    for words in ("deal ours --seed 1 -f new.json", *COMMANDS_ON_A_SAVE):
        place = () if "json" in words.split()[-1] and "--" not in words.split()[-1] else ("-f", "ours.json")
        status, out, err = run_added(tmp_path, *words.split(), *place)
        assert "Traceback" not in out + err, words
        if what in err + out:
            assert status in (2, 3) and (err + out).count("\n") == 1, (words, status, out, err)
            assert "uninstall the package" in err + out
            told += 1
            assert "the move is saved" in err or (tmp_path / "ours.json").read_bytes() == save
        (tmp_path / "ours.json").write_bytes(save)
    assert told
    assert run_added(tmp_path, "show") == due
    status, out, err = run_added(tmp_path, "games")
    assert status == 0 and err == "" and "ours" in out


def test_what_a_package_prints_while_it_is_imported_is_kept_from_stdout(tmp_path: Path) -> None:
    add_package(tmp_path, "ours", "ours", f"print('hello'); {CAMELOT}")
    status, out, err = run_added(tmp_path, "games", "--json")
    assert (status, err) == (0, "hello\n")
    assert [game["name"] for game in json.loads(out)["games"]] == [*registry.BUILT_IN, "ours"]


def test_a_package_with_the_name_of_a_game_of_cardsol_is_told_of_and_not_used(tmp_path: Path) -> None:
    add_package(tmp_path, "camelot", "theirs", "1 / 0")
    assert run_added(tmp_path, "deal", "camelot", "--seed", "1", "-q") == (0, "", "")
    status, out, err = run_added(tmp_path, "games")
    assert status == 0 and out.count("camelot") == 1
    assert err.count("\n") == 1 and "the game 'camelot' is added by 'theirs'" in err and "of this name" in err


def test_two_packages_with_a_game_of_one_name_are_told_of_and_neither_is_used(tmp_path: Path) -> None:
    add_package(tmp_path, "ours", "first", CAMELOT, "one")
    add_package(tmp_path, "ours", "second", CAMELOT, "two")
    status, out, err = run_added(tmp_path, "games")
    assert status == 0 and "ours" not in out
    assert err.count("\n") == 1 and "'first and second'" in err and "several packages" in err
    assert run_added(tmp_path, "deal", "ours")[0] == 2


def test_a_package_that_is_found_twice_is_one_package(tmp_path: Path) -> None:
    add_package(tmp_path, "ours", "ours", CAMELOT, "one")
    add_package(tmp_path, "ours", "ours", CAMELOT, "one_again")
    status, out, err = run_added(tmp_path, "games")
    assert (status, err) == (0, "") and "ours" in out


HELPERS: list[tuple[str, str, str, str]] = [
    ("SOLVER", "no_such", "", "No module named 'no_such'"),
    ("SOLVER", "mine", "STATES = 5", "its solver has no model and no solve"),
    (
        "SOLVER",
        "mine",
        "STATES = 5\nmodel = None\ndef solve(state, goal, meter): 1 / 0",
        "solve() raised Zero",
    ),
    (
        "SOLVER",
        "mine",
        "STATES = 5\nmodel = None\ndef solve(state, goal, meter): pass",
        "its solver returned 'None'",
    ),
    ("POLICY", "no_such", "", "No module named 'no_such'"),
    ("SOLVER", "mine", "raise SystemExit(0)", "its solver: SystemExit: 0"),
    ("POLICY", "mine", "class End(BaseException): pass\nraise End('all')", "its policy: End: all"),
    (
        "SOLVER",
        "mine",
        "STATES = 5\nmodel = None\ndef solve(state, goal, meter): raise SystemExit(0)",
        "solve() raised SystemExit: 0",
    ),
    ("POLICY", "mine", "def judge(model, tokens): raise SystemExit(0)", "judge() raised SystemExit: 0"),
    ("POLICY", "mine", "def judge(model, tokens): 1 / 0", "judge() raised ZeroDivisionError"),
]


@pytest.mark.parametrize(("part", "reference", "text", "what"), harness.some(HELPERS, 4, names=4))
def test_a_solver_or_policy_that_fails_ends_its_command_in_one_line(
    part: str, reference: str, text: str, what: str, tmp_path: Path
) -> None:
    plain = "from cardsol.games.camelot import *\ndel SOLVER, POLICY\nNAME = 'ours'\n"
    add_package(tmp_path, "ours", "ours", f"{plain}{part} = '{reference}'\n")
    (tmp_path / "mine.py").write_text(text)
    assert run_added(tmp_path, "deal", "ours", "--seed", "1", "-q") == (0, "", "")
    assert run_added(tmp_path, "move", "draw", "-q")[0] == 0
    words = ("solve",) if part == "SOLVER" else ("hint", "--worlds", "2")
    status, out, err = run_added(tmp_path, *words)
    assert (status, out) == (2, "") and err.count("\n") == 1 and what in err, err
    assert run_added(tmp_path, "show")[0] == 0
    lines = run_added(tmp_path, "play") if part == "SOLVER" else played(tmp_path, "hint 2\nscore\n")
    assert lines.status == 0 and lines.err == "" and (part == "SOLVER" or what in lines.out)


def played(folder: Path, lines: str) -> Result:
    """Plays in a pipe with the packages of a folder installed."""
    return run_loaded("play", folder=folder, given=lines, env={"PYTHONPATH": str(folder)})


NOISY = """
from functools import wraps
from types import FunctionType
from cardsol.games import camelot
from cardsol.games.camelot import *

def noisy(function):
    @wraps(function)
    def call(*given, **named):
        print("NOISE")
        return function(*given, **named)
    return call

print("NOISE")
for part in ("deal", "grammar", "moves", "apply", "is_won", "score", "max_score", "piles", "extra", "explain",
             "why_not", "board", "describe"):
    globals()[part] = noisy(getattr(camelot, part))
NAME, SOLVER, POLICY = "ours", "mine", "mine"
"""
"""A game that prints whatever it does."""

NOISY_HELPER = """
from cardsol.hint.policies.any_game import judge as any_judge
from cardsol.solve.camelot import STATES, model as camelot_model, solve as camelot_solve

print("NOISE")

def model(state):
    print("NOISE")
    return camelot_model(state)

def solve(state, goal, meter):
    print("NOISE")
    return camelot_solve(state, goal, meter)

def judge(model, tokens):
    print("NOISE")
    return any_judge(model, tokens)
"""


@harness.part(4)
def test_nothing_that_a_game_prints_gets_among_the_results(tmp_path: Path, part: int) -> None:
    add_package(tmp_path, "ours", "ours", NOISY)
    (tmp_path / "mine.py").write_text(NOISY_HELPER)
    save = run_added(tmp_path, "deal", "ours", "--seed", "1", "-f", "-").out
    (tmp_path / "cardsol.json").write_text(save)
    for words in (
        "move draw -f -", "move draw", "undo", "redo --json", "show", "show --plain", "show --json", "score", "moves",
        "log --script", "check", "games --json", "rules ours", "hint --worlds 2", "hint --worlds 2 --json",
        "solve --max-states 50", "solve --max-states 50 --json", "scores cardsol.json --csv", "move --dry-run w-b1",
    )[::part]:  # fmt: skip
        given = save if words.endswith("-f -") else ""
        done = run_loaded(*words.split(), folder=tmp_path, given=given, env={"PYTHONPATH": str(tmp_path)})
        assert done.status in (0, 6) and "NOISE" not in done.out and "Traceback" not in done.err, (
            words,
            done,
        )
        assert "NOISE" in done.err, words
        if "json" in words.split()[-1] and "--" in words.split()[-1]:
            json.loads(done.out)
    replies = played(tmp_path, "draw\nhint 2\nmoves\nscore\nnonsense\n").out.splitlines()
    assert len(replies) == 6 and all(isinstance(json.loads(reply), dict) for reply in replies)
