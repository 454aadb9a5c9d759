"""Writes the whole games of tests/playthroughs: the deal, and each move with its board, to the end.

    python -m tests.regenerate.playthroughs

A file holds what `cardsol` prints for each command in it. Its commands stay as they are, and their output is
printed anew; for a game or a combination of options that has no file yet, a game is found and played first.
"""

from __future__ import annotations

import os
import random
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest import mock

import cardsol
from cardsol.solve import Limits, solve
from tests.support.engine import VARIANTS
from tests.support.harness import run_inside

FOLDER = Path(__file__).parents[1] / "playthroughs"
Variant = tuple[str, dict[str, str]]

PROMPT = "$ cardsol "
LIMITS = Limits(states=300_000)
"""What the search for a win may spend on one deal."""
LOST_IN_THE_END = {"rounds": "progressive"}
"""Each round that is won deals another, so such a game ends with a loss."""


def path_of(variant: Variant) -> Path:
    """Returns the file of a game with its options."""
    game, options = variant
    return FOLDER / f"{'-'.join([game, *options.values()])}.txt"


def commands_of(text: str) -> list[list[str]]:
    """Returns the words of each command in a playthrough."""
    lines = [line for line in text.splitlines() if line.startswith(PROMPT)]
    return [shlex.split(line.removeprefix(PROMPT)) for line in lines]


def played(commands: Sequence[Sequence[str]]) -> str:
    """Returns a playthrough: each command and what it prints."""
    with tempfile.TemporaryDirectory() as folder, mock.patch.object(os, "fsync", lambda _: None):
        save = f"{folder}/game.json"
        return "\n".join(_printed(words, save) for words in commands)


def _printed(words: Sequence[str], save: str) -> str:
    done = run_inside(*words, "-f", save)
    return f"{PROMPT}{shlex.join(words)}\n{done.out}{done.err}"


def found(variant: Variant) -> list[list[str]]:
    """Returns the commands of a whole game: the first seed with a win that is soon found, or a lost game."""
    name, options = variant
    chosen = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    for seed in range(1, 1000):
        line = _line(cardsol.deal(name, seed=seed, options=options))
        if line:
            return [["deal", name, "--seed", str(seed), *chosen], *(["move", token] for token in line)]
    raise SystemExit(f"no game of {name} {options} comes to its end")


def _line(game: cardsol.Game) -> Sequence[str]:
    if LOST_IN_THE_END.items() <= game.options.items():
        return _by_chance(game)
    return solve(game, "win", LIMITS).line or ()


def _by_chance(game: cardsol.Game) -> Sequence[str]:
    """Plays at random, and draws only where nothing else is legal; a game that sees no second round is none."""
    chance = random.Random(0)
    while game.status == "playing":
        others = [token for token in game.legal_moves if token != "draw"]
        game.push(chance.choice(others or game.legal_moves))
    return game.moves if game.view().extra["round"] != 1 else ()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for path, text in _texts():
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {'written' if changed else 'as before'}, {len(commands_of(text))} commands")


def _texts() -> Iterator[tuple[Path, str]]:
    for variant in VARIANTS:
        path = path_of(variant)
        commands = commands_of(path.read_text(encoding="utf-8")) if path.exists() else found(variant)
        yield path, played(commands)


if __name__ == "__main__":
    main()
