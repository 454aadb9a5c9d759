"""What a player knows of the deck, worked out from what the boards showed, and deals that agree with it.

The game is replayed on guessed decks: real decks of the game, with the cards not yet seen in the unknown places.
Where a guessed game shows a card from an unknown place, the board that the player saw tells which card lies there;
the guess is corrected and the game replayed. So a game needs nothing for hints but what `cardsol.rules.Rules` asks:
its state may be of any type, and its functions may look up any card. No hidden card gets in, for none is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from ..cards import DECKS, Card, Cards
from ..deals import GivenDecks
from ..errors import NoHint
from ..piles import Pile
from ..rules import Rules
from ..view import Shown, View
from .outlook import UNKNOWN, Seen

NO_SEED = "\0"
"""The text of a seed that is not known, which no seed has, and the beginning of an unknown card's name."""
REPLAYS = 2000
"""Guesses to try before a game counts as one that shows more than its deck explains."""
SPARE = 100
"""Sampled deals that may disagree with the board, beyond those asked for."""

Place = tuple[int, int]
"""A round, counted from 1, and a place in its deck, counted from 0 for the first card dealt."""
Known = Mapping[Place, Card]
Board = tuple[tuple[Shown, ...], tuple[tuple[str, "int | str"], ...]]
"""What lies on the piles, in the game's order, and the further facts of the view (the pass, the phase)."""


class Snapshot(NamedTuple):
    """What a player saw of one position."""

    board: Board
    score: int

    @classmethod
    def of(cls, view: View) -> Snapshot:
        """Returns what a view tells of the position."""
        return cls((tuple(view.piles.values()), tuple(view.extra.items())), view.score)

    @classmethod
    def of_state(cls, rules: Rules[Any], state: Any) -> Snapshot:
        """Returns what a player would see of a state."""
        piles = tuple(Shown(len(pile.down), pile.up) for pile in rules.piles(state).values())
        return cls((piles, tuple(rules.extra(state).items())), rules.score(state))


class Shows(NamedTuple):
    """What a guessed game shows; its unknown cards go by names that are no cards."""

    seen: Snapshot
    unknown: dict[str, Place]
    """The unknown cards that lie face up: name → place."""


class _Decks(dict[int, Cards]):
    """Decks by round, made when they are first dealt: known cards in their places, and the rest as `arrange` says."""

    def __init__(self, deck: str, known: Known, arrange: Callable[[list[Card]], list[Card]]) -> None:
        super().__init__()
        self.whole = DECKS[deck].cards
        self.known = known
        self.arrange = arrange

    def __missing__(self, round: int) -> Cards:
        here = {place: card for (nth, place), card in self.known.items() if nth == round}
        rest = self.arrange(unseen(self.whole, here.values()))
        if len(rest) + len(here) != len(self.whole):
            raise ValueError("a card is known to lie in more places than there are copies of it")
        fill = iter(rest)
        self[round] = tuple(here[i] if i in here else next(fill) for i in range(len(self.whole)))
        return self[round]


def unseen(whole: Sequence[Card], known: Iterable[Card]) -> list[Card]:
    """Returns the cards of a deck that are not among the known ones, sorted."""
    return sorted((Counter(whole) - Counter(known)).elements())


def unknown_seed(decks: _Decks) -> GivenDecks:
    """Returns what takes the place of the seed where these decks are dealt."""
    seed = GivenDecks(NO_SEED)
    seed.decks = decks
    return seed


class Start(NamedTuple):
    """Where replays of a guessed game begin, in place of the deal: before the move that dealt its latest round.

    So a game of many rounds is not replayed from its deal whenever a card is turned up.
    """

    states: tuple[Any, ...]
    decks: tuple[_Decks, ...]
    """The decks that the states deal later rounds from."""

    def on(self, decks: Sequence[_Decks]) -> tuple[Any, ...]:
        """Returns the same states, which deal later rounds from other decks."""
        return tuple(
            deepcopy(state, {id(old): new}) for state, old, new in zip(self.states, self.decks, decks)
        )


