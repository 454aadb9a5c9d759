"""A good next move from what a player has seen, and nothing else.

The adviser is given a `History`: the views of a game without its seed, and the moves between them. It replays them on a
deck of unknown cards, which it fills in as the views show them; so what was seen once is known, a recycled stock
for one. The cards that are left over are dealt to the unknown places at random, many times: worlds that agree with
all that was seen (a Monte Carlo method, known from bridge programs). In each world each move is judged by a
playout with all cards seen, and the move with the best prospects over all worlds is advised.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice
from random import Random
from typing import Any, NamedTuple

from ..cards import DECKS, Card
from ..deals import UNKNOWN, shuffled
from ..errors import NoHint
from ..game import Game
from ..registry import rules_of
from ..rules import Rules
from ..solve import model_of, winning_line
from ..solve.model import Model
from ..view import View
from .policies import judge

WORLDS = 256
SURE = 4
"""Worlds that must agree that a move is safe."""
MARGIN = 0.04
"""By how much a move must be worth more than the one that looks best at once: worlds are few, and luck is not skill."""
PATIENCE, LONGEST = 12, 300
"""Moves that neither draw nor turn a card nor score: after so many the others come first, after so many hints end."""
STATES_A_WORLD = 100
"""Where no card is unknown any more, a search takes so many states for each world that was asked for."""

Piles = tuple[tuple[int, tuple[Card, ...]], ...]
Seen = tuple[Piles, tuple[tuple[str, int | str], ...]]
"""What a player sees, as a key: the piles, and what else the view tells (the pass, the phase)."""


class History(NamedTuple):
    """What a player has seen: the views from the deal to now, without seed, and the moves between them."""

    views: tuple[View, ...]
    moves: tuple[str, ...]


class Candidate(NamedTuple):
    """A move and its prospects: 1 where it wins in every sampled world, 0 where nothing speaks for it."""

    token: str
    value: float
    won: int
    """Worlds in which a win was found."""


class Hint(NamedTuple):
    """The move that is advised, why, and what was thought of the others, best first."""

    token: str
    reason: str
    candidates: tuple[Candidate, ...]


def history_of(game: Game) -> History:
    """Returns what the player of a game has seen so far."""
    views = [game.rewound(made).view(hide_seed=True) for made in range(len(game.moves) + 1)]
    return History(tuple(views), game.moves)


def hint(history: History, worlds: int = WORLDS, seconds: float | None = None) -> Hint:
    """Returns a good next move; equal histories and numbers of worlds give equal hints.

    `seconds` only cuts the work short, after one world at the least. Raises NoHint where the game is over,
    every move leads to a position that the history already had, or `LONGEST` moves have brought nothing.
    """
    player = Adviser(history.views[0])
    for token, view in zip(history.moves, history.views[1:]):
        player.follow(token, view)
    return player.hint(worlds, seconds)


class Adviser:
    """Follows a game from its first view, and advises at any moment; each move seen costs little."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.rules: Rules[Any] = rules_of(view.game)
        self.moves: list[str] = []
        self.had: set[Seen] = {_key(view)}
        self.alike: set[Seen] = {_alike(_key(view))}
        self.idle = 0
        """How many of the last moves neither drew nor turned a card nor scored."""
        unknown = shuffled(self.rules.DECK, UNKNOWN)
        # Dealt twice: what the deal itself turns up may decide more than where the card lies (a base rank).
        guess = self.rules.deal(unknown, view.options, UNKNOWN)
        known = self._seen(guess, view)
        self.state = self.rules.deal(tuple(known.get(card, card) for card in unknown), view.options, UNKNOWN)

    def follow(self, token: str, view: View) -> None:
        """Takes note of a move and of what it showed."""
        self.idle = 0 if self._brings(token) else self.idle + 1
        after = self.rules.apply(self.state, token)
        self.state = _filled(after, self._seen(after, view))
        self.moves.append(token)
        self.had.add(_key(view))
        self.alike.add(_alike(_key(view)))
        self.view = view

    def hint(self, worlds: int = WORLDS, seconds: float | None = None) -> Hint:
        """Returns a good next move; raises NoHint."""
        if self.view.status != "playing":
            raise NoHint(f"the game is {self.view.status}: there is no move to hint at")
        shown = {token: self._shown(token) for token in self.view.legal}
        fresh = [token for token in shown if shown[token] not in self.had]
        if not fresh:
            raise NoHint("every move leads back to a position that the game has had")
        if self.idle >= LONGEST:
            raise NoHint(f"the last {self.idle} moves have neither drawn nor turned a card nor scored")
        fresh = [token for token in fresh if _alike(shown[token]) not in self.alike] or fresh
        if len(fresh) == 1:
            only = "the only move" if len(self.view.legal) == 1 else "the only move to a new position"
            return Hint(fresh[0], f"{self._words(fresh[0])}; {only}", (Candidate(fresh[0], 0.0, 0),))
        return self._judged(fresh, worlds, seconds)

    def worlds(self, count: int) -> Iterator[Any]:
        """Yields states of the game that agree with all that was seen, drawn by what was seen alone.

        As long as nothing new is seen they stay the same worlds, so that one plan is followed.
        """
        unknown = sorted(_unknown(self.state))
        lying = Counter(
            card for pile in self.rules.piles(self.state).values() for card in (*pile.down, *pile.up)
        )
        unseen = sorted((Counter(DECKS[self.rules.DECK].cards) - lying).elements())
        chance = Random(repr((self.rules.NAME, sorted(self.view.options.items()), unknown, unseen)))
        for _ in range(count):
            chance.shuffle(unseen)
            yield _filled(self.state, dict(zip(unknown, unseen)))

    def _judged(self, fresh: Sequence[str], worlds: int, seconds: float | None) -> Hint:
        """Judges the moves in world after world, unless one is safe in all of the first few."""
        if not any(_unknown(self.state)):
            line = winning_line(self.rules, self.state, worlds * STATES_A_WORLD)
            if line and line[0] in fresh:
                reason = f"{self._words(line[0])}; every card is known, and this wins"
                return Hint(line[0], reason, (Candidate(line[0], 1.0, 1),))
            worlds = 1
        if self.idle >= PATIENCE:
            fresh = [token for token in fresh if self._brings(token)] or self._narrowest(fresh)
        start = time.monotonic()
        states = self.worlds(worlds)
        models = [model_of(self.rules, state) for state in islice(states, SURE)]
        safe = {_safe(model) for model in models}
        if len(safe) == 1 and safe <= set(fresh):
            token = safe.pop()
            return Hint(token, f"{self._words(token)}; it can only help", (Candidate(token, 0.0, 0),))
        tallies: dict[str, list[float]] = {}
        done = 0
        for model in chain(models, (model_of(self.rules, state) for state in states)):
            for token, judged in judge(self.rules, model, fresh).items():
                tally = tallies.setdefault(token, [0.0, 0.0, 0.0])
                tallies[token] = [total + more for total, more in zip(tally, judged)]
            done += 1
            if seconds is not None and time.monotonic() - start >= seconds:
                break
        return self._best(tallies or {token: [0.0, 0.0, 0.0] for token in fresh}, done)

    def _best(self, tallies: Mapping[str, Sequence[float]], worlds: int) -> Hint:
        """Picks the move of most value; one that looks less good at once has to be better by a margin."""
        liked = max(prior for _, _, prior in tallies.values())

        def order(token: str) -> tuple[float, float, str]:
            value, _, prior = tallies[token]
            return -value - MARGIN * worlds * (prior == liked), -prior, token

        best = min(tallies, key=order)
        ranked = sorted(tallies, key=lambda token: (token != best, -tallies[token][0], token))
        candidates = tuple(
            Candidate(token, tallies[token][0] / worlds, int(tallies[token][1])) for token in ranked
        )
        return Hint(best, self._reason(candidates[0], worlds), candidates)

    def _reason(self, best: Candidate, worlds: int) -> str:
        sampled = "1 sampled world" if worlds == 1 else f"{worlds} sampled worlds"
        if best.won:
            return f"{self._words(best.token)}; won in {best.won} of {sampled}"
        return f"{self._words(best.token)}; looks best in {sampled}"

    def _brings(self, token: str) -> bool:
        """Tells whether a move draws, turns a card or scores."""
        after = self.rules.apply(self.state, token)
        if token == "draw" or self.rules.score(after) > self.rules.score(self.state):
            return True
        return any(_is_unknown(card) for pile in self.rules.piles(after).values() for card in pile.up)

    def _narrowest(self, fresh: Sequence[str]) -> list[str]:
        """Returns the moves that leave the fewest ways to new positions: cards that only go to and fro end so."""
        ways = {token: self._ways(token) for token in fresh}
        return [token for token in fresh if ways[token] == min(ways.values())]

    def _ways(self, token: str) -> int:
        after = self.rules.apply(self.state, token)
        boards = (self._board(self.rules.apply(after, next_)) for next_ in self.rules.moves(after))
        return sum(board not in self.had for board in boards)

    def _words(self, token: str) -> str:
        return self.rules.explain(self.view, token).text

    def _shown(self, token: str) -> Seen:
        """Returns what the board will show after a move."""
        return self._board(self.rules.apply(self.state, token))

    def _board(self, state: Any) -> Seen:
        piles = tuple((len(pile.down), pile.up) for pile in self.rules.piles(state).values())
        return piles, tuple(self.rules.extra(state).items())

    def _seen(self, state: Any, view: View) -> dict[Card, Card]:
        """Returns which cards the face-up unknown ones of a state are, by the view of it."""
        piles = self.rules.piles(state)
        pairs = (pair for name, shown in view.piles.items() for pair in zip(piles[name].up, shown.up))
        return {unknown: card for unknown, card in pairs if unknown != card}


