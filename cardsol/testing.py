"""Checks that a game keeps the promises of `cardsol.rules`: for the tests of a game, built in or added.

>>> from cardsol.testing import check_game
>>> check_game("camelot", seeds=1, moves=3)
"""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import pairwise, product
from typing import Any, NamedTuple

from . import registry, saves
from .board import render
from .cards import DECKS, Cards
from .deals import shuffled
from .errors import BadOption, NoHint
from .game import Game, choose_options, first_part, is_whole
from .moves import Move
from .plugins import RESULTS, described, faults_of, wrong_result
from .rules import Rules
from .text import as_text
from .view import View

TOKEN = re.compile(r"[a-z]+[0-9]*([-+][a-z]+[0-9]*)?")
"""The tokens that a shell takes as they are, and that `cardsol move` can take apart: `t3`, `t3-t5`, `b1-c2x3`."""
STOCK = "stock"
"""The pile whose last face-down card is the next to be drawn."""
SEVERAL = "tableau"
"""The target of a move that deals cards to several piles."""
WIDTH = 80
"""Columns of a terminal."""
FEW = 12
"""Illegal tokens whose refusals are looked at in one position."""
SELDOM = 20
"""After so many moves each: the checks that take long, saves, twins and hints."""
STATES = 200
"""States of the search whose line is replayed."""


class Moment(NamedTuple):
    """Where a fault was found: what the message begins with."""

    game: str
    options: Mapping[str, str]
    seed: str = ""
    step: int = 0

    def __str__(self) -> str:
        options = "".join(f" {key}={value}" for key, value in self.options.items())
        return f"{self.game}{options}" + (f", seed {self.seed}, after {self.step} moves" if self.seed else "")


def check_game(
    rules: Rules[Any] | str, *, seeds: int = 3, moves: int = 60, first_seed: str = "check"
) -> None:
    """Plays a game at random and checks every promise that `cardsol.rules` asks a game to keep.

    `rules` is the game's module or object, installed or not, or the name of a game. With each combination of its
    options `seeds` deals, 1 or more, are played for `moves` moves at most, 1 or more; the same `first_seed` gives
    the same deals and moves. Raises AssertionError with one sentence that names the game, its options, the seed, the
    number of moves made, and the function at fault. Raises UnknownGame for a name that no game has, and BadOption
    for a number below 1.
    """
    for key, number in (("seeds", seeds), ("moves", moves)):
        if not is_whole(number) or number < 1:
            raise BadOption(key, as_text(number), f"{key} is a whole number from 1, not {as_text(number)}")
    found: Any = registry.rules_of(rules) if isinstance(rules, str) else rules
    name = str(getattr(found, "NAME", found))
    for fault in faults_of(found):
        raise AssertionError(f"{name}: {fault}")
    with _registered(found):
        for values in product(*found.OPTIONS.values()):
            options = dict(zip(found.OPTIONS, values))
            _check_grammar(found, options)
            for nth in range(1, seeds + 1):
                _check_play(found, options, f"{first_seed}-{nth}", moves)
        _check_examples(found)
        _check_forms(found)
        _check_sentence(found.SOURCE, Moment(name, {}), "SOURCE")


@contextmanager
def _registered(rules: Rules[Any]) -> Iterator[None]:
    """Lets saves and hints find the game by its name, also where it is not installed."""
    before = dict(registry._found)
    registry._found[rules.NAME] = rules
    try:
        yield
    finally:
        registry._found.clear()
        registry._found.update(before)


def _fail(moment: Moment, function: str, what: str) -> None:
    raise AssertionError(f"{moment}: {function}: {what}")


def _hold(truth: object, moment: Moment, function: str, what: str) -> None:
    if not truth:
        _fail(moment, function, what)


def _call(rules: Rules[Any], moment: Moment, function: str, *given: Any) -> Any:
    """Returns what a function of the game gives; checks its type, and that equal arguments give an equal result."""
    try:
        result, again = (getattr(rules, function)(*given) for _ in range(2))
    except Exception as error:
        raise AssertionError(f"{moment}: {function}() raised {described(error)}") from error
    if function in RESULTS and (wrong := wrong_result(function, result, rules.PILES)):
        raise AssertionError(f"{moment}: {wrong}")
    _hold(
        result == again, moment, function, "called twice with equal arguments it returned what is not equal"
    )
    return result


