"""`deal --sealed`: seed and deck are out of sight until the game is over, in the save and in what commands print."""

from __future__ import annotations

import json
import pickle
import time
from binascii import a2b_base64, b2a_base64
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import saves
from cardsol.game import Game
from tests.support import engine, harness
from tests.support.typed import SAVE, in_process

SEED = "told to nobody"
QUIET = ("--seed", SEED, "--sealed", "-q")


def sealed(name: str = "three-peaks", options: dict[str, str] | None = None, moves: int = 6) -> Game:
    """Returns a sealed game after some moves, one of them taken back."""
    game = cardsol.deal(name, seed=SEED, options=options)
    game.sealed = True
    for step in range(moves):
        game.push(game.legal_moves[-1 - step % len(game.legal_moves)])
    if moves:
        game.undo()
    return game


def over() -> Game:
    """Returns a sealed game that is lost."""
    game = sealed(moves=0)
    while game.status == "playing":
        game.push("draw" if "draw" in game.legal_moves else game.legal_moves[0])
    return game


def with_origin(text: str, **changes: Any) -> bytes:
    """Returns a save whose sealed part is another one."""
    save = json.loads(text)
    origin = {**json.loads(a2b_base64(save["sealed"])), **changes}
    return json.dumps(
        {**save, "sealed": b2a_base64(json.dumps(origin).encode(), newline=False).decode()}
    ).encode()


@pytest.mark.parametrize("variant", engine.few(2), ids=engine.variant_name)
def test_a_sealed_save_is_the_same_game_and_always_the_same_bytes(
    variant: tuple[str, dict[str, str]],
) -> None:
    game = sealed(*variant)
    data = saves.dump(game)
    again = saves.parse(data, "save")
    assert again == game and again.sealed
    assert (again.seed, again.deck, again.undone, again.undos) == (
        game.seed,
        game.deck,
        game.undone,
        game.undos,
    )
    assert saves.dump(again) == data == saves.dump(sealed(*variant))


@pytest.mark.parametrize("variant", engine.few(2), ids=engine.variant_name)
def test_a_sealed_save_lists_no_card_that_the_player_does_not_see(
    variant: tuple[str, dict[str, str]],
) -> None:
    game = sealed(*variant)
    text = cardsol.dumps(game)
    save = json.loads(text)
    assert SEED not in text
    assert not {"seed", "deck", "deal", "pysol"} & save.keys()
    for name, pile in game.piles().items():
        assert save["piles"][name] == {"down": ["--"] * len(pile.down), "up": list(pile.up)}
    del save["sealed"], save["piles"]
    assert not [card for card in game.deck if f'"{card}"' in json.dumps(save)]


def test_a_save_that_is_not_sealed_is_of_version_1() -> None:
    assert json.loads(cardsol.dumps(sealed()))["version"] == 2
    assert json.loads(cardsol.dumps(cardsol.deal("camelot", seed=1)))["version"] == 1


def test_what_is_made_of_a_sealed_game_is_sealed() -> None:
    game = sealed()
    for other in (game.copy(), game.rewound(1), pickle.loads(pickle.dumps(game))):
        assert other.sealed
    game.play("draw")
    game.undo()
    game.redo()
    assert game.sealed


COMMANDS = (
    "show", "show --json", "show --plain", "show --at 0", "score", "score --json", "moves", "moves --json", "log",
    "log --json", "log --share", "log --share --json", "hint --worlds 1", "hint --worlds 1 --json", "check",
    f"scores {SAVE}", f"scores {SAVE} --json", f"scores {SAVE} --csv", "move draw", "move draw --json", "undo",
    "redo --json", "move --dry-run draw", "move nonsense", "move a1", "play",
)  # fmt: skip


@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_tells_the_seed_while_the_game_is_played(words: str, tmp_path: Path) -> None:
    cardsol.save(sealed(), tmp_path / SAVE)
    done = in_process(*words.split(), folder=tmp_path, given="show\nmove draw\nscore\nhint 1\n")
    assert done.status == 0 or words in ("move nonsense", "move a1")
    assert SEED not in done.out + done.err and "own deck" not in done.out
    assert cardsol.load(tmp_path / SAVE).sealed


@pytest.mark.parametrize(
    "words", ["show --deck", "show --deck --json", "log --script", "solve", "solve --goal score"]
)
def test_what_would_break_the_seal_is_refused_while_the_game_is_played(words: str, tmp_path: Path) -> None:
    cardsol.save(sealed(), tmp_path / SAVE)
    done = in_process(*words.split(), folder=tmp_path)
    assert (done.status, done.out, len(done.err.splitlines())) == (4, "", 1)
    assert "the deal is sealed until the game is over" in done.err
    cardsol.save(over(), tmp_path / SAVE)
    assert in_process(*words.split(), folder=tmp_path).status != 4


def test_a_sealed_deck_is_not_dealt_elsewhere(tmp_path: Path) -> None:
    cardsol.save(sealed(), tmp_path / SAVE)
    done = in_process("deal", "three-peaks", "--deck", f"@{SAVE}", "-f", "other", folder=tmp_path)
    assert (done.status, done.out, (tmp_path / "other").exists()) == (4, "", False)