class Guess:
    """A game replayed on decks that may be the real one, as far as is known.

    There are as many decks as each card has copies. In each of them the unseen cards are turned on by one more place,
    so that the cards which a place has in all the decks mark this place alone, also where a card is there twice.
    """

    def __init__(
        self,
        rules: Rules[Any],
        options: Mapping[str, str],
        known: Known,
        path: Sequence[str],
        start: Start | None = None,
    ) -> None:
        """Deals, or begins at `start`, and replays; raises what the game raises where a wrong guess can't be played."""
        self.rules = rules
        self.known = known
        self.start = start
        self._decks = tuple(
            _Decks(rules.DECK, known, _turned(shift)) for shift in range(DECKS[rules.DECK].copies)
        )
        self.states = (
            start.on(self._decks)
            if start
            else tuple(rules.deal(decks[1], options, unknown_seed(decks)) for decks in self._decks)
        )
        self.path: list[str] = []
        """Moves that lead from the start to here; those that only came back to an earlier state are left out."""
        self._trail: list[Hashable] = []
        self._made: dict[Hashable, int] | None = {}
        self._marked: tuple[int, dict[Cards, Place]] | None = None
        self._note()
        for token in path:
            self.play(token)

    def play(self, token: str) -> None:
        """Makes a move."""
        before, rounds = self.states, len(self._decks[0])
        self.states = tuple(self.rules.apply(state, token) for state in self.states)
        if 0 < rounds < len(self._decks[0]):
            self._start_at(before, token)
        made = None if self._made is None else self._made.get(self.states)
        if self._made is None or made is None:
            self.path.append(token)
            self._note()
            return
        for states in self._trail[made + 1 :]:
            del self._made[states]
        del self._trail[made + 1 :], self.path[made:]

    def _start_at(self, before: tuple[Any, ...], token: str) -> None:
        """Begins later replays before this move, which has dealt a round, where the game can be replayed from there."""
        start = Start(before, self._decks)
        fresh = tuple(_Decks(self.rules.DECK, {}, decks.arrange) for decks in self._decks)
        with suppress(Exception):  # a state that can't be copied, or asks for a card: then from the deal
            for state in start.on(fresh):
                self.rules.apply(state, token)
        if all(fresh):
            self.start = start
            self.known = {place: card for place, card in self.known.items() if place[0] == self.latest}
            self.path, self._trail, self._made = [], [], {}
            after, self.states = self.states, before
            self._note()
            self.states = after

    def _note(self) -> None:
        """Notes after how many moves of the path this state came, where states can be hashed."""
        try:
            if self._made is not None:
                self._made[self.states] = len(self.path)
                self._trail.append(self.states)
        except TypeError:
            self._made = None

    def shows(self, *tokens: str) -> Shows:
        """Returns what the game shows after these moves; the guess itself stays where it is."""
        dealt = [*self._decks[0]]
        states: Sequence[Any] = self.states
        for token in tokens:
            states = [self.rules.apply(state, token) for state in states]
        shows = self._shown(states)
        for decks in self._decks:
            for round in decks.keys() - dealt:
                del decks[round]
        return shows

    def seen(self, options: Mapping[str, str], states: Sequence[Any] | None = None) -> Seen:
        """Returns what the player knows here, or of states that this guess came through since a card was turned up."""
        marks = self.marks()
        first, *others = (self.rules.piles(state) for state in states or self.states)
        piles: dict[str, Cards] = {}
        down: dict[str, int] = {}
        for name, pile in first.items():
            hidden = zip(pile.down, *(other[name].down for other in others))
            piles[name] = (*(UNKNOWN if mark in marks else mark[0] for mark in hidden), *pile.up)
            down[name] = len(pile.down)
        state = (states or self.states)[0]
        facts = self.rules.extra(state)
        return Seen(options, piles, down, facts, self.rules.score(state), self.unseen)

    @property
    def unseen(self) -> Cards:
        """The cards of the latest round that are not known, sorted."""
        known = [card for (nth, _), card in self.known.items() if nth == self.latest]
        return tuple(unseen(DECKS[self.rules.DECK].cards, known))

    def _shown(self, states: Sequence[Any]) -> Shows:
        marks = self.marks()
        first, *others = (self.rules.piles(state) for state in states)
        unknown: dict[str, Place] = {}
        piles = []
        for name, pile in first.items():
            up = list(pile.up)
            for i, mark in enumerate(zip(up, *(other[name].up for other in others))):
                if mark in marks and not self._may_be_known(mark, first):
                    place = marks[mark]
                    up[i] = name_of(place)
                    unknown[up[i]] = place
            piles.append(Shown(len(pile.down), tuple(up)))
        facts = tuple(self.rules.extra(states[0]).items())
        return Shows(Snapshot((tuple(piles), facts), self.rules.score(states[0])), unknown)

    def _may_be_known(self, mark: Cards, piles: Mapping[str, Pile]) -> bool:
        """Tells whether a mark is also that of a known place, which then explains all such cards that lie face up.

        That is so where all unseen cards are equal: the last one may have its like among the known ones.
        """
        if len(mark) == 1 or len(set(mark)) > 1:
            return False
        copies = [place for place, card in self.known.items() if card == mark[0] and place[0] == self.latest]
        return sum(pile.up.count(mark[0]) for pile in piles.values()) <= len(copies)

    def marks(self) -> dict[Cards, Place]:
        """Returns the unknown places of the latest round by the cards that they have in the guessed decks."""
        latest = self.latest
        if self._marked is None or self._marked[0] != latest:
            cards = list(zip(*(decks[latest] for decks in self._decks)))
            self._marked = latest, {cards[place]: (latest, place) for _, place in self.unknown}
        return self._marked[1]

    @property
    def unknown(self) -> list[Place]:
        """The places of the latest round's deck whose cards are not known."""
        places = [(self.latest, i) for i in range(len(self._decks[0][self.latest]))]
        return [place for place in places if place not in self.known]

    @property
    def settled(self) -> bool:
        """Whether every card is known: none is unseen, or those that are left are all the same card."""
        return len(set(self.unseen)) <= 1

    @property
    def latest(self) -> int:
        """The round whose deck was dealt last: what lies on the piles is of this deck."""
        return max(self._decks[0])


