"""`--json` prints one object, of the documented keys in the documented order; errors are objects too."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import cardsol
from tests.support.harness import Result
from tests.support.harness import run_loaded as run
from tests.support.typed import SAVE, STARTS, game, in_process, put, saved

VIEW = [
    *("format", "version", "game", "options", "seed", "pysol", "piles", "score", "max", "status"),
    *("made", "undone", "undos", "legal"),
]
SAVE_KEYS = [
    *("format", "version", "game", "options", "seed", "deal", "pysol", "deck", "moves", "undone", "undos"),
    *("piles", "score", "status"),
]
FURTHER: dict[str, tuple[int | None, dict[str, object]]] = {
    "universal": (300, {"pass": 1, "rating": "Novice"}),
    "peaks": (466, {"run": 0, "round": 1}),
    "peaks played": (466, {"run": 1, "round": 1}),
    "peaks multiplied": (268435555, {"run": 0, "round": 1}),
    "peaks progressive": (None, {"run": 0, "round": 1}),
    "cross": (52, {"base": "7"}),
    "rouge": (104, {}),
    "camelot": (40, {"phase": 1}),
    "camelot full": (40, {"phase": 2}),
}
"""Start → `max`, and the further keys of the view."""
KINDS = [
    *("draw", "play", "build", "slip", "fill"),
    *("foundation", "discard", "sequence", "place", "remove"),
]


def only_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys))
    return dict(pairs)


def answer(result: Result) -> dict[str, Any]:
    """Returns the one object, on one line, that a command printed."""
    assert (result.status, result.err) == (0, "")
    assert result.out.count("\n") == 1 and result.out.endswith("\n")
    found: dict[str, Any] = json.loads(result.out, object_pairs_hook=only_once)
    return found


@pytest.mark.parametrize("start", FURTHER)
def test_the_view_has_its_keys_in_order_and_each_games_further_keys_last(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    highest, further = FURTHER[start]
    view = answer(run("show", "--json", folder=tmp_path))
    assert list(view) == [*VIEW, *further]
    assert view["max"] == highest
    assert {key: view[key] for key in further} == further
    assert (view["format"], view["version"], view["game"]) == ("cardsol-view", 1, STARTS[start][0])
    assert (view["seed"], view["pysol"], view["made"]) == (STARTS[start][2], None, len(game(start).moves))
    assert view["legal"] == sorted(view["legal"]) == list(game(start).legal_moves)
    assert list(view["piles"]) == list(game(start).rules.PILES)
    assert list(view["options"].items()) == list(game(start).options.items())
    assert all(list(pile) == ["down", "up"] and type(pile["down"]) is int for pile in view["piles"].values())


@pytest.mark.parametrize(
    "words", ["deal three-peaks --seed 1 --force", "move --dry-run d4", "show", "show --at 0", "undo", "redo"]
)
def test_deal_move_show_undo_and_redo_print_the_view(words: str, tmp_path: Path) -> None:
    played = game("peaks played")
    played.undo()
    cardsol.save(played, tmp_path / SAVE)
    if "move" in words:
        put("peaks", tmp_path)
    view = answer(run(*words.split(), "--json", folder=tmp_path))
    assert list(view) == [*VIEW, "run", "round"]
    hidden = answer(in_process("show", "--json", "--hide-seed", folder=tmp_path))
    assert (view["seed"], hidden["seed"], hidden["pysol"]) == ("1", None, None)
    assert list(hidden) == list(view)


def test_the_view_of_three_peaks_is_the_documented_one(tmp_path: Path) -> None:
    text = run("deal", "three-peaks", "--seed", "1", "--json", folder=tmp_path).out
    assert text.startswith(
        '{"format": "cardsol-view", "version": 1, "game": "three-peaks", '
        '"options": {"scoring": "classic", "floor": "none", "rounds": "single"}, "seed": "1", "pysol": null, '
        '"piles": {"stock": {"down": 23, "up": []}, "waste": {"down": 0, "up": ["7D"]}, '
        '"a1": {"down": 1, "up": []}, '
    )
    assert text.endswith(
        '"d10": {"down": 0, "up": ["9H"]}}, "score": 0, "max": 466, "status": "playing", '
        '"made": 0, "undone": 0, "undos": 0, '
        '"legal": ["d2", "d3", "d4", "d9", "draw"], "run": 0, "round": 1}\n'
    )


@pytest.mark.parametrize("start", STARTS)
def test_moves_are_objects_of_six_keys(start: str, tmp_path: Path) -> None:
    put(start, tmp_path)
    found = answer(in_process("moves", "--json", folder=tmp_path))
    assert list(found) == ["moves"]
    assert [move["token"] for move in found["moves"]] == list(game(start).legal_moves)
    for move in found["moves"]:
        assert list(move) == ["token", "kind", "from", "to", "cards", "text"]
        assert move["kind"] in KINDS
        source = game(start).piles().get(move["from"])
        assert source is None or move["cards"] == [] or set(move["cards"]) <= {*source.up}


MOVES = [
    ("peaks", "draw", "draw", "stock", "waste", ""),
    ("peaks", "d4", "play", "d4", "waste", "6S"),
    ("universal", "t1-f", "foundation", "t1", "f5", "1S"),
    ("universal played", "t5-t2", "build", "t5", "t2", "6J 5S"),
    ("universal to slip", "w-h3", "slip", "waste", "t3", "ME"),
    ("cross played", "b2-b1x2", "fill", "b2", "b1", "2C AD"),
    ("cross played", "w-b3", "fill", "waste", "b3", "6C"),
    ("cross played", "draw", "draw", "stock", "stock", ""),
    ("cross drawn", "s-b2", "build", "stock", "b2", "9D"),
    ("cross drawn", "s-w", "discard", "stock", "waste", "9D"),
    ("cross to its corner", "s-f", "foundation", "stock", "a3", "AC"),
    ("rouge", "t4-t10", "fill", "t4", "t10", "KC"),
    ("rouge played", "t4-f", "foundation", "t4", "f3", "2C"),
    ("camelot drawn", "w-b2", "place", "waste", "b2", "AD"),
    ("camelot full", "b2", "remove", "b2", "removed", "TD"),
]


@pytest.mark.parametrize(("start", "token", "kind", "source", "target", "cards"), MOVES)
def test_a_move_names_its_kind_full_piles_and_cards(
    start: str, token: str, kind: str, source: str, target: str, cards: str, tmp_path: Path
) -> None:
    put(start, tmp_path)
    found = answer(in_process("moves", "--json", folder=tmp_path))["moves"]
    move = next(move for move in found if move["token"] == token)
    assert (move["kind"], move["from"], move["to"], move["cards"]) == (kind, source, target, cards.split())


@pytest.mark.parametrize(
    ("start", "words", "wanted"),
    [
        (
            "peaks played",
            "score",
            {"score": -3, "max": 466, "status": "playing", "run": 1, "round": 1, "undos": 0},
        ),
        (
            "peaks progressive",
            "score",
            {"score": 0, "max": None, "status": "playing", "run": 0, "round": 1, "undos": 0},
        ),
        ("peaks", "score --get max", {"max": 466}),
        ("peaks", "moves --count", {"count": 5}),
        ("peaks played", "log", {"moves": ["d4", "draw", "d1"], "undone": [], "undos": 0}),
        ("peaks", "check", {"file": "cardsol.json", "ok": True, "where": None, "error": None}),
    ],
)
def test_score_log_and_check_have_their_keys_in_order(
    start: str, words: str, wanted: dict[str, object], tmp_path: Path
) -> None:
    put(start, tmp_path)
    assert list(answer(run(*words.split(), "--json", folder=tmp_path)).items()) == list(wanted.items())


def test_check_prints_an_object_a_file(tmp_path: Path) -> None:
    text = put("peaks played", tmp_path).read_text()
    (tmp_path / "wrong.json").write_text(text.replace('"score": -3', '"score": 3'))
    result = run("check", "--json", SAVE, "wrong.json", "none.json", folder=tmp_path)
    assert (result.status, result.err) == (3, "")
    good, wrong, missing = map(json.loads, result.out.splitlines())
    assert list(good) == list(wrong) == ["file", "ok", "where", "error"]
    assert (wrong["file"], wrong["ok"], wrong["where"]) == ("wrong.json", False, "score")
    assert (missing["ok"], missing["where"]) == (False, None) and missing["error"]


def test_games_is_a_list_under_games(tmp_path: Path) -> None:
    found = answer(run("games", "--json", folder=tmp_path))
    assert list(found) == ["games"]
    assert [(each["name"], each["title"], each["deck"]) for each in found["games"]] == [
        ("universal", "Universal Solitaire", "universal"),
        ("three-peaks", "Three Peaks", "standard"),
        ("vanishing-cross", "Vanishing Cross", "standard"),
        ("rouge-et-noir", "Rouge et Noir", "double"),
        ("camelot", "Camelot", "standard"),
    ]
    defaults = {key: option["default"] for each in found["games"] for key, option in each["options"].items()}
    assert defaults == {
        "draw": "1", "scoring": "classic", "floor": "none", "rounds": "single", "wrap": "on",
        "play": "classic",
    }  # fmt: skip


def test_json_is_utf8_and_unescaped_whatever_the_locale(tmp_path: Path) -> None:
    env = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "latin-1"}
    text = run("deal", "camelot", "--seed", "naïve♥", "--json", folder=tmp_path, env=env).out
    assert '"seed": "naïve♥"' in text
    error = run("deal", "naïve♥", "--json", folder=tmp_path, env=env).err
    assert "naïve♥" in error


ERRORS = [
    ("deal klondike", 2, "unknown-game", {}),
    ("deal universal --force -o draw=9", 2, "bad-option", {}),
    ("deal universal --force -o x=9", 2, "bad-option", {}),
    ("deal universal --force --seed ''", 2, "bad-seed", {}),
    ("deal universal --force --deck AS", 2, "bad-deck", {}),
    ("deal camelot", 4, "game-in-the-way", {}),
    ("move d4 x9", 2, "bad-token", {"token": "x9"}),
    ("move d4 d4", 4, "illegal-move", {"token": "d4", "step": 2}),
    ("move d1", 4, "illegal-move", {"token": "d1", "step": 1}),
    ("move 7D", 4, "illegal-move", {"token": "7D", "step": 1}),
    ("move 2C", 4, "illegal-move", {"token": "2C", "step": 1}),
    ("undo", 4, "no-such-move", {}),
    ("redo 2", 4, "no-such-move", {}),
    ("show --at 1", 4, "no-such-move", {}),
    ("show -f none.json", 3, "file", {"path": "none.json"}),
    ("show -f order.txt", 3, "bad-save", {"path": "order.txt"}),
    ("show --nosuch", 2, "usage", {}),
    ("nosuch", 2, "usage", {}),
    ("move", 2, "usage", {}),
    ("undo x", 2, "usage", {}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "status", "kind", "data"), ERRORS, ids=[words for words, *_ in ERRORS])
def test_an_error_is_one_line_and_under_json_one_object(
    words: str, status: int, kind: str, data: dict[str, object], tmp_path: Path
) -> None:
    before = put("peaks", tmp_path).read_bytes()
    (tmp_path / "order.txt").write_text("AS 2S")
    typed = shlex.split(words)
    told, plain = run(*typed, "--json", folder=tmp_path), in_process(*typed, folder=tmp_path)
    assert (told.status, told.out, plain.status, plain.out) == (status, "", status, "")
    assert told.err.count("\n") == plain.err.count("\n") == 1
    found = json.loads(told.err, object_pairs_hook=only_once)
    assert list(found)[:2] == ["error", "message"]
    assert found["error"] == kind
    assert plain.err == f"cardsol: {found['message']}\n" or kind == "usage"
    assert {key: found.get(key) for key in data} == data
    assert (tmp_path / SAVE).read_bytes() == before


def test_an_ambiguous_word_lists_the_moves_that_it_could_be(tmp_path: Path) -> None:
    put("rouge played", tmp_path)
    result = run("move", "2S-f", "--json", folder=tmp_path)
    error = result.error
    assert (result.status, error["error"], error["token"]) == (4, "ambiguous-move", "2S-f")
    assert error["candidates"] == ["t3-f", "t6-f"] and "t3-f or t6-f" in error["message"]


def test_the_save_is_laid_out_as_documented(tmp_path: Path) -> None:
    put("peaks", tmp_path)
    run("move", "-q", "d4", "draw", folder=tmp_path)
    text = (tmp_path / SAVE).read_text("utf-8")
    assert list(saved(tmp_path)) == SAVE_KEYS
    lines = text.split("\n")
    assert lines[0] == "{" and lines[-2:] == ["}", ""]
    starts = (
        '  "deck": [',
        '  "moves": ["d4", "draw"],',
        '  "undone": [],',
        '    "d4": {"down": [], "up": []},',
    )
    for start in starts:
        assert sum(line.startswith(start) for line in lines) == 1
    assert len(saved(tmp_path)["piles"]) == sum(line.startswith("    ") for line in lines)
    assert saved(tmp_path)["piles"]["stock"]["down"][-1] == saved(tmp_path)["deck"][30]
