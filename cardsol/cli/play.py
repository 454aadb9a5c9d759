"""The commands that change a game: deal, move, undo, redo."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import click

from .. import files, saves
from ..errors import BadDeck, BadSave, FileTrouble, IllegalMove
from ..game import Game
from ..game import deal as deal_game
from ..text import clauses, quoted
from . import outcome
from .common import (
    Look,
    Number,
    board_options,
    changing,
    command,
    game_argument,
    game_options,
    is_stream,
    option_option,
    path_of,
    print_game,
    quiet_option,
    read_standard_input,
    save_option,
    store,
)
from .outcome import Run


@command(
    """Starts a game.

    \b
      cardsol deal three-peaks
      cardsol deal universal --seed 7 -o draw=3
      cardsol deal camelot --deck @order.txt -f mine.json
      cardsol deal camelot --winnable --seed 1 -f winnable.json
    """
)
@game_argument
@click.option("--seed", metavar="TEXT", help="Deal what this text decides  [default: a fresh one].")
@click.option(
    "--deck",
    metavar="CARDS",
    help="Deal this deck order: cards, @FILE, or - for standard input; a save is taken too.",
)
@click.option(
    "--pysol",
    metavar="NUMBER",
    help="Deal what PySolFC deals for this number, from 1 on; signs like # , - are left out.",
)
@option_option
@click.option("--force", is_flag=True, help="Replace a game that is still being played.")
@click.option(
    "--winnable", is_flag=True, help="Deal the first seed, from --seed on or of fresh ones, that can be won."
)
@save_option
@quiet_option
@board_options
@click.pass_obj
def deal(
    run: Run, game: str, seed: str | None, deck: str | None, pysol: str | None, options: tuple[str, ...],
    force: bool, winnable: bool, save: str | None, quiet: bool, look: Look,
) -> None:  # fmt: skip
    chosen = game_options(options)
    origins = {"--seed": seed, "--deck": deck, "--pysol": pysol}
    given = [name for name, value in origins.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"give {' or '.join(given)}, not both: each decides the whole deck")
    if winnable:
        if deck is not None or pysol is not None:
            raise click.UsageError("--winnable tries seeds: give it alone, or with --seed")
        from .solving import first_winnable

        if not is_stream(save):
            # The search may be long, so what stands in the way is told before it, and looked at again after.
            with files.locked(path_of(save)) as target:
                _check_replaceable(target, force)
        dealt = first_winnable(game, seed, chosen, look.hide_seed)
    elif pysol is not None:
        from ..pysol import deal as deal_pysol

        dealt = deal_pysol(game, pysol, chosen)
    else:
        dealt = deal_game(game, seed=seed, deck=None if deck is None else _deck(deck), options=chosen)
    if is_stream(save):
        outcome.emit_bytes(saves.dump(dealt))
        return
    path = path_of(save)
    with files.locked(path) as target:
        _check_replaceable(target, force)
        store(run, target, dealt)
    if not quiet:
        print_game(dealt, look)
        if sys.stdout.isatty() and not look.as_json:
            outcome.warn("next: cardsol moves")


@command(
    """Makes moves, all or none.

    \b
      cardsol move d4 draw
      cardsol move 7H-8S -f rouge.json
      printf 'd4\\ndraw # a comment\\n' | cardsol move -
    """
)
@click.argument("words", metavar="TOKEN...", nargs=-1)
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
    """Makes N moves again that were taken back, 1 if none is given.

    \b
      cardsol redo
      cardsol redo 3
      cardsol redo --all
    """,
    "Make every move again.",
)


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


def _deck(text: str) -> str | tuple[str, ...]:
    """Returns the deck order that is given, or that a file or standard input holds."""
    if text == "-":
        return _deck_in(read_standard_input("the deck"), "-")
    if text.startswith("@"):
        path = text[1:].encode("utf-8", "surrogateescape")
        return _deck_in(files.read(path), files.name_of(path))
    try:
        return _deck_in(text.encode("utf-8", "surrogateescape"), "--deck")
    except (BadSave, FileTrouble) as error:
        raise BadDeck(str(error)) from None


def _deck_in(data: bytes, shown: str) -> str | tuple[str, ...]:
    """Reads cards with blanks, commas or line ends between, the deck of a save, or `show --deck --json`."""
    text = _decoded(data, shown)
    if not text.lstrip().startswith("{"):
        return _without_comments(text)
    import json

    with suppress(ValueError, RecursionError):
        listed = json.loads(text)
        if listed.keys() == {"deck"} and isinstance(listed["deck"], list):
            return tuple(map(str, listed["deck"]))
    return saves.parse(data, shown).deck


def _without_comments(text: str) -> str:
    lines = text.replace("\r", "\n").split("\n")
    return " ".join(line.partition("#")[0] for line in lines)


def _decoded(data: bytes, shown: str) -> str:
    try:
        return saves.decode(data)
    except ValueError:
        raise FileTrouble(shown, "is no UTF-8 text") from None


def _tokens(words: tuple[str, ...], save: str | None) -> list[str]:
    tokens = [token for word in words for token in word.split()]
    if "-" in tokens:
        if is_stream(save) or tokens.count("-") > 1:
            raise click.UsageError("standard input can be read only once: for the save, or for the tokens")
        place = tokens.index("-")
        text = _decoded(read_standard_input("the tokens"), "-")
        tokens[place : place + 1] = _without_comments(text).split()
    if not tokens:
        raise click.UsageError("no token is given: 'cardsol moves' lists the legal ones")
    return tokens


def _check_replaceable(target: files.Target, force: bool) -> None:
    if not target.exists:
        return
    try:
        old = saves.parse(target.read(), target.shown)
    except BadSave as error:
        what = clauses(error.what, "what is no save is never replaced, -f PATH deals elsewhere")
        raise BadSave(error.path, error.where, what) from None
    if old.status == "playing" and not force:
        raise outcome.GameInTheWay(
            f"{quoted(target.shown, 200)} holds a game of {old.name} that is still being played:"
            " --force replaces it, -f PATH deals elsewhere"
        )