def _turned(shift: int) -> Callable[[list[Card]], list[Card]]:
    return lambda cards: cards[shift:] + cards[:shift]


def name_of(place: Place) -> str:
    """Returns the name that the card of an unknown place goes by."""
    return f"{NO_SEED}{place[0]}.{place[1]}"


class Knowledge:
    """Follows a game by its boards alone, and knows which cards they gave away."""

    def __init__(self, rules: Rules[Any], options: Mapping[str, str], seen: Snapshot) -> None:
        """Begins with the deal; raises NoHint where no deck of this game explains what is seen."""
        self.rules = rules
        self.options = options
        self.guess = self._explained({}, [], seen)

    def follow(self, token: str, seen: Snapshot) -> bool:
        """Takes note of a move and of the board after it; tells whether a card was seen for the first time."""
        try:
            self.guess.play(token)
        except Exception:  # the move may ask for the card that it turns up, which is guessed wrong
            self.guess = self._explained(self.guess.known, [*self.guess.path, token], seen, self.guess.start)
            return True
        shows = self.guess.shows()
        if shows.unknown or shows.seen != seen:
            self.guess = self._explained(self.guess.known, self.guess.path, seen, self.guess.start)
        return bool(shows.unknown)

    def _explained(
        self, known: Known, path: Sequence[str], seen: Snapshot, start: Start | None = None
    ) -> Guess:
        """Returns a guess that shows what was seen, with no unknown card face up."""
        found = self._search(known, path, seen, start, iter(range(REPLAYS)))
        if found is None:
            raise NoHint(f"hints can't follow {self.rules.NAME}: its boards show more than the deck explains")
        return found

    def _search(
        self,
        known: Known,
        path: Sequence[str],
        seen: Snapshot,
        start: Start | None,
        tries: Iterator[int],
    ) -> Guess | None:
        if next(tries, None) is None:
            return None
        try:
            guess = Guess(self.rules, self.options, known, path, start)
            shows = guess.shows()
        except Exception:  # whatever a game raises on a deck that is guessed wrong
            return None
        if not shows.unknown:
            return guess if shows.seen == seen else None
        for cards in _answers(shows, seen, known):
            found = self._search({**known, **cards}, path, seen, start, tries)
            if found is not None:
                return found
        return None

    def worlds(self, count: int, legal: Sequence[str]) -> Iterator[Any]:
        """Yields states that agree with all that was seen, drawn by what was seen alone.

        As long as nothing new is seen they are the same deals. Deals in which the board would be another one, or
        other moves legal, are left out.
        """
        guess, rules = self.guess, self.rules
        places = sorted(guess.unknown, key=name_of)
        rest = list(guess.unseen)
        names = [name_of(place) for place in places]
        chance = Random(repr((rules.NAME, sorted(self.options.items()), names, rest)))
        later = Random(repr(names))
        seen = guess.shows().seen
        left = count
        for _ in range(count + SPARE):
            if not left:
                return
            chance.shuffle(rest)
            state = self._dealt({**guess.known, **dict(zip(places, rest))}, later)
            if state is not None and self._agrees(state, seen, legal):
                left -= 1
                yield state

    def _dealt(self, known: Known, later: Random) -> Any | None:
        """Returns the state that the path leads to in a deal; None where it is no path in that deal."""
        decks = _Decks(self.rules.DECK, known, lambda cards: later.sample(cards, len(cards)))
        start = self.guess.start
        try:
            state = (
                start.on([decks])[0]
                if start
                else self.rules.deal(decks[1], self.options, unknown_seed(decks))
            )
            for token in self.guess.path:
                state = self.rules.apply(state, token)
        except Exception:  # the path may need a card that lies elsewhere in this deal
            return None
        return state

    def _agrees(self, state: Any, seen: Snapshot, legal: Sequence[str]) -> bool:
        return Snapshot.of_state(self.rules, state) == seen and sorted(self.rules.moves(state)) == [*legal]


def _answers(shows: Shows, seen: Snapshot, known: Known) -> Iterator[dict[Place, Card]]:
    """Yields what the unknown cards may be: what lies in their places on the seen board, with exceptions after that.

    The exceptions are for games in which a card that is turned up moves by itself, and so is seen elsewhere.
    """
    here: dict[Place, Card] = {}
    for guessed, pile in zip(shows.seen.board[0], seen.board[0]):
        for name, card in zip(guessed.up, pile.up):
            if name in shows.unknown:
                here[shows.unknown[name]] = card
    yield here
    places = sorted(shows.unknown.values())
    up = Counter(card for pile in seen.board[0] for card in pile.up)
    new = sorted(up - Counter(card for (nth, _), card in known.items() if nth == places[0][0]))
    exceptions = [(place, card) for place in places for card in new if here.get(place) != card]
    for place, card in exceptions:
        others = {other: there for other, there in here.items() if other != place and there != card}
        yield {**others, place: card}
    for place, card in exceptions if len(places) > 1 else ():
        yield {place: card}