def _safe(model: Model[Any, Any]) -> str:
    """Returns the move that the model proves to be as good as any, or no token."""
    forced = model.forced(model.start)
    return "" if forced is None else model.tokens([forced[0]])[0]


def _key(view: View) -> Seen:
    return tuple((pile.down, pile.up) for pile in view.piles.values()), tuple(view.extra.items())


def _alike(shown: Seen) -> Seen:
    """Returns what boards have in common that differ in where their piles lie only: seldom news to a player."""
    piles, rest = shown
    return tuple(sorted(piles)), rest


def _is_unknown(value: object) -> bool:
    return isinstance(value, str) and value.startswith(UNKNOWN) and value != UNKNOWN


def _unknown(value: Any) -> Iterator[str]:
    """Yields the unknown cards of a state, which is made of tuples all the way down."""
    if isinstance(value, tuple):
        for part in value:
            yield from _unknown(part)
    elif _is_unknown(value):
        yield value


def _filled(value: Any, cards: Mapping[str, str]) -> Any:
    """Returns a state with unknown cards replaced."""
    if not cards:
        return value
    if isinstance(value, tuple):
        parts = [_filled(part, cards) for part in value]
        make: Callable[[list[Any]], Any] = getattr(type(value), "_make", tuple)
        return make(parts)
    return cards.get(value, value) if isinstance(value, str) else value
