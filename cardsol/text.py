"""Texts made of other texts: quoting, counting, guessing what was meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LONGEST_WORD = 40
"""So much of a wrong word is looked at for what it may mean."""
LONGEST_INT = 2000
"""Bits of an int that is written in decimal."""


def quoted(text: object, limit: int = 60) -> str:
    """Returns a text in quotes, cut to `limit` characters, all of it printable: fit for one line."""
    whole = as_text(text)
    shown = printable(whole[:limit])
    return f"'{shown}'" if len(whole) <= limit else f"'{shown}...'"


def as_text(value: object) -> str:
    """Returns a value as a text; a huge int in hexadecimal, for Python writes no more than 4,300 decimal digits."""
    return hex(value) if isinstance(value, int) and value.bit_length() > LONGEST_INT else str(value)


def printable(text: str) -> str:
    """Returns a text with an escape for each character that would not print: it can move no cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def counted(number: int, thing: str) -> str:
    """Returns a number of things in words: `1 move`, `2 moves`."""
    shown = f"{number:,}" if number.bit_length() <= LONGEST_INT else quoted(number, 20)
    return f"{shown} {thing}" if number == 1 else f"{shown} {thing}s"


def close_matches(word: str, known: Iterable[str]) -> list[str]:
    """Returns the two of the known words that a wrong one is the beginning of, or is spelled most like, or fewer.

    What stands after a hyphen begins a word too: `noir` is close to `rouge-et-noir`.
    """
    from difflib import get_close_matches

    every, typed = list(known), word[:LONGEST_WORD].lower()
    begun = [name for name in every if len(typed) > 2 and f"-{name}".find(f"-{typed}") >= 0]
    return list(dict.fromkeys([*begun, *get_close_matches(typed, every, 2)]))[:2]


def did_you_mean(meant: Sequence[str]) -> str:
    """Asks whether one of a few words is meant; nothing where there is none."""
    return f"did you mean {' or '.join(meant)}?" if meant else ""


def clauses(*parts: str) -> str:
    """Returns the parts of a message that are not empty as one: a semicolon between, but a question ends itself."""
    text = ""
    for part in filter(None, parts):
        text += f"{' ' if text.endswith('?') else '; '}{part}" if text else part
    return text


def text_width(text: str) -> int:
    """Returns how many columns of a terminal a text takes (Unicode Annex 11; ambiguous characters take one)."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
