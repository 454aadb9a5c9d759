"""`completion`: Click's own script for a shell, and what is offered for each word of a command line.

This module is loaded only where a shell asks, so that completion costs no other command a moment.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout, suppress
from itertools import pairwise

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

from ..cards import DECKS
from ..errors import CardsolError
from ..game import Game
from ..notation import resolve
from ..registry import names, rules_of
from .outcome import USAGE, Run, emit, emit_bytes, status_of, warn
from .params import STREAM, OneOf, command, load, path_of
from .run import COMPLETING

SHELLS = ("bash", "zsh", "fish")

Items = list[CompletionItem]
Complete = Callable[[click.Context, str], Items]


@command(
    """Prints a completion script for a shell.

    It completes commands, options, games, and the legal moves of the save that -f or CARDSOL_SAVE names.
    Put eval "$(cardsol completion bash)" into ~/.bashrc, the same with zsh into ~/.zshrc after compinit, or
    cardsol completion fish | source into ~/.config/fish/config.fish.

    \b
      cardsol completion bash
      cardsol completion fish
    """
)
@click.argument("shell", type=OneOf(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    made = get_completion_class(shell)
    assert made is not None
    emit(made(context.find_root().command, {}, "cardsol", COMPLETING).source())


def offer(what: str, context: click.Context, word: str) -> Items:
    """Returns what may stand for `word`, a key of OFFERS telling what is wanted; nothing where something is wrong.

    A shell has no place for a message while a word is typed.
    """
    with suppress(CardsolError, click.ClickException, OSError):
        return OFFERS[what](context, word)
    return []


def _games(context: click.Context, word: str) -> Items:
    return _starting(word, ((name, _title(name)) for name in names()))


def _title(name: str) -> str:
    with suppress(CardsolError):
        return rules_of(name).TITLE
    return ""


def _options(context: click.Context, word: str) -> Items:
    """Offers KEY=VALUE of the game that is named before, but no key twice."""
    words = _line()
    rules = rules_of(next((each for each in words if each in names()), ""))
    chosen = {key for each in words for key, equals, value in [each.partition("=")] if value and each != word}
    return _starting(
        word,
        (
            (f"{key}={value}", meaning)
            for key, values in rules.OPTIONS.items()
            if key not in chosen
            for value, meaning in values.items()
        ),
    )


def _tokens(context: click.Context, word: str) -> Items:
    """Offers the moves that are legal once those typed before are made."""
    game = _game(context)
    for token in context.params.get("words") or ():
        for each in token.split():
            game.push(resolve(game, each))
    view = game.view()
    return _starting(word, ((token, game.rules.explain(view, token).text) for token in view.legal))


def _cards(context: click.Context, word: str) -> Items:
    """Offers the cards that legal moves move, in the order of the deck, then the piles where these begin or end."""
    game = _game(context)
    moves = [game.explain(token) for token in game.legal_moves]
    moving = {card for move in moves for card in move.cards}
    ends = {pile for move in moves for pile in (move.source, move.target)}
    deck = DECKS[game.rules.DECK]
    cards = [(card, "") for card in dict.fromkeys(deck.cards) if card in moving]
    piles = [(pile, "") for pile in game.rules.PILES if pile in ends]
    return [*_starting(word.upper(), cards), *_starting(word.lower(), piles)]


def _keys(context: click.Context, word: str) -> Items:
    view = _game(context).view()
    return _starting(word, ((key, "") for key in ("score", "max", "status", *view.extra, "undos")))


def _players(context: click.Context, word: str) -> Items:
    from ..survey.players import names as players

    return _starting(word, ((name, "") for name in players()))


def _files(context: click.Context, word: str) -> Items:
    return [CompletionItem(word, type="file")]


OFFERS: Mapping[str, Complete] = {
    "games": _games,
    "options": _options,
    "tokens": _tokens,
    "cards": _cards,
    "keys": _keys,
    "files": _files,
    "players": _players,
}
"""What a parameter wants, as it says by `params.offers` → what is offered for it."""


def _game(context: click.Context) -> Game:
    """Returns the game of the save that the line names, before the word or after it."""
    words = _line()
    named = [after for each, after in pairwise(words) if each in ("-f", "--save")]
    save = context.params.get("save") or next(iter(named), None)
    if path_of(save) == STREAM:
        raise click.UsageError("what a pipe will bring is not known yet")
    return load(save and os.path.expanduser(os.path.expandvars(save)))


def _line() -> list[str]:
    """Returns the words of the line; Click reads none of them before an option that still wants its value."""
    return _joined(split_arg_string(os.environ.get("COMP_WORDS", "")))


def _starting(word: str, values: Iterable[tuple[str, str]]) -> Items:
    return [CompletionItem(value, help=help or None) for value, help in values if value.startswith(word)]


class _Bash(BashComplete):
    """Bash takes `draw=3` for three words and replaces the last of them only: joined here, and cut again."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, word = super().get_completion_args()
        if word != "=" and args[-1:] == ["="]:
            args, word = args[:-1], "=" + word
        self.cut = ""
        if word.startswith("=") and args:
            self.cut = args[-1] + "="
            args, word = args[:-1], args[-1] + word
        return _joined(args), word

    def get_completions(self, args: list[str], incomplete: str) -> Items:
        found = super().get_completions(args, incomplete)
        for item in found:
            if item.type == "plain":
                item.value = item.value.removeprefix(self.cut)
        return found


def _joined(words: list[str]) -> list[str]:
    whole: list[str] = []
    for word in words:
        if whole and (word == "=" or whole[-1].endswith("=")):
            whole[-1] += word
        else:
            whole.append(word)
    return whole


def answer(command: click.Group) -> int:
    """Answers the shell that asks by the environment variable; returns the exit status."""
    add_completion_class(_Bash, "bash")
    data = io.BytesIO()
    found = io.TextIOWrapper(data, "utf-8", "backslashreplace", newline="\n", write_through=True)
    try:
        with redirect_stdout(found):
            command.main(prog_name="cardsol", complete_var=COMPLETING)
    except (KeyError, ValueError):
        pass
    except SystemExit as end:
        if not end.code:
            return status_of(Run([]), lambda: emit_bytes(data.getvalue()))
    # Only a user who sets the variables by hand, and not as those scripts do, gets here.
    warn(f"cardsol: {COMPLETING} is for the shells' scripts only: see 'cardsol completion --help'")
    return USAGE
