"""Writes the man page from the commands' own help: `python -m tests.regenerate.manual`.

A test fails where the page is older than the commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from cardsol import __doc__ as purpose
from cardsol.cli import cardsol
from cardsol.cli.outcome import BROKEN_PIPE, FILE, INTERRUPTED, RULES, USAGE
from cardsol.registry import BUILT_IN, rules_of

PAGE = Path(__file__).parents[2] / "cardsol" / "man" / "cardsol.6"

STATUSES = {
    0: "Done.",
    USAGE: "The command line is wrong: an unknown game, option or value, a word that is not a token, a wrong deck; "
    "or a game of an installed package can't be used.",
    FILE: "A file cannot be read, is not a valid save, or cannot be written; nothing was lost. Also if the save was "
    "written but the result could not be printed; the message says so.",
    RULES: "Not allowed by the rules or by the state of the game. The save is untouched.",
    5: "Impossible, proved (solve).",
    6: "Unknown, a limit was reached (solve).",
    INTERRUPTED: "Interrupted.",
    BROKEN_PIPE: "The reader of a pipe went away.",
}
VARIABLES = {
    "CARDSOL_SAVE": "The save to use when -f is not given; without either, cardsol.json in the current folder.",
    "NO_COLOR": "If set and not empty: no colours, unless --color asks for them.",
}


def page() -> str:
    """Returns the man page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    context = click.Context(cardsol, info_name="cardsol")
    yield '.\\" Made from the commands by tests/regenerate/manual.py.'
    yield ".TH CARDSOL 6"
    yield ".SH NAME"
    yield f"cardsol \\- {_text((purpose or '').partition(';')[0].lower())}"
    yield from (".SH SYNOPSIS", ".B cardsol", ".I COMMAND", "[\\fIWORD\\fR]...", ".SH DESCRIPTION")
    yield from _prose(cardsol.help or "")
    yield ".SH COMMANDS"
    for name in cardsol.list_commands(context):
        command = cardsol.get_command(context, name)
        assert command is not None
        yield from _command(name, command, context)
    yield ".SH GAMES"
    for name in BUILT_IN:
        rules = rules_of(name)
        options = " ".join(f"{key}={'|'.join(values)}" for key, values in rules.OPTIONS.items())
        yield from _item(name, f"{rules.TITLE}. {options}".strip())
    yield ".SH EXIT STATUS"
    for status, meaning in STATUSES.items():
        yield from _item(str(status), meaning)
    yield ".SH ENVIRONMENT"
    for variable, meaning in VARIABLES.items():
        yield from _item(variable, meaning)


def _command(name: str, command: click.Command, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent)
    words = " ".join(command.collect_usage_pieces(context))
    yield f".SS cardsol {_text(name)} {_text(words)}"
    yield from _prose(command.help or "")
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if isinstance(parameter, click.Option) and record and not {"--help", "--version"} & {*parameter.opts}:
            yield from _item(*record)


def _prose(help: str) -> Iterator[str]:
    """Gives the paragraphs of a help text; one that Click leaves unwrapped is examples, and set as it is."""
    for paragraph in re.split(r"\n\s*\n", re.sub(r"(?m)^ {4}", "", help)):
        if paragraph.startswith("\b"):
            lines = [_text(line.rstrip()) for line in paragraph.splitlines()[1:]]
            yield from (".PP", ".nf", *lines, ".fi")
        else:
            yield from (".PP", _text(" ".join(paragraph.split())))


def _item(tag: str, text: str) -> Iterator[str]:
    yield from (".TP", f"\\fB{_text(tag)}\\fR", _text(text))


def _text(text: str) -> str:
    """Returns a text with what roff would take for its own written out, in ASCII."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti").replace('"', "\\(dq")
    text = "".join(char if char.isascii() else f"\\[u{ord(char):04X}]" for char in text)
    return f"\\&{text}" if text.startswith(".") else text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
