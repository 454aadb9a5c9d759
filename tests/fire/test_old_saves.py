"""Today's saves open for ever: frozen samples of every game, option and phase, and every command on each."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import saves
from tests.support import engine, harness

FOLDER = Path(__file__).parent.parent / "saves" / "v1"
SAMPLES = sorted(FOLDER.glob("*.json"))
every_sample = pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)

LOOKS: tuple[tuple[str, ...], ...] = (
    ("show",),
    ("show", "--json"),
    ("show", "--plain"),
    ("show", "--deck"),
    ("show", "--at", "0"),
    ("show", "--hide-seed", "--style", "unicode", "--color", "always"),
    ("score",),
    ("score", "--json"),
    ("moves",),
    ("moves", "--json"),
    ("log",),
    ("log", "--json"),
    ("log", "--script"),
)
"""Commands that change nothing; each ends with 0 on every save."""


def due(variant: tuple[str, dict[str, str]]) -> set[str]:
    """The samples that there must be of a game with its options."""
    game, options = variant
    phases = {"dealt", "playing", "lost"}
    if options.get("rounds") == "progressive":
        phases.add("round-2")
    else:
        phases |= {"won", "won-and-undone"}
    if options.get("play") == "classic":
        phases.add("turned-up")
    if game == "camelot":
        phases.add("phase-2")
    phases |= {f"pass-{number}" for number in range(2, int(options.get("draw", 1)) + 1)}
    return {"-".join([game, *options.values(), phase]) for phase in phases}


def test_there_is_a_sample_of_every_game_option_and_phase() -> None:
    assert {path.stem for path in SAMPLES} >= set().union(*map(due, engine.VARIANTS))
    found = Counter(json.loads(path.read_text("utf-8"))["status"] for path in SAMPLES)
    harness.figure("old saves", samples=len(SAMPLES), **found)


def test_no_sample_was_ever_changed() -> None:
    sums = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in SAMPLES}
    frozen = dict(line.split()[::-1] for line in (FOLDER / "SHA256SUMS").read_text().splitlines())
    assert sums == frozen


@every_sample
def test_a_sample_says_of_itself_what_its_name_says(path: Path) -> None:
    save: dict[str, Any] = json.loads(path.read_text("utf-8"))
    view = cardsol.load(path).view()
    phase = path.stem.removeprefix("-".join([save["game"], *save["options"].values()]) + "-")
    kind, _, number = phase.partition("-")
    if kind in ("won", "lost") and not number:
        assert save["status"] == kind
    elif number.isdecimal():
        assert view.extra[kind] == int(number)
    elif phase == "turned-up":
        assert view.piles["stock"].up
    else:
        assert save["status"] == "playing"
    assert (save["undone"] != []) == (phase in ("playing", "won-and-undone"))


@pytest.mark.parametrize("path", harness.some(SAMPLES, 8), ids=lambda path: path.stem)
def test_every_command_works_on_an_old_save(path: Path, tmp_path: Path) -> None:
    old = path.read_bytes()
    game = cardsol.load(path)
    assert saves.dump(game) == old
    for words in LOOKS:
        result = harness.run_inside(*words, "-f", str(path))
        told = {"playing": "", "won": "cardsol: the game is won\n", "lost": "cardsol: no move is left\n"}
        assert (result.status, result.err) == (0, told[game.status] if words == ("moves",) else ""), words
        assert result.out or words[0] in ("moves", "log")
    assert harness.run_inside("check", str(path)).status == 0
    assert path.read_bytes() == old
    copy = tmp_path / "copy.json"
    copy.write_bytes(old)
    for way, there in (("undo", game.moves), ("redo", game.undone)):
        copy.write_bytes(old)
        assert harness.run_inside(way, "-f", str(copy)).status == (0 if there else 4)
        copy.write_bytes(old)
        assert harness.run_inside(way, "--all", "-q", "-f", str(copy)).status == 0
        assert cardsol.load(copy).deck == game.deck
    copy.write_bytes(old)
    for token in game.legal_moves:
        assert harness.run_inside("move", "--dry-run", "-q", token, "-f", str(copy)).status == 0
    assert copy.read_bytes() == old
    assert harness.run_inside("deal", "camelot", "-q", "-f", str(copy)).status == (
        4 if game.status == "playing" else 0
    )
    assert harness.run_inside("deal", "camelot", "-q", "--force", "-f", str(copy)).status == 0


@harness.part(5)
def test_the_script_of_an_old_save_makes_the_same_save(tmp_path: Path, part: int) -> None:
    """But for `undos`, which the log does not tell."""
    samples = [path for path in SAMPLES if path.stem.endswith(("won-and-undone", "round-2"))]
    samples = samples[:: 3 * part]
    assert len(samples) >= 15 // (3 * part)
    for path in samples:
        script = harness.run("log", "--script", "-f", path, folder=tmp_path).out
        env = harness.environment({"CARDSOL_SAVE": f"{tmp_path}/{path.name}"})
        env["PATH"] = f"{Path(harness.COMMAND).parent}:{env['PATH']}"
        subprocess.run(["sh", "-c", script], cwd=tmp_path, env=env, check=True, capture_output=True)
        old, new = (cardsol.load(place / path.name) for place in (FOLDER, tmp_path))
        assert (old.deck, old.moves, old.undone, old.view(True)._replace(undos=0)) == (
            *(new.deck, new.moves, new.undone),
            new.view(True)._replace(undos=0),
        )
    harness.figure("old saves, scripts", replayed=len(samples))
