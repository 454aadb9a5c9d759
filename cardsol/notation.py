"""Moves as a player thinks of them: card names for places, long pile names, any case.

Only input passes here. A word is read against the legal moves: it names a move if each of its parts is one
of the names that the move's own part goes by. So no rule of any game stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .cards import DECKS, Cards, normalized
from .errors import AmbiguousMove, BadRequest, BadToken, IllegalMove
from .game import Game
from .moves import Move
from .text import LONGEST_WORD, clauses, close_matches, did_you_mean, quoted
from .view import View

_TOKEN = re.compile(r"([a-z]+\d*)(?:([-+])([a-z]+\d*?)(?:x(\d+))?)?")
_WORD = re.compile(r"([^-+]+)(?:([-+])([^-+]+?)(?:X([2-9]|[1-9][0-9]{1,2}))?)?")

SHORT_NAMES = {"w": "waste", "s": "stock"}
"""Piles of every game that has them."""

FEW = 5
"""So many moves are listed in a refusal."""

NONE_LEFT = "no move is left"
"""A refusal's list of legal moves, where there are none."""

_vocabularies: dict[tuple[str, ...], Vocabulary] = {}
"""Made once for each game with its options: a grammar may have a thousand tokens."""


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
    if not game.is_token(_canonical(word)):
        parts = _parts(_WORD, normalized(word, DECKS[game.rules.DECK]))
        alone = (
            parts is not None and parts == Parts(parts.first) and parts.first in DECKS[game.rules.DECK].cards
        )
        if not alone and (parts is None or not _expressible(_vocabulary(game), parts)):
            help = clauses(_guess(game, word), _forms(game))
            raise BadToken(word, f"{quoted(word)} is not a token of {game.name}: {help}")


def check_all(game: Game, words: Sequence[str]) -> None:
    """Raises BadToken, with the place of the word, where one of several can be no move of this game."""
    for step, word in enumerate(words, start=1):
        try:
            check(game, word)
        except BadToken as error:
            raise error.at(step, len(words)) from None


