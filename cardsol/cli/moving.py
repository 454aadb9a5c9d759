"""The command that makes moves: move."""

from __future__ import annotations

from collections.abc import Callable

import click

from ..errors import IllegalMove
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
from .show import print_view


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
        print_view(game.view(look.hide_seed), look, told)


def play(game: Game, tokens: list[str]) -> str:
    """Makes the moves, each word resolved as it comes; returns the last one in words, with what it scored.

    Raises BadToken before the first move is made, IllegalMove with `step`, from 1, at the first refusal.
    """
    resolve: Callable[[Game, str], str] = _itself
    if not all(map(game.is_token, tokens)):
        from .. import notation

        resolve = notation.resolve
        for token in tokens:
            notation.check(game, token)
    told = ""
    for step, word in enumerate(tokens, start=1):
        try:
            token = resolve(game, word)
            before, view = game.score, game.view() if step == len(tokens) else None
            game.push(token)
            if view is not None:
                told = f"{token}: {game.rules.explain(view, token).text}"
        except IllegalMove as error:
            from .. import notation

            refused = notation.helped(game, word, error)
            refused.step = step  # type: ignore[attr-defined]
            if len(tokens) > 1:
                refused.args = (f"{refused}; word {step} of {len(tokens)}, and no move was made",)
            raise refused from None
    change = f"{game.score - before:+d}"
    return told if game.score == before or change in told else f"{told}  ({change})"


def _itself(game: Game, token: str) -> str:
    return token


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
