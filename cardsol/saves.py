"""The save: a game as JSON text, and back, with all of it verified."""

from __future__ import annotations

import codecs
import json
import os
from collections.abc import Mapping
from typing import Any

from . import files
from .deals import ALGORITHM, check_deck, check_seed, shuffled
from .errors import BadSave, BrokenGame, CardsolError, UnknownGame
from .game import MOST_MOVES, Game, choose_options
from .piles import Pile
from .registry import rules_of
from .text import quoted

FORMAT = "cardsol-save"
VERSION, SEALED_VERSION = 1, 2
"""Of a save in clear, and of one whose deal is sealed."""
ORIGIN = ("seed", "deal", "pysol", "deck")
KEYS = {
    VERSION: ("format", "version", "game", "options", *ORIGIN, "moves", "undone", "undos", "piles", "score", "status"),
    SEALED_VERSION: (
        "format", "version", "game", "options", "sealed", "moves", "undone", "undos", "piles", "score", "status",
    ),
}  # fmt: skip
"""Version → the keys of a save. Where the deal is sealed, `sealed` is the JSON object of `ORIGIN` in base64."""
COVERED = "--"
"""Stands for a face-down card where the deal is sealed."""
LONGEST_NUMBER = 15
"""Digits; more than any number of a save can have."""
MOST_UNDOS = 10**LONGEST_NUMBER - 1
"""Where the count of moves taken back stays, so that a save can always be read again."""
MOST_BRACKETS = 2000
"""Opening brackets in a save's text: far more than one has, and few enough to keep a hostile one small."""

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]


class _Wrong(ValueError):
    """What is wrong with a save, and where in it."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(where, what)
        self.where = where
        self.what = what


def load(path: Path) -> Game:
    """Returns the game of a save; raises BadSave, or FileTrouble where the file can't be read."""
    name = os.fsencode(path)
    return parse(files.read(name), files.name_of(name))


def save(game: Game, path: Path) -> None:
    """Writes a save, replacing the file in one step; raises FileTrouble where that can't be done."""
    with files.locked(os.fsencode(path)) as target:
        target.replace(dump(game))


