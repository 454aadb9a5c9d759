"""The command that makes moves: move."""

from __future__ import annotations

from itertools import pairwise

import click

from ..errors import BadToken
from ..game import Game
from ..text import counted, quoted
from .outcome import Run, warn
from .params import (
    STDIN,
    Look,
    board_options,
    changing,
    command,
    decoded,
    is_stream,
    load,
    offers,
    quiet_option,
    read_standard_input,
    save_option,
    without_comments,
)
from .show import print_game, tell_end


@command(
    """Makes moves, all or none.

    With --dry-run the moves after one that turns a card up are not tried, and the list of legal moves is left out:
    they depend on that card.

    \b
      cardsol move d4 draw
      cardsol move 7H-8S -f rouge.json
      printf 'd4\\ndraw # a comment\\n' | cardsol move -
    """
)
@click.argument("words", metavar="TOKEN...", nargs=-1, shell_complete=offers("tokens"))
@click.option(
    "--dry-run",
    is_flag=True,
    help="Show the outcome, write nothing; cards turned up stay hidden.",
)
@save_option
@quiet_option
@board_options
@click.pass_obj
def move(run: Run, words: tuple[str, ...], dry_run: bool, save: str | None, quiet: bool, look: Look) -> None:
    tokens = _tokens(words, save)
    if dry_run:
        from .preview import preview

        shown = preview(load(save), tokens)
        if not quiet:
            print_game(shown.game, look, shown.told, view=shown.view(look.hide_seed))
        if shown.known is not None and not quiet and not look.as_json:
            warn("cardsol: a card that the move turns up stays hidden: move without --dry-run shows it")
        if shown.untried:
            warn(
                f"cardsol: {counted(shown.untried, 'word')} not tried: what is legal then depends on a hidden card"
            )
        return
    with changing(run, save) as game:
        before = game.copy()
        made = play(game, tokens)
    if not quiet and not is_stream(save):
        print_game(game, look, "" if look.as_json else in_words(before, made))
        tell_end(game, look)


def play(game: Game, words: list[str]) -> tuple[str, ...]:
    """Makes the moves, all or none, and returns their tokens. Raises as `Game.play`."""
    try:
        return game.play(*words)
    except BadToken as error:
        for source, target in pairwise(words):
            token = f"{source}-{target}".lower()
            if error.token in (source, target) and game.is_token(token):
                what = f"{quoted(error.token)} is not a token of {game.name}; did you mean {token}?"
                raise BadToken(error.token, what).at(error.step or 1, len(words)) from None
        raise


def in_words(before: Game, tokens: tuple[str, ...]) -> str:
    """Returns a line for each of the moves made after a position: the move in words, and what it scored."""
    game = before.copy()
    return "\n".join(_told(game, token) for token in tokens)


def _told(game: Game, token: str) -> str:
    """Makes a move and returns it in words, with the change of the score."""
    told, score = f"{token}: {game.explain(token).text}", game.score
    game.push(token)
    change = f"{game.score - score:+d}"
    return told if game.score == score or change in told else f"{told}  ({change})"


def _tokens(words: tuple[str, ...], save: str | None) -> list[str]:
    tokens = [token for word in words for token in word.split()]
    if "-" in tokens:
        if is_stream(save) or tokens.count("-") > 1:
            raise click.UsageError("standard input can be read only once: for the save, or for the tokens")
        place = tokens.index("-")
        text = without_comments(decoded(read_standard_input("the tokens"), STDIN))
        tokens[place : place + 1] = text.split()
        if not tokens:
            raise click.UsageError("standard input holds no token: did the command before the pipe fail?")
    if not tokens:
        raise click.UsageError("no token is given: 'cardsol moves' lists the legal ones")
    return tokens
