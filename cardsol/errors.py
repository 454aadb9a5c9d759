"""What can go wrong, each kind with its data; all are ValueErrors below CardsolError."""

from __future__ import annotations

from .text import clauses, close_matches, did_you_mean, quoted


class CardsolError(ValueError):
    """The root of all errors that this package raises on purpose."""


class UnknownGame(CardsolError):
    """No game has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        help = clauses(did_you_mean(close_matches(name, known)), f"the games are {', '.join(known)}")
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
