"""What `move --dry-run` shows: the outcome as far as the player can know it before making the moves.

A card that a move turns up stays hidden, and so does all that depends on it: the moves that would be legal
then, and whether the next move can be made.
"""

from __future__ import annotations

from typing import NamedTuple

from ..cards import HIDDEN
from ..errors import IllegalMove
from ..game import Game
from ..text import counted
from ..view import Shown, View
from .moving import in_words


class _Tracked(str):
    """A card of which it is known which one it is: equal cards of a double deck are different objects."""


class Preview(NamedTuple):
    """The outcome of some moves: the game, which cards in it were seen before, what is told above and below."""

    game: Game
    seen: frozenset[int] | None
    """The ids of the cards that were face up before the last move; None where that move turned none up."""
    told: str
    notes: tuple[str, ...] = ()

    def view(self, hide_seed: bool) -> View:
        """Returns the view with the cards that were turned up hidden, and then without legal moves."""
        view = self.game.view(hide_seed)
        if self.seen is None:
            return view
        status = "won" if view.status == "won" else "playing"
        piles = {name: _hidden(pile, self.seen) for name, pile in view.piles.items()}
        return view._replace(piles=piles, legal=(), status=status)


def preview(game: Game, words: list[str]) -> Preview:
    """Makes the moves on a copy up to the first that turns a card up. Raises as `Game.play`."""
    from .. import notation

    game = _tracked(game)
    before = game.copy()
    for word in words:
        if not game.is_token(word):
            notation.check(game, word)
    made: list[str] = []
    for step, word in enumerate(words, start=1):
        seen = _face_up(game)
        try:
            token = notation.resolve(game, word)
            game.push(token)
        except IllegalMove as error:
            raise notation.helped(game, word, error).at(step, len(words)) from None
        made.append(token)
        if _face_up(game) - seen:
            left = len(words) - step
            notes: tuple[str, ...] = (
                "a card that the move turns up stays hidden: move without --dry-run shows it",
            )
            if left:
                after = f"{counted(left, 'word')} after {token} not tried: what is legal depends on that card"
                notes = (*notes, after)
            return Preview(game, seen, in_words(before, tuple(made)), notes)
    return Preview(game, None, in_words(before, tuple(made)))


def _tracked(game: Game) -> Game:
    """Returns the same game, dealt from cards that are each an object of their own."""
    deck = tuple(_Tracked(card) for card in game.deck)
    new = Game(game.rules, game.options, deck, seed=game.seed, pysol=game.pysol)
    for token in game.moves:
        new.push(token)
    new.undos = game.undos
    return new


def _face_up(game: Game) -> frozenset[int]:
    """Returns which cards lie face up; one that a game made anew counts as not seen before."""
    return frozenset(id(card) for pile in game.piles().values() for card in pile.up)


def _hidden(pile: Shown, seen: frozenset[int]) -> Shown:
    """Returns a pile with `--` for each face-up card that is not in `seen`."""
    return Shown(pile.down, tuple(card if id(card) in seen else HIDDEN for card in pile.up))
