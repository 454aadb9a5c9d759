"""Players that play a deal to its end: by the hints, greedily, at random.

Each ends: the greedy and the random player never re-enter a position that the game has had since the last card from
the stock, and hints never lead back. When nothing else is left, the game counts as lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from ..errors import NoHint
from ..game import MOST_MOVES, Game
from ..moves import preference

if TYPE_CHECKING:
    from ..hint import Adviser
    from ..moves import Move

CHEAP_WORLDS = 4
"""Worlds a hint, where many games are played by hints."""

Player = Callable[[Game], None]


def cheap(adviser: Adviser) -> str:
    """Returns the move that a cheap hint advises."""
    return adviser.hint(CHEAP_WORLDS).token


def by_hints(game: Game, advise: Callable[[Adviser], str] = cheap) -> None:
    """Plays what is advised until the game is over or no move leads on."""
    from ..hint import Adviser

    adviser = Adviser(game.view(hide_seed=True))
    try:
        while len(game.moves) < MOST_MOVES:
            token = advise(adviser)
            game.push(token)
            adviser.follow(token, game.view(hide_seed=True))
    except NoHint:
        return


def greedily(game: Game) -> None:
    """Plays the first move of the most preferred kind; a card moves twice between two draws only for want of others."""
    moved: set[str] = set()

    def choose(tokens: Sequence[str]) -> str:
        view = game.view(hide_seed=True)
        moves = [game.rules.explain(view, token) for token in tokens]

        def order(move: Move) -> tuple[bool, int, str]:
            again = move.kind in ("build", "fill") and not moved.isdisjoint(move.cards)
            return again, preference(move.kind), move.token

        best = min(moves, key=order)
        if best.kind == "draw":
            moved.clear()
        moved.update(best.cards)
        return best.token

    _play(game, choose)


def at_random(game: Game) -> None:
    """Plays any move, each as likely as another; equal deals are played alike."""
    chance = Random(f"{game.name} {game.options} {' '.join(game.deck)}")
    _play(game, chance.choice)


def _play(game: Game, choose: Callable[[Sequence[str]], str]) -> None:
    had: set[Any] = {game.state}
    while len(game.moves) < MOST_MOVES:
        fresh = [token for token in game.legal_moves if game.rules.apply(game.state, token) not in had]
        if not fresh:
            return
        token = choose(fresh)
        game.push(token)
        if token == "draw":
            had.clear()
        had.add(game.state)


PLAYERS: dict[str, Player] = {"hint": by_hints, "greedy": greedily, "random": at_random}
