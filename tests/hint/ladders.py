"""Small games as plug-ins bring them: states that are no tuples, cards as numbers, cards that move by themselves.

All are one game, a ladder: three columns, two of their three cards face down; the last card of a column goes to the
waste if it is one rank above or below the top card there. What they differ in is told where each is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardsol.board import Row
from cardsol.cards import DECKS, Cards
from cardsol.deals import shuffled
from cardsol.moves import Move, TokenForm
from cardsol.piles import Pile
from cardsol.view import View

COLUMNS = ("t1", "t2", "t3")
STOCK = 20


@dataclass(frozen=True, slots=True)
class State:
    """Cards as places in the sorted deck."""

    stock: tuple[int, ...]
    waste: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    gone: tuple[int, ...]
    round: int
    seed: str | None


@dataclass(frozen=True, eq=False)
class Box:
    """A state that no other equals."""

    state: State


class Ladder:
    """A game module as an object."""

    TITLE = "Ladder"
    OPTIONS: Mapping[str, Mapping[str, str]] = {}
    PILES = ("stock", "waste", *COLUMNS, "gone", "rest")
    LONG_NAMES: Mapping[str, tuple[str, ...]] = {}
    ABOUT = "A ladder."
    TOKEN_FORMS = (TokenForm("turn", "turns a card", "--seed 1", "turn"),)
    NOT_PLAYED = ()
    SOURCE = "the tests"

    def __init__(
        self,
        name: str,
        deck: str = "standard",
        *,
        aces: bool = False,
        rounds: bool = False,
        peek: bool = False,
    ) -> None:
        self.NAME = name
        self.DECK = deck
        self.cards = DECKS[deck].cards
        self.number = {card: i for i, card in reversed(list(enumerate(self.cards)))}
        self.aces, self.rounds, self.peek = aces, rounds, peek

    def deal(self, deck: Cards, options: Mapping[str, str], seed: str | None) -> State:
        return self._aces_go(self._lay_out(deck, 1, seed, ()))

    def _lay_out(self, deck: Cards, round: int, seed: str | None, gone: tuple[int, ...]) -> State:
        numbers = [self.number[card] for card in deck]
        columns = tuple(tuple(numbers[i:9:3]) for i in range(3))
        later = seed if self.rounds else None
        return State(tuple(numbers[10:]), (numbers[9],), columns, gone, round, later)

    def _aces_go(self, state: State) -> State:
        """Where Aces go by themselves, takes each away that is turned up."""
        if self.aces:
            for i, column in enumerate(state.columns):
                while column and self._rank(column[-1]) == 0:
                    state = replace(state, gone=(*state.gone, column[-1]))
                    column = column[:-1]
                state = replace(state, columns=(*state.columns[:i], column, *state.columns[i + 1 :]))
        return state

    def _rank(self, number: int) -> int:
        deck = DECKS[self.DECK]
        return deck.ranks.index(self.cards[number][0])

    def grammar(self, options: Mapping[str, str]) -> frozenset[str]:
        return frozenset({"turn", *COLUMNS})

    def moves(self, state: State, source: str | None = None) -> list[str]:
        if self.is_won(state):
            return []
        found = ["turn"] if len(state.stock) > len(self.cards) - 10 - STOCK else []
        for name, column in zip(COLUMNS, state.columns):
            if column and abs(self._rank(column[-1]) - self._rank(state.waste[-1])) in (1, 12):
                found.append(name)
        return [token for token in found if source in (None, token)]

    def apply(self, state: State, token: str) -> State:
        if token == "turn":
            return replace(state, stock=state.stock[1:], waste=state.waste + state.stock[:1])
        i = COLUMNS.index(token)
        column = state.columns[i]
        columns = (*state.columns[:i], column[:-1], *state.columns[i + 1 :])
        after = self._aces_go(replace(state, columns=columns, waste=state.waste + column[-1:]))
        if self.rounds and not any(after.columns) and state.seed is not None:
            deck = shuffled(self.DECK, state.seed, state.round + 1)
            return self._lay_out(deck, state.round + 1, state.seed, ())
        return after

    def is_won(self, state: State) -> bool:
        return not any(state.columns)

    def score(self, state: State) -> int:
        return 9 * state.round - sum(map(len, state.columns))

    def max_score(self, options: Mapping[str, str]) -> int | None:
        return None if self.rounds else 9

    def piles(self, state: State) -> dict[str, Pile]:
        def faces(numbers: tuple[int, ...]) -> Cards:
            return tuple(self.cards[number] for number in numbers)

        columns = {
            name: Pile(faces(column[:-1]), faces(column[-1:])) for name, column in zip(COLUMNS, state.columns)
        }
        loose = {"stock": Pile(faces(state.stock[::-1])), "waste": Pile(up=faces(state.waste))}
        return {**loose, **columns, "gone": Pile(up=faces(state.gone)), "rest": Pile()}

    def extra(self, state: State) -> dict[str, int | str]:
        return {"next": self.cards[state.stock[0]]} if self.peek else {"round": state.round}

    def explain(self, view: View, token: str) -> Move:
        if token == "turn":
            return Move(token, "draw", "stock", "waste", (), None, "turns a card")
        return Move(token, "climb", token, "waste", view.piles[token].up, None, f"climbs from {token}")

    def why_not(self, view: View, token: str) -> str:
        return "it does not fit"

    def board(self, view: View) -> list[Row]:
        return [[(2, " ".join(view.piles["waste"].up[-3:]))]]

    def describe(self, view: View, pile: str) -> str:
        return " ".join(view.piles[pile].up) or "empty"


class Boxed(Ladder):
    """The same with states that are never equal: no state is one that the game has had before."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.inner = Ladder(name)

    def deal(self, deck: Cards, options: Mapping[str, str], seed: str | None) -> Any:
        return Box(self.inner.deal(deck, options, seed))

    def moves(self, state: Any, source: str | None = None) -> list[str]:
        return self.inner.moves(state.state, source)

    def apply(self, state: Any, token: str) -> Any:
        return Box(self.inner.apply(state.state, token))

    def is_won(self, state: Any) -> bool:
        return self.inner.is_won(state.state)

    def score(self, state: Any) -> int:
        return self.inner.score(state.state)

    def piles(self, state: Any) -> dict[str, Pile]:
        return self.inner.piles(state.state)

    def extra(self, state: Any) -> dict[str, int | str]:
        return self.inner.extra(state.state)


single = Ladder("ladder")
double = Ladder("ladder-double", "double")
aces = Ladder("ladder-aces", aces=True)
rounds = Ladder("ladder-rounds", rounds=True)
boxed = Boxed("ladder-boxed")
peek = Ladder("ladder-peek", peek=True)

ENTRY_POINTS = """\
[cardsol.games]
ladder = ladders:single
ladder-double = ladders:double
ladder-aces = ladders:aces
ladder-rounds = ladders:rounds
ladder-boxed = ladders:boxed
ladder-peek = ladders:peek
"""
