"""A game in play: deal, legal moves, push, undo, redo, view."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .cards import Cards
from .deals import check_seed, fresh_seed, read_deck, shuffled
from .errors import BadDeck, BadOption, BadSeed, BadToken, CardsolError, IllegalMove, NoSuchMove, SealedDeal
from .piles import Pile
from .registry import rules_of
from .text import as_text, clauses, close_matches, counted, did_you_mean, quoted
from .view import Shown, View

if TYPE_CHECKING:
    from typing import TypeGuard

    from .moves import Move
    from .rules import Rules

MOST_MOVES = 20_000
"""A history is no longer than this, so that a load stays bounded."""


class LegalMoves(tuple[str, ...]):
    """The canonical tokens that are legal at one moment, sorted as plain strings."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<LegalMoves: {' '.join(self) or 'none'}>"


class Game:
    """A game of solitaire with its history. Made by `deal` or `load`.

    Every state of the history is kept, so that a move taken back cannot drift.

    `sealed` may be set: then a save does not show the seed and the deck in clear, and `view` leaves out where the
    deck came from until the game is over. It is not encryption: `seed`, `deck`, `piles`, `hint` and
    `solve` work as for any game, also where a command such as `cardsol solve` refuses.

    Games are equal (`==`) that have the same name, options, deck and moves made. Where the deck came from, what can
    be redone, and the count of moves taken back do not matter. A game changes, so it can't be hashed: use
    `(game.deck, game.moves)` as a key.
    """

    def __init__(
        self,
        rules: Rules[Any],
        options: Mapping[str, str],
        deck: Cards,
        *,
        seed: str | None,
        pysol: str | None = None,
    ) -> None:
        self.rules = rules
        """The game's rules: a module, or an object of a plug-in."""
        self._options = dict(options)
        self.deck = deck
        """All cards, the first card dealt first."""
        self.seed = seed
        """None for a deck of the player's own, and for a deal of PySolFC."""
        self.pysol = pysol
        """The number of PySolFC's deal; else None."""
        self.sealed = False
        """Whether a save does not show seed and deck in clear."""
        self.undos = 0
        """Moves ever taken back."""
        self._grammar = rules.grammar(self._options)
        self._states: list[Any] = [rules.deal(deck, self._options, seed)]
        self._tokens: list[str] = []
        self._undone: list[str] = []
        self._legal: LegalMoves | None = None

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={value}" for key, value in self.options.items())
        made = counted(len(self._tokens), "move")
        seed = "sealed" if self.keeps_seal else f"seed={self.seed!r}"
        return f"<Game {self.rules.NAME} ({shown}) {seed}, {made}, {self.status}>"

    def __str__(self) -> str:
        """What `cardsol show --style ascii` prints: heading, board and result, cards as letters, without colour."""
        from .drawing import lines

        return "\n".join(lines(self))

    def __eq__(self, other: object) -> bool:
        """Games are equal that were dealt and played alike: same name, options, deck and moves made.

        Where the deck came from, what can be redone, and the count of moves taken back do not matter.
        """
        if not isinstance(other, Game):
            return NotImplemented
        return (self.name, self._options, self.deck, self._tokens) == (
            other.name, other._options, other.deck, other._tokens,
        )  # fmt: skip

    __hash__ = None  # type: ignore[assignment]
    """A game changes, so it is no key of a dict; `(game.deck, game.moves)` is one."""

    def __getstate__(self) -> dict[str, Any]:
        """A module is not copied or pickled: the rules go by their name."""
        return {**self.__dict__, "rules": self.rules.NAME}

    def __setstate__(self, facts: dict[str, Any]) -> None:
        self.__dict__.update(facts, rules=rules_of(facts["rules"]))

    @property
    def name(self) -> str:
        """The game's name: `three-peaks`."""
        return self.rules.NAME

    @property
    def state(self) -> Any:
        """The whole position, hidden cards and all: an immutable value of the game's own type."""
        return self._states[-1]

    @property
    def states(self) -> tuple[Any, ...]:
        """The positions from the deal to now; one more than there are moves."""
        return tuple(self._states)

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal canonical tokens, sorted."""
        if self._legal is None:
            self._legal = LegalMoves(sorted(self.rules.moves(self.state)))
        return self._legal

    @property
    def moves(self) -> tuple[str, ...]:
        """The tokens played so far."""
        return tuple(self._tokens)

    @property
    def undone(self) -> tuple[str, ...]:
        """The tokens that `redo` brings back, next first."""
        return tuple(reversed(self._undone))

    @property
    def score(self) -> int:
        """The score now; below 0 in some games."""
        return self.rules.score(self.state)

    @property
    def status(self) -> str:
        """`playing`, `won`, or `lost` where no move is legal."""
        # No Literal: type checkers would keep what a comparison told them, also after a move.
        if self.rules.is_won(self.state):
            return "won"
        return "playing" if self.legal_moves else "lost"

    @property
    def keeps_seal(self) -> bool:
        """Whether the deal is sealed and the game is not over yet."""
        return self.sealed and self.status == "playing"

    def check_seal(self, what: str) -> None:
        """Raises SealedDeal, which says what is not told, while the seal is kept."""
        if self.keeps_seal:
            raise SealedDeal(what)

    def push(self, token: str) -> None:
        """Makes a move, by its canonical token; raises BadToken or IllegalMove, and changes nothing then.

        A word as a player writes it (`7E-f`) is not a token: `parse` finds its token, and `play` plays it.
        """
        self._check_token(token, self._instead)
        self._advance(token)
        self._undone.clear()

    def parse(self, word: str) -> str:
        """Returns the canonical token of the legal move that a player's word names: `7H-8S` → `t3-t5`.

        A word is a token, or names cards for piles, long names of piles, in any case. Raises BadToken where it can
        name no move of this game, IllegalMove where the move is not legal now, AmbiguousMove where several fit.
        """
        from .notation import resolve

        _check_text(word)
        return resolve(self, word)

    def play(self, *words: str) -> tuple[str, ...]:
        """Makes several moves, all or none, and returns their canonical tokens.

        A word is what `parse` takes, read when its turn comes. Raises as `parse` does; then the game is as it was,
        and an IllegalMove has `step`, the place of the word from 1. A word that can be no move of this game is
        found before anything is played.
        """
        for word in words:
            _check_text(word)
        by_name = not all(map(self._grammar.__contains__, words))
        if by_name:
            from . import notation

            notation.check_all(self, words)
        after = self.copy()
        for step, word in enumerate(words, start=1):
            try:
                after._advance(notation.resolve(after, word) if by_name else word)
            except IllegalMove as error:
                from .notation import helped

                raise helped(after, word, error).at(step, len(words)) from None
        if words:
            after._undone.clear()
        made = after.moves[len(self._tokens) :]
        self.__dict__ = after.__dict__
        return made

    def undo(self, n: int = 1) -> None:
        """Takes back n moves, 1 or more; raises NoSuchMove where there are fewer, and changes nothing then."""
        self._retreat(n)
        self.undos += n

    def redo(self, n: int = 1) -> None:
        """Makes n moves again that were taken back, 1 or more; raises NoSuchMove where there are fewer."""
        if not is_whole(n) or not 1 <= n <= len(self._undone):
            raise NoSuchMove(_too_many(n, len(self._undone), "play again"))
        for _ in range(n):
            self._advance(self._undone[-1])
            self._undone.pop()

    def rewound(self, made: int) -> Game:
        """Returns a copy as the game was after `made` moves; the rest can be redone.

        Raises NoSuchMove where `made` is not a number from 0 to that of the moves made.
        """
        if not is_whole(made) or not 0 <= made <= len(self._tokens):
            raise NoSuchMove(f"the history has {counted(len(self._tokens), 'move')}, not {as_text(made)}")
        game = self.copy()
        if made < len(self._tokens):
            game._retreat(len(self._tokens) - made)
        return game

    def copy(self) -> Game:
        """Returns a game that shares nothing changeable with this one."""
        game = Game.__new__(Game)
        game.__dict__.update(self.__dict__)
        game._states = list(self._states)
        game._tokens = list(self._tokens)
        game._undone = list(self._undone)
        return game

    @property
    def options(self) -> dict[str, str]:
        """The options of the deal, each with its value: a copy, for they are chosen once."""
        return dict(self._options)

    def is_token(self, word: str) -> bool:
        """Tells whether the word is a canonical token of the game's grammar, legal now or not."""
        return isinstance(word, str) and word in self._grammar

    @property
    def grammar(self) -> frozenset[str]:
        """Every canonical token that the game's grammar can express with its options."""
        return self._grammar

    def explain(self, token: str) -> Move:
        """Returns what a legal move does: kind, piles, cards, and words for it.

        Raises BadToken for a word that is not a token of the grammar, IllegalMove for a token that is not legal now.
        """
        self._check_token(token)
        if token not in self.legal_moves:
            raise IllegalMove(token, self._why_not(token))
        return self.rules.explain(self.view(), token)

    def why_not(self, token: str) -> str:
        """Returns the rule that forbids a token now, as a sentence without full stop.

        Raises BadToken for a word that is not a token of the grammar, CardsolError for a move that is legal.
        """
        self._check_token(token)
        if token in self.legal_moves:
            raise CardsolError(f"no rule forbids {token}: it is legal now")
        return self._why_not(token)

    def _why_not(self, token: str) -> str:
        if self.rules.is_won(self.state):
            return "the game is already won"
        return self.rules.why_not(self.view(), token)

    def _instead(self, word: str) -> str:
        """Says what a player's word that was taken for a token should have been."""
        with suppress(CardsolError):
            token = self.parse(word)
            return f": here it names {token}, as game.parse tells; game.play takes such words"
        return ""

    def _check_token(self, token: str, help: Callable[[str], str] | None = None) -> None:
        if not self.is_token(token):
            _check_text(token)
            told = "" if help is None else help(token)
            raise BadToken(token, f"{quoted(token)} is not a token of {self.name}{told}")

    def piles(self) -> dict[str, Pile]:
        """Returns every pile with all its cards, hidden ones too, bottom to top."""
        return self.rules.piles(self.state)

    def view(self, hide_seed: bool = False) -> View:
        """Returns what the player may see; without where the deck came from if `hide_seed`, or while it is sealed."""
        hide_seed = hide_seed or self.keeps_seal
        return View(
            game=self.name,
            options=self.options,
            seed=None if hide_seed else self.seed,
            pysol=None if hide_seed else self.pysol,
            piles={name: Shown(len(down), up) for name, (down, up) in self.piles().items()},
            score=self.score,
            max=self.rules.max_score(self.options),
            status=self.status,
            made=len(self._tokens),
            undone=len(self._undone),
            undos=self.undos,
            legal=self.legal_moves,
            extra=self.rules.extra(self.state),
        )

    def _advance(self, token: str) -> None:
        self._check_token(token)
        if token not in (self._legal or self.rules.moves(self.state, first_part(token))):
            raise IllegalMove(token, self._why_not(token))
        if len(self._tokens) >= MOST_MOVES:
            raise IllegalMove(token, f"a game holds at most {MOST_MOVES:,} moves: take some back")
        self._states.append(self.rules.apply(self.state, token))
        self._tokens.append(token)
        self._legal = None

    def _retreat(self, n: int) -> None:
        if not is_whole(n) or not 1 <= n <= len(self._tokens):
            raise NoSuchMove(_too_many(n, len(self._tokens), "take back"))
        self._undone += reversed(self._tokens[-n:])
        del self._tokens[-n:]
        del self._states[-n:]
        self._legal = None


