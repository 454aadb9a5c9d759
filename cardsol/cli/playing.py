"""The command that plays without a process a move: play."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from .. import files, saves
from ..errors import GameInTheWay, NoFile, NoGame, UnknownGame
from ..game import Game, choose_options
from ..game import deal as deal_game
from ..registry import rules_of
from ..session import Keeper, Memory, Session
from ..text import quoted
from . import outcome
from .dealing import check_replaceable
from .outcome import Run
from .params import (
    GameName,
    Look,
    WithDaily,
    board_options,
    command,
    daily_option,
    daily_seed,
    file_option,
    game_options,
    if_save,
    is_stream,
    offers,
    option_option,
    path_of,
    waiting,
)


class OnDisk:
    """Keeps the game of a session in a save, each change as `cardsol move` writes it.

    What another program writes to the save between two requests is what the next one goes on from.
    """

    def __init__(self, run: Run, path: bytes) -> None:
        self.run, self.path = run, path
        self._known: tuple[bytes, Game] | None = None

    def current(self) -> Game:
        """Returns the game of the save; raises NoGame where there is none, BadSave, FileTrouble."""
        try:
            return self._game(files.read(self.path))
        except NoFile:
            raise NoGame(f"there is no game in {quoted(files.name_of(self.path), 200)}") from None

    @contextmanager
    def changing(self) -> Iterator[Game]:
        self.current()
        with files.locked(self.path, waiting) as target:
            game = self._game(target.read()).copy()
            yield game
            self._store(target, game)

    def replace(self, game: Game, force: bool) -> None:
        with files.locked(self.path, waiting) as target:
            check_replaceable(target, force)
            self._store(target, game)

    def _store(self, target: files.Target, game: Game) -> None:
        data = saves.dump(game)
        target.replace(data)
        self._known = data, game

    def _game(self, data: bytes) -> Game:
        if self._known is None or self._known[0] != data:
            self._known = data, saves.parse(data, files.name_of(self.path))
        return self._known[1]


@command(
    """Plays at a prompt, or by JSON lines in a pipe.

    Goes on with the game of the save, or deals GAME where there is none. Every step is written as by `move`.

    \b
      cardsol play three-peaks --seed 7
      cardsol play
      printf 'd4 draw\\nhint 4\\n' | cardsol play three-peaks --seed 1 --no-save

    The lines of a pipe are described in cardsol-json(5).
    """,
    cls=WithDaily,
)
@click.argument("game", type=GameName(), required=False, shell_complete=offers("games"))
@click.option("--seed", metavar="TEXT", help="Deal from this seed  [default: a fresh one].")
@daily_option
@option_option
@click.option("--force", is_flag=True, help="Replace a game that is still being played.")
@click.option("--no-save", is_flag=True, help="Keep the game in memory only.")
@file_option
@board_options
@click.pass_obj
def play(
    run: Run, game: str | None, seed: str | None, daily: str | None, options: tuple[str, ...], force: bool,
    no_save: bool, save: str | None, look: Look,
) -> None:  # fmt: skip
    chosen = game_options(options)
    if daily is not None:
        if seed is not None:
            raise click.UsageError("give --seed or --daily, not both: each decides the whole deck")
        seed = daily_seed(daily)
    if game is None and (seed is not None or chosen or force):
        raise click.UsageError("--seed, --daily, --option and --force go with a GAME to deal")
    if no_save and save is not None:
        raise click.UsageError("give --no-save or -f PATH, not both")
    if not no_save and is_stream(save):
        raise click.UsageError(
            "standard input holds the words of the player: -f takes a file here, or give --no-save"
        )
    keeper: Keeper = Memory() if no_save else OnDisk(run, path_of(save))
    if game is not None:
        try:
            choose_options(rules_of(game), chosen)
        except UnknownGame as error:
            if save_meant := if_save(click.get_current_context(), game):
                raise click.UsageError(f"{error}{save_meant}") from None
            raise
        _seat(keeper, game, seed, chosen, force, save)
    session = Session(keeper, hide_seed=look.hide_seed)
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty():
        from .table import Table

        keeper.current()
        where = (
            None if no_save else f"saved in {quoted(files.name_of(path_of(save)))}: 'cardsol play' goes on"
        )
        Table(session, keeper, look, where).sit()
        return
    from .params import standard_input
    from .pipe import serve

    serve(session, standard_input("the requests"), outcome.emit_bytes)


def _seat(
    keeper: Keeper, name: str, seed: str | None, options: dict[str, str], force: bool, save: str | None
) -> None:
    """Deals a game where there is none, or goes on with the one that is there if it is the one asked for."""
    try:
        there = keeper.current()
    except NoGame:
        keeper.replace(deal_game(name, seed=seed, options=options), force)
        return
    asked = there.name == name and all(there.options.get(key) == value for key, value in options.items())
    if asked and seed is not None and not force:
        # One answer for every seed: else a sealed deal could be found by trying seeds.
        there.check_seal("whether it is the deal of this seed is not told; 'cardsol play' goes on with it")
    asked = asked and seed in (None, there.seed)
    if force or (there.status != "playing" and not asked):
        keeper.replace(deal_game(name, seed=seed, options=options), force)
    elif not asked:
        shown = quoted(files.name_of(path_of(save)), 200)
        a = "another game" if there.name == name else "a game"
        raise GameInTheWay(
            f"{shown} holds {a} of {there.name} that is still being played: 'cardsol play' goes on with it"
        )
