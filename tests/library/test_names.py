"""The public names of `cardsol`: found lazily, seen by type checkers, the same whatever was imported before."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest

import cardsol
from tests.support.harness import some

ROOT = Path(__file__).parents[2]


def python(*lines: str) -> str:
    """Runs lines in a fresh interpreter and returns what they print."""
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), (lines, done.stderr)
    return done.stdout


def test_every_public_name_is_there_and_documented() -> None:
    names = list(cardsol.__all__)  # type: ignore[attr-defined]
    assert {"deal", "hint", "solve", "Game", "IllegalMove", "DECKS", "dumps"} <= set(names)
    assert set(names) <= set(dir(cardsol))
    for name in names:
        found = getattr(cardsol, name)
        if isinstance(found, (type, FunctionType)):
            assert (found.__doc__ or "").strip(), name


def test_every_error_of_the_package_is_public() -> None:
    from cardsol import errors

    raised = {name for name, value in vars(errors).items() if isinstance(value, type)} - {"Any"}
    raised = {name for name in raised if issubclass(getattr(errors, name), Exception)}
    assert raised <= set(cardsol.__all__)  # type: ignore[attr-defined]


def test_a_star_import_brings_all_of_them() -> None:
    assert python("from cardsol import *", "print(deal('camelot', seed=1).name, NoHint.__name__)")


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="dela"):
        cardsol.dela  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_package_loads_nothing_of_it() -> None:
    out = python("import sys, cardsol", "print([n for n in sys.modules if n.startswith('cardsol.')])")
    assert out == "[]\n"


def test_dealing_loads_neither_hints_nor_solving() -> None:
    out = python(
        "import sys, cardsol", "cardsol.deal('camelot', seed=1)",
        "print([n for n in sys.modules if n.startswith(('cardsol.hint', 'cardsol.solve', 'cardsol.saves'))])",
    )  # fmt: skip
    assert out == "[]\n"


IMPORTS = (
    "import cardsol.solve",
    "import cardsol.hint",
    "from cardsol.solve import where_lost",
    "from cardsol.hint import adviser",
    "from cardsol import solve, hint",
    "import cardsol.survey.players",
)


@pytest.mark.parametrize("first", some(IMPORTS, 3))
def test_hint_and_solve_are_functions_whatever_is_imported_first(first: str) -> None:
    asked = (
        "import cardsol",
        "game = cardsol.deal('three-peaks', seed=1)",
        "assert cardsol.hint(game, worlds=1).token in game.legal_moves",
        "assert cardsol.solve(game, limits=cardsol.Limits(states=5)).verdict == 'unknown'",
    )
    then = [line for other in IMPORTS for line in (other, *asked)]
    assert python(first, *asked, *then) == ""


def test_the_sub_packages_keep_their_contents() -> None:
    python(
        "import cardsol", "cardsol.hint, cardsol.solve",
        "from cardsol.hint import adviser, history_of", "from cardsol.solve import where_lost, limits",
        "import importlib", "assert importlib.import_module('cardsol.hint').adviser is adviser",
    )  # fmt: skip


def test_a_hint_is_that_of_the_history() -> None:
    from cardsol.hint import hint, history_of

    game = cardsol.deal("camelot", seed=3)
    game.push(game.legal_moves[0])
    assert cardsol.hint(game, worlds=4) == hint(history_of(game), 4)
    game.undo()
    with pytest.raises(cardsol.NoHint):
        won = cardsol.deal("three-peaks", seed=1)
        while won.status == "playing":
            won.push("draw" if "draw" in won.legal_moves else won.legal_moves[0])
        cardsol.hint(won)


@pytest.mark.long
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_a_type_checker_sees_a_wrong_name_and_a_wrong_type(tmp_path: Path) -> None:
    text = tmp_path / "typed.py"
    text.write_text(
        "import cardsol\n"
        "import cardsol.solve\n"
        "game: cardsol.Game = cardsol.deal('camelot', seed=1)\n"
        "hint: cardsol.Hint = cardsol.hint(game)\n"
        "answer: cardsol.Answer = cardsol.solve(game, limits=cardsol.Limits(states=9))\n"
        "deck: tuple[str, ...] = cardsol.DECKS['standard'].cards\n"
        "cardsol.dela('camelot')\n"
        "number: int = cardsol.dumps(game)\n"
        "cardsol.hint('camelot')\n"
    )
    check = [
        *(sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--no-error-summary"),
        *("--cache-dir", str(tmp_path / "cache")),
    ]
    env = {**os.environ, "MYPYPATH": str(ROOT)}
    done = subprocess.run([*check, text.name], cwd=tmp_path, env=env, capture_output=True, text=True)
    lines = [line.split(":")[1] for line in done.stdout.splitlines() if ": error: " in line]
    assert lines == ["7", "8", "9"], done.stdout + done.stderr
    assert '"dela"' in done.stdout
