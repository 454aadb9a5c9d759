"""Completion, driven in a real bash, zsh and fish: Click's own script, and what may stand next."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class

import cardsol
from cardsol.cli import cardsol as command
from cardsol.cli.completion import SHELLS
from cardsol.cli.run import COMPLETING
from tests.support import harness
from tests.support.harness import COMMAND, PYTHON, environment
from tests.support.harness import run_loaded as run

QUICK = 20.0
"""Seconds after which a shell is not going to answer any more."""

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set enable-bracketed-paste off'"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -Uz compinit; compinit -u -D; setopt no_beep list_ambiguous auto_list",
    ),
}
"""How a shell without anybody's settings begins, and its first line."""


def _needs(shell: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(shell) is None, reason=f"no {shell} here")


def _shell_environment(folder: Path) -> dict[str, str]:
    path = os.path.dirname(COMMAND) + os.pathsep + os.environ["PATH"]
    return environment({"PATH": path, "HOME": str(folder), "TERM": "dumb", "PS1": "$ ", "COLUMNS": "200"})


class Typed:
    """A shell at a terminal, typed into."""

    def __init__(self, terminal: int) -> None:
        self.terminal = terminal

    def type(self, keys: str, awaited: str) -> str:
        """Types keys, and returns what the shell shows up to a pattern; fails where that does not come."""
        os.write(self.terminal, keys.encode())
        shown, end = "", time.monotonic() + QUICK
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.2)[0]:
                shown += os.read(self.terminal, 65536).decode(errors="replace").replace("\a", "")
                if re.search(awaited, shown):
                    return shown
        raise AssertionError(f"typed {keys!r}, awaited {awaited!r}, shown {shown!r}")


@contextmanager
def _shell(shell: str, folder: Path) -> Iterator[Typed]:
    """Starts a shell at a terminal of its own, with the completion script evaluated as the help says."""
    words, first = START[shell]
    terminal, other = pty.openpty()
    process = subprocess.Popen(
        words, cwd=folder, env=_shell_environment(folder), stdin=other, stdout=other, stderr=other,
        start_new_session=True,
    )  # fmt: skip
    os.close(other)
    try:
        typed = Typed(terminal)
        typed.type(f'{first}; eval "$(cardsol completion {shell})"; echo rea""dy\n', r"ready\s")
        yield typed
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game of Three Peaks, and one of Camelot in another file."""
    cardsol.save(cardsol.deal("three-peaks", seed=1), tmp_path / "cardsol.json")
    drawn = cardsol.deal("camelot", seed=1)
    drawn.push("draw")
    cardsol.save(drawn, tmp_path / "mine.json")
    return tmp_path


TYPED: list[tuple[str, str]] = [
    ("cardsol compl\t", r"cardsol completion"),
    ("cardsol deal cam\t", r"deal camelot"),
    ("cardsol deal three-peaks -o sco\tm\t", r"scoring=multiplier"),
    ("cardsol deal universal --option dr\t3 --fo\t", r"draw=3 --force"),
    ("cardsol rules rou\t", r"rules rouge-et-noir"),
    ("cardsol move dr\t", r"move draw"),
    ("cardsol move d9 d1\t", r"move d9 d10"),
    ("cardsol move -f mine.json w-b\t2 --dry\t", r"w-b2 --dry-run"),
    ("cardsol moves 6\t\t", r"6H[\s\S]*6S"),
    ("cardsol move \t\t\t", r"d2[\s\S]*d3[\s\S]*d4[\s\S]*d9[\s\S]*draw"),
    ("cardsol score --get st\t", r"--get status"),
    ("cardsol show -f mi\t", r"-f mine\.json"),
    ("cardsol completion z\t", r"completion zsh"),
]
"""Keys typed, and what the shell makes of them."""


@pytest.mark.parametrize("shell", [pytest.param(shell, marks=_needs(shell)) for shell in START])
@pytest.mark.parametrize(
    ("keys", "shown"), harness.some(TYPED, 4, names=2), ids=[keys.strip() for keys, _ in TYPED]
)
def test_a_shell_completes_what_is_typed(shell: str, keys: str, shown: str, folder: Path) -> None:
    with _shell(shell, folder) as typed:
        typed.type(keys, shown)


@pytest.mark.parametrize("shell", [pytest.param(shell, marks=_needs(shell)) for shell in START])
def test_a_completed_line_runs(shell: str, folder: Path) -> None:
    """The tokens are those of the save that CARDSOL_SAVE names."""
    with _shell(shell, folder) as typed:
        typed.type("export CARDSOL_SAVE=mine.json; echo s''et\n", r"set\s")
        typed.type("cardsol move -q w-c3", r"w-c3")
        typed.type("\t; cardsol log; echo do''ne\n", r"done\s")
    assert cardsol.load(folder / "mine.json").moves == ("draw", "w-c3")


FISH: list[tuple[str, list[str]]] = [
    ("cardsol compl", ["completion"]),
    ("cardsol deal cam", ["camelot"]),
    ("cardsol deal three-peaks -o fl", ["floor=none", "floor=zero"]),
    ("cardsol deal three-peaks -o floor=z", ["floor=zero"]),
    ("cardsol move d", ["d2", "d3", "d4", "d9", "draw"]),
    ("cardsol move d9 ", ["d10", "draw"]),
    ("cardsol move -f mine.json w-b", ["w-b1", "w-b2", "w-b3", "w-b4"]),
    ("cardsol score --get st", ["status"]),
]


@_needs("fish")
@pytest.mark.parametrize(("line", "offered"), FISH, ids=[line for line, _ in FISH])
def test_fish_offers_what_may_stand_next(line: str, offered: list[str], folder: Path) -> None:
    script = f"cardsol completion fish | source; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", script], cwd=folder, env=_shell_environment(folder),
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(each.split("\t")[0] for each in done.stdout.splitlines()) == offered


def _asked(folder: Path, line: str, shell: str = "bash", **env: str) -> list[str]:
    """Asks as the script of a shell does, and returns the answer's lines; the cursor is at the mark `|`."""
    before, _, after = line.partition("|")
    words = {"COMP_WORDS": before + after, "COMP_CWORD": str(len(before.split(" ")) - 1)}
    done = run(folder=folder, env={COMPLETING: f"{shell}_complete", **words, **env})
    assert (done.status, done.err) == (0, "")
    return done.out.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("cardsol deal three-peaks -o floor =|", "plain,none plain,zero"),
        ("cardsol deal three-peaks -o floor = z|", "plain,zero"),
        ("cardsol deal three-peaks -o floor = zero -o r|", "plain,rounds=single plain,rounds=progressive"),
        ("cardsol deal -o dr| universal", "plain,draw=1 plain,draw=2 plain,draw=3"),
        ("cardsol deal -o |", ""),
        ("cardsol deal nosuch -o |", ""),
        ("cardsol move w-b| -f mine.json", "plain,w-b1 plain,w-b2 plain,w-b3 plain,w-b4"),
        ("cardsol move -f ~/mine.json w-b2|", "plain,w-b2"),
        ("cardsol move -f $HOME/mine.json w-b2|", "plain,w-b2"),
        ("cardsol score -f mine.json --get ph|", "plain,phase"),
        ("cardsol move 6S d|", "plain,d7 plain,draw"),
        ("cardsol move d1 |", ""),
        ("cardsol move zzz |", ""),
        ("cardsol move -f - |", ""),
        ("cardsol move -f nosuch.json |", ""),
        ("cardsol move -f broken.json |", ""),
        ("cardsol move -f . |", ""),
        ("cardsol check c|", "file,c"),
    ],
)
def test_the_answer_to_a_shell(line: str, offered: str, folder: Path) -> None:
    (folder / "broken.json").write_text('{"format": "cardsol-save"')
    before = sorted((path.name, path.read_bytes()) for path in folder.iterdir())
    assert _asked(folder, line, HOME=str(folder)) == offered.split()
    assert sorted((path.name, path.read_bytes()) for path in folder.iterdir()) == before


