"""Write tests/data/perft.json: how many lines of 1, 2, … tokens the reference finds."""

from __future__ import annotations

import json
from pathlib import Path

from tests import reference

TABLE = Path(__file__).resolve().parents[1] / "data" / "perft.json"
SEEDS = ["1", "2", "7"]
DEEPEST = 12
#: Go no deeper once a depth has this many lines: about a second of the reference's time.
ENOUGH = {
    "universal": 2000,
    "three-peaks": 3000,
    "vanishing-cross": 500,
    "rouge-et-noir": 1000,
    "camelot": 3000,
}
OPTIONS: dict[str, list[dict[str, str]]] = {
    "universal": [{"draw": draw} for draw in "123"],
    "three-peaks": [
        {"scoring": scoring, "floor": floor, "rounds": "single"}
        for scoring in ("classic", "multiplier")
        for floor in ("none", "zero")
    ]
    + [{"scoring": "classic", "floor": "none", "rounds": "progressive"}],
    "vanishing-cross": [
        {"play": play, "wrap": wrap} for play in ("classic", "direct") for wrap in ("on", "off")
    ],
    "rouge-et-noir": [{}],
    "camelot": [{}],
}


def main() -> None:
    """Count and write."""
    rows = []
    for game, variants in OPTIONS.items():
        deck_name = reference.GAMES[game].DECK
        for options in variants:
            for seed in SEEDS:
                deck = reference.shuffle(deck_name, seed)
                row = {"game": game, "options": options, "seed": seed, "deck_name": deck_name}
                counts: list[int] = []
                while len(counts) < DEEPEST and (not counts or counts[-1] < ENOUGH[game]):
                    depth = len(counts) + 1
                    counts.append(reference.perft(game, deck, options, depth, seed))
                rows.append(json.dumps({**row, "counts": counts}))
    text = "[\n" + ",\n".join(rows) + "\n]\n"
    TABLE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
