"""The deals of PySolFC by number, in the games that it has too.

What its numbers mean is known by the package `pysol-cards`, an optional extra of this one. How the shuffled cards
of that program become the deck order of a game is the game's own `pysolfc_order`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from .cards import Cards
from .deals import LONGEST_SEED
from .errors import BadSeed, BrokenGame
from .game import Game, choose_options
from .registry import names, rules_of
from .text import quoted

Order = Callable[[Cards], Cards]

EXTRA = ".[pysol]"
LARGEST_OF_MS = 2**33 - 1
BELOW_IS_MS = 32_000
"""Numbers below this one are dealt as Microsoft's FreeCell deals them, and so is every number after `ms`."""
ORNAMENT = re.compile(r"[\s#\-_.,]|L$")
"""What that program leaves out of a number."""
NUMBER = re.compile(r"(ms)?([0-9]+)")


class BadNumber(BadSeed):
    """A deal number that PySolFC does not know, or a game that it does not have."""


class NoPysolCards(BadSeed):
    """The package that knows the deals is not installed."""


def deal(game: str, number: str, options: Mapping[str, str | int] | None = None) -> Game:
    """Deals what PySolFC deals for a number: `100`, `#100`, `1,234,567`, `ms1`.

    Raises UnknownGame, BadOption, BadNumber, and NoPysolCards where the extra is missing.
    """
    rules = rules_of(game)
    chosen = choose_options(rules, options or {})
    text = normal(number)
    order = _order(game)
    if order is None:
        raise BadNumber(
            number, f"PySolFC deals no {game} as it is played here: --pysol goes with {', '.join(played())}"
        )
    decks = 2 if rules.DECK == "double" else 1
    return Game(rules, chosen, order(tuple(_shuffled(text, decks))), seed=None, pysol=text)


def normal(number: str) -> str:
    """Returns a number without ornament: `1234567` for `#1,234,567`, `ms1` for `# ms1`; raises BadNumber.

    A sign is ornament too: that program deals the same for -100 and 100, and nothing for 0.
    """
    found = NUMBER.fullmatch(ORNAMENT.sub("", number).lower())
    digits = found[2].lstrip("0") if found else ""
    if not found or not digits or len(digits) > LONGEST_SEED // 2:
        raise BadNumber(
            number,
            f"{quoted(number)} is no deal number of PySolFC: one is from 1 on, like 100, 1,234,567 or ms1",
        )
    if found[1] and int(digits) > LARGEST_OF_MS:
        raise BadNumber(
            number, f"{quoted(number)} is no deal number of PySolFC: after ms it goes to {LARGEST_OF_MS}"
        )
    return (found[1] or "") + digits


def _shuffled(number: str, decks: int) -> list[str]:
    """Returns the cards as that program takes them from its talon, the first taken first."""
    package = _pysol_cards()
    digits = int(number.removeprefix("ms"))
    ms = number.startswith("ms") or digits < BELOW_IS_MS
    cards = package.cards.createCards(decks)
    if ms:
        cards = package.cards.ms_rearrange(cards)
    dice = package.random.LCRandom31(digits) if ms else package.random.MTRandom(digits)
    face = package.cards.CardRenderer(True)
    return [face.to_s(card) for card in reversed(dice.shuffle(cards))]


def _pysol_cards() -> Any:
    try:
        import pysol_cards.cards  # type: ignore[import-not-found,import-untyped,unused-ignore]
        import pysol_cards.random  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise NoPysolCards(
            "",
            f"--pysol needs the package pysol-cards: pip install '{EXTRA}' in a checkout of cardsol,"
            " or deal by --seed",
        ) from None
    return pysol_cards


def played() -> tuple[str, ...]:
    """Returns the games that PySolFC has too: those with a `pysolfc_order`."""
    return tuple(name for name in names() if _order(name) is not None)


def _order(name: str) -> Order | None:
    with suppress(BrokenGame):  # what is wrong with another game is no matter here
        order: Order | None = getattr(rules_of(name), "pysolfc_order", None)
        return order
    return None