def dump(game: Game) -> bytes:
    """Returns the text of a save: the same bytes for the same game, one line per pile."""
    origin = {
        "seed": game.seed,
        "deal": None if game.seed is None else ALGORITHM,
        "pysol": game.pysol,
        "deck": game.deck,
    }
    values = {
        "format": FORMAT,
        "version": SEALED_VERSION if game.sealed else VERSION,
        "game": game.name,
        "options": game.options,
        **({"sealed": _seal(origin)} if game.sealed else origin),
        "moves": game.moves,
        "undone": game.undone,
        "undos": min(game.undos, MOST_UNDOS),
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    piles = [
        f"    {json.dumps(name)}: {json.dumps({'down': _down(game, pile), 'up': pile.up})}"
        for name, pile in game.piles().items()
    ]
    lines.append('  "piles": {\n' + ",\n".join(piles) + "\n  }")
    lines += [f'  "score": {game.score}', f'  "status": {json.dumps(game.status)}']
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def parse(data: bytes, path: str) -> Game:
    """Returns the game of a save's bytes; raises BadSave, naming `path`, where any of it is wrong."""
    try:
        return _game(_json(decode(data)))
    except BrokenGame as error:
        raise BadSave(path, "game", str(error)) from None
    except _Wrong as wrong:
        raise BadSave(path, wrong.where, wrong.what) from None


def dumps(game: Game) -> str:
    """Returns the text of a save: what `save` writes, as a str. Encode it as UTF-8 to write it to a file."""
    return dump(game).decode()


def loads(text: str | bytes) -> Game:
    """Returns the game of a save's text, as a str or as the bytes of a file; raises BadSave, whose path is `<text>`."""
    if not isinstance(text, (str, bytes, bytearray)):
        raise BadSave("<text>", "", f"a save is a text or bytes, not {type(text).__name__}")
    return parse(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, "<text>")


def decode(data: bytes) -> str:
    """Returns text that is UTF-8, or UTF-16 with a byte-order mark, without the mark; raises ValueError."""
    try:
        if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
            raise _Wrong("byte 0", "UTF-32 text is not read: UTF-8 is, and UTF-16")
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return data.decode("utf-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Wrong(
            f"byte {error.start}", f"not {error.encoding.upper().removesuffix('-SIG')} text"
        ) from None


def _json(text: str) -> Any:
    if text.count("[") + text.count("{") > MOST_BRACKETS:
        raise _Wrong("", f"not a save: more than {MOST_BRACKETS:,} lists and objects")
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        raise _Wrong(f"line {error.lineno} column {error.colno}", f"not JSON: {error.msg}") from None
    except RecursionError:
        raise _Wrong("", "not a save: JSON nested too deep") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _Wrong(quoted(key), "duplicate key")
            seen.add(key)
    return found


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        raise _Wrong("", f"no number in a save has more than {LONGEST_NUMBER} digits: {quoted(text, 20)}")
    return int(text)


def _no_number(text: str) -> Any:
    raise _Wrong("", f"all numbers in a save are whole, not {quoted(text, 20)}")


def _game(save: Any) -> Game:
    if not isinstance(save, dict) or save.get("format") != FORMAT:
        raise _Wrong("format", f"it should be {FORMAT!r}")
    version = save.get("version")
    if type(version) is not int or version not in KEYS:
        raise _Wrong(
            "version",
            f"this program reads versions {VERSION} and {SEALED_VERSION}, not {_shown(version)};"
            " a newer program may have made it",
        )
    for key in KEYS[version]:
        if key not in save:
            raise _Wrong(key, "missing")
    for key in save:
        if key not in KEYS[version]:
            raise _Wrong(quoted(key), f"no save of version {version} has this key")
    game = _deal(save)
    _replay(game, save)
    _verify(game, save)
    return game


def _deal(save: Mapping[str, Any]) -> Game:
    """Builds the game as it was dealt, from the keys that say how."""
    try:
        rules = rules_of(_text(save, "game"))
    except UnknownGame as error:
        raise _Wrong("game", str(error)) from None
    given = save["options"]
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise _Wrong("options", "it should be an object of texts")
    options = _checked("options", choose_options, rules, given)
    if given.keys() != options.keys():
        raise _Wrong("options", f"missing {', '.join(key for key in options if key not in given)}")
    sealed = save["version"] == SEALED_VERSION
    deck, seed, pysol = (_unseal if sealed else _origin)(save, rules.DECK)
    game: Game = _checked("options", Game, rules, options, deck, seed=seed, pysol=pysol)
    game.sealed = sealed
    return game


Origin = tuple[tuple[str, ...], "str | None", "str | None"]
"""Deck order, seed, number of PySolFC."""


def _origin(save: Mapping[str, Any], deck_name: str) -> Origin:
    deck = _checked("deck", check_deck, deck_name, _texts(save, "deck"))
    seed = None if save["seed"] is None else _checked("seed", check_seed, _text(save, "seed"))
    pysol = None if save["pysol"] is None else _checked("pysol", check_seed, _text(save, "pysol"))
    if seed is None:
        if save["deal"] is not None:
            raise _Wrong("deal", "it should be null where the seed is")
    else:
        _check_shuffle(save, deck_name, seed, deck)
        if pysol is not None:
            raise _Wrong("pysol", "it should be null where a seed is given")
    return deck, seed, pysol


def _seal(origin: Mapping[str, Any]) -> str:
    """Returns where a deck came from as base64: nobody reads it at a glance, and anybody can decode it."""
    from binascii import b2a_base64

    return b2a_base64(json.dumps(origin, ensure_ascii=False).encode(), newline=False).decode()


def _unseal(save: Mapping[str, Any], deck_name: str) -> Origin:
    """Returns where the deck of a sealed save came from. What is wrong with it is not told: it may lie face down."""
    from binascii import a2b_base64, b2a_base64

    text = _text(save, "sealed")
    try:
        data = a2b_base64(text)
        if b2a_base64(data, newline=False).decode() == text:
            origin = _json(decode(data))
            if isinstance(origin, dict) and origin.keys() == set(ORIGIN):
                return _origin(origin, deck_name)
    except ValueError:
        pass
    raise _Wrong("sealed", "it holds no whole deal that this program can make")


def _down(game: Game, pile: Pile) -> tuple[str, ...]:
    """Returns the face-down cards of a pile as a save lists them."""
    return (COVERED,) * len(pile.down) if game.sealed else pile.down


def _check_shuffle(save: Mapping[str, Any], deck_name: str, seed: str, deck: tuple[str, ...]) -> None:
    if save["deal"] != ALGORITHM:
        raise _Wrong("deal", f"this program deals by {ALGORITHM!r}, not {_shown(save['deal'])}")
    for place, (given, due) in enumerate(zip(deck, shuffled(deck_name, seed))):
        if given != due:
            # What the seed deals is not said: it may lie face down.
            raise _Wrong(f"deck[{place}]", f"{given} is not the card that the seed deals there")


def _replay(game: Game, save: Mapping[str, Any]) -> None:
    moves, undone = _texts(save, "moves"), _texts(save, "undone")
    if len(moves) + len(undone) > MOST_MOVES:
        raise _Wrong(
            "moves", f"a game holds at most {MOST_MOVES:,} moves, this one has {len(moves) + len(undone):,}"
        )
    for key, tokens in (("moves", moves), ("undone", undone)):
        for step, token in enumerate(tokens):
            where = f"{key}[{step}]"
            if not game.is_token(token):
                raise _Wrong(where, f"{quoted(token)} is not a token of {game.name}")
            _checked(where, game.push, token)
    if undone:
        game.undo(len(undone))
    undos = save["undos"]
    if type(undos) is not int or undos < len(undone):
        raise _Wrong(
            "undos", f"it should be a whole number not below {len(undone)}, the number of undone moves"
        )
    game.undos = undos


def _verify(game: Game, save: Mapping[str, Any]) -> None:
    """Checks the keys that only repeat what the moves give."""
    piles = save["piles"]
    due = game.piles()
    if not isinstance(piles, dict) or piles.keys() != due.keys():
        raise _Wrong("piles", f"it should be an object of the piles {' '.join(due)}")
    for name, pile in due.items():
        _verify_pile(f"piles.{name}", piles[name], Pile(_down(game, pile), pile.up))
    if type(save["score"]) is not int or save["score"] != game.score:
        raise _Wrong("score", f"the moves give {game.score}, not {_shown(save['score'])}")
    if save["status"] != game.status:
        raise _Wrong("status", f"the moves give {game.status!r}, not {_shown(save['status'])}")


def _verify_pile(where: str, given: Any, due: Pile) -> None:
    """Raises _Wrong at the first card that is not where the moves leave it; a face-down card is not told."""
    if not isinstance(given, dict) or given.keys() != {"down", "up"}:
        raise _Wrong(where, 'it should be an object of "down" and "up"')
    for part, cards in (("down", due.down), ("up", due.up)):
        there = _list(f"{where}.{part}", given[part])
        if len(there) != len(cards):
            raise _Wrong(f"{where}.{part}", f"the moves leave {len(cards)} cards there, not {len(there)}")
        for place, (card, right) in enumerate(zip(there, cards)):
            if card != right:
                told = f"the moves leave {right} there" if part == "up" else "it is another card"
                raise _Wrong(f"{where}.{part}[{place}]", f"{told}, not {_shown(card)}")


def _checked(where: str, function: Any, *args: Any, **kwargs: Any) -> Any:
    try:
        return function(*args, **kwargs)
    except BrokenGame:
        raise
    except CardsolError as error:
        raise _Wrong(where, str(error)) from None


def _text(save: Mapping[str, Any], key: str) -> str:
    value = save[key]
    if not isinstance(value, str):
        raise _Wrong(key, f"it should be a text, not {_shown(value)}")
    return value


def _texts(save: Mapping[str, Any], key: str) -> list[str]:
    value = _list(key, save[key])
    for place, item in enumerate(value):
        if not isinstance(item, str):
            raise _Wrong(f"{key}[{place}]", f"it should be a text, not {_shown(item)}")
    return value


def _list(where: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise _Wrong(where, f"it should be a list, not {_shown(value)}")
    return value


def _shown(value: Any) -> str:
    """Names a value of JSON in a few words; what lists and objects hold is left out, deep as it may be."""
    if isinstance(value, str):
        return quoted(value, 40)
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else json.dumps(value)