def _check_grammar(rules: Rules[Any], options: Mapping[str, str]) -> None:
    moment = Moment(rules.NAME, options)
    grammar = _call(rules, moment, "grammar", options)
    _hold(grammar, moment, "grammar", "it is empty")
    for token in sorted(grammar):
        fits = TOKEN.fullmatch(token.partition("x")[0] if re.search(r"[0-9]x[0-9]+$", token) else token)
        _hold(
            fits,
            moment,
            "grammar",
            f"the token {token!r} is not of a form such as t3, t3-t5, b2+c3 or b1-c2x3",
        )
    most = _call(rules, moment, "max_score", options)
    _hold(most is None or most > 0, moment, "max_score", f"{most} is not above 0")


def _check_play(rules: Rules[Any], options: Mapping[str, str], seed: str, moves: int) -> None:
    """Deals, and checks every position of one random game."""
    chance = random.Random(f"{rules.NAME} {seed} {options}")
    moment = Moment(rules.NAME, options, seed)
    deck = shuffled(rules.DECK, seed)
    state = _call(rules, moment, "deal", deck, options, seed)
    try:
        hash(state)
    except TypeError as error:
        _fail(moment, "deal", f"the state can't be hashed, so it is not immutable: {error}")
    game = Game(rules, options, deck, seed=seed)
    for step in range(moves + 1):
        moment = moment._replace(step=step)
        _check_position(game, moment, chance)
        over = not game.legal_moves or step == moves
        others = [token for token in game.legal_moves if token != "draw"] if chance.randrange(4) else []
        token = "" if over else chance.choice(others or game.legal_moves)
        if token:
            _check_move(game, token, moment)
        if step % SELDOM == 0 or over:
            _check_save(game, moment)
            _check_twin(game, moment, chance)
            _check_hint(game, moment)
        if over:
            break
        game.push(token)
    _check_solution(game.rewound(0), moment._replace(step=0))
    _check_solution(game.rewound(max(0, len(game.moves) - 3)), moment)


def _check_position(game: Game, moment: Moment, chance: random.Random) -> None:
    """Checks all that the game says of one position, and that it leaves the state as it is."""
    rules, state = game.rules, game.state
    before = copy.deepcopy(state)
    _hold(
        before == state,
        moment,
        "deal" if not moment.step else "apply",
        "a copy of the state is not equal to it",
    )
    _hold(hash(before) == hash(state), moment, "apply", "equal states have different hashes")
    piles = _call(rules, moment, "piles", state)
    lying = Counter(card for pile in piles.values() for card in (*pile.down, *pile.up))
    whole = Counter(DECKS[rules.DECK].cards)
    if lying != whole:
        wrong = " ".join([*(lying - whole), *(whole - lying)][:5])
        _fail(moment, "piles", f"not each card of the deck lies on one pile: {wrong}")
    _check_facts(game, moment)
    legal = _check_moves(game, moment, chance)
    view = game.view(hide_seed=True)
    for token in legal:
        _check_explained(view, _call(rules, moment, "explain", view, token), token, rules.PILES, moment)
    if not _call(rules, moment, "is_won", state):
        illegal = sorted(game.grammar.difference(legal))
        for token in chance.sample(illegal, min(FEW, len(illegal))):
            reason = _call(rules, moment, "why_not", view, token)
            _check_sentence(reason, moment, f"why_not({token!r})")
    _check_board(game, view, moment)
    _hold(before == state, moment, "a function of the game", "it changed the state that it was given")


def _check_facts(game: Game, moment: Moment) -> None:
    rules, state = game.rules, game.state
    score, most = _call(rules, moment, "score", state), rules.max_score(game.options)
    _hold(most is None or score <= most, moment, "score", f"{score} is above the highest score, {most}")
    extra = _call(rules, moment, "extra", state)
    taken = sorted({*View._fields, "format", "version"} & extra.keys())
    _hold(not taken, moment, "extra", f"the key {', '.join(taken)} is one that each view has")
    try:
        json.dumps(extra)
    except (TypeError, ValueError) as error:
        _fail(moment, "extra", f"it can't be written as JSON: {error}")


def _check_moves(game: Game, moment: Moment, chance: random.Random) -> list[str]:
    rules, state = game.rules, game.state
    legal: list[str] = _call(rules, moment, "moves", state)
    twice = [token for token, count in Counter(legal).items() if count > 1]
    _hold(not twice, moment, "moves", f"{', '.join(twice)} is there twice")
    strange = sorted({*legal} - game.grammar)
    _hold(not strange, moment, "moves", f"{', '.join(strange)} is not in the grammar")
    if _call(rules, moment, "is_won", state):
        _hold(not legal, moment, "moves", f"the game is won, but {', '.join(legal[:5])} is legal")
    every = sorted({first_part(token) for token in game.grammar})
    for source in {*map(first_part, legal), *chance.sample(every, min(3, len(every)))}:
        due = sorted(token for token in legal if first_part(token) == source)
        found = sorted(_call(rules, moment, "moves", state, source))
        _hold(found == due, moment, "moves", f"with source={source!r} it returned {found}, not {due}")
    return legal


