"""Which wastes of Vanishing Cross can still be laid out: a relaxed game that is gone through in a moment.

Where every pile of the cross is a built run, as in every game from a deal, what the cross can hold is seen from the
ranks alone. So the relaxed game forgets how the cards lie in the cross. Only the waste stays as strict as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

KING = 13
SQUARES = 5
FIELD = 5
"""Bits for the number of cards of a rank, the Aces in the lowest: such a number is called counts."""
MOST = (1 << FIELD) - 1
SHIFTS = range(FIELD * (KING - 1), -1, -FIELD)
NODES = 200
"""How many wastes a question may go through; beyond that nothing is proved."""
PATIENCE = 5_000
"""How many wastes the question may go through which card it is that gets stuck."""
Held = tuple[int, int, list[int]]
"""Of a suit, as counts: what must lie in the cross, what may, and what does by the number of cards up."""


def fewest_piles(least: int, most: int) -> int:
    """Returns how few built piles hold cards if each rank has at least and at most so many of them.

    Lemma (heads). Cards of which n(r) have rank r lie in no fewer built piles than the sum of n(r) − n(r + 1) over
    the ranks where that is positive, with no card above the Kings. Proof. In a built pile a card lies on one of the
    next rank, or is the lowest of its pile. At most n(r + 1) cards of rank r lie on another. Each of the others is
    the lowest of a pile. With a range for each n(r) the sum is least if from the Kings down each n(r) is the number
    in its range that is nearest to n(r + 1): a rise costs the same at whatever rank it is made.
    """
    piles = above = 0
    for shift in SHIFTS:
        low = least >> shift & MOST
        if above < low:
            piles += low - above
            above = low
        else:
            above = min(above, most >> shift & MOST)
    return piles


class Wastes:
    """All wastes that can come of one order of the cards that do not lie in the cross.

    A waste is a set of places in that order, as bits. The time is the number of cards that have left the stock.

    Lemma (waste). If no line of the relaxed game takes its waste from here to an empty one at the end of the stock,
    no line of the game wins. In the relaxed game the next card of the stock goes onto the waste or to the rest, and
    the last card of the waste goes to the rest. The rest are the cards of the cross and those that are up. At each
    moment they must fit: the cards of each suit can be parted so that the lowest ones are up, and the others need
    no more than five built piles. Proof. Leave out of a winning line what moves no card of waste and stock. Each
    move left is a move of the relaxed game. It fits, since in the game the piles of the cross are built runs, at
    most five, and the corners hold the lowest cards of their suits. At the end all cards are up, so the waste is
    empty and the stock is gone. (A card turned up that has not been placed counts as the first of the stock.)

    Lemma (return). Whether the last card of a waste can ever go is settled by the moments at which that waste can
    lie there alone, with what came onto it gone again. From such a moment it lasts while it fits; to last beyond a
    moment at which it does not, a card must have come onto it before and left it after. Proof. A waste is a stack:
    between two moments at which it is the same, either no card came onto it, or the first that came onto it has
    left it. So only the wastes one higher have to be asked, and those only for moments that are still missing.
    """

    def __init__(
        self, cross: Sequence[int], order: Sequence[int], base: int, count: Callable[[], object] = int
    ) -> None:
        """Takes cards as 13 × suit + rank counted from the base, and the base as 0 for an Ace.

        `cross` are the cards in the cross, `order` those of the waste, then of the stock in the order of drawing;
        all others are up. `count` is called for each waste and moment that is looked at.
        """
        self.end = len(order)
        self.count = count
        places = dict.fromkeys(cross, 0) | {card: 1 << place for place, card in enumerate(order)}
        self.suits = [
            [
                (places[card], 1 << FIELD * ((base + card) % KING))
                for card in range(KING * suit, KING * suit + KING)
                if card in places
            ]
            for suit in range(4)
        ]
        """Of each suit the cards that are not up from the start, lowest first: the place as a bit, 0 in the cross, and
        the card's rank as counts."""
        self.masks = [sum(place for place, _ in cards) for cards in self.suits]
        self._held_known: list[dict[int, Held]] = [{}, {}, {}, {}]
        self._few_known: dict[tuple[int, int], bool] = {}
        self._times_known: dict[int, int] = {}
        self._answers: dict[tuple[int, int], bool] = {}
        self._left = 0
        self._last = [0, 0, 0, 0]

    def may_empty(self, waste: int, time: int) -> bool:
        """Tells whether a line of the relaxed game empties this waste and the stock; True also if it gives up."""
        answer = self._answers.get((waste, time))
        if answer is None:
            self._left = NODES
            answer = self._answers[waste, time] = self._empties(waste, time)
        return answer

    def stuck(self, waste: int, time: int) -> tuple[int, bool] | None:
        """Returns, for a waste that can't be emptied, the place of a card and whether that lies in the waste now.

        If it does, that card never leaves the waste. Else it is one of the stock: when it has left that, a card lies in
        the waste for good. None where the answer would take too long.
        """
        self._left = PATIENCE
        moments = 1 << time
        while waste:
            under = waste ^ 1 << waste.bit_length() - 1
            wanted = self._times(waste) & self._times(under)
            moments = self._returns(waste, moments, wanted) & wanted
            if not moments or self._left < 0:
                return (waste.bit_length() - 1, True) if self._left >= 0 else None
            waste = under
        moments = self._returns(0, moments, (2 << self.end) - 1)
        return (moments.bit_length() - 1, False) if self._left >= 0 else None

    def fits(self, waste: int, time: int) -> bool:
        """Tells whether what is neither in the waste nor in the stock can be up or in five built piles."""
        self.count()
        away = waste | (1 << self.end) - (1 << time)
        suits = [self._held(suit, away & mask) for suit, mask in enumerate(self.masks)]
        least, most = sum([suit[0] for suit in suits]), sum([suit[1] for suit in suits])
        if not self._few(least, most):
            return False
        as_before = sum([suit[2][min(up, len(suit[2]) - 1)] for suit, up in zip(suits, self._last)])
        return self._few(as_before, as_before) or self._parted(suits, 0, least, most)

    def _parted(self, suits: Sequence[Held], suit: int, least: int, most: int) -> bool:
        """Tries how many cards are up of this suit and of those after it, whose cards lie within the counts."""
        if suit == len(suits):
            return True
        low, high, choices = suits[suit]
        least, most = least - low, most - high
        for up, counts in enumerate(choices):
            if self._few(least + counts, most + counts) and self._parted(
                suits, suit + 1, least + counts, most + counts
            ):
                self._last[suit] = up
                return True
        return False

    def _few(self, least: int, most: int) -> bool:
        known = self._few_known.get((least, most))
        if known is None:
            known = self._few_known[least, most] = fewest_piles(least, most) <= SQUARES
        return known

    def _held(self, suit: int, away: int) -> Held:
        """Returns what the cross holds of a suit, of which these places are in waste and stock."""
        known = self._held_known[suit].get(away)
        if known is None:
            least = most = 0
            free: list[int] = []
            barred = False
            for place, count in self.suits[suit]:
                if place & away:
                    barred = True
                else:
                    most += count
                    if barred:
                        least += count
                    else:
                        free.append(count)
            choices = [most]
            for count in free:
                choices.append(choices[-1] - count)
            known = self._held_known[suit][away] = least, most, choices
        return known

    def _times(self, waste: int) -> int:
        """Returns, as bits, the moments at which a waste fits."""
        known = self._times_known.get(waste)
        if known is None:
            moments = range(waste.bit_length(), self.end + 1)
            known = sum([1 << time for time in moments if self.fits(waste, time)])
            self._times_known[waste] = known
        return known

    def _empties(self, waste: int, time: int) -> bool:
        """Takes the cards off the waste one after the other, each at all moments at which it can go."""
        moments = 1 << time
        while waste:
            under = waste ^ 1 << waste.bit_length() - 1
            wanted = self._times(waste) & self._times(under)
            moments = self._returns(waste, moments, wanted) & wanted
            if not moments:
                return False
            waste = under
        return self._returns(0, moments, 1 << self.end) >> self.end & 1 == 1

    def _returns(self, waste: int, moments: int, wanted: int) -> int:
        """Returns moments at which a waste lies there alone, if it does at those given: all of them that are wanted."""
        self._left -= 1
        if self._left < 0:
            return wanted
        fitting = self._times(waste)
        reached = _lasting(moments, fitting)
        tried = 0
        while missing := wanted & ~reached:
            ready = reached & ~tried & (1 << missing.bit_length() - 1) - 1
            if not ready:
                break
            drawn = 1 << ready.bit_length() - 1
            tried |= drawn
            over = waste | drawn
            later = self._times(over) & fitting & ~reached & -(drawn << 1)
            if later:
                reached = _lasting(reached | self._returns(over, drawn << 1, later) & later, fitting)
        return reached


def _lasting(moments: int, fitting: int) -> int:
    """Adds the moments that follow without a gap."""
    while (longer := moments | moments << 1 & fitting) != moments:
        moments = longer
    return moments
