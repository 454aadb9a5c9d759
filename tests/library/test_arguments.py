"""Wrong arguments of the library: each is refused with a sentence, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import cardsol
from cardsol import (
    BadDeck,
    BadOption,
    BadSave,
    BadSeed,
    BadToken,
    CardsolError,
    Limits,
    NoSuchMove,
    UnknownGame,
)

library: Any = cardsol
"""Without types, as an untyped caller has it."""
HUGE = 10**5000
"""More digits than Python writes in decimal."""


def game() -> Any:
    found = cardsol.deal("three-peaks", seed=1)
    found.play("d3", "draw")
    return found


WRONG: dict[str, tuple[Callable[[Any], object], type[CardsolError], str]] = {
    "hint worlds=0": (
        lambda g: library.hint(g, worlds=0), BadOption, "worlds is a whole number from 1, not 0",
    ),
    "hint worlds=-3": (
        lambda g: library.hint(g, worlds=-3), BadOption, "worlds is a whole number from 1, not -3",
    ),
    "hint worlds=1.5": (
        lambda g: library.hint(g, worlds=1.5), BadOption, "worlds is a whole number from 1, not 1.5",
    ),
    "hint worlds=None": (
        lambda g: library.hint(g, worlds=None), BadOption, "worlds is a whole number from 1, not None",
    ),
    "hint seconds=-1": (
        lambda g: library.hint(g, seconds=-1), BadOption, "seconds is a number from 0, not -1",
    ),
    "hint seconds=nan": (
        lambda g: library.hint(g, seconds=float("nan")), BadOption, "seconds is a number from 0, not nan",
    ),
    "hint seconds='1'": (
        lambda g: library.hint(g, seconds="1"), BadOption, "seconds is a number from 0, not 1",
    ),
    "solve goal": (lambda g: library.solve(g, goal="x"), BadOption, "goal takes win or score, not 'x'"),
    "solve goal=None": (
        lambda g: library.solve(g, goal=None), BadOption, "goal takes win or score, not 'None'",
    ),
    "solve states=-1": (
        lambda g: library.solve(g, limits=Limits(states=-1)), BadOption, "states is a whole number from 0, not -1",
    ),
    "solve states=1.5": (
        lambda g: library.solve(g, limits=library.Limits(states=1.5)),
        BadOption, "states is a whole number from 0, not 1.5",
    ),
    "solve seconds=-1": (
        lambda g: library.solve(g, limits=Limits(seconds=-1)), BadOption, "seconds is a number from 0, not -1",
    ),
    "solve memory=-1": (
        lambda g: library.solve(g, limits=Limits(memory=-1)), BadOption, "memory is a number from 0, not -1",
    ),
    "solve limits=5": (
        lambda g: library.solve(g, limits=5), BadOption, "limits are cardsol.Limits(states=1000), not int",
    ),
    "deal a number": (lambda g: library.deal(7), UnknownGame, "no game is named '7'"),
    "deal a list of options": (
        lambda g: library.deal("universal", options=["draw"]),
        BadOption, "options are a mapping such as {'draw': 3}, not list",
    ),
    "deal no options": (
        lambda g: library.deal("universal", options=0),
        BadOption, "options are a mapping such as {'draw': 3}, not int",
    ),
    "deal an option that is a number": (
        lambda g: library.deal("universal", options={3: 1}),
        BadOption, "an option is a text, not int",
    ),
    "deal an option with a huge value": (
        lambda g: library.deal("universal", options={"draw": HUGE}), BadOption, "option draw takes",
    ),
    "deal a huge seed": (
        lambda g: library.deal("camelot", seed=HUGE), BadSeed, "a seed has 1 to 200 characters, this one has ",
    ),
    "deal half a seed": (
        lambda g: library.deal("camelot", seed=1.5),
        BadSeed, "a seed is a text or an int, not float",
    ),
    "deal a seed in a list": (
        lambda g: library.deal("camelot", seed=[1]),
        BadSeed, "a seed is a text or an int, not list",
    ),
    "deal a deck that is a number": (
        lambda g: library.deal("camelot", deck=5),
        BadDeck, "a deck is given as cards or as one text of them, not as int",
    ),
    "deal a deck of numbers": (
        lambda g: library.deal("camelot", deck=[HUGE]),
        BadDeck, "card 1, '0x",
    ),
    "loads None": (
        lambda g: library.loads(None),
        BadSave, "'<text>' is no valid save: a save is a text or bytes, not NoneType",
    ),
    "parse None": (lambda g: g.parse(None), BadToken, "a move is a text, not NoneType"),
    "play None": (lambda g: g.play("d9", None), BadToken, "a move is a text, not NoneType"),
    "play a list": (
        lambda g: g.play(["d3", "draw"]), BadToken, "a move is a text, not list: game.play(*words) makes several moves",
    ),
    "push None": (lambda g: g.push(None), BadToken, "a move is a text, not NoneType"),
    "push a list": (lambda g: g.push(["draw"]), BadToken, "a move is a text, not list"),
    "push a huge number": (lambda g: g.push(HUGE), BadToken, "a move is a text, not int"),
    "explain a list": (lambda g: g.explain(["draw"]), BadToken, "a move is a text, not list"),
    "why_not None": (lambda g: g.why_not(None), BadToken, "a move is a text, not NoneType"),
    "undo 0": (
        lambda g: g.undo(0), NoSuchMove, "the number of moves to take back is a whole number from 1, not 0",
    ),
    "undo -1": (
        lambda g: g.undo(-1), NoSuchMove, "the number of moves to take back is a whole number from 1, not -1",
    ),
    "undo 1.5": (
        lambda g: g.undo(1.5), NoSuchMove, "the number of moves to take back is a whole number from 1, not 1.5",
    ),
    "undo 'all'": (
        lambda g: g.undo("all"), NoSuchMove, "the number of moves to take back is a whole number from 1, not all",
    ),
    "undo 3": (lambda g: g.undo(3), NoSuchMove, "3 moves to take back, but there are only 2"),
    "undo a huge number": (lambda g: g.undo(HUGE), NoSuchMove, "'0x"),
    "redo None": (
        lambda g: g.redo(None), NoSuchMove, "the number of moves to play again is a whole number from 1, not None",
    ),
    "redo 1": (lambda g: g.redo(), NoSuchMove, "there is no move to play again"),
    "rewound 3": (lambda g: g.rewound(3), NoSuchMove, "the history has 2 moves, not 3"),
    "rewound 99": (lambda g: g.rewound(99), NoSuchMove, "the history has 2 moves, not 99"),
    "rewound -1": (lambda g: g.rewound(-1), NoSuchMove, "the history has 2 moves, not -1"),
    "rewound 1.5": (lambda g: g.rewound(1.5), NoSuchMove, "the history has 2 moves, not 1.5"),
    "rewound None": (lambda g: g.rewound(None), NoSuchMove, "the history has 2 moves, not None"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_argument_is_refused(what: str) -> None:
    call, error, told = WRONG[what]
    before = game()
    with pytest.raises(error) as caught:
        call(before)
    assert str(caught.value).startswith(told) and len(str(caught.value)) < 200
    assert cardsol.dumps(before) == cardsol.dumps(game())


def test_arguments_at_the_edge_are_taken() -> None:
    there = game()
    assert [there.rewound(made).moves for made in range(3)] == [(), ("d3",), ("d3", "draw")]
    assert there.rewound(0).undone == there.moves
    assert cardsol.solve(there, limits=Limits(0, 0, 0)).verdict == "unknown"
    assert cardsol.hint(there, worlds=1, seconds=float("inf")).token in there.legal_moves
    assert cardsol.deal("camelot", seed=10**199).seed == "1" + "0" * 199
    assert not there.is_token(["draw"]) and not there.is_token(None)
    assert library.loads(bytearray(cardsol.dumps(there), "utf-8")) == there
