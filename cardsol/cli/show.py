"""How a game is printed: as a board, as a sentence a pile, or as JSON."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from ..board import render
from ..cards import DECKS
from ..game import Game
from ..registry import rules_of
from ..text import counted
from ..view import View
from .outcome import emit, warn
from .params import Look

WIDTH = 80


def print_view(view: View, look: Look, headline: str = "", plain: bool = False) -> None:
    """Prints what a player sees: as JSON, as a board, or with `plain` as a sentence a pile."""
    if look.as_json:
        print_json(view.as_dict())
        return
    rules = rules_of(view.game)
    lines = [headline, heading(view, look.hide_seed), ""] if headline else [heading(view, look.hide_seed), ""]
    if plain:
        lines.remove("")
        lines += [f"{name}: {rules.describe(view, name)}." for name in rules.PILES]
        signs = color = False
    else:
        signs, color = wants_signs(look.style), wants_color(look.color)
        lines += render(rules.board(view), DECKS[rules.DECK], signs=signs, color=color)
    emit("".join(line + "\n" for line in lines), encoding="utf-8" if signs else None)


def heading(view: View, hide_seed: bool) -> str:
    """Returns the line above a board: game, where the deck came from, options, score, status.

    Where the line would be wider than a terminal, options that have their default are left out.
    """
    line = _heading(view, hide_seed, view.options)
    if len(line) <= WIDTH:
        return line
    defaults = {key: next(iter(values)) for key, values in rules_of(view.game).OPTIONS.items()}
    return _heading(view, hide_seed, dict(view.options.items() - defaults.items()))


def _heading(view: View, hide_seed: bool, options: Mapping[str, str]) -> str:
    if hide_seed:
        origin = "seed hidden"
    elif view.seed is not None:
        origin = f"seed {view.seed}"
    else:
        origin = f"pysol {view.pysol}" if view.pysol else "own deck"
    chosen = " ".join(f"{key}={options[key]}" for key in view.options if key in options)
    score = f"score {view.score}" + (f"/{view.max}" if view.max is not None else "")
    taken_back = f"{view.undos} taken back" if view.undos else ""
    return "  ".join(part for part in (view.game, origin, chosen, score, view.status, taken_back) if part)


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
    encoding = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "")
    return encoding == "utf8" and sys.stdout.isatty()


def wants_color(color: str) -> bool:
    """Tells whether to use colour: where asked for, or on a terminal that does not refuse it."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or sys.stdout is None:
        return False
    return sys.stdout.isatty()