def first_part(token: str) -> str:
    """Returns the part of a token that says where the move begins: `t3` of `t3-t5`, `draw` of `draw`."""
    return token.partition("-")[0].partition("+")[0]


def is_whole(number: object) -> TypeGuard[int]:
    """Tells whether a number is an int, or of a type such as numpy's that Python takes for one."""
    return hasattr(type(number), "__index__")


def _check_text(word: object) -> None:
    if not isinstance(word, str):
        several = ": game.play(*words) makes several moves" if isinstance(word, (list, tuple)) else ""
        raise BadToken(as_text(word), f"a move is a text, not {type(word).__name__}{several}")


def _too_many(wanted: int, there: int, doing: str) -> str:
    if not is_whole(wanted) or wanted < 1:
        return f"the number of moves to {doing} is a whole number from 1, not {as_text(wanted)}"
    if not there:
        return f"there is no move to {doing}"
    return f"{counted(wanted, 'move')} to {doing}, but there {'is' if there == 1 else 'are'} only {there}"


def deal(
    game: str,
    *,
    seed: str | int | None = None,
    deck: str | Iterable[str] | None = None,
    options: Mapping[str, str | int] | None = None,
) -> Game:
    """Deals a game.

    `seed` is a text of 1 to 200 characters (an int stands for its decimal text); without it and without
    `deck` a fresh one is made. `deck` is the deck order, first card dealt first: cards, or one text of
    them with blanks or commas between. Option values are texts or ints.

    Raises UnknownGame, BadOption, BadSeed, BadDeck (also where both seed and deck are given).
    """
    rules = rules_of(game)
    chosen = choose_options(rules, {} if options is None else options)
    if deck is None:
        text = fresh_seed() if seed is None else _seed_text(seed)
        return Game(rules, chosen, shuffled(rules.DECK, text), seed=text)
    if seed is not None:
        raise BadDeck("a seed and a deck were given: the seed decides the whole deck, so give one of them")
    return Game(rules, chosen, read_deck(rules.DECK, deck), seed=None)