def test_no_hidden_card_is_offered(folder: Path) -> None:
    offered = [line.removeprefix("plain,") for line in _asked(folder, "cardsol moves |")]
    game = cardsol.load(folder / "cardsol.json")
    cards, piles = offered[:4], offered[4:]
    assert cards == ["8C", "6H", "6S", "8S"] and piles == ["stock", "waste", "d2", "d3", "d4", "d9"]
    assert set(cards) <= {card for pile in game.piles().values() for card in pile.up}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_click_s_own(shell: str, tmp_path: Path) -> None:
    made = get_completion_class(shell)
    assert made is not None
    result = run("completion", shell, folder=tmp_path)
    assert result == (0, made(command, {}, "cardsol", COMPLETING).source(), "")


def test_another_shell_is_refused(tmp_path: Path) -> None:
    result = run("completion", "tcsh", folder=tmp_path)
    assert result.status == 2 and "SHELL takes bash or zsh or fish, not 'tcsh'" in result.err


def test_no_other_command_loads_what_completion_needs(folder: Path) -> None:
    done = subprocess.run(
        [PYTHON, "-X", "importtime", "-m", "cardsol", "move", "d4", "-q"],
        cwd=folder, env=environment(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "cardsol.cli.params" in loaded
    unwanted = {"cardsol.cli.completion", "click.shell_completion", "cardsol.notation", "cardsol.pysol"}
    assert not loaded & {*unwanted, "importlib.metadata"}


BY_HAND: list[dict[str, str]] = [
    *({"_CARDSOL_COMPLETE": word} for word in ("x", "1", "bash", "bash_", "tcsh_source", "bash_nosuch")),
    *({"_CARDSOL_COMPLETE": f"{shell}_complete"} for shell in ("bash", "zsh", "fish")),
    *(
        {"_CARDSOL_COMPLETE": f"{shell}_complete", "COMP_WORDS": "cardsol mo", "COMP_CWORD": number}
        for shell in ("bash", "zsh")
        for number in ("", "x", "1.5")
    ),
    {"_CARDSOL_COMPLETE": "bash_complete", "COMP_CWORD": "1"},
    {"_CARDSOL_COMPLETE": "fish_complete", "COMP_WORDS": "cardsol mo"},
]


@pytest.mark.parametrize("env", BY_HAND, ids=lambda env: " ".join(env.values()))
def test_variables_that_no_script_sets_so_are_refused_in_one_line(
    env: dict[str, str], tmp_path: Path
) -> None:
    result = run("show", folder=tmp_path, env=env)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("cardsol: _CARDSOL_COMPLETE") and result.err.count("\n") == 1


@pytest.mark.parametrize(
    "asked",
    harness.some(["bash_complete", "zsh_complete", "bash_source", "fish_complete", "fish_source"], 2),
)
@pytest.mark.parametrize("out", harness.some([">/dev/full", ">&-"], 2))
def test_an_output_that_takes_nothing_is_told_in_one_line(asked: str, out: str, tmp_path: Path) -> None:
    env = {COMPLETING: asked, "COMP_WORDS": "cardsol mo", "COMP_CWORD": "1"}
    done = subprocess.run(
        ["sh", "-c", f"{COMMAND} {out}"],
        cwd=tmp_path,
        env=environment(env),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1), done.stderr
    assert "standard output can't be written" in done.stderr