def _check_explained(view: View, move: Move, token: str, piles: tuple[str, ...], moment: Moment) -> None:
    function = f"explain({token!r})"
    _hold(move.token == token, moment, function, f"the Move is that of {move.token!r}")
    _check_line(move.text, moment, function)
    sources, targets = move.source.split("+"), move.target.split("+")
    strange = [pile for pile in (*sources, *targets) if pile not in (*piles, SEVERAL)]
    _hold(not strange, moment, function, f"no pile is named {', '.join(strange)}")
    there = Counter(card for pile in {*sources} & {*piles} for card in view.piles[pile].up)
    away = Counter(move.cards) - there
    _hold(not away, moment, function, f"{', '.join(away)} does not lie face up on {move.source}")
    if move.onto is not None:
        seen = any(move.onto in view.piles[pile].up for pile in targets if pile in piles)
        _hold(seen, moment, function, f"{move.onto} does not lie face up on {move.target}")


def _check_line(text: str, moment: Moment, function: str) -> None:
    _hold(text.strip() and text.isprintable(), moment, function, f"{text!r} is not one line of text")


def _check_sentence(text: str, moment: Moment, function: str) -> None:
    _check_line(text, moment, function)
    _hold(not text.endswith("."), moment, function, f"{text!r} ends with a full stop")


def _check_board(game: Game, view: View, moment: Moment) -> None:
    rows = _call(game.rules, moment, "board", view)
    cells = [text for row in rows for _, text in row]
    _hold(all(map(str.isprintable, cells)), moment, "board", "a text is not one line")
    wide = [
        line for line in render(rows, DECKS[game.rules.DECK], signs=False, color=False) if len(line) > WIDTH
    ]
    _hold(not wide, moment, "board", f"a line is wider than {WIDTH} columns: {wide[:1]}")
    for row in rows:
        ordered = sorted(row)
        for (column, text), (following, other) in pairwise(ordered):
            free = column + len(text) <= following
            _hold(free, moment, "board", f"{other!r} at column {following} lies over {text!r} at {column}")
    for pile in game.rules.PILES:
        described_as = _call(game.rules, moment, "describe", view, pile)
        _check_sentence(described_as, moment, f"describe({pile!r})")


def _check_move(game: Game, token: str, moment: Moment) -> None:
    state = game.state
    before = copy.deepcopy(state)
    after = _call(game.rules, moment, "apply", state, token)
    _hold(state == before, moment, "apply", f"{token} changed the state that it was given")
    _check_changed(game.rules, moment, before, token, after)
    if STOCK in game.rules.PILES:
        was, now = (game.rules.piles(each)[STOCK].down for each in (before, after))
        drawn = len(now) >= len(was) or was[: len(now)] == now
        _hold(
            drawn, moment, "piles", f"{token} does not take the last card of the stock, the next to be drawn"
        )


def _check_changed(rules: Rules[Any], moment: Moment, before: Any, token: str, after: Any) -> None:
    """Checks the piles that a game says a move changed, where it says so."""
    if not hasattr(rules, "changed_piles"):
        return
    was, now = (
        {name: (len(pile.down), pile.up) for name, pile in rules.piles(state).items()}
        for state in (before, after)
    )
    found = _call(rules, moment, "changed_piles", before, token, after)
    wrong = [name for name in now if {**was, **found}[name] != now[name]]
    _hold(not wrong, moment, "changed_piles", f"after {token} it is wrong about {', '.join(wrong)}")


def _check_save(game: Game, moment: Moment) -> None:
    """Checks that the game comes back as it is from a save, from pickle, and from a copy."""
    try:
        text = saves.dumps(game)
        again = {
            "save": saves.loads(text),
            "pickle": pickle.loads(pickle.dumps(game)),
            "copy": copy.deepcopy(game),
        }
    except Exception as error:
        raise AssertionError(
            f"{moment}: the game can't be saved and read again: {described(error)}"
        ) from error
    for way, other in again.items():
        same = other == game and other.state == game.state and saves.dumps(other) == text
        _hold(same, moment, way, "the game that comes back is another")


def _check_twin(game: Game, moment: Moment, chance: random.Random) -> None:
    """Checks that a game which differs only in cards that were never seen looks the same."""
    twin = _twin(game, chance)
    if twin is None:
        return
    function = "view (piles, moves, score or extra)"
    _hold(
        _seen(twin, moment) == _seen(game, moment), moment, function, "it depends on cards that are face down"
    )
    _hold(
        _advised(twin, moment) == _advised(game, moment),
        moment,
        "hint",
        "it depends on cards that are face down",
    )


