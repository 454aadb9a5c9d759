"""Classes of cells, and cards counted by rank: what the search of Camelot knows of a grid."""

from __future__ import annotations

from functools import lru_cache

from ...games.camelot import CELLS, OWNER, TEN

CLASSES = ("K", "Q", "J", "")
"""The cells of a class are alike: those for Kings, Queens and Jacks, and the middle."""
CLASS_NUMBERS = range(len(CLASSES))
COURTS = range(3)
CLASS_OF = {cell: CLASSES.index(OWNER[cell]) for cell in CELLS}
PIPS = range(1, TEN + 1)
ONE = (0, *(1 << 3 * place for place in range(TEN)))
"""One card of a rank below Jack, in a number of octal digits: how many there are of each rank."""
PAIRS = tuple((3 * low - 3, 3 * (TEN - low) - 3) for low in range(1, 5))
"""Where the digits of the two ranks of a pair are."""
FIVES, TENS = 3 * 5 - 3, 3 * TEN - 3

Cells = tuple[int, ...]
"""How many cells of each class."""
Bag = tuple[int, Cells]
"""Cards, and the cells that they lie on; which card on which is left open."""
Taken = tuple[int, int, int]
"""A card that goes: the number of its bag or -1, class, rank."""
Step = tuple[Taken, ...]
"""A Ten or two cards that go; none is drawing until the grid is full."""


def has(cards: int, rank: int) -> int:
    """Returns how many cards of a rank there are."""
    return cards >> 3 * rank - 3 & 7


@lru_cache(maxsize=1 << 16)
def removable(cards: int, there: int) -> int:
    """Returns how many of some cards can go at most, where there are these cards, themselves among them."""
    count = cards >> TENS & 7
    if there >> FIVES & 7 > 1:
        count += cards >> FIVES & 7
    for low, high in PAIRS:
        count += min(cards >> low & 7, there >> high & 7) + min(cards >> high & 7, there >> low & 7)
    return count


def whole(cards: int) -> int:
    """Returns how many of these cards go if all that can be removed is: of Fives an even number."""
    return removable(cards, cards) - (has(cards, 5) % 2 if has(cards, 5) > 1 else 0)


def less(cells: Cells, name: int) -> Cells:
    return (*cells[:name], cells[name] - 1, *cells[name + 1 :])


def is_plain(bag: Bag) -> bool:
    """Tells whether a bag leaves nothing open: cards of one rank or cells of one class (or none)."""
    cards, cells = bag
    return cells.count(0) >= 3 or any(cards == has(cards, rank) * ONE[rank] for rank in PIPS)
