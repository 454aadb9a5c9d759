"""Seeds and deck orders: the shuffle `cardsol-deal-1` (README.md in this folder, Deals)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from .cards import DECKS, Card, Cards, normalized
from .errors import BadDeck, BadSeed
from .text import clauses, counted, quoted

ALGORITHM = "cardsol-deal-1"
DAILY = "daily-"
"""What the seed of a day begins with; the date follows: `daily-2026-12-02`."""
LONGEST_SEED = 200
BYTES = 512
"""How much of the stream a shuffle reads at first; it is doubled where that is too little."""
ORDINALS = ("first", "second", "third")
MISSING_NAMED = 5
"""How many missing cards a message names."""


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


def check_deck(deck_name: str, cards: Iterable[str], written: Sequence[object] = ()) -> Cards:
    """Returns the cards as a deck order, where they are the whole deck.

    Raises BadDeck where they are not. It names the first wrong card with its place, from 1, and says how many cards
    were given and are needed. `written` is what the user wrote for each card, where that may differ.
    """
    order = tuple(cards)
    deck = DECKS[deck_name]
    whole = Counter(deck.cards)
    met: Counter[Card] = Counter()
    wrong: dict[int, Card] = {}
    for place, card in enumerate(order, start=1):
        met[card] += 1
        if met[card] > whole[card]:
            wrong[place] = card
    lost = list((whole - met).elements())
    if not wrong and not lost:
        return order
    named = f"missing {' '.join(lost[:MISSING_NAMED])}{' ...' if len(lost) > MISSING_NAMED else ''}"
    number = _given(len(order), len(deck.cards))
    what = f"{number}: {named}"
    if wrong:
        place, card = next(iter(wrong.items()))
        fault = (
            f"is the {ORDINALS[deck.copies]} {card}"
            if card in whole
            else f"is no card of the {deck_name} deck"
        )
        text = card if card in whole else quoted(written[place - 1] if written else card, 12)
        what = clauses(f"card {place}, {text}, {fault}", number, named if len(lost) == 1 else "")
    raise BadDeck(what, (*dict.fromkeys(wrong.values()), *lost))


def _given(count: int, needed: int) -> str:
    return f"{counted(count, 'card')} {'was' if count == 1 else 'were'} given, {needed} are needed"


def read_deck(deck_name: str, deck: str | Iterable[str]) -> Cards:
    """Returns a deck order from cards as a player may write them (`10H`, `th`, `T♥`), or one text of them.

    In a text there are blanks, line ends or commas between the cards. Raises BadDeck as `check_deck` does, and for
    what is not a text.
    """
    example = DECKS[deck_name].cards[0]
    if isinstance(deck, (bytes, bytearray)) or not isinstance(deck, Iterable):
        raise BadDeck(f"a deck is given as cards or as one text of them, not as {type(deck).__name__}")
    words = deck.replace(",", " ").split() if isinstance(deck, str) else list(deck)
    for place, word in enumerate(words, start=1):
        if not isinstance(word, str):
            what = f"card {place}, {quoted(word, 12)}, is of type {type(word).__name__}"
            number = _given(len(words), len(DECKS[deck_name].cards))
            raise BadDeck(f"{what}: a card is a text such as {example}; {number}")
    return check_deck(deck_name, (normalized(word, DECKS[deck_name]) for word in words), words)
