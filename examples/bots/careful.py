#!/usr/bin/env python3
"""A bot that asks what each move does, and prefers cards that are gone for good. It needs nothing but Python.

cardsol survey three-peaks --seeds 1..100 --player 'exec:python3 examples/bots/careful.py' --summary-only
"""

from __future__ import annotations

import json
import sys
from typing import Any

BEST_FIRST = ("foundation", "sequence", "remove", "play", "place", "fill", "build", "slip", "draw", "discard")
"""The kinds of moves, those that bring most first."""


def ask(request: dict[str, object]) -> dict[str, Any]:
    """Sends a request and returns the reply; ends the bot where no reply comes any more."""
    print(json.dumps(request), flush=True)
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    reply: dict[str, Any] = json.loads(line)
    return reply


def choose(view: dict[str, Any], moved: set[str]) -> str:
    """Returns the move of the best kind; a card that was moved since the last draw stays where it is."""

    def rank(move: dict[str, Any]) -> tuple[bool, int, int, str]:
        kind = move["kind"]
        again = kind in ("build", "fill") and bool(moved.intersection(move["cards"]))
        # In Three Peaks the lower rows come first: they cover the others.
        return again, BEST_FIRST.index(kind), -ord(move["from"][0]), move["token"]

    moves = ask({"moves": True})["moves"]
    fresh = [
        move
        for move in moves
        if not (move["kind"] in ("build", "fill") and moved.intersection(move["cards"]))
    ]
    best = min(fresh or moves, key=rank)
    if best["kind"] == "draw":
        moved.clear()
    moved.update(best["cards"])
    token: str = best["token"]
    return token


def main() -> None:
    """Plays deal after deal until the input ends."""
    view = json.loads(sys.stdin.readline())["view"]
    moved: set[str] = set()
    made = 0
    while True:
        if view["status"] == "playing" and made < 2000:
            view, made = ask({"move": [choose(view, moved)]}), made + 1
        else:
            view, made = ask({"deal": True}), 0
            moved.clear()


if __name__ == "__main__":
    main()
