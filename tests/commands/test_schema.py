"""All that the commands print as JSON, and the saves, agree with `cardsol/schema.json`."""

from __future__ import annotations

import json
import random
import re
import shlex
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import registry
from cardsol.cli import outcome
from cardsol.moves import KINDS
from cardsol.registry import BUILT_IN
from cardsol.session import REQUESTS
from cardsol.survey.pools import record_of
from cardsol.survey.records import VERDICTS, Survey
from tests.support import harness
from tests.support.harness import Result
from tests.support.typed import SAVE, STARTS, game, in_process, put

jsonschema = pytest.importorskip("jsonschema")

FILE = Path(cardsol.__file__).parent / "schema.json"
SCHEMA: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
DEFINED = SCHEMA["$defs"]
MANUAL = (FILE.parent / "man" / "cardsol-json.5").read_text("ascii").replace("\\-", "-")


def faults(name: str, value: object) -> list[str]:
    """Returns what the schema says is wrong with an object of this name."""
    validator = jsonschema.Draft202012Validator({"$defs": DEFINED, "$ref": f"#/$defs/{name}"})
    return [error.message for error in validator.iter_errors(value)]


def objects(name: str, text: str, count: int = 1) -> list[dict[str, Any]]:
    """Returns the objects of a text, one on each line, each of which is right."""
    found: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    assert len(found) >= count
    for each in found:
        assert faults(name, each) == []
    return found


def prints(name: str, *words: str, folder: Path, given: str = "", count: int = 1) -> list[dict[str, Any]]:
    """Runs a command with --json and returns its objects, each of which is right."""
    result: Result = in_process(*words, "--json", folder=folder, given=given)
    assert result.status in (0, 5, 6), result.err
    return objects(name, result.out, count)


LOOKS = {
    "show": "view", "show --hide-seed": "view", "show --at 0": "view", "show --deck": "deck", "moves": "moves",
    "moves --count": "count", "score": "score", "score --get status": "score-value", "log": "log",
    "log --script": "script", "log --share": "share", "check": "check", "hint --worlds 2": "hint",
    "scores cardsol.json": "scores", "scores cardsol.json --hide-seed": "scores", "stats cardsol.json": "summary",
    "solve --max-states 300": "solve",
    "solve --max-states 300 --where-lost": "solve", "solve --max-states 300 --goal score": "solve",
}  # fmt: skip
"""Command → what it prints about a game."""


@pytest.mark.parametrize("start", harness.some([*STARTS][::-1], 4))
def test_every_command_that_looks_at_a_game_prints_what_the_schema_says(start: str, tmp_path: Path) -> None:
    save = put(start, tmp_path)
    assert faults("save", json.loads(save.read_text("utf-8"))) == []
    for words, name in LOOKS.items():
        prints(name, *words.split(), folder=tmp_path)


