"""What `move --dry-run` shows: the outcome as far as the player can know it before making the moves.

A card that a move turns up stays hidden, and so does all that depends on it: the moves that would be legal
then, and whether the next move can be made.
"""

from __future__ import annotations

from typing import NamedTuple

from ..cards import HIDDEN
from ..errors import IllegalMove
from ..game import Game
from ..moves import Move
from ..view import Shown, View
from .moving import in_words


class Preview(NamedTuple):
    """The outcome of some moves: the game after them, and the moves in words."""

    game: Game
    told: str
    known: dict[str, int] | None = None
    """Pile → how many of its face-up cards were known before the last move; None where it turned none up."""
    untried: int = 0
    """How many words were left untried after a move that turned a card up."""

    def view(self, hide_seed: bool) -> View:
        """Returns the view with the cards that were turned up hidden, and then without legal moves."""
        view = self.game.view(hide_seed)
        if self.known is None:
            return view
        status = "won" if view.status == "won" else "playing"
        piles = {name: _hidden(pile, self.known[name]) for name, pile in view.piles.items()}
        return view._replace(piles=piles, legal=(), status=status)


def preview(game: Game, words: list[str]) -> Preview:
    """Makes the moves on a copy up to the first that turns a card up. Raises as `Game.play`."""
    from .. import notation

    before, game = game, game.copy()
    notation.check_all(game, words)
    for step, word in enumerate(words, start=1):
        old = game.view()
        try:
            token = notation.resolve(game, word)
        except IllegalMove as error:
            raise notation.helped(game, word, error).at(step, len(words)) from None
        move = game.rules.explain(old, token)
        game.push(token)
        new = game.view()
        known = {name: _known(old.piles[name], pile, name, move) for name, pile in new.piles.items()}
        if any(known[name] < len(pile.up) for name, pile in new.piles.items()):
            return Preview(game, _told(before, game), known, len(words) - step)
    return Preview(game, _told(before, game))


def _told(before: Game, after: Game) -> str:
    return in_words(before, after.moves[len(before.moves) :])


def _known(old: Shown, new: Shown, name: str, move: Move) -> int:
    """Returns how many face-up cards of a pile were known before a move.

    They are those that the move, as it is explained, leaves there and puts on or under them. Where other cards lie
    in their places, as after a redeal, none is.
    """
    left = old.up[: max(0, len(old.up) - len(move.cards))] if name == move.source else old.up
    put = move.cards if name == move.target else ()
    due = len(left) + len(put)
    return due if new.up[:due] in (left + put, put + left) else 0


def _hidden(pile: Shown, known: int) -> Shown:
    """Returns a pile with `--` for each face-up card after the first `known`."""
    return Shown(pile.down, pile.up[:known] + (HIDDEN,) * (len(pile.up) - known))
