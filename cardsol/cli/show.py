"""How a game is printed: as a board, as a sentence a pile, or as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from .. import drawing
from ..game import Game
from ..text import counted
from ..view import View
from .outcome import emit, warn
from .params import Look


def print_game(
    game: Game, look: Look, headline: str = "", *, plain: bool = False, view: View | None = None
) -> None:
    """Prints what a player sees: as JSON, as a board, or with `plain` as one sentence per pile.

    With `view` that is less than what the game would show.
    """
    view = view or game.view(look.hide_seed)
    if look.as_json:
        print_json(view.as_dict())
        return
    if plain:
        rules = game.rules
        lines = ["  ".join(drawing.heading(view, rules, look.hide_seed or game.keeps_seal))]
        lines += [f"{name}: {rules.describe(view, name)}." for name in rules.PILES]
        emit(joined([headline, *lines] if headline else lines))
    else:
        print_board(game, look, headline, view=view)


def print_board(
    game: Game, look: Look, headline: str = "", *, before: str = "", after: str = "", view: View | None = None
) -> None:
    """Prints the board of a game, with a headline above it; `before` and `after` go out as they are."""
    signs = wants_signs(look.style)
    lines = drawing.lines(
        game,
        view or game.view(look.hide_seed),
        hide_seed=look.hide_seed,
        signs=signs,
        planets=look.style == "unicode",
        color=wants_color(look.color),
    )
    text = joined([headline, *lines] if headline else lines)
    emit(before + text + after, encoding="utf-8" if signs else None)


def joined(lines: Iterable[str]) -> str:
    """Returns lines as one text."""
    return "".join(line + "\n" for line in lines)


def tell_end(game: Game, look: Look) -> None:
    """Says on stderr that a game has just ended, how, and what can be done; not under --json."""
    if look.as_json or game.status == "playing":
        return
    if game.status == "won":
        facts = [f"score {game.score}", counted(len(game.moves), "move")]
        facts += [f"{key} {value}" for key, value in game.rules.extra(game.state).items()]
        warn(f"cardsol: won: {', '.join(facts)}")
    else:
        warn(
            "cardsol: lost: no move is left; 'cardsol undo' takes moves back,"
            " 'cardsol solve --where-lost' finds the move that lost it"
        )


def print_json(value: object) -> None:
    """Prints an object as one line of JSON: UTF-8, unescaped, whatever the locale."""
    import json

    emit(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")


def wants_signs(style: str) -> bool:
    """Tells whether suits are shown as signs: where asked for, or on a UTF-8 terminal."""
    if style != "auto":
        return style == "unicode"
    return writes_utf8() and sys.stdout.isatty()


def writes_utf8() -> bool:
    """Tells whether stdout takes UTF-8."""
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"


def wants_color(color: str) -> bool:
    """Tells whether to use colour: where asked for, or on a terminal that does not refuse it."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or sys.stdout is None:
        return False
    return sys.stdout.isatty()
