"""What the reference games share: cards, piles, and the loop over all tokens of the grammar."""

from __future__ import annotations

import copy
import hashlib
from abc import ABC, abstractmethod

Pile = dict[str, list[str]]
Facts = dict[str, int | str]

RANKS = "A23456789TJQK"

DECKS = {
    "standard": [rank + suit for suit in "CDHS" for rank in RANKS],
    "double": [rank + suit for suit in "CDHS" for rank in RANKS] * 2,
    "universal": [rank + suit for suit in "EJMNSV" for rank in "1234567MSG"],
}


def shuffle(deck_name: str, seed: str, round: int = 1) -> list[str]:
    """Deal a seed (README, Seeds)."""
    cards = list(DECKS[deck_name])
    text = f"cardsol-deal-1:{deck_name}:{round}:{seed}"
    stream = iter(hashlib.shake_256(text.encode("utf-8")).digest(10_000))
    for i in range(len(cards) - 1, 0, -1):
        byte = next(stream)
        while byte >= 256 - 256 % (i + 1):
            byte = next(stream)
        j = byte % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


class Game(ABC):
    """A game in play.

    Apart from the piles all that a game keeps is numbers and words, so that `copy` is easy.
    """

    DECK = "standard"
    #: Each option's values, the default first.
    OPTIONS: dict[str, tuple[str, ...]] = {}
    #: In the order of the the view.
    PILES: list[str] = []

    def __init__(self, deck: list[str], options: dict[str, str], seed: str | None) -> None:
        if sorted(deck) != sorted(DECKS[self.DECK]):
            raise ValueError("not the cards of this game's deck")
        self.options = {name: values[0] for name, values in self.OPTIONS.items()}
        for name, value in options.items():
            if value not in self.OPTIONS.get(name, ()):
                raise ValueError(f"no such option or value: {name}={value}")
            self.options[name] = value
        self.seed = seed
        self.tokens = self.express()
        self.pile: dict[str, Pile] = {}
        self.lay_out(deck)

    def lay_out(self, deck: list[str]) -> None:
        """Empty all piles, take the deck as the stock (its last card the next) and deal."""
        self.pile = {name: {"down": [], "up": []} for name in self.PILES}
        self.down("stock").extend(reversed(deck))
        self.deal()

    # What each game says for itself.

    @abstractmethod
    def express(self) -> list[str]:
        """Name every token of the grammar."""

    @abstractmethod
    def deal(self) -> None:
        """Deal from the stock (Deal)."""

    @abstractmethod
    def allowed(self, token: str) -> bool:
        """Say whether the rules let this token of the grammar be played."""

    @abstractmethod
    def carry_out(self, token: str) -> None:
        """Play an allowed token."""

    @abstractmethod
    def won(self) -> bool:
        """Say whether the game is won (Won)."""

    @abstractmethod
    def score(self) -> int:
        """Give the score (Score)."""

    def extra(self) -> Facts:
        """Give the further keys of the view."""
        return {}

    # What is the same for all.

    def down(self, name: str) -> list[str]:
        """Give the face-down cards of a pile, bottom to top."""
        return self.pile[name]["down"]

    def up(self, name: str) -> list[str]:
        """Give the face-up cards of a pile, bottom to top."""
        return self.pile[name]["up"]

    def empty(self, name: str) -> bool:
        """Say whether no card at all lies on the pile."""
        return not self.up(name) and not self.down(name)

    def next_card(self) -> str:
        """Take the next card from the stock."""
        return self.down("stock").pop()

    def turn_up(self, name: str) -> None:
        """Turn a face-down card that has become the top card of its column."""
        if self.down(name) and not self.up(name):
            self.up(name).append(self.down(name).pop())

    def grammar(self) -> list[str]:
        """Give every canonical token that the grammar can express under these options."""
        return list(self.tokens)

    def legal(self) -> list[str]:
        """Try every token of the grammar; a won game has no legal moves."""
        if self.won():
            return []
        return sorted(token for token in self.tokens if self.allowed(token))

    def play(self, token: str) -> None:
        """Make a move, or raise ValueError."""
        if token not in self.tokens:
            raise ValueError(f"no token of this game: {token}")
        if self.won() or not self.allowed(token):
            raise ValueError(f"not legal now: {token}")
        self.carry_out(token)

    def status(self) -> str:
        """Say won, lost or playing."""
        if self.won():
            return "won"
        return "playing" if self.legal() else "lost"

    def piles(self) -> dict[str, Pile]:
        """Give all cards of all piles, in the order of the view."""
        return copy.deepcopy(self.pile)

    def copy(self) -> Game:
        """Give a second game at the same point."""
        other = copy.copy(self)
        other.pile = {
            name: {side: list(cards) for side, cards in pile.items()} for name, pile in self.pile.items()
        }
        return other
