"""What can go wrong, each kind with its data; all are ValueErrors below CardsolError."""

from __future__ import annotations

from errno import ENOENT
from typing import TYPE_CHECKING, Any

from .text import clauses, close_matches, did_you_mean, quoted

if TYPE_CHECKING:
    from typing_extensions import Self


class CardsolError(ValueError):
    """The root of all errors that this package raises on purpose. They can be pickled and copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        """An exception is made again from its message alone; these have data besides."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[CardsolError], args: tuple[Any, ...], facts: dict[str, Any]) -> CardsolError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(facts)
    return error


class UnknownGame(CardsolError):
    """No game has this name."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        help = clauses(did_you_mean(close_matches(name, known)), f"the games are {', '.join(known)}")
        super().__init__(f"no game is named {quoted(name)}: {help}")
        self.name = name
        self.known = known


class BrokenGame(UnknownGame):
    """A game that an installed package adds, and that can't be loaded; `reference` is where it should be."""

    def __init__(self, name: str, reference: str, what: str) -> None:
        ValueError.__init__(
            self,
            f"the game {quoted(name)} is added by {quoted(reference)}, which can't be used: {what};"
            " update or uninstall the package that adds it",
        )
        self.name = name
        self.known = ()
        self.reference = reference


class BadOption(CardsolError):
    """An option or argument that there is not, or a value that it does not take."""

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
    """A word that is not a token of the game's grammar; `step` as in IllegalMove."""

    step: int | None = None

    def __init__(self, token: str, what: str) -> None:
        super().__init__(what)
        self.token = token

    def at(self, step: int, words: int) -> Self:
        """Returns this error as that of one word of several, with its place from 1."""
        _place(self, step, words)
        return self


class IllegalMove(CardsolError):
    """A token of the grammar that the rules forbid now.

    The message gives the rule, and may list moves that are legal. `step` is the place of the word, from 1, where
    several were to be played; else None.
    """

    step: int | None = None

    def __init__(self, token: str, reason: str, typed: str | None = None, help: str = "") -> None:
        """`help` is for the message alone."""
        self.token = token
        """The move; the word itself where it names no token."""
        self.reason = reason
        """The rule that forbids it, as a sentence without full stop."""
        self.typed = None if typed == token else typed
        """The word that stood for the token; None where it was the token itself."""
        shown = token if self.typed is None else f"{typed} ({token})"
        super().__init__(f"illegal move {shown}: {clauses(reason, help)}")

    def at(self, step: int, words: int) -> Self:
        """Returns this error as that of one word of several, with its place from 1."""
        _place(self, step, words)
        return self


def _place(error: BadToken | IllegalMove, step: int, words: int) -> None:
    error.step = step
    if words > 1:
        error.args = (clauses(str(error), f"word {step} of {words}, and no move was made"),)


class AmbiguousMove(IllegalMove):
    """A name that fits several legal moves, `candidates`."""

    def __init__(self, token: str, candidates: tuple[str, ...]) -> None:
        super().__init__(token, f"it could be {' or '.join(candidates)}")
        self.candidates = candidates


class NoSuchMove(CardsolError):
    """More moves to take back or to play again than there are."""


class BadRequest(CardsolError):
    """An invalid request of the play protocol, or one that is not available here."""


class NoGame(CardsolError):
    """No game has been dealt yet."""


class GameInTheWay(CardsolError):
    """A game that is still being played where another should be dealt."""


class SealedDeal(CardsolError):
    """A question that the seed or the hidden cards of a sealed deal would answer, while its game is played."""

    def __init__(self, what: str) -> None:
        super().__init__(f"the deal is sealed until the game is over: {what}")


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


class NoFile(FileTrouble, FileNotFoundError):
    """No file of this name; a FileNotFoundError too, with `filename` and `errno`."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(path, what)
        self.filename = path
        self.errno = ENOENT

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.path, self.what)