def resolve(game: Game, word: str) -> str:
    """Returns the canonical token of the legal move that a word names.

    Raises BadToken as `check` does, IllegalMove where no legal move has that name, and AmbiguousMove where
    several have.
    """
    token = _canonical(word)
    if game.is_token(token):
        if token in game.legal_moves:
            return token
        raise IllegalMove(token, game.why_not(token), word)
    check(game, word)
    vocabulary = _vocabulary(game)
    parts = _parts(_WORD, normalized(word, DECKS[game.rules.DECK])) or Parts("")
    view = game.view()
    moves = [game.rules.explain(view, token) for token in view.legal]
    fitting = [move.token for move in moves if _fits(move, parts, vocabulary, view)]
    if not fitting and not parts.joint:
        fitting = [move.token for move in moves if parts.first in _named(move)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise AmbiguousMove(word, tuple(fitting))
    raise _refusal(game, view, word, parts, vocabulary)


def play(game: Game, words: Iterable[str]) -> list[str]:
    """Makes moves that a player's words name, all or none; returns their canonical tokens. See `Game.play`."""
    return list(game.play(*words))


def helped(game: Game, word: str, refused: IllegalMove) -> IllegalMove:
    """Returns a refusal that also lists legal moves: those of the card that the word is about, else any.

    An answer that lists moves already is left as it is.
    """
    if isinstance(refused, AmbiguousMove):
        return refused
    return IllegalMove(refused.token, refused.reason, word, _help(game, word, refused))


def _help(game: Game, word: str, refused: IllegalMove) -> str:
    """Lists legal moves, unless the answer names the one move that they are."""
    if not game.legal_moves:
        return NONE_LEFT
    if refused.token in game.legal_moves:
        return ""
    view = game.view()
    parts = _parts(_WORD, normalized(word, DECKS[game.rules.DECK])) or Parts("")
    for card in (_face(parts.first, view), _face(parts.second, view)):
        found = _moves_of(game, view, card) if card else []
        if len(found) == 1 and found[0] in refused.reason.split():
            return ""
        if found:
            return f"legal with {card}: {_few(found)}"
    return f"legal here: {_few(view.legal)}"


def _face(name: str, view: View) -> str:
    """Returns the face-up card that a part of a word is about: itself, or the top card of the pile it names."""
    if _lying(name, view):
        return name
    pile = SHORT_NAMES.get(name.lower(), name.lower())
    return (view.piles[pile].last or "") if pile in view.piles else ""


def _moves_of(game: Game, view: View, card: str) -> list[str]:
    """Returns the legal moves that move a card, or put one on it."""
    moves = [game.rules.explain(view, token) for token in view.legal]
    return [move.token for move in moves if card in move.cards or card == move.onto]


def _few(tokens: Sequence[str]) -> str:
    more = f", ... ({len(tokens)} in all)" if len(tokens) > FEW else ""
    return ", ".join(tokens[:FEW]) + more


def _guess(game: Game, word: str) -> str:
    """Says which legal moves a word that is not a token may mean: those of a card in it, or those spelled like it.

    One that is meant for its card is told with what it does, as it may not look like the word.
    """
    view = game.view()
    text = normalized(word[:LONGEST_WORD], DECKS[game.rules.DECK])
    named = sorted((card for card in _vocabulary(game).cards if card in text), key=text.find)
    if not named:
        return did_you_mean(close_matches(word, view.legal))
    about = [_moves_of(game, view, card) for card in named if _lying(card, view)]
    first = [move.token for move in moves_with(game, named[0]) if _lying(named[0], view)]
    meant = [token for token in first if all(token in tokens for tokens in about)] or first
    if len(meant) == 1:
        return did_you_mean([f"{meant[0]} ({game.rules.explain(view, meant[0]).text})"])
    return did_you_mean(meant[:FEW])


def moves_with(game: Game, name: str) -> list[Move]:
    """Returns the legal moves that move a card, or that begin or end on a pile; raises BadRequest for another name."""
    deck = DECKS[game.rules.DECK]
    view = game.view()
    moves = [game.rules.explain(view, token) for token in view.legal]
    card = normalized(name, deck)
    if card in deck.cards:
        return [move for move in moves if card in move.cards]
    pile = SHORT_NAMES.get(name.lower(), name.lower())
    known = {pile, *(part for part, names in game.rules.LONG_NAMES.items() if pile in names)}
    known |= {each for part in known for each in game.rules.LONG_NAMES.get(part, ())}
    if known & {*game.rules.PILES, *game.rules.LONG_NAMES}:
        return [move for move in moves if known & {move.source, move.target, *move.token.split("-")}]
    raise BadRequest(
        f"{quoted(name)} is neither a pile of {game.name} nor a card of the {deck.name} deck: a card is a rank of"
        f" {' '.join(deck.ranks)} and a suit of {' '.join(deck.suits)}, like {deck.cards[6]}"
    )


def _canonical(word: str) -> str:
    """Returns a word in lower case; only letters of ASCII have one here (`K` of Kelvin is no k)."""
    return word.lower() if word.isascii() else word


def _parts(pattern: re.Pattern[str], text: str) -> Parts | None:
    found = pattern.fullmatch(text)
    return Parts(*(group or "" for group in found.groups())) if found else None


def _vocabulary(game: Game) -> Vocabulary:
    key = (game.name, *game.options.values())
    if key not in _vocabularies:
        _vocabularies[key] = _made_vocabulary(game)
    return _vocabularies[key]


def _made_vocabulary(game: Game) -> Vocabulary:
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


def _named(move: Move) -> Cards:
    """Returns the cards that name a move alone: the lowest that moves, or either one of a pair."""
    return move.cards if "+" in move.token else move.cards[:1]


def _targets(move: Move, token: Parts, vocabulary: Vocabulary) -> set[str]:
    """Returns the names of the place where a move ends."""
    names = {*vocabulary.names[token.second], move.onto or token.second}
    if move.target.upper() in vocabulary.places:
        names.add(move.target.upper())
    return names


def _refusal(game: Game, view: View, word: str, parts: Parts, vocabulary: Vocabulary) -> IllegalMove:
    """Finds the token that a word must mean, as far as what is seen tells it, and says why it is illegal."""
    for name in (parts.first, parts.second):
        if name in vocabulary.cards and not _lying(name, view):
            return IllegalMove(word, f"no {name} lies face up")
    cover = _cover(parts.second, view)
    if cover:
        return IllegalMove(word, f"{cover} lies on {parts.second}, so nothing is built on it")
    meant = _meant(game, parts, vocabulary, view)
    for token in meant:
        if token not in view.legal:
            reason = _with_cover(game.why_not(token), parts.first, view)
            return IllegalMove(token, _with_cover(reason, parts.second, view), word)
    if meant:
        return IllegalMove(word, f"{meant[0]} is another move: {game.rules.explain(view, meant[0]).text}")
    if parts.times:
        return IllegalMove(word, f"no {parts.times} cards can be moved there")
    place = _place(parts.first, view)
    if parts.joint:
        return IllegalMove(word, f"no move leads from {place} to {_place(parts.second, view)}")
    lying = _lying(parts.first, view)
    if lying:
        return IllegalMove(
            word, f"{parts.first} lies on {lying[0][0]}, and no legal move takes it from there"
        )
    return IllegalMove(word, f"no legal move begins at {place}")


def _lying(card: str, view: View) -> list[tuple[str, int]]:
    """Returns the piles in which a card lies face up, and how many cards there are from it to the top."""
    return [(pile, len(up) - up.index(card)) for pile, (_, up) in view.piles.items() if card in up]


def _cover(card: str, view: View) -> str:
    """Returns the card that lies on another, where that is neither the head nor the last of any pile."""
    lying = [view.piles[pile].up for pile, _ in _lying(card, view)]
    if not lying or any(card in (up[0], up[-1]) for up in lying):
        return ""
    return lying[0][lying[0].index(card) + 1]


def _with_cover(reason: str, card: str, view: View) -> str:
    """Adds to a reason that speaks of the top card what lies on the card that was named."""
    lying = _lying(card, view)
    if not lying or lying[0][1] == 1 or card in reason:
        return reason
    return f"{view.piles[lying[0][0]].up[-1]} lies on {card}, and {reason}"


def _place(name: str, view: View) -> str:
    """Returns a place by its own name, and a card by the pile that it lies in."""
    lying = _lying(name, view)
    return f"{name} on {lying[0][0]}" if lying else name.lower()


def _meant(game: Game, word: Parts, vocabulary: Vocabulary, view: View) -> list[str]:
    """Returns the tokens that a word may mean; those first that move as many cards as lie from the named one up."""
    firsts = _parts_of(word.first, vocabulary, view)
    seconds = _parts_of(word.second, vocabulary, view) if word.joint else {"": 0}
    wanted = {(first, second) for first in firsts for second in seconds}
    if word.joint == "+":
        wanted |= {(second, first) for first, second in wanted}
    found = []
    for token in vocabulary.parts:
        if token.joint == word.joint and (token.first, token.second) in wanted:
            count = firsts.get(token.first, 0)
            times = word.times or (str(count) if count > 1 else "")
            if token.times in (times, word.times):
                found.append((token.times != times, _written(token)))
    return [token for _, token in sorted(found)]


def _parts_of(name: str, vocabulary: Vocabulary, view: View) -> dict[str, int]:
    """Returns the token parts that a name stands for, with the count of cards from a named card to the top."""
    if name not in vocabulary.cards:
        found = {part for part, names in vocabulary.names.items() if name in names}
        return dict.fromkeys(found or {part for place, part in vocabulary.places.items() if place == name}, 0)
    return {
        part: count
        for pile, count in _lying(name, view)
        for part, names in vocabulary.names.items()
        if pile.upper() in names
    }


def _written(parts: Parts) -> str:
    times = f"x{parts.times}" if parts.times else ""
    return f"{parts.first}{parts.joint}{parts.second}{times}"


def _forms(game: Game) -> str:
    return "its tokens are like " + ", ".join(dict.fromkeys(word.form for word in game.rules.TOKEN_FORMS))
