"""A quick game of Universal, played to its end as a careful player would who does not know what comes."""

from __future__ import annotations

from random import Random

from ...games.universal import COLUMNS, GOES_ON, HEADS, State
from ...solve.universal import CARDS, SUITS

NUMBER = {card: number for number, card in enumerate(CARDS)}
NONE = len(CARDS)
"""Stands for the last card of an empty column."""
BIT = tuple(1 << number for number in range(NONE + 1))
TAKERS = tuple(sum(BIT[NUMBER.get(taker, NONE)] for taker in GOES_ON[card]) for card in CARDS)
"""What each card may be put on, as bits."""

Action = tuple[int, int]
"""From a column or the waste, to a column, the bar, or behind a head; a draw goes from STOCK to the waste."""
WASTE, BAR, STOCK = 6, 6, 7
BEHIND = 10
TARGET = {name: place for place, name in [*enumerate((*COLUMNS, "f")), *enumerate(HEADS, BEHIND)]}


class Play:
    """A game in lists of numbers, the next card of the stock last."""

    def __init__(self, state: State) -> None:
        self.down = [[NUMBER[card] for card in column.down] for column in state.columns]
        self.runs = [[NUMBER[card] for card in column.up] for column in state.columns]
        self.stock = [NUMBER[card] for card in reversed(state.stock)]
        self.waste = [NUMBER[card] for card in state.waste]
        self.next = [SUITS * len(cards) + suit for suit, cards in enumerate(state.bar)]
        """For each suit the card that goes up next."""
        self.draw, self.nth_pass = state.draw, state.nth_pass

    def copy(self) -> Play:
        new = Play.__new__(Play)
        new.down = [[*down] for down in self.down]
        new.runs = [[*run] for run in self.runs]
        new.stock, new.waste, new.next = [*self.stock], [*self.waste], [*self.next]
        new.draw, new.nth_pass = self.draw, self.nth_pass
        return new

    def shuffled(self, chance: Random) -> Play:
        """Returns a copy with what was never seen in another order."""
        new = self.copy()
        unseen = [card for down in self.down for card in down]
        if self.nth_pass == 1:
            unseen += self.stock
        chance.shuffle(unseen)
        for down in new.down:
            down[:] = [unseen.pop() for _ in down]
        new.stock = unseen or new.stock
        return new

    def run(self) -> int:
        """Plays to the end and returns the number of cards on the bar."""
        while (action := self.choice()) is not None:
            self.make(action)
        return sum(card // SUITS for card in self.next)

    def choice(self) -> Action | None:
        """Chooses what brings a card up, turns one, joins two runs, rids the waste of one; a draw comes last."""
        runs, down, wanted = self.runs, self.down, self.next
        ends = 0
        for i, run in enumerate(runs):
            if run:
                card = run[-1]
                if wanted[card % SUITS] == card:
                    return i, BAR
                ends |= BIT[card]
            else:
                ends |= BIT[NONE]
        if self.waste:
            card = self.waste[-1]
            if wanted[card % SUITS] == card:
                return WASTE, BAR
        best, most = -1, -1
        for i, run in enumerate(runs):
            if run and len(down[i]) > most and TAKERS[run[0]] & ends and (down[i] or run[0] < NONE - SUITS):
                best, most = i, len(down[i])
        if best >= 0:
            return best, self.taker(runs[best][0])
        if self.waste:
            if TAKERS[card] & ends:
                return WASTE, self.taker(card)
            for i, run in enumerate(runs):
                if run and not down[i] and TAKERS[run[0]] & BIT[card]:
                    return WASTE, BEHIND + i
        if self.stock or (self.waste and self.nth_pass < self.draw):
            return STOCK, WASTE
        return None

    def taker(self, card: int) -> int:
        """Returns the first column that takes a card."""
        takers = TAKERS[card]
        for i, run in enumerate(self.runs):
            if takers & BIT[run[-1] if run else NONE]:
                return i
        raise ValueError(card)

    def make(self, action: Action) -> None:
        source, target = action
        if source == STOCK:
            if not self.stock:
                self.stock, self.waste, self.nth_pass = self.waste[::-1], [], self.nth_pass + 1
            self.waste += self.stock[: -self.draw - 1 : -1]
            del self.stock[-self.draw :]
            return
        if source == WASTE:
            cards = [self.waste.pop()]
        elif target == BAR:
            cards = [self.runs[source].pop()]
        else:
            cards, self.runs[source] = self.runs[source], []
        if target == BAR:
            self.next[cards[0] % SUITS] += SUITS
        elif target >= BEHIND:
            self.runs[target - BEHIND].insert(0, cards[0])
        else:
            self.runs[target] += cards
        if source < WASTE and not self.runs[source] and self.down[source]:
            self.runs[source].append(self.down[source].pop())


def action_of(token: str) -> Action:
    """Returns the action that a token stands for."""
    if token == "draw":
        return STOCK, WASTE
    source, _, target = token.partition("-")
    return WASTE if source == "w" else TARGET[source], TARGET[target]