def _seed_text(seed: object) -> str:
    if isinstance(seed, bool) or not isinstance(seed, (str, int)):
        raise BadSeed(as_text(seed), f"a seed is a text or an int, not {type(seed).__name__}")
    return check_seed(as_text(seed))


def chosen_options(game: str, options: Mapping[str, str]) -> dict[str, str]:
    """Returns those of a game's options that do not have their default; raises UnknownGame."""
    defaults = {key: next(iter(values)) for key, values in rules_of(game).OPTIONS.items()}
    return {key: value for key, value in options.items() if value != defaults[key]}


def choose_options(rules: Rules[Any], given: Mapping[str, str | int]) -> dict[str, str]:
    """Returns all options of a game, in the order of its rules, defaults filled in; raises BadOption."""
    if not isinstance(given, Mapping):
        what = f"options are a mapping such as {{'draw': 3}}, not {type(given).__name__}"
        raise BadOption("options", as_text(given), what)
    for key, value in given.items():
        if not isinstance(key, str):
            raise BadOption(as_text(key), as_text(value), f"an option is a text, not {type(key).__name__}")
        values = rules.OPTIONS.get(key)
        if values is None:
            known = f"its options are {', '.join(rules.OPTIONS)}" if rules.OPTIONS else "it has no options"
            help = clauses(did_you_mean(close_matches(key, rules.OPTIONS)), known)
            raise BadOption(key, as_text(value), f"{rules.NAME} has no option {quoted(key)}: {help}")
        if (text := as_text(value)) not in values:
            takes = f"takes {' or '.join(values)}, not {quoted(value)}"
            help = clauses(takes, did_you_mean(close_matches(text, values)))
            raise BadOption(key, text, f"option {key} {help}")
    return {key: str(given.get(key, next(iter(values)))) for key, values in rules.OPTIONS.items()}