def test_the_seed_is_told_when_the_game_is_over(tmp_path: Path) -> None:
    cardsol.save(over(), tmp_path / SAVE)
    for words in (
        "show",
        "show --json",
        "log --share",
        f"scores {SAVE}",
        "log --script",
        "undo 0",
        "show --plain",
    ):
        if words != "undo 0":
            assert SEED in in_process(*words.split(), folder=tmp_path).out, words
    assert in_process("undo", folder=tmp_path).out.splitlines()[0].split("  ")[1] == "seed hidden"


def test_a_sealed_deal_shows_no_seed_where_it_is_dealt(tmp_path: Path) -> None:
    done = harness.run_loaded("deal", "camelot", "--seed", SEED, "--sealed", folder=tmp_path)
    assert done.status == 0 and "seed hidden" in done.out
    assert SEED.encode() not in (tmp_path / SAVE).read_bytes()
    done = harness.run_loaded(
        "deal", "camelot", "--winnable", "--seed", "1", "--sealed", "-f", "other", folder=tmp_path
    )
    assert done.status == 0 and "this deal can be won" in done.err


@pytest.mark.parametrize("origin", ["--deck", "--pysol"])
def test_a_given_deck_is_sealed_too(origin: str, tmp_path: Path) -> None:
    deck = " ".join(cardsol.deal("camelot", seed=1).deck)
    value = deck if origin == "--deck" else "77"
    assert (
        harness.run_loaded("deal", "camelot", origin, value, "--sealed", folder=tmp_path).out.split("  ")[1]
        == "seed hidden"
    )
    text = (tmp_path / SAVE).read_text()
    assert '"deck"' not in text and '"77"' not in text
    assert harness.run_loaded("check", folder=tmp_path).out == f"{SAVE}: ok\n"


def test_a_sealed_part_that_was_tampered_with_is_found_and_tells_no_card() -> None:
    text = cardsol.dumps(sealed())
    deck = list(sealed().deck)
    other = [*deck[:-2], deck[-1], deck[-2]]
    for changes in (
        {"deck": other}, {"deck": deck[1:]}, {"deck": [*deck[1:], deck[1]]}, {"deck": None},
        {"deck": [*deck[1:], "XX"]},
        {"seed": "another"}, {"seed": ""}, {"seed": None}, {"seed": 1}, {"deal": "cardsol-deal-2"}, {"deal": None},
        {"pysol": "5"}, {"extra": 1},
    ):  # fmt: skip
        with pytest.raises(cardsol.BadSave) as found:
            cardsol.loads(with_origin(text, **changes))
        assert (found.value.where, found.value.what) == (
            "sealed",
            "it holds no whole deal that this program can make",
        )


def test_a_history_or_pile_that_was_tampered_with_is_found() -> None:
    save = json.loads(cardsol.dumps(sealed()))
    stock, hidden = save["piles"]["stock"]["down"], sealed().piles()["stock"].down
    for changes, where in (
        ({"piles": {**save["piles"], "stock": {"down": stock[1:], "up": []}}}, "piles.stock.down"),
        (
            {"piles": {**save["piles"], "stock": {"down": [hidden[0], *stock[1:]], "up": []}}},
            "piles.stock.down[0]",
        ),
        ({"score": 7}, "score"),
        ({"version": 1}, "seed"),
        ({"seed": None}, "'seed'"),
        ({"moves": [*save["moves"], "a1"]}, f"moves[{len(save['moves'])}]"),
    ):
        with pytest.raises(cardsol.BadSave) as found:
            cardsol.loads(json.dumps({**save, **changes}))
        assert found.value.where == where
    with pytest.raises(cardsol.BadSave, match="reads versions 1 and 2, not 3"):
        cardsol.loads(json.dumps({**save, "version": 3}))


def in_base64(data: bytes) -> str:
    return b2a_base64(data, newline=False).decode()


@pytest.mark.parametrize(
    "value",
    [
        *(None, 1, [], {}, "", "x", "====", "eyJ", "e y J 9", "e30", "e30=\n", "naïve", "\ud800", "A" * 2_000_000),
        in_base64(b"null"), in_base64(b"{}"), in_base64(b"\xff\xfe"), in_base64(b"[" * 100_000),
        in_base64(b'{"a":' * 1_900), in_base64(b"9" * 1_000_000), in_base64(b'{"seed": NaN}'),
    ],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_a_hostile_sealed_part_is_refused_at_once_in_one_line(value: object, tmp_path: Path) -> None:
    save = {**json.loads(cardsol.dumps(sealed())), "sealed": value}
    (tmp_path / SAVE).write_text(json.dumps(save))
    began = time.process_time()
    done = in_process("show", folder=tmp_path)
    assert time.process_time() - began < 1
    assert (done.status, done.out, len(done.err.splitlines())) == (3, "", 1)
    assert "sealed: " in done.err and len(done.err) < 300
