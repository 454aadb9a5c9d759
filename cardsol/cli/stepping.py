"""The commands that go through the history: undo, redo."""

from __future__ import annotations

from typing import Literal

import click

from .outcome import Run
from .params import Look, Number, board_options, changing, command, is_stream, quiet_option, save_option
from .show import print_game, tell_end


def _stepping(way: Literal["undo", "redo"], help: str, help_of_all: str) -> click.Command:
    """Makes the command that goes that way through the history."""

    @command(help)
    @click.argument("count", metavar="[N]", type=Number(int, 1), required=False)
    @click.option("--all", "everything", is_flag=True, help=help_of_all)
    @save_option
    @quiet_option
    @board_options
    @click.pass_obj
    def step(
        run: Run, count: int | None, everything: bool, save: str | None, quiet: bool, look: Look
    ) -> None:
        if everything and count is not None:
            raise click.UsageError("give a number or --all, not both")
        with changing(run, save) as game:
            steps = len(game.moves if way == "undo" else game.undone) if everything else count or 1
            if steps:
                (game.undo if way == "undo" else game.redo)(steps)
        if not quiet and not is_stream(save):
            print_game(game, look)
            tell_end(game, look)

    step.name = way
    return step


undo = _stepping(
    "undo",
    """Takes back the last N moves, 1 if none is given.

    \b
      cardsol undo
      cardsol undo 3
      cardsol undo --all
    """,
    "Take back every move.",
)
redo = _stepping(
    "redo",
    """Redoes N undone moves, 1 if none is given.

    \b
      cardsol redo
      cardsol redo 3
      cardsol redo --all
    """,
    "Make every move again.",
)
