"""From a game to the lines that show it: heading, board and result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .board import WIDTH, Face, render
from .cards import DECKS
from .text import counted, text_width

if TYPE_CHECKING:
    from .game import Game
    from .rules import Rules
    from .view import View

LONGEST_SEED = 30
"""A heading shows no more columns of a seed; `show --plain` and `show --json` show all of it."""

Places = Mapping[str, "range"]
"""Pile → which of its face-up cards are meant, counted from the bottom one."""


def lines(
    game: Game,
    view: View | None = None,
    *,
    hide_seed: bool = False,
    signs: bool = False,
    planets: bool = False,
    color: bool = False,
) -> list[str]:
    """Returns heading, board and result of a game, at most 58 columns wide and 22 lines high.

    Args:
        game: The game; its history says which card moved last.
        view: What of it is shown, if that is less than `game.view(hide_seed)`.
        hide_seed: Whether not to say where the deck came from; a sealed deal never does while it is played.
        signs: Whether suits are shown as signs, and not as letters; this also needs an output that is not ASCII.
        planets: Whether that holds for the planets of the Universal deck too, whose signs are less well known.
        color: Whether to use bold, dim and coloured text.
    """
    rules, view = game.rules, view or game.view(hide_seed)
    deck = DECKS[rules.DECK]
    if not (planets or deck.well_known):
        deck = deck._replace(signs={})
    shown = with_faces(view, playable(view, rules), last_moved(game))
    board = render(rules.board(shown), deck, signs=signs, color=color)
    hidden = hide_seed or game.keeps_seal
    return [*_wrapped(heading(view, rules, hidden, LONGEST_SEED)), *board, *_result(view)]


def heading(view: View, rules: Rules[Any], hide_seed: bool, longest_seed: int = 200) -> list[str]:
    """Returns what is said above a board: game, where the deck came from, options, score, status, moves taken back.

    Options that have their default are left out if all of it would not fit on one line.
    """
    origin = "seed hidden" if hide_seed else _origin(view, longest_seed)
    parts = _heading(view, view.options, origin)
    if text_width("  ".join(parts)) <= WIDTH:
        return parts
    defaults = {key: next(iter(values)) for key, values in rules.OPTIONS.items()}
    return _heading(view, dict(view.options.items() - defaults.items()), origin)


def _heading(view: View, options: Mapping[str, str], origin: str) -> list[str]:
    chosen = " ".join(f"{key}={options[key]}" for key in view.options if key in options)
    score = f"score {view.score}" + (f"/{view.max}" if view.max is not None else "")
    taken_back = f"{view.undos:,} taken back" if view.undos else ""
    parts = (view.game, origin, chosen, score, view.status, taken_back)
    return [part for part in parts if part]


def _origin(view: View, longest_seed: int) -> str:
    """Says where the deck came from."""
    if view.seed is not None:
        return f"seed {_shortened(view.seed, longest_seed)}"
    return f"pysol {view.pysol}" if view.pysol else "own deck"


def _shortened(text: str, most: int) -> str:
    """Returns a text, cut to a number of columns."""
    if text_width(text) <= most:
        return text
    while text_width(text) > most - 3:
        text = text[:-1]
    return text + "..."


def _wrapped(parts: list[str]) -> list[str]:
    """Returns a heading on one line, or on more: game and deal on the first, the rest under it."""
    if text_width("  ".join(parts)) <= WIDTH:
        return ["  ".join(parts)]
    found = ["  ".join(parts[:2])]
    for part in parts[2:]:
        if len(found) > 1 and len(found[-1]) + 2 + len(part) <= WIDTH:
            found[-1] += "  " + part
        else:
            found.append(part)
    return found


def _result(view: View) -> list[str]:
    """Returns the lines under the board of a game that is over: that it is won, or lost."""
    if view.status == "playing":
        return []
    made = counted(view.made, "move")
    return [
        "",
        f"  Won in {made}." if view.status == "won" else f"  Lost after {made}: no legal move is left.",
    ]


def playable(view: View, rules: Rules[Any]) -> Places:
    """Returns the cards that can move now; of a pile the longest part that can."""
    counts: dict[str, int] = {}
    for token in view.legal:
        move = rules.explain(view, token)
        sources = move.source.split("+")
        count = len(move.cards) if len(sources) == 1 else 1
        for source in sources:
            counts[source] = max(counts.get(source, 0), count)
    return {name: _last(view, name, count) for name, count in counts.items()}


def last_moved(game: Game) -> Places:
    """Returns where the cards of the last move lie now, as far as they are face up."""
    if not game.moves:
        return {}
    former = game.rewound(len(game.moves) - 1)
    before, now, move = former.view(), game.view(), former.explain(game.moves[-1])
    if not move.cards:
        return _drawn(before, now)
    up = now.piles[move.target].up if move.target in now.piles else ()
    for places in (range(len(up) - len(move.cards), len(up)), range(len(move.cards))):
        if up[places.start : places.stop] == move.cards:
            return {move.target: places}
    return {}


def _drawn(before: View, now: View) -> Places:
    """Returns the cards that a draw turned up: those a pile has more than before, or all where it has fewer."""
    found: dict[str, range] = {}
    for name, pile in now.piles.items():
        former = before.piles[name]
        if pile.up != former.up:
            more = len(pile.up) - len(former.up)
            found[name] = _last(now, name, more if more > 0 else len(pile.up))
    return found


def _last(view: View, name: str, count: int) -> range:
    height = len(view.piles[name].up) if name in view.piles else 0
    return range(height - min(count, height), height)


def with_faces(view: View, playable: Places, moved: Places) -> View:
    """Returns the view with those of its cards that can move, or moved last, as a `Face`."""
    piles = dict(view.piles)
    for name in {*playable, *moved} & piles.keys():
        can, did = playable.get(name, ()), moved.get(name, ())
        up = tuple(
            Face.of(card, playable=i in can, moved=i in did) if i in can or i in did else card
            for i, card in enumerate(piles[name].up)
        )
        piles[name] = piles[name]._replace(up=up)
    return view._replace(piles=piles)
