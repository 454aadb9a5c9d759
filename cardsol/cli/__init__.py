"""The command line. Each sub-command is imported only when it is called: a move is a process start."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

import click

from ..text import clauses, close_matches, did_you_mean, quoted
from . import outcome

COMMANDS = {
    "deal": "play",
    "move": "play",
    "undo": "play",
    "redo": "play",
    "show": "look",
    "score": "look",
    "moves": "look",
    "log": "look",
    "check": "look",
    "games": "learn",
    "rules": "learn",
    "hint": "solving",
    "solve": "solving",
    "survey": "surveying",
    "stats": "surveying",
    "scores": "standings",
    "completion": "completion",
}
"""Sub-command → the module here that defines it."""

ASKED_BY_SHELL = bool(os.environ.get("_CARDSOL_COMPLETE"))
"""Whether a shell runs this process to learn what may stand next on a command line."""

version_option = click.version_option(package_name="cardsol-solitaire", prog_name="cardsol")


class Commands(click.Group):
    """The sub-commands, loaded when needed, with the documented statuses and one-line errors."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(cmd_name) if cmd_name in COMMANDS else None

    def main(  # type: ignore[override]
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Runs a command line and ends the process; `args` default to the process's own."""
        if ASKED_BY_SHELL:
            from .completion import answer

            answer(self)
        words = _words_of_process() if args is None else list(args)
        run = outcome.Run(as_json="--json" in words)
        sys.exit(outcome.status_of(run, lambda: self._run(words, run)))

    def _run(self, words: list[str], run: outcome.Run) -> None:
        with self.make_context("cardsol", words, obj=run) as context:
            self.invoke(context)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            help = did_you_mean([MEANT[name]] if name in MEANT else close_matches(name, COMMANDS))
            raise click.UsageError(clauses(f"No such command {quoted(name)}", help), ctx)
        return super().resolve_command(ctx, args)


MEANT = {
    "help": "--help", "version": "--version", "legal": "moves", "board": "show", "view": "show", "print": "show",
    "new": "deal", "start": "deal", "play": "move", "history": "log", "status": "score", "validate": "check",
    "list": "games", "simulate": "survey", "batch": "survey",
}  # fmt: skip
"""What other programs call a command, where it is not spelled like ours."""


@cache
def _command(name: str) -> click.Command:
    command: click.Command = getattr(import_module("." + COMMANDS[name], __name__), name)
    if ASKED_BY_SHELL:
        from .completion import equip

        equip(command)
    return version_option(command)


def _words_of_process() -> list[str]:
    """Returns the arguments as UTF-8, whatever the locale; bytes that are none become surrogates."""
    return [os.fsencode(word).decode("utf-8", "surrogateescape") for word in sys.argv[1:]]


@click.group(
    "cardsol",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    # No docstring, for PYTHONOPTIMIZE=2 takes those away.
    help="""Plays solitaire from the shell: every move is one command on a JSON save.

    \b
    Three commands to start with:
      cardsol deal three-peaks --seed 1   deals a game into cardsol.json
      cardsol moves                       lists what you can do
      cardsol move d4 draw                does it
    """,
)
@version_option
@click.pass_context
def cardsol(context: click.Context) -> None:
    if context.invoked_subcommand is None:
        outcome.emit(context.get_help() + "\n")
