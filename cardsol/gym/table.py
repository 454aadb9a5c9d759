"""What is fixed for a game with its options: the actions, the spaces, and what each cell of an observation means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ..cards import DECKS
from ..game import choose_options
from ..registry import rules_of
from ..view import Seen, Shown, View

LARGEST = 2**53
"""The bound of each of the facts, up and down: whole numbers up to it are exact as a float64 too."""
SAMPLE_SEED = "0"
"""The deal that is looked at for the further keys of a game's view."""


class Table:
    """The fixed facts of a game with its options.

    Raises UnknownGame or BadOption, as `cardsol.deal` does. Copies and pickles are made anew from the name and
    the options, because a game may be a module.
    """

    def __init__(self, game: str, options: Mapping[str, str | int]) -> None:
        self.rules = rules = rules_of(game)
        self.apply, self.moves, self.is_won, self.score = rules.apply, rules.moves, rules.is_won, rules.score
        self.extra = rules.extra
        self.changes: Callable[[Any, str, Any], dict[str, Seen]] = getattr(
            rules, "changed_piles", self._all_seen
        )
        """What a player sees of the piles that a move changed, at least."""
        self.options = choose_options(rules, options)
        self.tokens: tuple[str, ...] = tuple(sorted(rules.grammar(self.options)))
        self.count = len(self.tokens)
        self.actions = {token: action for action, token in enumerate(self.tokens)}
        deck = DECKS[rules.DECK].cards
        self.cards: tuple[str, ...] = tuple(dict.fromkeys(deck))
        self.codes = {card: code for code, card in enumerate(self.cards, start=1)}
        self.ranks = {rank: place for place, rank in enumerate(DECKS[rules.DECK].ranks, start=1)}
        # Each card lies on one pile at any moment, so no pile ever holds more cards than the deck.
        self.shape = (len(rules.PILES), 1 + len(deck))
        self.extras = self._extras(deck)
        self.facts = ("score", "steps", *self.extras)

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.rules.NAME, self.options)

    def _extras(self, deck: tuple[str, ...]) -> tuple[str, ...]:
        """Returns the further keys of the view that have a number: an int or a rank."""
        extra = self.rules.extra(self.rules.deal(deck, self.options, SAMPLE_SEED))
        return tuple(key for key, value in extra.items() if isinstance(value, int) or value in self.ranks)

    def seen(self, state: Any) -> dict[str, Seen]:
        """Returns what a player sees of every pile."""
        return {name: (len(pile.down), pile.up) for name, pile in self.rules.piles(state).items()}

    def _all_seen(self, before: Any, token: str, after: Any) -> dict[str, Seen]:
        return self.seen(after)

    def observation_space(self) -> spaces.Dict:
        """Returns the space of observations: `board`, `facts` and `action_mask`."""
        high: npt.NDArray[np.int8] = np.full(self.shape, len(self.cards), np.int8)
        high[:, 0] = self.shape[1] - 1
        return spaces.Dict(
            {
                "board": spaces.Box(np.zeros(self.shape, np.int8), high, dtype=np.int8),
                "facts": spaces.Box(-LARGEST, LARGEST, (len(self.facts),), np.int64),
                "action_mask": spaces.MultiBinary(len(self.tokens)),
            }
        )

    def view(self, state: Any, legal: tuple[str, ...], made: int) -> View:
        """Returns what the player sees after `made` moves, without where the deck came from."""
        rules = self.rules
        won = rules.is_won(state)
        return View(
            game=rules.NAME,
            options=self.options,
            seed=None,
            pysol=None,
            piles={name: Shown(len(pile.down), pile.up) for name, pile in rules.piles(state).items()},
            score=rules.score(state),
            max=rules.max_score(self.options),
            status="won" if won else "playing" if legal else "lost",
            made=made,
            undone=0,
            undos=0,
            legal=legal,
            extra=rules.extra(state),
        )
