"""Every game keeps the promises of `cardsol.rules`, and `cardsol.testing.check_game` catches one that does not."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import cardsol
from cardsol.moves import TokenForm
from cardsol.piles import Pile
from cardsol.testing import check_game

GOLF = Path(__file__).parents[2] / "examples" / "plugin" / "cardsol_golf" / "__init__.py"


@pytest.mark.parametrize("game", cardsol.names())
def test_a_game_keeps_the_promises_of_the_contract(game: str) -> None:
    check_game(game, seeds=1, moves=15)


@pytest.mark.long
@pytest.mark.parametrize("game", cardsol.names())
def test_a_game_keeps_the_promises_of_the_contract_in_many_deals(game: str) -> None:
    check_game(game, seeds=10, moves=200, first_seed="long")


def golf(**changes: Any) -> Any:
    """Golf with some of its parts replaced."""
    spec = importlib.util.spec_from_file_location("golf_to_break", GOLF)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    parts = {name: value for name, value in vars(module).items() if not name.startswith("_")}
    return SimpleNamespace(**{**parts, **{name: change(module) for name, change in changes.items()}})


def test_golf_of_the_example_keeps_the_promises() -> None:
    check_game(golf(), seeds=1)


Change = Callable[[Any], Any]


def constant(value: Any) -> Change:
    return lambda g: value


def _listed(g: Any) -> Any:
    return lambda deck, options, seed: list(g.deal(deck, options, seed))


def _counting(g: Any) -> Any:
    calls: list[None] = []

    def score(state: Any) -> int:
        calls.append(None)
        return len(calls) % 30

    return score


def _changing(g: Any) -> Any:
    def describe(view: Any, pile: str) -> str:
        view.piles.pop(pile)
        return "gone"

    return describe


FAULTS: list[tuple[str, dict[str, Change], str]] = [
    ("a name that is no text", {"NAME": constant(7)}, "its NAME should be one word"),
    ("piles twice", {"PILES": constant(("stock", "stock"))}, "its PILES should be"),
    ("no such deck", {"DECK": constant("tarot")}, "its DECK should be"),
    ("an option without values", {"OPTIONS": constant({"wrap": {}})}, "its OPTIONS should be"),
    ("a token with a blank", {"grammar": lambda g: lambda o: g.grammar(o) | {"t 1"}}, "grammar: the token 't 1'"),
    ("a token for the shell", {"grammar": lambda g: lambda o: g.grammar(o) | {"t1;ls"}}, "grammar: the token 't1;ls'"),
    ("a state that changes", {"deal": _listed}, "can't be hashed"),
    ("a score by chance", {"score": _counting}, "score: called twice"),
    ("too high a score", {"score": lambda g: lambda s: 99}, "score: 99 is above the highest score, 35"),
    ("a score that is no int", {"score": lambda g: lambda s: 1.0}, "score() returned '1.0', not an int"),
    ("a move out of the grammar", {"moves": lambda g: lambda s, source=None: [*g.moves(s, source), "t9"]},
     "moves: t9 is not in the grammar"),
    ("a move twice", {"moves": lambda g: lambda s, source=None: 2 * g.moves(s, source)}, "is there twice"),
    ("no filter by source", {"moves": lambda g: lambda s, source=None: g.moves(s)}, "moves: with source="),
    ("a move of a won game", {"is_won": lambda g: lambda s: True}, "moves: the game is won, but"),
    ("a card lost", {"piles": lambda g: lambda s: {**g.piles(s), "stock": Pile()}}, "piles: not each card"),
    ("a pile lost", {"piles": lambda g: lambda s: {"stock": Pile()}}, "piles() returned"),
    ("a move that loses cards", {"apply": lambda g: lambda s, t: g.apply(s, t)._replace(stock=())}, "piles: not each"),
    ("a move that fails", {"apply": lambda g: lambda s, t: 1 // 0}, "apply() raised ZeroDivisionError"),
    ("another move explained", {"explain": lambda g: lambda v, t: g.explain(v, t)._replace(token="t0")},
     "the Move is that of 't0'"),
    ("a source that is no pile", {"explain": lambda g: lambda v, t: g.explain(v, t)._replace(source="x")},
     "no pile is named x"),
    ("cards that lie elsewhere", {"explain": lambda g: lambda v, t: g.explain(v, t)._replace(cards=("XX",))},
     "XX does not lie face up on"),
    ("two lines for a move", {"explain": lambda g: lambda v, t: g.explain(v, t)._replace(text="a\nb")},
     "is not one line of text"),
    ("no reason", {"why_not": lambda g: lambda v, t: " "}, "why_not() returned"),
    ("a reason that fails", {"why_not": lambda g: lambda v, t: v.piles["t9"]}, "why_not() raised KeyError"),
    ("a hidden card in the view", {"extra": lambda g: lambda s: {"next": "".join(s.stock[:1])}},
     "depends on cards that are face down"),
    ("a key of the view again", {"extra": lambda g: lambda s: {"score": 1}}, "extra: the key score"),
    ("a fact that is no JSON", {"extra": lambda g: lambda s: {"left": {1}}}, "extra() returned"),
    ("a wide board", {"board": lambda g: lambda v: [[(90, "7H")]]}, "wider than 80 columns"),
    ("texts over each other", {"board": lambda g: lambda v: [[(0, "stock"), (3, "7H")]]}, "lies over 'stock'"),
    ("a pile not described", {"describe": lambda g: lambda v, p: ""}, "describe() returned"),
    ("a view that is changed", {"describe": _changing}, "describe() raised KeyError"),
    ("an example that fails", {"TOKEN_FORMS": constant((TokenForm("t1", "plays", "--seed 1", "t1"),))},
     "TOKEN_FORMS: t1: its example fails"),
    ("a form left out", {"TOKEN_FORMS": lambda g: g.TOKEN_FORMS[:1]}, "TOKEN_FORMS: no form is like the token 't1'"),
    ("no form", {"TOKEN_FORMS": constant(())}, "TOKEN_FORMS: no form is like the token 'draw'"),
    ("an example of another form", {"TOKEN_FORMS": lambda g: (*g.TOKEN_FORMS, g.TOKEN_FORMS[1]._replace(moves="draw"))},
     "TOKEN_FORMS: t3: its example ends with draw"),
    ("a stock in the order of drawing", {"piles": lambda g: lambda s: {**g.piles(s), "stock": Pile(s.stock)}},
     "piles: draw does not take the last card of the stock"),
    ("a reason with a full stop", {"why_not": lambda g: lambda v, t: "No."}, "'No.' ends with a full stop"),
    ("a pile described with a full stop", {"describe": lambda g: lambda v, p: "7H."}, "'7H.' ends with a full stop"),
    ("a source with a full stop", {"SOURCE": constant("A book.")}, "SOURCE: 'A book.' ends with a full stop"),
    ("a changed pile left out", {"changed_piles": constant(lambda before, token, after: {})},
     "it is wrong about waste, t6"),
    ("a changed pile that is none", {"changed_piles": constant(lambda before, token, after: {"t9": (0, ())})},
     "changed_piles() returned"),
    ("a hidden card of a changed pile", {"changed_piles": lambda g: lambda before, token, after: g.piles(after)},
     "changed_piles() returned"),
    ("a solver that is none", {"SOLVER": constant("json")}, "its solver has no STATES"),
    ("a policy that is none", {"POLICY": constant("no_such_policy")}, "hint: it raised BrokenGame"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "what"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS])
def test_a_fault_is_caught_and_named(changes: dict[str, Change], what: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_game(golf(**changes), seeds=1, moves=25)
    message = str(caught.value)
    assert what in message and "\n" not in message


def test_a_game_that_leaves_no_variant_out_keeps_the_promises() -> None:
    check_game(golf(NOT_PLAYED=constant(())), seeds=1, moves=5)


@pytest.mark.parametrize(("given", "what"), [
    ({"seeds": 0}, "seeds is a whole number from 1, not 0"),
    ({"moves": -1}, "moves is a whole number from 1, not -1"),
    ({"seeds": 1.5}, "seeds is a whole number from 1, not 1.5"),
])  # fmt: skip
def test_a_check_of_nothing_is_refused(given: dict[str, Any], what: str) -> None:
    with pytest.raises(cardsol.BadOption, match=f"^{what}$"):
        check_game(golf(), **given)


def test_the_message_names_game_options_seed_and_step() -> None:
    with pytest.raises(
        AssertionError, match=r"^golf wrap=off, seed mine-1, after 0 moves: score: 99 is above"
    ):
        check_game(golf(score=lambda g: lambda s: 99), first_seed="mine")


def test_the_registry_is_as_it_was_after_a_check() -> None:
    check_game(golf(), seeds=1, moves=2)
    with pytest.raises(cardsol.UnknownGame):
        cardsol.deal("golf")