def _twin(game: Game, chance: random.Random) -> Game | None:
    """Returns the game played on a deck whose never seen cards lie in other places; None where there is none."""
    rules = game.rules
    known = {card for state in game.states for pile in rules.piles(state).values() for card in pile.up}
    places = [place for place, card in enumerate(game.deck) if card not in known]
    deck = list(game.deck)
    for place, other in zip(places, chance.sample(places, len(places))):
        deck[place] = game.deck[other]
    if tuple(deck) == game.deck:
        return None
    twin = Game(rules, game.options, tuple(deck), seed=game.seed)
    for token in game.moves:
        if token not in twin.legal_moves:
            break
        twin.push(token)
    return twin


def _seen(game: Game, moment: Moment) -> list[object]:
    """Returns what a player sees: the view, and what is said of it."""
    view = game.view(hide_seed=True)
    explained = [_call(game.rules, moment, "explain", view, token) for token in view.legal]
    return [view, explained, _call(game.rules, moment, "board", view)]


def _advised(game: Game, moment: Moment) -> object:
    from .hint import hint, history_of

    try:
        return hint(history_of(game), 1)
    except NoHint as none:
        return str(none)
    except Exception as error:
        raise AssertionError(f"{moment}: hint: it raised {described(error)}") from error


def _check_hint(game: Game, moment: Moment) -> None:
    advised = _advised(game, moment)
    token = getattr(advised, "token", None)
    _hold(token is None or token in game.legal_moves, moment, "hint", f"the move {token} is not legal")
    if isinstance(advised, str) and "can't follow" in advised:
        _fail(moment, "hint", f"the cards that are seen do not follow from the deck and the moves: {advised}")


def _check_solution(game: Game, moment: Moment) -> None:
    """Checks that the line of a short search can be played, and gives what is told of it."""
    from .solve import Limits, solve

    for goal in ("win", "score"):
        try:
            # The limit is not one of shortening, which takes long where all the cards are still to be played.
            answer = solve(game, goal, Limits(states=STATES), shorten=len(game.moves) > 0)
        except Exception as error:
            raise AssertionError(f"{moment}: solve: it raised {described(error)}") from error
        played = game.copy()
        for token in answer.line or ():
            _hold(token in played.legal_moves, moment, "solve", f"{token} of the line is not legal")
            played.push(token)
        # A game that has no highest score may go on with another round.
        goes_on = game.rules.max_score(game.options) is None
        won = answer.verdict != "won" or played.status == "won" or goes_on
        _hold(won, moment, "solve", "the line does not win")
        right = answer.line is None or played.score == answer.score
        _hold(right, moment, "solve", f"the line scores {played.score}, not {answer.score}")


def _check_forms(rules: Rules[Any]) -> None:
    """Checks that each token of the grammar is of a form that TOKEN_FORMS lists."""
    listed = {_shape(form.form) for form in rules.TOKEN_FORMS}
    for values in product(*rules.OPTIONS.values()):
        options = dict(zip(rules.OPTIONS, values))
        for token in sorted(rules.grammar(options)):
            what = f"no form is like the token {token!r}"
            _hold(_shape(token) in listed, Moment(rules.NAME, options), "TOKEN_FORMS", what)


def _shape(token: str) -> str:
    """Returns a token with `#` for each part that has a number: `t3-f` and `a1-f` are of one form, `#-f`."""
    return re.sub(r"x[0-9]+$", "x", re.sub(r"\b[a-z]+[0-9]+", "#", token))


def _check_examples(rules: Rules[Any]) -> None:
    """Checks that the example of each form of token can be played."""
    for form in rules.TOKEN_FORMS:
        words = shlex.split(form.deal)
        seeds = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--seed"]
        given = dict(
            words[i + 1].split("=", 1) for i, word in enumerate(words[:-1]) if word in ("-o", "--option")
        )
        moment = Moment(rules.NAME, given)
        if not seeds or not form.moves.split() or len(words) != 2 * (len(seeds) + len(given)):
            _fail(
                moment,
                "TOKEN_FORMS",
                f"{form.form}: an example is '--seed SEED [-o KEY=VALUE]...' and its moves",
            )
        last = form.moves.split()[-1]
        _hold(
            _shape(last) == _shape(form.form),
            moment,
            "TOKEN_FORMS",
            f"{form.form}: its example ends with {last}",
        )
        deck: Cards = shuffled(rules.DECK, seeds[0])
        try:
            game = Game(rules, choose_options(rules, given), deck, seed=seeds[0])
            game.play(*form.moves.split())
        except Exception as error:
            raise AssertionError(
                f"{moment}: TOKEN_FORMS: {form.form}: its example fails: {described(error)}"
            ) from error
