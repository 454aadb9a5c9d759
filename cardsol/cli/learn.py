"""The commands that tell of the games: games, rules."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import click

from ..errors import BrokenGame
from ..registry import names, not_used, rules_of
from ..rules import Rules
from ..text import printable
from .outcome import emit, warn
from .params import GameName, command, json_option, load, offers
from .show import print_json

WIDTH = 79


@command(
    """Lists the games with title, deck and options, defaults first.

    \b
      cardsol games
      cardsol games --json
    """
)
@json_option
def games(as_json: bool) -> None:
    every = list(_usable())
    if as_json:
        print_json({"games": [_facts(rules) for rules in every]})
        return
    rows = [(rules.NAME, rules.TITLE, rules.DECK, _options(rules)) for rules in every]
    widths = [max(map(len, column)) for column in zip(*rows)]
    emit("".join("  ".join(text.ljust(w) for text, w in zip(row, widths)).rstrip() + "\n" for row in rows))


@command(
    """Prints the rules of a game as this program plays it.

    Without GAME, it prints those of the game in the save.

    \b
      cardsol rules camelot
      cardsol rules
    """
)
@click.argument("game", type=GameName(), required=False, shell_complete=offers("games"))
@json_option
def rules(game: str | None, as_json: bool) -> None:
    found = rules_of(game) if game is not None else load(None).rules
    if as_json:
        print_json({**_facts(found), "about": found.ABOUT, "words": [w._asdict() for w in found.TOKEN_FORMS],
                    "not_played": found.NOT_PLAYED, "source": found.SOURCE})  # fmt: skip
        return
    emit(text_of(found))


def _usable() -> Iterator[Rules[Any]]:
    """Gives the games, and a line on stderr for each one of an installed package that can't be played."""
    for name in names():
        try:
            yield rules_of(name)
        except BrokenGame as broken:
            _tell(broken)
    for unused in not_used():
        _tell(unused)


def _tell(broken: BrokenGame) -> None:
    warn(f"cardsol: {printable(' '.join(str(broken).split()))}")


def _facts(rules: Rules[Any]) -> dict[str, object]:
    options = {
        key: {"default": next(iter(values)), "values": dict(values)} for key, values in rules.OPTIONS.items()
    }
    return {"name": rules.NAME, "title": rules.TITLE, "deck": rules.DECK, "options": options}


def _options(rules: Rules[Any]) -> str:
    return " ".join(f"{key}={'|'.join(values)}" for key, values in rules.OPTIONS.items())


def text_of(rules: Rules[Any]) -> str:
    """Returns the rules of a game as `cardsol rules` prints them."""
    return "\n".join(_text(rules)) + "\n"


def _text(rules: Rules[Any]) -> Iterator[str]:
    yield f"{rules.TITLE} ({rules.NAME}), {rules.DECK} deck"
    for paragraph in rules.ABOUT.split("\n\n"):
        yield from ("", *_wrapped(" ".join(paragraph.split())))
    if rules.OPTIONS:
        yield from ("", "Options, the default of each first")
        for key, values in rules.OPTIONS.items():
            for value, meaning in values.items():
                yield from _wrapped(f"{key}={value}: {meaning}", "  ")
    yield from ("", "Tokens")
    for word in rules.TOKEN_FORMS:
        yield from _wrapped(f"{word.form}: {word.meaning}", "  ")
        yield f"      cardsol deal {rules.NAME} {word.deal} -f - | cardsol move -f - {word.moves} | cardsol show -f -"
    if rules.NOT_PLAYED:
        yield from ("", "Not played here", *_listed(rules.NOT_PLAYED))
    yield from ("", *_wrapped(f"Source: {rules.SOURCE}."))


def _listed(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from _wrapped(text, "  ")


def _wrapped(text: str, indent: str = "") -> list[str]:
    more = indent and indent + "  "
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=more, break_long_words=False)
