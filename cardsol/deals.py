"""Seeds and deck orders: the shuffle `cardsol-deal-1` (COMMANDS, Seeds)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from .cards import DECKS, Cards
from .errors import BadDeck, BadSeed

ALGORITHM = "cardsol-deal-1"
LONGEST_SEED = 200
BYTES = 512
"""First guess at how much of the stream a shuffle needs; it is doubled where that is too little."""


class GivenDecks(str):
    """Stands for a seed that is not known: the deck of each round is given, not shuffled."""

    decks: Mapping[int, Cards]
    """Round, counted from 1 → deck order."""


def check_seed(seed: str) -> str:
    """Returns the seed, taken as it is; raises BadSeed where it is none."""
    if not 1 <= len(seed) <= LONGEST_SEED:
        raise BadSeed(seed, f"a seed has 1 to {LONGEST_SEED} characters, this one has {len(seed)}")
    for place, char in enumerate(seed, start=1):
        code = ord(char)
        if code < 0x20 or 0x7F <= code <= 0x9F or code in (0x2028, 0x2029) or 0xD800 <= code <= 0xDFFF:
            raise BadSeed(
                seed, f"a seed holds no control character or surrogate: U+{code:04X} is its character {place}"
            )
    return seed


def fresh_seed() -> str:
    """Returns a new seed of 64 random bits, as 16 hexadecimal digits."""
    import os

    return os.urandom(8).hex()


def next_seed(seed: str) -> str:
    """Returns the seed after one: `8` after `7`, `TEXT+1` after `TEXT`, `TEXT+2` after `TEXT+1`."""
    import re

    if re.fullmatch(r"0|-?[1-9][0-9]{0,18}", seed):
        return str(int(seed) + 1)
    text, plus, count = seed.rpartition("+")
    if plus and re.fullmatch(r"[1-9][0-9]{0,18}", count):
        return f"{text}+{int(count) + 1}"
    return f"{seed}+1"


def shuffled(deck_name: str, seed: str, round: int = 1) -> Cards:
    """Returns the deck order of a seed, first card dealt first.

    `deck_name` is a key of `cards.DECKS`; `round` counts from 1 and is above it only in later rounds of
    progressive Three Peaks. The order depends on nothing but these three; `GivenDecks` bring their own.
    """
    if isinstance(seed, GivenDecks):
        return seed.decks[round]
    try:
        # The interpreter's own module: hashlib would load OpenSSL, which takes a tenth of a whole move.
        from _sha3 import shake_256  # type: ignore[import-not-found]
    except ImportError:
        from hashlib import shake_256

    stream = shake_256(f"{ALGORITHM}:{deck_name}:{round}:{seed}".encode())
    cards = list(DECKS[deck_name].cards)
    data, position = stream.digest(BYTES), 0
    for i in range(len(cards) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        while True:
            if position == len(data):
                data = stream.digest(2 * len(data))
            byte = data[position]
            position += 1
            if byte < limit:
                break
        j = byte % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def check_deck(deck_name: str, cards: Iterable[str]) -> Cards:
    """Returns the cards as a deck order; raises BadDeck where they are not the whole deck, each card once."""
    order = tuple(cards)
    whole = Counter(DECKS[deck_name].cards)
    given = Counter(order)
    if given == whole:
        return order
    unknown = [card for card in given if card not in whole]
    over = [card for card in given if card in whole and given[card] > whole[card]]
    missing = list((whole - given).elements())
    faults = [
        f"{what} {' '.join(named[:5])}{' ...' if len(named) > 5 else ''}"
        for what, named in (
            ("no card of it is", _printable(unknown)),
            ("too many of", over),
            ("missing", missing),
        )
        if named
    ]
    raise BadDeck(
        f"not the {deck_name} deck of {whole.total()} cards: {'; '.join(faults)}", (*unknown, *over, *missing)
    )


def _printable(words: list[str]) -> list[str]:
    from .text import quoted

    return [quoted(word, 12) for word in words]
