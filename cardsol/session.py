"""One game after another, played by requests: what stands behind `cardsol play`.

A request is an object with one key, or a line of words as a player types them; its reply is an object too. The
protocol is described in the man page cardsol-json(5). A session knows no terminal and no pipe.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from . import notation
from .errors import BadRequest, GameInTheWay, NoGame, NoSuchMove
from .game import Game, deal
from .text import clauses, close_matches, did_you_mean, quoted
from .view import View

if TYPE_CHECKING:
    from json import JSONDecoder

PROTOCOL = "cardsol-play"
VERSION = 1

Reply = dict[str, Any]
"""What is sent back: a view, a hint, a score, moves, or an error."""

SHORT = {"u": "undo", "r": "redo", "h": "hint", "m": "moves", "s": "score", "b": "show", "board": "show", "q": "quit",
         "exit": "quit", "?": "help"}  # fmt: skip
"""Short and other words for requests."""


class Keeper(Protocol):
    """Where the game of a session is kept between two requests."""

    def current(self) -> Game:
        """Returns the game as it is now; raises NoGame where there is none."""

    def changing(self) -> AbstractContextManager[Game]:
        """Gives the game, and keeps what was done to it, unless that raised an error."""

    def replace(self, game: Game, force: bool) -> None:
        """Keeps another game; raises GameInTheWay where one is still being played, unless `force`."""


class Memory:
    """Keeps a game in memory, and nowhere else."""

    def __init__(self, game: Game | None = None) -> None:
        self.game = game

    def current(self) -> Game:
        if self.game is None:
            raise NoGame("no game is dealt yet")
        return self.game

    @contextmanager
    def changing(self) -> Iterator[Game]:
        yield self.current()

    def replace(self, game: Game, force: bool) -> None:
        if self.game is not None and self.game.status == "playing" and not force:
            raise GameInTheWay(f"a game of {self.game.name} is still being played")
        self.game = game


class Request(NamedTuple):
    """What is asked for: the name of a request and its value."""

    name: str
    value: Any


class Quit(Exception):
    """The session is to end."""


def request_of(value: object) -> Request:
    """Reads a request from a JSON value: `{"move": ["t3-t5"]}`; raises BadRequest."""
    if not isinstance(value, dict) or len(value) != 1:
        raise BadRequest(f"a request is an object with one key, one of {', '.join(REQUESTS)}")
    ((name, argument),) = value.items()
    if name not in REQUESTS:
        help = clauses(did_you_mean(close_matches(name, REQUESTS)), f"the requests are {', '.join(REQUESTS)}")
        raise BadRequest(f"there is no request {quoted(name)}: {help}")
    return Request(name, argument)


def read_line(line: bytes) -> Request:
    """Reads a request from a line: a JSON object, or words as a player types them; raises BadRequest."""
    try:
        text = line.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise BadRequest("a line is UTF-8 text") from None
    if not text.startswith(("{", "[", '"')):
        return words_of(text)
    try:
        value = _decoder().decode(text)
    except BadRequest:
        raise
    except (ValueError, RecursionError):
        raise BadRequest(f"this is no JSON object: {quoted(text)}") from None
    return request_of(value)


@cache
def _decoder() -> JSONDecoder:
    """Returns what reads requests: made once, for making it takes longer than reading one."""
    import json

    return json.JSONDecoder(object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns a JSON object; raises BadRequest where a key stands in it twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BadRequest(f"the key {quoted(key)} is given twice: give it once")
        found[key] = value
    return found


def words_of(line: str) -> Request:
    """Reads a request as a player types it: `t3-t5 draw`, `undo 2`, `h`; raises BadRequest."""
    words = line.partition("#")[0].split()
    if not words:
        raise BadRequest("the line is empty")
    name = SHORT.get(words[0].lower(), words[0].lower())
    if name in REQUESTS and name != "move":
        return Request(name, WORDS[name](words[1:]) if name in WORDS else _nothing(name, words[1:]))
    return Request("move", words[1:] if name == "move" else words)


class Session:
    """Answers requests, one after another."""

    def __init__(
        self,
        keeper: Keeper,
        *,
        hide_seed: bool = False,
        allowed: Sequence[str] | None = None,
        shown: Callable[[View], Any] = View.as_dict,
    ) -> None:
        """`allowed` are the requests that are answered, all by default; `shown` makes a reply of a view."""
        self.keeper = keeper
        self.shown = shown
        self.hide_seed = hide_seed
        self.allowed = tuple(REQUESTS) if allowed is None else tuple(allowed)

    def hello(self) -> Reply:
        """Returns what a session begins with: the protocol, the requests, and the view, null where no game is."""
        try:
            view = self.view(self.keeper.current())
        except NoGame:
            view = None
        return {
            "hello": {"protocol": PROTOCOL, "version": VERSION, "requests": list(self.allowed)},
            "view": view,
        }

    def view(self, game: Game) -> Reply:
        """Returns what the player sees of a game, as `shown` makes it: by default, as `show --json` prints it."""
        reply: Reply = self.shown(game.view(self.hide_seed))
        return reply

    def answer(self, request: Request) -> Reply:
        """Carries a request out and returns its reply; raises CardsolError, and Quit."""
        if request.name not in self.allowed:
            raise BadRequest(
                f"{request.name} is not answered here: the requests are {', '.join(self.allowed)}"
            )
        return REQUESTS[request.name](self, request.value)

    def _move(self, value: Any) -> Reply:
        words = value.split() if isinstance(value, str) else value
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            raise BadRequest('"move" takes a list of tokens: {"move": ["t3-t5", "draw"]}')
        with self.keeper.changing() as game:
            notation.play(game, words)
        return self.view(game)

    def _undo(self, value: Any) -> Reply:
        return self._step(value, "undo")

    def _redo(self, value: Any) -> Reply:
        return self._step(value, "redo")

    def _step(self, value: Any, way: str) -> Reply:
        with self.keeper.changing() as game:
            there = len(game.moves if way == "undo" else game.undone)
            count = there if value == "all" else 1 if value is None else value
            if type(count) is not int or count < (value != "all"):
                raise BadRequest(f'"{way}" takes a number of moves from 1, or "all"')
            if count:
                (game.undo if way == "undo" else game.redo)(count)
        return self.view(game)

    def _show(self, value: Any) -> Reply:
        game = self.keeper.current()
        if value in (None, True) or value == {}:
            return self.view(game)
        if (
            isinstance(value, dict)
            and value.keys() == {"at"}
            and type(value["at"]) is int
            and value["at"] >= 0
        ):
            if value["at"] > len(game.moves):
                raise NoSuchMove(f"the history has {len(game.moves)} moves, not {value['at']:,}")
            return self.view(game.rewound(value["at"]))
        raise BadRequest('"show" takes true, or {"at": N} for the board as it was after N moves')

    def _score(self, value: Any) -> Reply:
        _check_true("score", value)
        return self.keeper.current().view().standing()

    def _moves(self, value: Any) -> Reply:
        game = self.keeper.current()
        if isinstance(value, str):
            return {"moves": [move.as_dict() for move in notation.moves_with(game, value)]}
        if value not in (None, True):
            raise BadRequest('"moves" takes true, or the name of a card or a pile: {"moves": "waste"}')
        view = game.view()
        return {"moves": [game.rules.explain(view, token).as_dict() for token in view.legal]}

    def _hint(self, value: Any) -> Reply:
        options = {} if value in (None, True) else value
        if not isinstance(options, dict) or not options.keys() <= {"worlds", "seconds"}:
            raise BadRequest('"hint" takes true, or an object of "worlds" and "seconds"')
        worlds, seconds = options.get("worlds"), options.get("seconds")
        if worlds is not None and (type(worlds) is not int or worlds < 1):
            raise BadRequest('"worlds" is a whole number from 1')
        if seconds is not None and (type(seconds) not in (int, float) or not 0 <= seconds < float("inf")):
            raise BadRequest('"seconds" is a number from 0')
        from .hint import WORLDS, hint, history_of
        from .plugins import added_code

        with added_code():
            found = hint(history_of(self.keeper.current()), WORLDS if worlds is None else worlds, seconds)
        return found.as_dict()

    def _deal(self, value: Any) -> Reply:
        asked = {} if value in (None, True) else value
        if not isinstance(asked, dict) or not asked.keys() <= {"game", "seed", "deck", "options", "force"}:
            raise BadRequest('"deal" takes an object of "game", "seed", "deck", "options" and "force"')
        name, options = asked.get("game"), asked.get("options")
        if name is None:
            now = self.keeper.current()
            name, options = now.name, now.options if options is None else options
        if not isinstance(name, str) or not isinstance(options, (dict, type(None))):
            raise BadRequest('"game" is a name, and "options" is an object: {"draw": 3}')
        game = deal(name, seed=asked.get("seed"), deck=asked.get("deck"), options=options)
        self.keeper.replace(game, asked.get("force") is True)
        return self.view(game)

    def _quit(self, value: Any) -> Reply:
        _check_true("quit", value)
        raise Quit

    def _help(self, value: Any) -> Reply:
        return {"requests": list(self.allowed)}


def _check_true(name: str, value: Any) -> None:
    if value not in (None, True):
        raise BadRequest(f'"{name}" takes true: {{"{name}": true}}')


REQUESTS: Mapping[str, Callable[[Session, Any], Reply]] = {
    "move": Session._move,
    "undo": Session._undo,
    "redo": Session._redo,
    "show": Session._show,
    "moves": Session._moves,
    "score": Session._score,
    "hint": Session._hint,
    "deal": Session._deal,
    "quit": Session._quit,
    "help": Session._help,
}
"""Every request, with what carries it out."""


def _nothing(name: str, words: Sequence[str]) -> bool:
    if words:
        raise BadRequest(f"{name} takes no argument here, not {quoted(words[0])}")
    return True


def _count(name: str, words: Sequence[str]) -> int | str:
    if not words:
        return 1
    if words[0] in ("all", "--all") and len(words) == 1:
        return "all"
    if len(words) > 1 or not _is_number(words[0]):
        raise BadRequest(f"{name} takes a number of moves, or all: {name} 3")
    return int(words[0])


def _is_number(word: str) -> bool:
    """Tells whether a word is a whole number in plain digits, and of no more of them than anybody needs."""
    return word.isascii() and word.isdecimal() and len(word) <= 18


def _dealt(words: Sequence[str]) -> dict[str, Any]:
    """Reads `deal GAME SEED KEY=VALUE… force`, or the same with the options of the command `deal`.

    The game, the seed, or both may be left out.
    """
    plain: list[str] = []
    seeds: list[str] = []
    options: dict[str, str] = {}
    asked: dict[str, Any] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word in ("force", "--force"):
            asked["force"] = True
        elif name in ("--seed", "-o", "--option"):
            if not equals:
                value = rest.pop(0) if rest else ""
            if name == "--seed":
                seeds.append(value)
            else:
                _add_option(options, value)
        elif word.startswith("-"):
            raise BadRequest(f"{DEAL_TAKES}, not {quoted(word)}")
        elif equals:
            _add_option(options, word)
        else:
            plain.append(word)
    if len(plain[1:] + seeds) > 1:
        raise BadRequest(f"{DEAL_TAKES}, not {quoted([*plain[1:], *seeds][1])} too")
    asked |= dict(zip(("game",), plain)) | dict(zip(("seed",), plain[1:] + seeds))
    return {**asked, "options": options} if options else asked


DEAL_TAKES = "deal takes a game, a seed, options as KEY=VALUE, and --force"


def _add_option(options: dict[str, str], word: str) -> None:
    key, equals, value = word.partition("=")
    if not equals:
        raise BadRequest(f"an option of a game is KEY=VALUE, not {quoted(word)}")
    if key in options:
        raise BadRequest(f"option {quoted(key)} is given twice: give it once")
    options[key] = value


def _about(words: Sequence[str]) -> bool | str:
    if len(words) > 1:
        raise BadRequest("moves takes one card or pile: moves 7H")
    return words[0] if words else True


def _hinted(words: Sequence[str]) -> dict[str, int]:
    if not words:
        return {}
    if len(words) > 1 or not _is_number(words[0]):
        raise BadRequest("hint takes a number of worlds: hint 64")
    return {"worlds": int(words[0])}


WORDS: Mapping[str, Callable[[Sequence[str]], Any]] = {
    "undo": lambda words: _count("undo", words),
    "redo": lambda words: _count("redo", words),
    "deal": _dealt,
    "hint": _hinted,
    "moves": _about,
}
"""How the words after a request are read, where it takes any."""
