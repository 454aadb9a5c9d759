"""Writes cardsol/README.md's reference of the library from the code: `python -m tests.regenerate.library_page`.

Each public name has its signature as the source has it, and its docstring. A test fails where the page is older.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import cardsol

FOLDER = Path(cardsol.__file__).parent
PAGE = Path(__file__).parents[2] / "cardsol" / "README.md"
BEGIN = (
    "<!-- From here on the page is made from the docstrings: python -m tests.regenerate.library_page -->\n"
)

Documented = ast.FunctionDef | ast.ClassDef


def page() -> str:
    """Returns the page: what is written by hand, and the reference."""
    head, begin, _ = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    assert begin, "the line is missing after which the reference stands"
    return head + BEGIN + "".join(f"\n{part}\n" for part in _parts())


def names() -> dict[str, str]:
    """Returns the module of each public name, in the order of `__init__.pyi`."""
    stub = (FOLDER / "__init__.pyi").read_text("utf-8")
    return {name: module for module, name in re.findall(r"(?m)^from (\.\w+) import (\w+) as \2$", stub)}


def _parts() -> Iterator[str]:
    for name, module in names().items():
        yield f"### `{name}`"
        yield from _described(name, module)


def _described(name: str, module: str) -> Iterator[str]:
    """Yields the signature and the docstring of a name, and what a class has."""
    found = getattr(cardsol, name)
    home = inspect.getmodule(found) if inspect.isclass(found) or inspect.isfunction(found) else None
    tree = ast.parse(inspect.getsource(home or importlib.import_module(module, "cardsol")))
    for node, after in zip(tree.body, [*tree.body[1:], None]):
        if isinstance(node, Documented) and node.name == name:
            yield f"```python\n{_signature(node)}\n```"
            yield _text(ast.get_docstring(node))
            if isinstance(node, ast.ClassDef):
                yield from _members(node)
        elif name in _assigned(node):
            yield f"```python\n{_value(node)}\n```"
            yield _text(_string(after))


def _members(node: ast.ClassDef) -> Iterator[str]:
    """Yields a list of the public attributes and methods of a class, where it has any."""
    items: list[tuple[str, str]] = []
    for each, after in zip(node.body, [*node.body[1:], None]):
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            items += _attributes(each)
        elif isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
            items.append((f"`{_member(each)}`", _text(ast.get_docstring(each))))
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            default = "" if each.value is None else f" = {ast.unparse(each.value)}"
            items.append(
                (f"`{each.target.id}: {ast.unparse(each.annotation)}{default}`", _text(_string(after)))
            )
    if items:
        yield "\n".join(f"- {name}: {text}" if text else f"- {name}" for name, text in items)


def _attributes(init: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Yields the public attributes that `__init__` sets, with the type of the parameter of that name."""
    types = {each.arg: each.annotation for each in (*init.args.args, *init.args.kwonlyargs)}
    for each, after in zip(init.body, [*init.body[1:], None]):
        target = each.targets[0] if isinstance(each, ast.Assign) else None
        if isinstance(target, ast.Attribute) and not target.attr.startswith("_"):
            type_of = types.get(target.attr)
            is_known = f": {ast.unparse(type_of)}" if type_of else ""
            yield f"`{target.attr}{is_known}`", _text(_string(after))


def _signature(node: Documented) -> str:
    """Returns the head of a function or class on one line, or with one parameter per line where it is long."""
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    arguments = ast.unparse(node.args)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"def {node.name}({arguments}){result}"


def _member(node: ast.FunctionDef) -> str:
    decorators = [ast.unparse(each) for each in node.decorator_list]
    if "property" in decorators:
        return f"{node.name}: {ast.unparse(node.returns)}" if node.returns else node.name
    return _signature(node).removeprefix("def ").replace("(self, ", "(").replace("(self)", "()")


def _assigned(node: ast.stmt) -> list[str]:
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _value(node: ast.stmt) -> str:
    """Returns an alias with the types that it stands for, and of any other name its type alone."""
    if isinstance(node, ast.AnnAssign):
        return f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}"
    return ast.unparse(node)


def _string(node: ast.stmt | None) -> str | None:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    value = (
        node.value.value
        if is_text and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        else None
    )
    return inspect.cleandoc(value) if isinstance(value, str) else None


def _text(docstring: str | None) -> str:
    """Returns a docstring as one paragraph."""
    return " ".join((docstring or "").split())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