@pytest.mark.parametrize("start", harness.some(STARTS, 2))
def test_every_command_that_changes_a_game_prints_what_the_schema_says(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    legal = prints("view", "show", folder=tmp_path)[0]["legal"]
    token = random.Random(start).choice(legal)
    for words in (f"move --dry-run {token}", f"move {token}", "undo", "redo"):
        prints("view", *words.split(), folder=tmp_path)
    for words in ("undo", f"deal {STARTS[start][0]} --force"):
        prints("view", *words.split(), folder=tmp_path)
    assert faults("save", json.loads((tmp_path / SAVE).read_text("utf-8"))) == []


@pytest.mark.parametrize("name", BUILT_IN)
@harness.part(3)
def test_views_saves_and_moves_agree_at_every_moment_of_a_game(name: str, part: int) -> None:
    game, dice = cardsol.deal(name, seed=11), random.Random(11)
    for _ in range(150):
        if game.status != "playing":
            break
        game.push(dice.choice(game.legal_moves))
        if len(game.moves) % part:
            continue
        view = json.loads(json.dumps(game.view().as_dict()))
        moves = {"moves": [game.explain(token).as_dict() for token in game.legal_moves]}
        assert faults("view", view) == faults("moves", json.loads(json.dumps(moves))) == []
    assert faults("save", json.loads(cardsol.dumps(game))) == []


@pytest.mark.parametrize("start", harness.some(STARTS, 3))
def test_a_sealed_save_agrees_and_is_refused_where_it_is_altered(start: str, tmp_path: Path) -> None:
    found = game(start)
    found.sealed = True
    cardsol.save(found, tmp_path / SAVE)
    save = json.loads((tmp_path / SAVE).read_text("utf-8"))
    assert faults("sealed-save", save) == [] and faults("save", save)
    for change, other in altered(save):
        assert faults("sealed-save", other), change
    name = next(iter(save["piles"]))
    for wrong in ({"down": ["AS"], "up": []}, {"down": 1, "up": []}, {"down": [], "up": ["--"]}):
        assert faults("sealed-save", {**save, "piles": {**save["piles"], name: wrong}})
    for words in ("show", "score", "moves", "log", "log --share", "check", "scores cardsol.json"):
        prints(LOOKS[words], *words.split(), folder=tmp_path)
    if found.status == "playing":
        refused = in_process("show", "--deck", "--json", folder=tmp_path)
        assert objects("error", refused.err)[0]["error"] == "sealed-deal"


def test_games_and_rules(tmp_path: Path) -> None:
    prints("games", "games", folder=tmp_path)
    for name in BUILT_IN:
        prints("rules", "rules", name, folder=tmp_path)


ADDED = Path(__file__).parents[2] / "examples" / "plugin"


@pytest.fixture
def golf(monkeypatch: pytest.MonkeyPatch) -> str:
    """The game of the example, as if its package were installed."""
    monkeypatch.syspath_prepend(ADDED)
    import cardsol_golf

    added = types.SimpleNamespace(
        **{**vars(cardsol_golf), "extra": lambda state: {"left": 35, "round": "first"}}
    )
    monkeypatch.setitem(registry._found, "golf", added)
    return "golf"


def test_what_an_added_game_prints_is_what_the_schema_says(golf: str, tmp_path: Path) -> None:
    for words in ("deal golf --seed 1", "move t3 t4 draw", "move --dry-run draw", "undo", "redo"):
        (view,) = prints("view", *words.split(), folder=tmp_path)
        assert (view["game"], view["left"], view["round"]) == (golf, 35, "first")
    assert faults("save", json.loads((tmp_path / SAVE).read_text("utf-8"))) == []
    for words, name in LOOKS.items():
        prints(name, *words.split(), folder=tmp_path)
    prints("rules", "rules", golf, folder=tmp_path)
    record = record_of(Survey(golf, {"wrap": "off"}, "greedy"), "1")
    assert faults("record", json.loads(record.as_line())) == []
    prints("summary", "stats", SAVE, folder=tmp_path)


def test_a_game_that_leaves_no_variant_out_has_no_heading_for_them(golf: str, tmp_path: Path) -> None:
    assert "\n\nNot played here\n  " in in_process("rules", golf, folder=tmp_path).out
    registry._found[golf].NOT_PLAYED = ()  # type: ignore[misc]
    assert "Not played here" not in in_process("rules", golf, folder=tmp_path).out


def test_a_further_key_is_for_added_games_alone() -> None:
    for name in BUILT_IN:
        view = json.loads(json.dumps(cardsol.deal(name, seed=1).view().as_dict()))
        assert faults("view", view) == []
        assert faults("view", {**view, "left": 35}) and not faults(
            "view", {**view, "left": 35, "game": "golf"}
        )
        for key in view.keys() - DEFINED["view"]["properties"].keys():
            assert faults("view", {each: view[each] for each in view if each != key})
            assert faults("view", {**view, key: True})
    for wrong in ("", "-golf", "two words"):
        assert faults("game", wrong)


def test_a_wrong_save_is_an_object_of_check(tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text("{}")
    result = in_process("check", "wrong.json", "none.json", "--json", folder=tmp_path)
    assert len(objects("check", result.out)) == 2


@pytest.mark.parametrize(
    "words",
    harness.some(
        [
            "universal --max-states 300",
            "universal -o draw=3 --player random",
            "three-peaks --player exec:false",
            "three-peaks --max-states 300",
            "camelot --player greedy",
            "three-peaks --goal score --max-states 300",
        ],
        2,
    ),
)
def test_records_and_summaries_of_surveys(words: str, tmp_path: Path) -> None:
    survey = ("survey", *words.split(), "--seeds", "1..2", "--jobs", "1")
    records = prints("record", *survey, folder=tmp_path, count=2)
    prints("summary", *survey, "--summary-only", folder=tmp_path)
    (tmp_path / "deals.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    prints("summary", "stats", "deals.jsonl", "deals.jsonl", folder=tmp_path)


ERRORS = [
    *(
        "deal klondike",
        "deal universal --force -o draw=9",
        "deal universal --force --seed ''",
        "show --nosuch",
    ),
    *(
        "deal universal --force --deck AS",
        "deal camelot",
        "move x9",
        "move d1",
        "move 2C",
        "undo",
        "show -f none",
    ),
    *("show -f order.txt", "move d4 d4"),
]


@pytest.mark.parametrize("words", ERRORS)
def test_errors_are_what_the_schema_says(words: str, tmp_path: Path) -> None:
    put("peaks", tmp_path)
    (tmp_path / "order.txt").write_text("AS 2S")
    result = in_process(*shlex.split(words), "--json", folder=tmp_path)
    assert result.status in (2, 3, 4)
    assert objects("error", result.err)


def test_an_ambiguous_move_and_a_missing_hint_are_errors_too(tmp_path: Path) -> None:
    put("rouge played", tmp_path)
    assert "candidates" in objects("error", in_process("move", "2S-f", "--json", folder=tmp_path).err)[0]
    (tmp_path / SAVE).unlink()
    in_process("deal", "three-peaks", "--seed", "1", folder=tmp_path)
    in_process("move", *["draw"] * 23, folder=tmp_path)
    while (view := prints("view", "show", folder=tmp_path)[0])["status"] == "playing":
        in_process("move", view["legal"][0], folder=tmp_path)
    assert objects("error", in_process("hint", "--json", folder=tmp_path).err)[0]["error"] == "no-hint"


REQUESTED = [
    '{"show": true}', '{"show": {"at": 0}}', '{"moves": true}', '{"score": true}', '{"move": ["d4", "draw"]}',
    '{"undo": 1}', '{"undo": "all"}', '{"redo": "all"}', '{"hint": {"worlds": 2}}', '{"hint": true}',
    '{"deal": {"game": "camelot", "seed": 7, "force": true}}', '{"deal": {"options": {}}}', '{"help": true}',
    '{"move": ["zz"]}', '{"quit": true}',
]  # fmt: skip


def test_every_request_and_reply_of_play_agrees(tmp_path: Path) -> None:
    for line in REQUESTED:
        assert faults("request", json.loads(line)) == [], line
    given = "".join(line + "\n" for line in REQUESTED)
    play = ("play", "three-peaks", "--seed", "1", "--no-save")
    hello, *replies = in_process(*play, folder=tmp_path, given=given).out.splitlines()
    objects("hello", hello)
    assert len(replies) == len(REQUESTED)
    objects("reply", "\n".join(replies))
    empty = in_process("play", "--no-save", folder=tmp_path, given='{"show": true}\n{"nothing": 1}\nzz\n').out
    assert json.loads(empty.splitlines()[0])["view"] is None
    objects("hello", empty.splitlines()[0])
    objects("refusal", "\n".join(empty.splitlines()[1:]), 3)


@pytest.mark.parametrize(
    "wrong",
    ['{"move": []}', '{"undo": 0}', '{"show": {"at": -1}}', '{"move": ["a"], "undo": 1}', "{}", '{"x": 1}'],
)
def test_what_play_refuses_as_no_request_the_schema_refuses_too(wrong: str, tmp_path: Path) -> None:
    assert faults("request", json.loads(wrong))
    out = in_process("play", "camelot", "--no-save", folder=tmp_path, given=wrong + "\n").out
    assert objects("refusal", out.splitlines()[1])[0]["error"]["kind"] == "bad-request"


def altered(value: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields an object with each of its keys missing in turn, each of another type, and with one more."""
    for key in value:
        yield f"without {key}", {name: each for name, each in value.items() if name != key}
        yield f"{key} of no known type", {**value, key: {"": [1.5]}}
    yield "with one more", {**value, "surplus": None}


@pytest.mark.parametrize(
    "start", harness.some(["universal played", "peaks played", "cross drawn", "rouge", "camelot full"], 5)
)
def test_an_altered_object_is_refused(start: str, tmp_path: Path) -> None:
    save = json.loads(put(start, tmp_path).read_text("utf-8"))
    samples = [("save", save)]
    samples += [(name, prints(name, *words.split(), folder=tmp_path)[0]) for words, name in LOOKS.items()]
    for name, sample in samples:
        for change, other in altered(sample):
            left_out = change.startswith("without ") and change.split()[1] not in DEFINED[name]["required"]
            assert faults(name, other) or left_out, (name, change)
    view = dict(samples)["view"]
    pile = next(iter(view["piles"]))
    for wrong in ({"down": -1, "up": []}, {"down": ["AS"], "up": []}, {"down": 0, "up": ["XX"]}, {"down": 0}):
        assert faults("view", {**view, "piles": {**view["piles"], pile: wrong}})


def test_the_lists_of_the_schema_are_those_of_the_program() -> None:
    errors = {kind for _, kind in outcome.STATUS.values()} | {"usage", "output", "interrupted"}
    assert set(DEFINED["error"]["properties"]["error"]["enum"]) == errors
    assert set(DEFINED["error"]["properties"]) == {"error", "message", *outcome.REPORTED}
    assert set(DEFINED["refusal"]["properties"]["error"]["properties"]) >= {*outcome.REPORTED}
    assert DEFINED["game"]["examples"] == list(BUILT_IN)
    assert DEFINED["move"]["properties"]["kind"]["examples"] == list(KINDS)
    assert DEFINED["record"]["properties"]["verdict"]["enum"] == list(VERDICTS)
    assert set(DEFINED["request"]["properties"]) == set(REQUESTS)


def test_the_man_page_lists_every_kind_of_error_with_its_exit_status() -> None:
    listed = MANUAL.partition(".SH ERRORS")[2].partition("\nThe kind: ")[2].partition("\n")[0]
    named: dict[str, int] = {}
    for clause in listed.split(";"):
        status = int(re.search(r"\((?:status )?(\d)\)\.?$", clause.strip()).group(1))  # type: ignore[union-attr]
        named |= dict.fromkeys(re.findall(r"\\\(dq([a-z-]+)\\\(dq", clause), status)
    due = {kind: status for status, kind in outcome.STATUS.values()}
    assert named == {**due, "usage": 2, "output": 3, "interrupted": 3}


def keys_of(schema: Any) -> Iterator[str]:
    """Yields every key that a schema gives to an object, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for each in schema.values():
            yield from keys_of(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from keys_of(each)


def test_the_man_page_tells_of_every_object_and_key() -> None:
    sections = re.findall(r"(?m)^\.S[HS] (.*)$", MANUAL)
    assert len(sections) == len(set(sections))
    bold = set(re.findall(r"\\fB([^\\]+)\\fR", MANUAL)) | set(re.findall(r"(?m)^\.B (.*)$", MANUAL))
    assert set(keys_of(SCHEMA)) - bold == set()
