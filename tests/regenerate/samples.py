"""Makes the samples of saves in tests/saves/v1/ from seeds and the winning lines of wins.json.

A sample that is there is never written again: today's saves open for ever, and these are the witnesses.
A new game, option or phase is a new sample, and a new line in v1/SHA256SUMS.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import cardsol
from cardsol import saves
from cardsol.game import Game
from tests.support import engine

SAVES = Path(__file__).parents[1] / "saves"
FOLDER = SAVES / "v1"
Ends = Callable[[Game], bool]

PHASES: list[tuple[str, str, dict[str, str], Ends]] = [
    ("pass-2", "universal", {"draw": "2"}, lambda game: game.view().extra["pass"] == 2),
    ("pass-2", "universal", {"draw": "3"}, lambda game: game.view().extra["pass"] == 2),
    ("pass-3", "universal", {"draw": "3"}, lambda game: game.view().extra["pass"] == 3),
    *(
        ("round-2", "three-peaks", options, lambda game: game.view().extra["round"] == 2)
        for game, options in engine.VARIANTS
        if options.get("rounds") == "progressive"
    ),
    *(
        (
            "turned-up",
            "vanishing-cross",
            {"wrap": wrap, "play": "classic"},
            lambda game: game.moves[-1:] == ("draw",),
        )
        for wrap in ("on", "off")
    ),
    ("phase-2", "camelot", {}, lambda game: game.view().extra["phase"] == 2),
]
"""What a game can be in the middle of: name, game, options, and how to tell."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, game in samples():
        path = FOLDER / f"{name}.json"
        if path.exists():
            print(f"{path.name}: kept")
            continue
        path.write_bytes(saves.dump(game))
        print(f"{path.name}: made, {len(game.moves)} moves, {game.status}")


def samples() -> Iterator[tuple[str, Game]]:
    """Gives the name of each sample and its game."""
    wins = json.loads((SAVES / "wins.json").read_text())
    for game, options in engine.VARIANTS:
        name = "-".join([game, *options.values()])
        yield (
            f"{name}-dealt",
            cardsol.deal(game, seed="S\N{LATIN SMALL LETTER O WITH DIAERESIS}lo 1", options=options),
        )
        yield f"{name}-playing", undone(played(game, options, lambda game: len(game.moves) == 14))
        yield f"{name}-lost", played(game, options, lambda game: game.status == "lost")
        for win in wins:
            if (
                win["game"] == game
                and win["options"].items() <= options.items()
                and options.get("rounds") != "progressive"
            ):
                won = cardsol.deal(game, deck=win["deck"], options=options)
                for token in win["line"].split():
                    won.push(token)
                yield f"{name}-won", won
                yield f"{name}-won-and-undone", undone(won.copy())
                break
    for phase, game, options, ends in PHASES:
        name = "-".join([game, *options.values()])
        yield f"{name}-{phase}", played(game, options, ends)


def played(name: str, options: dict[str, str], ends: Ends) -> Game:
    """Plays at random, a draw only where nothing else is legal or one time in eight, until `ends` holds."""
    chance = random.Random(f"{name} {options}")
    for seed in range(100_000):
        game = cardsol.deal(name, seed=seed, options=options)
        while not ends(game) and game.legal_moves and len(game.moves) < 500:
            others = [token for token in game.legal_moves if token != "draw"]
            legal = others if others and chance.randrange(8) else game.legal_moves
            game.push(chance.choice(legal))
        if ends(game):
            return game
    raise SystemExit(f"no random game of {name} {options} comes to that")


def undone(game: Game) -> Game:
    """Takes moves back, some of them twice, so that `undone` and `undos` differ."""
    game.undo(3)
    game.redo(2)
    game.undo(4)
    return game


if __name__ == "__main__":
    main()
