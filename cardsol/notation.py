"""Moves as a player thinks of them: card names for places, long pile names, any case (COMMANDS).

Only input passes here. A word is read against the legal moves: it names a move if each of its parts is one
of the names that the move's own part goes by. So no rule of any game stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from .cards import DECKS, plain
from .errors import AmbiguousMove, BadToken, IllegalMove, quoted
from .game import Game
from .moves import Move
from .view import View

_TOKEN = re.compile(r"([a-z]+\d*)(?:([-+])([a-z]+\d*?)(?:x(\d+))?)?")
_WORD = re.compile(r"([^-+]+)(?:([-+])([^-+]+?)(?:X([2-9]|[1-9]\d))?)?")


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

    def firsts(self, joint: str) -> set[str]:
        return {parts.first for parts in self.parts if parts.joint == joint}

    def seconds(self, joint: str) -> set[str]:
        return {parts.second for parts in self.parts if parts.joint == joint}

    def named(self, parts: Iterable[str]) -> set[str]:
        return {name for part in parts for name in self.names[part]}


def check(game: Game, word: str) -> None:
    """Raises BadToken where the word can be no move of this game at any moment."""
    if not game.is_token(word) and not game.is_token(word.lower()):
        parts = _parts(_WORD, plain(word))
        if parts is None or not _expressible(game, _vocabulary(game), parts):
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
    return Vocabulary(names, parts, frozenset(DECKS[game.rules.DECK].cards))


def _expressible(game: Game, vocabulary: Vocabulary, parts: Parts) -> bool:
    cards = vocabulary.cards
    if not parts.joint:
        alone = vocabulary.firsts("") - {"draw"}
        return (bool(alone) and parts.first in cards) or parts.first in vocabulary.named(
            vocabulary.firsts("")
        )
    firsts = vocabulary.firsts(parts.joint)
    seconds = vocabulary.seconds(parts.joint)
    if parts.joint == "+":
        firsts = seconds = firsts | seconds
    if not firsts or (parts.times and not any(p.times for p in vocabulary.parts)):
        return False
    piles = {pile.upper() for pile in game.rules.PILES} if parts.joint == "-" else set()
    return parts.first in vocabulary.named(firsts) | cards and parts.second in (
        vocabulary.named(seconds) | cards | piles
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
    names = set(vocabulary.names[token.second])
    if move.onto:
        names.add(move.onto)
    if move.target not in vocabulary.seconds("-"):
        names.add(move.target.upper())
    return names


def _refusal(game: Game, view: View, word: str, parts: Parts, vocabulary: Vocabulary) -> IllegalMove:
    """Finds the token that a word must mean, as far as what is seen tells it, and says why it is illegal."""
    for name in (parts.first, parts.second):
        if name in vocabulary.cards and not any(name in pile.up for pile in view.piles.values()):
            return IllegalMove(quoted(word), f"no {name} lies face up")
    firsts = _meant(parts.first, vocabulary, view, lambda up, card: card in up)
    seconds = (
        _meant(parts.second, vocabulary, view, lambda up, card: card in (up[0], up[-1]))
        if parts.joint
        else {""}
    )
    if not seconds:
        return IllegalMove(quoted(word), f"{parts.second} is covered, so nothing goes on it")
    wanted = {(parts.joint, first, second) for first in firsts for second in seconds}
    if parts.joint == "+":
        wanted |= {(parts.joint, second, first) for first in firsts for second in seconds}
    meant = sorted(
        token
        for token in game.grammar
        if (p := _parts(_TOKEN, token)) and (p.joint, p.first, p.second) in wanted and p.times == parts.times
    )
    for token in meant:
        if token not in view.legal:
            return IllegalMove(token, game.why_not(token))
    for token in meant:
        return IllegalMove(quoted(word), f"{token} is another move: {game.rules.explain(view, token).text}")
    return IllegalMove(quoted(word), "no move leads from there to there")


def _meant(name: str, vocabulary: Vocabulary, view: View, lies: object) -> set[str]:
    """Returns the token parts that a name, or a card that lies in a pile, stands for."""
    if name not in vocabulary.cards:
        found = {part for part, names in vocabulary.names.items() if name in names}
        return found or ({"f"} & vocabulary.names.keys())
    assert callable(lies)
    piles = {pile.upper() for pile, shown in view.piles.items() if shown.up and lies(shown.up, name)}
    return {part for part, names in vocabulary.names.items() if names & piles}


def _forms(game: Game) -> str:
    return "its tokens are " + ", ".join(word.form for word in game.rules.WORDS)
