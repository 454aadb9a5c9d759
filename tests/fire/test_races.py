"""Two commands at once on one save: the outcome is that of some order, one after the other."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import cardsol
from cardsol import files, saves
from tests.support import harness

few_or_many = pytest.mark.parametrize(
    ("processes", "turns"), [(3, 2), pytest.param(8, 25, marks=pytest.mark.long)]
)
Done = list[tuple[str, int]]
"""What one player did: word by word with its status."""


def play(save: Path, seed: int, words: Sequence[str], turns: int) -> Done:
    """One player: looks, chooses at random, and moves, without asking whether another came between."""
    chance = random.Random(seed)
    done: Done = []
    for _ in range(turns):
        word = chance.choice(words)
        if word == "move":
            token = chance.choice(cardsol.load(save).legal_moves or ("draw",))
            result = harness.run("move", "-q", token, "-f", save, folder=save.parent)
        else:
            token = word
            result = harness.run(word, "-q", "-f", save, folder=save.parent)
        assert result.out == ""
        assert result.err.count("\n") == (result.status != 0)
        assert "Traceback" not in result.err
        done.append((token, result.status))
    return done


def at_once(save: Path, players: Sequence[Sequence[str]], turns: int) -> list[Done]:
    with ThreadPoolExecutor(len(players)) as pool:
        return list(pool.map(lambda seed: play(save, seed, players[seed], turns), range(len(players))))


def interleaves(whole: Sequence[str], parts: Sequence[Sequence[str]]) -> bool:
    """Tells whether the parts, each in its own order, can be laid together to be the whole."""
    places = {tuple(0 for _ in parts)}
    for token in whole:
        places = {
            (*at[:i], at[i] + 1, *at[i + 1 :])
            for at in places
            for i, part in enumerate(parts)
            if at[i] < len(part) and part[at[i]] == token
        }
    return tuple(map(len, parts)) in places


def statuses(done: Sequence[Done]) -> Counter[int]:
    return Counter(status for part in done for _, status in part)


@few_or_many
def test_moves_at_once_are_made_in_some_order_and_the_others_leave_no_trace(
    processes: int, turns: int, tmp_path: Path
) -> None:
    save = tmp_path / "cardsol.json"
    start = cardsol.deal("vanishing-cross", seed="5")
    save.write_bytes(saves.dump(start))
    done = at_once(save, [("move",)] * processes, turns)
    game = cardsol.load(save)
    made = [[token for token, status in part if status == 0] for part in done]
    assert interleaves(game.moves, made)
    assert game.undos == 0
    counts = statuses(done)
    assert counts.keys() <= {0, 3, 4}
    assert counts[0] == len(game.moves) > 0
    assert os.listdir(tmp_path) == ["cardsol.json"]
    harness.figure(
        "races, move", processes=processes * turns, made=counts[0], refused=counts[4], failed=counts[3]
    )


@few_or_many
def test_move_against_undo_counts_every_one_that_ended_with_0(
    processes: int, turns: int, tmp_path: Path
) -> None:
    save = tmp_path / "cardsol.json"
    save.write_bytes(saves.dump(cardsol.deal("vanishing-cross", seed="6")))
    done = at_once(save, [("move",)] * (processes - 1) + [("undo",)], turns)
    game = cardsol.load(save)
    made = [[token for token, status in part if status == 0] for part in done]
    undos = made.pop().count("undo")
    assert statuses(done).keys() <= {0, 3, 4}
    assert game.undos == undos
    assert len(game.moves) == sum(map(len, made)) - undos
    assert not Counter(game.moves) - Counter(token for part in made for token in part)
    assert len(game.undone) <= undos
    assert os.listdir(tmp_path) == ["cardsol.json"]
    harness.figure("races, move and undo", made=sum(map(len, made)), undone=undos)


@harness.repeated("processes", 4, 8)
def test_deals_at_once_without_force_make_one_game(processes: int, tmp_path: Path) -> None:
    with ThreadPoolExecutor(processes) as pool:
        results = list(
            pool.map(
                lambda seed: harness.run("deal", "camelot", "--seed", str(seed), "-q", folder=tmp_path),
                range(processes),
            )
        )
    won = [seed for seed, result in enumerate(results) if result.status == 0]
    assert [cardsol.load(tmp_path / "cardsol.json").seed] == [str(seed) for seed in won]
    assert all(result.status == 4 for seed, result in enumerate(results) if seed not in won)
    assert os.listdir(tmp_path) == ["cardsol.json"]


def test_a_save_changed_by_a_program_without_the_lock_is_not_overwritten(tmp_path: Path) -> None:
    save = tmp_path / "cardsol.json"
    old, other = (saves.dump(cardsol.deal("camelot", seed=seed)) for seed in (1, 2))

    def replace() -> None:
        (tmp_path / "new").write_bytes(old)
        (tmp_path / "new").replace(save)

    changes: dict[str, Callable[[], object]] = {
        "edited": lambda: save.write_bytes(other),
        "replaced": replace,
        "removed": save.unlink,
    }
    for name, change in changes.items():
        save.write_bytes(old)
        with files.locked(os.fsencode(save)) as target:
            target.read()
            change()
            there = save.read_bytes() if save.exists() else None
            with pytest.raises(cardsol.FileTrouble, match="changed under way"):
                target.replace(b"{}")
        assert (save.read_bytes() if save.exists() else None) == there, name
        assert os.listdir(tmp_path) == (["cardsol.json"] if there else [])


def test_a_command_that_cannot_have_the_lock_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = tmp_path / "cardsol.json"
    save.write_bytes(saves.dump(cardsol.deal("camelot", seed=1)))
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    with files.locked(os.fsencode(save)):
        result = harness.run_inside("undo", "-f", str(save))
        assert harness.run_inside("show", "-f", str(save)).status == 0
    assert result.status == 3
    assert "locked for 0.2 s" in result.err
