"""Errors and values of the library: equal after a pickle, a copy and a process pool; true answers about moves."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

import cardsol
from cardsol import errors, pysol
from cardsol.hint import history_of
from cardsol.solve import where_lost
from tests.support.harness import run_inside

GAME = cardsol.deal("three-peaks", seed=1)
GAME.play("draw", "d1")
GAME.undo()

ERRORS: list[cardsol.CardsolError] = [
    cardsol.CardsolError("what"),
    cardsol.UnknownGame("camlot", ("camelot", "universal")),
    cardsol.BrokenGame("ours", "ours:game", "it has no TITLE"),
    cardsol.BadOption("draw", "4", "option draw takes 1"),
    cardsol.BadSeed("", "a seed has 1 to 200 characters"),
    cardsol.BadDeck("not the deck", ("7H", "8H")),
    cardsol.BadToken("zz", "'zz' is no token"),
    cardsol.IllegalMove("d1", "it does not fit", "7D"),
    cardsol.IllegalMove("d1", "it does not fit").at(2, 3),
    cardsol.AmbiguousMove("7D", ("d1", "d2")),
    cardsol.NoSuchMove("there is no move"),
    cardsol.NoHint("the game is won"),
    errors.BadRequest("there is no request 'x'"),
    errors.NoGame("no game is dealt yet"),
    errors.GameInTheWay("a game is still being played"),
    errors.SealedDeal("the deal is sealed"),
    cardsol.BadSave("a.json", "moves[3]", "it should be a text"),
    cardsol.FileTrouble("a.json", "can't be read"),
    cardsol.NoFile("a.json", "no such file"),
    pysol.BadNumber("x", "no number"),
    pysol.NoPysolCards("", "not installed"),
]

VALUES: list[object] = [
    GAME,
    GAME.view(),
    GAME.view().piles["waste"],
    GAME.piles()["waste"],
    GAME.legal_moves,
    GAME.explain("d1"),
    cardsol.hint(GAME, worlds=1),
    cardsol.hint(GAME, worlds=1).candidates[0],
    cardsol.BestWin(40, ("draw",), True),
    cardsol.Proof("pattern", "7H never leaves the waste", ("7H",)),
    history_of(GAME),
    cardsol.solve(GAME, limits=cardsol.Limits(states=10)),
    where_lost(GAME, cardsol.Limits(states=10)),
    cardsol.Limits(1, 2.0, 3.0),
    cardsol.DECKS["double"],
]

WAYS: list[Callable[[Any], Any]] = [
    *(lambda value, n=n: pickle.loads(pickle.dumps(value, n)) for n in range(2, pickle.HIGHEST_PROTOCOL + 1)),
    copy.copy,
    copy.deepcopy,
]


def test_every_public_class_is_among_these() -> None:
    public = {name for name in cardsol.__all__ if isinstance(getattr(cardsol, name), type)}  # type: ignore[attr-defined]
    tried = {type(value).__name__ for value in [*ERRORS, *VALUES]}
    assert public <= tried


def test_every_error_that_there_is_is_among_these() -> None:
    def below(kind: type[Exception]) -> set[type[Exception]]:
        return {kind}.union(*map(below, kind.__subclasses__()))

    made_here = {kind for kind in below(errors.CardsolError) if kind.__module__.startswith("cardsol.")}
    from_commands = {kind for kind in made_here if kind.__module__.startswith("cardsol.cli")}
    assert made_here - from_commands <= set(map(type, ERRORS))


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_is_the_same_after_pickle_and_copy(error: cardsol.CardsolError, way: int) -> None:
    again = WAYS[way](error)
    assert type(again) is type(error) and again is not error
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))


@pytest.mark.parametrize("way", range(len(WAYS)))
@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_is_the_same_after_pickle_and_copy(value: object, way: int) -> None:
    again = WAYS[way](value)
    assert type(again) is type(value) and again == value and repr(again) == repr(value)


def test_a_copied_game_goes_its_own_way() -> None:
    for way in WAYS[-1:]:
        again = way(GAME)
        assert (again.undone, again.undos, again.view()) == (GAME.undone, GAME.undos, GAME.view())
        again.push("draw")
        assert again != GAME and GAME.moves == ("draw",)


def refuse(game: cardsol.Game, token: str) -> cardsol.Game:
    game.push(token)
    return game


def test_errors_and_games_pass_through_a_process_pool() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(cardsol.IllegalMove) as caught:
            pool.submit(refuse, GAME, "d2").result(60)
        assert (caught.value.token, bool(caught.value.reason)) == ("d2", True)
        with pytest.raises(cardsol.BadToken):
            pool.submit(refuse, GAME, "junk").result(60)
        assert pool.submit(refuse, GAME, "d1").result(60).moves == ("draw", "d1")


def test_a_missing_save_is_a_file_not_found_error() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        cardsol.load("no-such-file.json")
    assert isinstance(caught.value, cardsol.NoFile) and isinstance(caught.value, cardsol.CardsolError)
    assert (caught.value.filename, caught.value.errno) == ("no-such-file.json", 2)
    assert str(caught.value).startswith("'no-such-file.json': ")


def test_explain_is_for_legal_moves() -> None:
    assert GAME.explain("d1").kind == "play"
    with pytest.raises(cardsol.IllegalMove, match=r"d2: .* does not go on "):
        GAME.explain("d2")
    with pytest.raises(cardsol.BadToken):
        GAME.explain("junk")


REFUSED: dict[str, tuple[Callable[[cardsol.Game], object], str, str | None]] = {
    "push": (lambda game: game.push("d2"), "d2", None),
    "explain": (lambda game: game.explain("d2"), "d2", None),
    "play": (lambda game: game.play("d2"), "d2", None),
    "play a card": (lambda game: game.play("6H"), "d2", "6H"),
    "play in capitals": (lambda game: game.play("D2"), "d2", "D2"),
    "parse": (lambda game: game.parse("d2"), "d2", None),
    "parse a card": (lambda game: game.parse("6H"), "d2", "6H"),
    "parse in capitals": (lambda game: game.parse("D2"), "d2", "D2"),
    "parse a card that is not seen": (lambda game: game.parse("AS"), "AS", None),
}  # fmt: skip
"""Call → the token of the error, and the word that stood for it."""


@pytest.mark.parametrize("call", REFUSED)
def test_an_illegal_move_has_its_token_its_rule_and_the_word(call: str) -> None:
    refused, token, typed = REFUSED[call]
    game = cardsol.deal("three-peaks", seed=1)
    game.play("d9")
    with pytest.raises(cardsol.IllegalMove) as caught:
        refused(game)
    error = caught.value
    assert (error.token, error.typed) == (token, typed)
    shown = token if typed is None else f"{typed} ({token})"
    assert str(error).startswith(f"illegal move {shown}: {error.reason}")
    if token == "d2":
        assert error.reason == game.why_not("d2")


def test_the_reason_is_the_rule_alone_whatever_the_message_lists() -> None:
    for name in cardsol.names():
        game = cardsol.deal(name, seed=1)
        for token in sorted(game.grammar.difference(game.legal_moves))[::9]:
            for refused in (game.push, game.play, game.parse):
                with pytest.raises(cardsol.IllegalMove) as caught:
                    refused(token)
                assert caught.value.reason == game.why_not(token)


def test_a_loop_over_the_status_is_well_typed() -> None:
    """Type checkers read this too: a comparison of the status says nothing of the status after a move."""
    game = cardsol.deal("three-peaks", seed=1)
    while game.status == "playing":
        game.push(game.legal_moves[0])
        if game.status == "won":
            break
    if game.status == "lost":
        game.undo()
        assert game.status == "playing" == game.view().status


def test_why_not_is_for_the_others() -> None:
    assert "does not go on" in GAME.why_not("d2")
    with pytest.raises(cardsol.CardsolError, match="d1: it is legal now"):
        GAME.why_not("d1")
    with pytest.raises(cardsol.BadToken):
        GAME.why_not("junk")


@pytest.mark.parametrize("name", cardsol.names())
def test_at_every_moment_a_token_is_explained_or_forbidden(name: str) -> None:
    game = cardsol.deal(name, seed=1)
    for _ in range(20):
        if game.status != "playing":
            break
        for token in sorted(game.grammar)[::7]:
            legal = token in game.legal_moves
            (game.explain if legal else game.why_not)(token)
            with pytest.raises(cardsol.CardsolError):
                (game.why_not if legal else game.explain)(token)
        game.push(game.legal_moves[-1])


def test_games_are_equal_that_were_dealt_and_played_alike() -> None:
    one = cardsol.deal("universal", seed=3)
    other = cardsol.deal("universal", deck=one.deck)
    assert one == other and one.copy() == one and cardsol.loads(cardsol.dumps(one)) == one
    one.push("draw")
    assert one != other
    one.undo()
    assert one == other
    assert one != cardsol.deal("universal", seed=3, options={"draw": 2})
    assert one != cardsol.deal("universal", seed=4) and one != "universal"
    with pytest.raises(TypeError):
        hash(one)


@pytest.mark.parametrize("name", cardsol.names())
def test_a_game_as_text_is_what_show_prints(name: str) -> None:
    game = cardsol.deal(name, seed=1)
    for token in (None, *game.legal_moves[:1]):
        if token:
            game.push(token)
        shown = run_inside("show", "--style", "ascii", "--save", "-", given=cardsol.dumps(game).encode())
        assert (shown.status, shown.out) == (0, str(game) + "\n")


@pytest.mark.parametrize("name", cardsol.names())
def test_a_game_as_text_is_its_board(name: str) -> None:
    game = cardsol.deal(name, seed=1)
    text = str(game)
    assert text.isascii() and "\x1b" not in text and len(text.splitlines()) >= 5
    for pile in game.view().piles.values():
        assert not pile.last or pile.last in text or len(pile.up) > 1
    assert repr(game).startswith(f"<Game {name} (") and "\n" not in repr(game)


def test_a_players_word_that_is_pushed_is_refused_with_the_token() -> None:
    card = GAME.piles()["d1"].up[-1]
    with pytest.raises(
        cardsol.BadToken, match=r"not a token of three-peaks: here it names d1, as game\.parse tells"
    ):
        GAME.push(card)
    with pytest.raises(cardsol.BadToken, match=r"not a token of three-peaks$"):
        GAME.push("junk")


def test_saves_as_texts() -> None:
    text = cardsol.dumps(GAME)
    assert isinstance(text, str)
    for given in (text, text.encode(), text.encode("utf-16")):
        game = cardsol.loads(given)
        assert game == GAME and (game.undone, game.seed) == (GAME.undone, "1")
    with pytest.raises(cardsol.BadSave, match=r"^'<text>' is no valid save: line 1 column 1: "):
        cardsol.loads("nothing")
    with pytest.raises(cardsol.BadSave):
        cardsol.loads("\ud800")
