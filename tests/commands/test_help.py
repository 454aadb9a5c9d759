"""`--version`, `-h/--help` everywhere, `games`, `rules GAME`; and examples that really run."""

from __future__ import annotations

import os
import re
import subprocess
from importlib.metadata import version
from pathlib import Path

import click
import pytest

import cardsol
from cardsol.cli import COMMANDS
from cardsol.cli import cardsol as command
from tests.support import harness
from tests.support.harness import COMMAND, environment
from tests.support.harness import run_loaded as run
from tests.support.typed import game, in_process, put

GAMES = cardsol.names()
PATH = {"PATH": os.path.dirname(COMMAND) + os.pathsep + os.environ["PATH"]}


def examples(text: str) -> list[str]:
    """Returns the command lines of a help text: its lines set in by four, up to two blanks."""
    return [
        re.split(r"\s{2,}", line.strip())[0]
        for line in text.splitlines()
        if line.startswith("    ") and "cardsol " in line
    ]


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_of_every_command_starts_with_its_purpose_and_has_examples(name: str, tmp_path: Path) -> None:
    words = name.split()
    long, short = (in_process(*words, option, folder=tmp_path) for option in ("--help", "-h"))
    assert long == short and (long.status, long.err) == (0, "")
    assert long.out.startswith(f"Usage: cardsol {name}".rstrip())
    assert examples(long.out)
    assert max(map(len, long.out.splitlines())) <= 80


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long if name == "survey" else ()) for name in COMMANDS]
)
@harness.part(9)
def test_the_examples_in_help_really_run(name: str, tmp_path: Path, part: int) -> None:
    for line in examples(in_process(name, "--help", folder=tmp_path).out)[::-part]:
        for old in tmp_path.iterdir():
            old.unlink()
        if name != "deal":
            put("peaks" if name == "move" else "peaks played", tmp_path)
        if name == "play":
            (tmp_path / "cardsol.json").unlink()
        if name == "scores":
            put("peaks played", tmp_path, "ann.json")
            put("peaks", tmp_path, "bob.json")
        if name == "stats":
            in_process("survey", "camelot", "--seeds", "1..3", "--out", "a.jsonl", folder=tmp_path)
        if name == "redo":
            in_process("undo", "--all", "-q", folder=tmp_path)
        put("rouge", tmp_path, "rouge.json")
        (tmp_path / "order.txt").write_text(" ".join(game("camelot").deck))
        status, _, errors = _sh(line, tmp_path)
        told = [
            each
            for each in errors.splitlines()
            if not each.startswith(("cardsol: won: ", "cardsol: not lost: ", "cardsol: no legal move with "))
        ]
        assert (status, [each for each in told if each.startswith("cardsol: ")]) == (0, []), line


def test_the_three_commands_to_start_with_run_one_after_another(tmp_path: Path) -> None:
    lines = examples(run("--help", folder=tmp_path).out)
    assert len(lines) == 3
    for line in lines:
        assert _sh(line, tmp_path)[::2] == (0, ""), line


def test_no_word_prints_the_help(tmp_path: Path) -> None:
    assert run(folder=tmp_path) == run("--help", folder=tmp_path)
    assert run(folder=tmp_path).status == 0


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_version_is_known_everywhere(name: str, tmp_path: Path) -> None:
    wanted = f"cardsol, version {version('cardsol-solitaire')}\n"
    assert in_process(*name.split(), "--version", folder=tmp_path) == (0, wanted, "")


def test_the_list_of_commands_says_of_each_what_it_does(tmp_path: Path) -> None:
    text = in_process("--help", folder=tmp_path).out
    assert "..." not in text.partition("Commands:")[2]
    for name in COMMANDS:
        assert re.search(rf"^  {name} +[A-Z].*\.$", text, re.MULTILINE)


def test_every_option_of_every_command_is_explained() -> None:
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        options = [each for each in found.get_params(context) if isinstance(each, click.Option)]
        assert [each.name for each in options if not each.help] == []
        names = [text for each in options for text in each.opts]
        assert len(names) == len(set(names))


def test_games_are_listed_a_line_each_with_their_options(tmp_path: Path) -> None:
    status, out, err = run("games", folder=tmp_path)
    assert (status, err) == (0, "")
    assert [re.split(r"\s{2,}", line) for line in out.splitlines()] == [
        ["universal", "Universal Solitaire", "universal", "draw=1|2|3"],
        ["three-peaks", "Three Peaks", "standard",
         "scoring=classic|multiplier floor=none|zero rounds=single|progressive"],
        ["vanishing-cross", "Vanishing Cross", "standard", "wrap=on|off play=classic|direct"],
        ["rouge-et-noir", "Rouge et Noir", "double"],
        ["camelot", "Camelot", "standard"],
    ]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_rules_tell_options_tokens_scoring_source_and_what_is_not_played(name: str, tmp_path: Path) -> None:
    status, out, err = in_process("rules", name, folder=tmp_path)
    assert (status, err) == (0, "")
    rules = cardsol.deal(name, seed=1).rules
    assert out.startswith(f"{rules.TITLE} ({name}), {rules.DECK} deck\n")
    for key, values in rules.OPTIONS.items():
        assert all(f"\n  {key}={value}: " in out for value in values)
    assert all(f"\n  {word.form}: " in out for word in rules.TOKEN_FORMS)
    headings = ["\nScore: ", "\nTokens\n", "\nNot played here\n", "\nSource: "]
    assert [out.count(heading) for heading in headings] == [1] * len(headings)


@pytest.mark.parametrize("name", GAMES)
@harness.part(99)
def test_the_played_examples_in_rules_really_run(name: str, tmp_path: Path, part: int) -> None:
    out = in_process("rules", name, folder=tmp_path).out
    lines = re.findall(r"^ +(cardsol deal .*)$", out, re.MULTILINE)
    assert len(lines) == len(cardsol.deal(name, seed=1).rules.TOKEN_FORMS)
    status, boards, errors = _sh("set -e\n" + "\n".join(lines[::part]), tmp_path)
    assert (status, errors) == (0, "")
    assert len(re.findall(rf"^{name}  ", boards, re.MULTILINE)) == len(lines[::part])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("rules klondike", "no game is named 'klondike': the games are universal, three-peaks, "),
        ("deal", "missing argument 'GAME'"),
        ("games camelot", "unexpected extra argument"),
        ("nosuch", "no such command 'nosuch'"),
        ("--nosuch", "no such option"),
        ("-f x show", "no such option"),
        ("mov d4", "no such command 'mov'"),
    ],
)
def test_a_wrong_command_line_is_told_on_one_line(words: str, says: str, tmp_path: Path) -> None:
    status, out, err = run(*words.split(), folder=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("cardsol: ") and says in err and err.count("\n") == 1


def _sh(line: str, folder: Path) -> tuple[int, str, str]:
    """Runs a line as `sh` does with the installed command on the path, and by `sh` where it is more than words."""
    if re.fullmatch(r"cardsol [\w .=:@-]+", line):
        return run(*line.split()[1:], folder=folder)
    done = subprocess.run(
        ["sh", "-c", line], cwd=folder, env=environment(PATH), capture_output=True, timeout=60
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()
