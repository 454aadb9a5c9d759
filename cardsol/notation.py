"""Moves as a player thinks of them: card names for places, long pile names, any case (COMMANDS).

Only input passes here. A word is read against the legal moves: it names a move if each of its parts is one
of the names that the move's own part goes by. So no rule of any game stands here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .cards import DECKS, plain
from .errors import AmbiguousMove, BadToken, IllegalMove, quoted
from .game import Game
from .moves import Move
from .view import View

_TOKEN = re.compile(r"([a-z]+\d*)(?:([-+])([a-z]+\d*?)(?:x(\d+))?)?")
_WORD = re.compile(r"([^-+]+)(?:([-+])([^-+]+?)(?:X([2-9]|[1-9][0-9]+))?)?")


class Parts(NamedTuple):
    """A token or word taken apart: `b1-c2x3` is b1, -, c2, 3. What is not there is empty."""

    first: str
    joint: str = ""
    second: str = ""
    times: str = ""


class Vocabulary(NamedTuple):
    """The parts that the tokens of a game are made of, and the names that each goes by, upper case."""

    names: dict[str, frozenset[str]]
    parts: tuple[Parts, ...]
    cards: frozenset[str]
    places: dict[str, str]
    """Foundation or corner that has a number → the part of a token that stands for it: F2 → f."""


def check(game: Game, word: str) -> None:
    """Raises BadToken where the word can be no move of this game at any moment."""
    if not game.is_token(word) and not game.is_token(word.lower()):
        parts = _parts(_WORD, plain(word))
        if parts is None or not _expressible(_vocabulary(game), parts):
            raise BadToken(word, f"{quoted(word)} is no token of {game.name}: {_forms(game)}")


def resolve(game: Game, word: str) -> str:
    """Returns the canonical token of the legal move that a word names.

    Raises BadToken as `check` does, IllegalMove where no legal move has that name, and AmbiguousMove where
    several have.
    """
    token = word if game.is_token(word) else word.lower()
    if game.is_token(token):
        if token in game.legal_moves:
            return token
        raise IllegalMove(token, game.why_not(token))
    check(game, word)
    vocabulary = _vocabulary(game)
    parts = _parts(_WORD, plain(word)) or Parts("")
    view = game.view()
    fitting = [
        token for token in view.legal if _fits(game.rules.explain(view, token), parts, vocabulary, view)
    ]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise AmbiguousMove(word, tuple(fitting))
    raise _refusal(game, view, word, parts, vocabulary)


def _parts(pattern: re.Pattern[str], text: str) -> Parts | None:
    found = pattern.fullmatch(text)
    return Parts(*(group or "" for group in found.groups())) if found else None


def _vocabulary(game: Game) -> Vocabulary:
    parts = tuple(found for token in game.grammar if (found := _parts(_TOKEN, token)))
    every = {part for p in parts for part in (p.first, p.second) if part}
    longer = game.rules.LONG_NAMES
    names = {part: frozenset(name.upper() for name in (part, *longer.get(part, ()))) for part in every}
    places = {}
    for pile in game.rules.PILES:
        letters = pile.rstrip("0123456789")
        part = letters if letters in every else "f"
        if letters != pile and pile not in every and part in every:
            places[pile.upper()] = part
    return Vocabulary(names, parts, frozenset(DECKS[game.rules.DECK].cards), places)


def _expressible(vocabulary: Vocabulary, word: Parts) -> bool:
    """Tells whether some token of the grammar could be called so, wherever the cards lie."""
    words = [word]
    if word.joint == "+":
        words = [word, _turned(word)] if word.first != word.second else []
    return any(_could_mean(token, each, vocabulary) for token in vocabulary.parts for each in words)


def _turned(pair: Parts) -> Parts:
    return pair._replace(first=pair.second, second=pair.first)


def _could_mean(token: Parts, word: Parts, vocabulary: Vocabulary) -> bool:
    if token.joint != word.joint or (word.times and not token.times):
        return False
    by_card = word.first in vocabulary.cards and token.first != "draw"
    if not by_card and word.first not in vocabulary.names[token.first]:
        return False
    return (
        not word.joint
        or word.second in vocabulary.names[token.second]
        or word.second in vocabulary.cards
        or vocabulary.places.get(word.second) == token.second
    )


def _fits(move: Move, word: Parts, vocabulary: Vocabulary, view: View) -> bool:
    token = _parts(_TOKEN, move.token)
    if token is None or token.joint != word.joint:
        return False
    if token.joint == "+":
        first, second = ({part.upper(), card} for part, card in zip((token.first, token.second), move.cards))
        return (word.first in first and word.second in second) or (
            word.first in second and word.second in first
        )
    by_card = bool(move.cards) and word.first == move.cards[0]
    if not by_card and word.first not in vocabulary.names[token.first]:
        return False
    if not token.joint:
        return True
    if word.times != token.times and (word.times or not by_card):
        return False
    return word.second in _targets(move, token, vocabulary)


def _targets(move: Move, token: Parts, vocabulary: Vocabulary) -> set[str]:
    """Returns the names of the place where a move ends."""
    names = {*vocabulary.names[token.second], move.onto or token.second}
    if move.target.upper() in vocabulary.places:
        names.add(move.target.upper())
    return names


def _refusal(game: Game, view: View, word: str, parts: Parts, vocabulary: Vocabulary) -> IllegalMove:
    """Finds the token that a word must mean, as far as what is seen tells it, and says why it is illegal."""
    for name in (parts.first, parts.second):
        if name in vocabulary.cards and not any(name in pile.up for pile in view.piles.values()):
            return IllegalMove(word, f"no {name} lies face up")
    seconds = _meant(parts.second, vocabulary, view, as_source=False) if parts.joint else {""}
    if not seconds:
        return IllegalMove(word, f"{parts.second} is covered, so nothing goes on it")
    firsts = _meant(parts.first, vocabulary, view, as_source=True)
    wanted = {(parts.joint, first, second) for first in firsts for second in seconds}
    if parts.joint == "+":
        wanted |= {(parts.joint, second, first) for first in firsts for second in seconds}
    meant = {
        token: _cover(parts.first, p, vocabulary, view)
        for token in sorted(game.grammar)
        if (p := _parts(_TOKEN, token)) and (p.joint, p.first, p.second) in wanted and p.times == parts.times
    }
    for token in sorted(meant.keys() - set(view.legal), key=lambda token: (meant[token], token)):
        reason, cover = game.why_not(token), meant[token]
        if cover and parts.first not in reason:
            reason = f"{cover} lies on {parts.first}, and {reason}"
        return IllegalMove(token, reason)
    for token in meant:
        return IllegalMove(word, f"{token} is another move: {game.rules.explain(view, token).text}")
    if parts.times:
        return IllegalMove(word, f"no {parts.times} cards can be moved there")
    there = "there" if parts.joint else "by itself"
    return IllegalMove(word, f"nothing moves {there} from where {parts.first} is")


def _meant(name: str, vocabulary: Vocabulary, view: View, as_source: bool) -> set[str]:
    """Returns the token parts that a name, or a card that lies in a pile, stands for."""
    if name not in vocabulary.cards:
        found = {part for part, names in vocabulary.names.items() if name in names}
        return found or {part for place, part in vocabulary.places.items() if place == name}
    piles = {
        pile.upper()
        for pile, (_, up) in view.piles.items()
        if name in (up if as_source else (*up[:1], *up[-1:]))
    }
    return {part for part, names in vocabulary.names.items() if names & piles}


def _cover(card: str, token: Parts, vocabulary: Vocabulary, view: View) -> str:
    """Returns the top card of the pile that a token starts from, where it lies on `card`."""
    for pile, (_, up) in view.piles.items():
        if pile.upper() in vocabulary.names[token.first] and card in up[:-1] and card != up[-1]:
            return up[-1]
    return ""


def _forms(game: Game) -> str:
    return "its tokens are like " + ", ".join(dict.fromkeys(word.form for word in game.rules.WORDS))
