"""The command that makes moves: move."""

from __future__ import annotations

import click

from ..game import Game
from .outcome import Run
from .params import (
    Look,
    board_options,
    changing,
    command,
    decoded,
    is_stream,
    offers,
    quiet_option,
    read_standard_input,
    save_option,
    without_comments,
)
from .show import print_game


@command(
    """Makes moves, all or none.

    \b
      cardsol move d4 draw
      cardsol move 7H-8S -f rouge.json
      printf 'd4\\ndraw # a comment\\n' | cardsol move -
    """
)
@click.argument("words", metavar="TOKEN...", nargs=-1, shell_complete=offers("tokens"))
@click.option("--dry-run", is_flag=True, help="Show the outcome, write nothing.")
@save_option
@quiet_option
@board_options
@click.pass_obj
def move(run: Run, words: tuple[str, ...], dry_run: bool, save: str | None, quiet: bool, look: Look) -> None:
    tokens = _tokens(words, save)
    with changing(run, save, dry_run) as game:
        told = play(game, tokens)
    if not quiet and (dry_run or not is_stream(save)):
        print_game(game, look, told)


def play(game: Game, words: list[str]) -> str:
    """Makes the moves, all or none; returns the last one in words, with what it scored. Raises as `Game.play`."""
    game.play(*words)
    before = game.rewound(len(game.moves) - 1)
    told = f"{game.moves[-1]}: {before.explain(game.moves[-1]).text}"
    change = f"{game.score - before.score:+d}"
    return told if game.score == before.score or change in told else f"{told}  ({change})"


def _tokens(words: tuple[str, ...], save: str | None) -> list[str]:
    tokens = [token for word in words for token in word.split()]
    if "-" in tokens:
        if is_stream(save) or tokens.count("-") > 1:
            raise click.UsageError("standard input can be read only once: for the save, or for the tokens")
        place = tokens.index("-")
        text = decoded(read_standard_input("the tokens"), "-")
        tokens[place : place + 1] = without_comments(text).split()
    if not tokens:
        raise click.UsageError("no token is given: 'cardsol moves' lists the legal ones")
    return tokens
