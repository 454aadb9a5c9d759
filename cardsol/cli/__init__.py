"""The command line. Each sub-command is imported only when it is called: a move is a process start."""

from __future__ import annotations

from importlib import import_module

import click

from ..text import clauses, close_matches, did_you_mean, quoted
from . import outcome

COMMANDS = {
    "deal": "dealing",
    "move": "moving",
    "undo": "stepping",
    "redo": "stepping",
    "play": "playing",
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

OTHER_NAMES = {
    "help": "--help", "version": "--version", "legal": "moves", "board": "show", "view": "show", "print": "show",
    "new": "deal", "start": "deal", "history": "log", "status": "score", "validate": "check",
    "list": "games", "simulate": "survey", "batch": "survey",
}  # fmt: skip
"""What other programs call a command, where it is not spelled like ours."""

version_option = click.version_option(package_name="cardsol-solitaire", prog_name="cardsol")


class Commands(click.Group):
    """The sub-commands, each imported when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        if cmd_name not in self.commands:
            command = getattr(import_module("." + COMMANDS[cmd_name], __name__), cmd_name)
            self.add_command(version_option(command), cmd_name)
        return self.commands[cmd_name]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(
                clauses(f"no such command {quoted(name)}", did_you_mean(_meant(name))), ctx
            )
        return super().resolve_command(ctx, args)


def _meant(word: str) -> list[str]:
    """Returns the commands that a word which is none may mean: a game is dealt, and a move is made."""
    from ..errors import CardsolError
    from ..registry import names
    from .params import load

    if word in OTHER_NAMES:
        return [OTHER_NAMES[word]]
    if word.lower() in names():
        return [f"'cardsol deal {word.lower()}'"]
    try:
        from ..notation import check

        check(load(None), word)
        return [f"'cardsol move {word}'"]
    except (CardsolError, click.ClickException):
        commands = close_matches(word, COMMANDS)
        return commands or [f"'cardsol deal {name}'" for name in close_matches(word, names())]


@click.group(
    "cardsol",
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    # Not a docstring: PYTHONOPTIMIZE=2 takes those away.
    help="""Plays solitaire from the shell: each move is one command, and the game is kept in a JSON file.

    \b
    Commands to start with:
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
