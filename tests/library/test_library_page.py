"""cardsol/README.md describes every public name as the code has it."""

from __future__ import annotations

import ast
import inspect
import re

import pytest

import cardsol
from tests.regenerate import library_page

TEXT = library_page.PAGE.read_text(encoding="utf-8")
ERRORS = [name for name, module in library_page.names().items() if module == ".errors"]
SECTIONS = dict(re.findall(r"(?ms)^### `(\w+)`\n(.*?)(?=^### |\Z)", TEXT))


def test_the_page_is_what_the_code_says_now() -> None:
    assert library_page.page() == TEXT, "run: python -m tests.regenerate.library_page"


def test_every_public_name_has_a_section_and_no_other_has() -> None:
    assert list(SECTIONS) == list(library_page.names())


def _parameters(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.args, *function.args.kwonlyargs]


@pytest.mark.parametrize("name", library_page.names())
def test_a_section_says_what_the_name_is(name: str) -> None:
    heading, code, words = SECTIONS[name].split("```")
    assert not heading.strip() and code.startswith("python\n")
    assert len(words.split()) > 3, "it has no docstring"
    found = getattr(cardsol, name)
    if inspect.isfunction(found):
        shown = ast.parse(f"{code.removeprefix('python').strip()}: ...").body[0]
        assert isinstance(shown, ast.FunctionDef)
        there = {each.arg: ast.unparse(each.annotation) for each in _parameters(shown) if each.annotation}
        real = inspect.signature(found).parameters
        assert there == {key: value.annotation for key, value in real.items()}
    if inspect.isclass(found):
        public = {
            key
            for key, value in vars(found).items()
            if not key.startswith("_") and (callable(value) or isinstance(value, property))
        }
        for member in public - {"count", "index"}:
            assert re.search(rf"(?m)^- `{member}\b", words), member


def test_every_module_stands_in_the_table() -> None:
    modules = {path.stem for path in library_page.FOLDER.glob("*.py")} - {"__init__", "__main__"}
    folders = {f"{path.parent.name}/" for path in library_page.FOLDER.glob("*/__init__.py")}
    table = TEXT.partition("## Modules")[2].partition("## ")[0]
    assert modules | folders == set(re.findall(r"`(\w+/?)`(?=[^|]*\|[^|]*\|$)", table, re.M)) - {"check_game"}


def test_every_member_of_a_class_is_described_but_the_plain_data_of_errors() -> None:
    for name, text in SECTIONS.items():
        if name not in ERRORS:
            assert re.findall(r"(?m)^- `[^`]*`$", text) == [], name


def test_the_page_tells_how_many_worlds_a_hint_has() -> None:
    from cardsol.hint import WORLDS

    assert f"| `WORLDS` | {WORLDS}, " in TEXT
