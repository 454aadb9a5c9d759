"""Plays any game through the commands' JSON, as a program in any language could.

    python examples/json_player.py [GAME] [SEED]

It prefers the kinds of moves that come first in PREFERRED, and never goes back to a position that it has seen.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PREFERRED = ["foundation", "sequence", "remove", "play", "slip", "build", "fill", "place", "discard", "draw"]


def cardsol(*words: str, save: Path) -> Any:
    """Runs a command and returns its JSON; where it fails, the program ends with its message and status."""
    done = subprocess.run(["cardsol", *words, "--json", "-f", str(save)], stdout=subprocess.PIPE)
    if done.returncode:
        sys.exit(done.returncode)
    return json.loads(done.stdout)


def preference(move: dict[str, Any]) -> int:
    """Returns the place of a move's kind in PREFERRED; kinds that are not there come last."""
    return PREFERRED.index(move["kind"]) if move["kind"] in PREFERRED else len(PREFERRED)


def play(game: str, seed: str, save: Path) -> Any:
    """Plays a game to its end, or until only moves to known positions are left; returns the last view."""
    view = cardsol("deal", game, "--seed", seed, save=save)
    seen = {json.dumps(view["piles"])}
    while view["status"] == "playing":
        moves = cardsol("moves", save=save)["moves"]
        for move in sorted(moves, key=preference):
            after = cardsol("move", "--dry-run", move["token"], save=save)
            if json.dumps(after["piles"]) not in seen:
                break
        else:
            break
        view = cardsol("move", move["token"], save=save)
        seen.add(json.dumps(view["piles"]))
    return view


def main() -> None:
    """Plays the game that the command line names and prints how it ended."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head -n 1` ends the program, without a traceback
    game, seed = (*sys.argv[1:], *["three-peaks", "1"][len(sys.argv) - 1 :])[:2]
    with tempfile.TemporaryDirectory() as folder:
        view = play(game, seed, Path(folder) / "game.json")
    print(f"{game}, seed {seed}: {view['status']} after {view['made']} moves, score {view['score']}")


if __name__ == "__main__":
    main()
