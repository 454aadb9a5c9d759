"""The command that starts a game: deal."""

from __future__ import annotations

import sys
from contextlib import suppress

import click

from .. import files, saves
from ..errors import BadDeck, BadSave, FileTrouble, GameInTheWay
from ..game import deal as deal_game
from ..text import clauses, quoted
from . import outcome
from .outcome import Run
from .params import (
    EMPTY,
    STDIN,
    Look,
    WithDaily,
    about_input,
    board_options,
    command,
    daily_option,
    daily_seed,
    decoded,
    emit_save,
    game_argument,
    game_options,
    is_stream,
    option_option,
    path_of,
    quiet_option,
    read_standard_input,
    save_option,
    store,
    waiting,
    without_comments,
)
from .show import print_game


@command(
    """Starts a game.

    \b
      cardsol deal three-peaks
      cardsol deal universal --seed 7 -o draw=3
      cardsol deal camelot --deck @order.txt -f mine.json
      cardsol deal camelot --winnable --seed 1 -f winnable.json
      cardsol deal three-peaks --daily --sealed

    --daily deals everybody the same game on one day: the seed is the date in UTC, such as daily-2026-12-02. With
    --sealed the save does not show the seed and the deck in clear, and no command prints them until the game is over;
    but anyone who decodes the save can read them.
    """,
    cls=WithDaily,
)
@game_argument
@click.option("--seed", metavar="TEXT", help="Deal from this seed  [default: a fresh one].")
@daily_option
@click.option(
    "--deck",
    metavar="CARDS",
    help="Deal this deck order: cards, @FILE, or - for standard input; a save is taken too.",
)
@click.option(
    "--pysol",
    metavar="NUMBER",
    help="Deal what PySolFC deals for this number, 1 or more; the characters # , - are ignored.",
)
@option_option
@click.option("--force", is_flag=True, help="Replace a game that is still being played.")
@click.option(
    "--winnable",
    is_flag=True,
    help="Deal the first winnable seed, counting up from --seed (7, 8, ...; TEXT, TEXT+1, ...), or of random"
    " seeds without it.",
)
@click.option("--sealed", is_flag=True, help="Keep seed and deck from view while the game is played.")
@save_option
@quiet_option
@board_options
@click.pass_obj
def deal(
    run: Run, game: str, seed: str | None, daily: str | None, deck: str | None, pysol: str | None,
    options: tuple[str, ...], force: bool, winnable: bool, sealed: bool, save: str | None, quiet: bool, look: Look,
) -> None:  # fmt: skip
    chosen = game_options(options)
    origins = {"--seed": seed, "--daily": daily, "--deck": deck, "--pysol": pysol}
    given = [name for name, value in origins.items() if value is not None]
    if len(given) > 1:
        raise click.UsageError(f"give {' or '.join(given)}, not both: each decides the whole deck")
    if winnable:
        if daily is not None or deck is not None or pysol is not None:
            raise click.UsageError("--winnable tries seeds: give it alone, or with --seed")
        from .solving import first_winnable

        if not is_stream(save):
            # The search may be long, so what stands in the way is told before it, and looked at again after.
            with files.locked(path_of(save), waiting) as target:
                check_replaceable(target, force)
        dealt = first_winnable(game, seed, chosen, look.hide_seed or sealed)
    elif pysol is not None:
        from ..pysol import deal as deal_pysol

        dealt = deal_pysol(game, pysol, chosen)
    else:
        seed = seed if daily is None else daily_seed(daily)
        dealt = deal_game(game, seed=seed, deck=None if deck is None else _deck(deck), options=chosen)
    dealt.sealed = sealed
    if is_stream(save):
        emit_save(run, dealt)
        return
    path = path_of(save)
    with files.locked(path, waiting) as target:
        check_replaceable(target, force)
        store(run, target, dealt)
    if not quiet:
        print_game(dealt, look)
        if sys.stdout.isatty() and not look.as_json:
            outcome.warn("next: cardsol moves")


def _deck(text: str) -> str | tuple[str, ...]:
    """Returns the deck order that is given, or that a file or standard input holds."""
    if text == "-":
        return _deck_in(read_standard_input("the deck"), STDIN)
    if text.startswith("@"):
        path = text[1:].encode("utf-8", "surrogateescape")
        return _deck_in(files.read(path), files.name_of(path))
    try:
        return _deck_in(text.encode("utf-8", "surrogateescape"), "--deck")
    except (BadSave, FileTrouble) as error:
        raise BadDeck(str(error)) from None


def _deck_in(data: bytes, shown: str) -> str | tuple[str, ...]:
    """Reads cards with blanks, commas or line ends between, the deck of a save, or `show --deck --json`."""
    text = decoded(data, shown)
    if shown == STDIN and not text.strip():
        raise BadDeck(f"standard input {EMPTY}")
    if not text.lstrip().startswith("{"):
        return without_comments(text)
    import json

    with suppress(ValueError, RecursionError):
        listed = json.loads(text)
        if listed.keys() == {"deck"} and isinstance(listed["deck"], list):
            return tuple(map(str, listed["deck"]))
    try:
        game = saves.parse(data, shown)
    except BadSave as error:
        raise (about_input(error, data) if shown == STDIN else error) from None
    game.check_seal("its deck can't be dealt elsewhere")
    return game.deck


def check_replaceable(target: files.Target, force: bool) -> None:
    """Raises GameInTheWay or BadSave where what a file holds must not be replaced by another game."""
    if not target.exists:
        return
    try:
        old = saves.parse(target.read(), target.shown)
    except BadSave as error:
        what = clauses(error.what, "only a save is ever overwritten")
        raise BadSave(error.path, error.where, what) from None
    if old.status == "playing" and not force:
        raise GameInTheWay(
            f"{quoted(target.shown, 200)} holds a game of {old.name} that is still being played"
        )
