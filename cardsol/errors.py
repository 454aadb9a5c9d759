"""What can go wrong, each kind with its data; all are ValueErrors below CardsolError."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

LONGEST_WORD = 40
"""So much of a wrong word is looked at for what it may mean."""


def quoted(text: object, limit: int = 60) -> str:
    """Returns a text in quotes, cut to `limit` characters, all of it printable: fit for one line."""
    whole = str(text)
    shown = printable(whole[:limit])
    return f"'{shown}'" if len(whole) <= limit else f"'{shown}...'"


def printable(text: str) -> str:
    """Returns a text with an escape for each character that would not print: it can move no cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def counted(number: int, thing: str) -> str:
    """Returns a number of things in words: `1 move`, `2 moves`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def alike(word: str, known: Iterable[str]) -> list[str]:
    """Returns the two of the known words that are spelled most like a wrong one, or fewer."""
    from difflib import get_close_matches

    return get_close_matches(word[:LONGEST_WORD].lower(), list(known), 2)


def perhaps(meant: Sequence[str]) -> str:
    """Says what may be meant; nothing where that is not known."""
    return f"perhaps {' or '.join(meant)} is meant" if meant else ""


def joined(*parts: str) -> str:
    """Returns the parts of a message that say something, as one."""
    return "; ".join(part for part in parts if part)


class CardsolError(ValueError):
    """The root of all errors that this package raises on purpose."""


class UnknownGame(CardsolError):
    """No game has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        help = joined(perhaps(alike(name, known)), f"the games are {', '.join(known)}")
        super().__init__(f"no game is named {quoted(name)}: {help}")
        self.name = name
        self.known = known


class BadOption(CardsolError):
    """An option that the game does not have, or a value that the option does not take."""

    def __init__(self, key: str, value: str, what: str) -> None:
        super().__init__(what)
        self.key = key
        self.value = value


class BadSeed(CardsolError):
    """A seed that is empty, too long, or holds a character that no seed may hold."""

    def __init__(self, seed: str, what: str) -> None:
        super().__init__(what)
        self.seed = seed


class BadDeck(CardsolError):
    """A deck order that is not each card of the deck once; `cards` names those at fault."""

    def __init__(self, what: str, cards: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.cards = cards


class BadToken(CardsolError):
    """A word that is no token of the game's grammar."""

    def __init__(self, token: str, what: str) -> None:
        super().__init__(what)
        self.token = token


class IllegalMove(CardsolError):
    """A token of the grammar that the rules forbid now; `reason` names the rule, `typed` is what stood for it."""

    def __init__(self, token: str, reason: str, typed: str = "") -> None:
        shown = token if typed in ("", token) else f"{typed} ({token})"
        super().__init__(f"illegal move {shown}: {reason}")
        self.token = token
        self.reason = reason


class AmbiguousMove(IllegalMove):
    """A name that fits several legal moves, `candidates`."""

    def __init__(self, token: str, candidates: tuple[str, ...]) -> None:
        super().__init__(token, f"it could be {' or '.join(candidates)}")
        self.candidates = candidates


class NoSuchMove(CardsolError):
    """More moves to take back or to play again than there are."""


class NoHint(CardsolError):
    """A game that is over, or in which every move leads back to a position that it has had."""


class BadSave(CardsolError):
    """A text that is no valid save; `where` is a JSON path or a step of the history."""

    def __init__(self, path: str, where: str, what: str) -> None:
        place = f"{where}: " if where else ""
        super().__init__(f"{quoted(path, 200)} is no valid save: {place}{what}")
        self.path = path
        self.where = where
        self.what = what


class FileTrouble(CardsolError):
    """A file that can't be read or replaced; nothing was lost."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"{quoted(path, 200)}: {what}")
        self.path = path
        self.what = what


class NoFile(FileTrouble):
    """No file of this name."""
