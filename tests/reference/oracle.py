"""The recorded games and known answers in the folder `oracle`, where it is there, and what a fair comparison is.

Works on every implementation that has the interface `Playable`; see the folder's README.md.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol


class Playable(Protocol):
    """A game in play, whoever implements it."""

    def legal(self) -> list[str]:
        """Give the legal tokens, sorted."""

    def play(self, token: str) -> None:
        """Make a move, or raise an exception."""

    def piles(self) -> Mapping[str, Mapping[str, list[str]]]:
        """Give all cards of all piles, face down and face up."""

    def score(self) -> int:
        """Give the score."""

    def status(self) -> str:
        """Say playing, won or lost."""


Start = Callable[[str, list[str], dict[str, str]], Playable]
Record = dict[str, Any]

#: Each field with a line, the options its claim is about, and the field with its best value.
LINES: list[tuple[str, dict[str, str], str]] = [
    ("win_line", {}, "best"),
    ("best_line", {}, "best"),
    ("classic_line", {"scoring": "classic", "floor": "none"}, "best_classic"),
    ("multiplier_line", {"scoring": "multiplier", "floor": "none"}, "best_multiplier"),
]


def folder() -> Path | None:
    """Find the oracle folder, None where there is none."""
    root = Path(__file__).resolve().parents[2]
    place = Path(os.environ.get("CARDSOL_ORACLE") or root.parent / "shared" / "oracle")
    return place if place.is_dir() else None


def recorded(path: Path) -> Iterator[Record]:
    """Read the games of a recorded/*.gz file; each gets a "where" for messages."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for index, line in enumerate(lines):
            yield {**json.loads(line), "where": f"{path.name} game {index}"}


def answers(path: Path) -> Iterator[Record]:
    """Read the deals of an answers/*.gz file; each gets a "where" for messages."""
    return recorded(path)


def replay_recorded(record: Record, start: Start) -> int:
    """Replay one recorded game, comparing all that is fair; give the number of steps."""
    game = start(record["game"], record["deck"], record["options"])
    pysol = record["source"] == "pysolfc"
    where = f"{record['where']}, start"
    _same_piles(game, record["deal"] if "deal" in record else record["start"], where)
    for number, step in enumerate(record["steps"]):
        where = f"{record['where']}, step {number}"
        _same_legal(game, step, where)
        where += f", after {step['move']}"
        _play(game, step["move"], where)
        if pysol:  # knows only playing and won at a step
            _same("won", game.status() == "won", step["status"] == "won", where)
        else:
            _same("status", game.status(), step["status"], where)
        if "score" in step:
            _same("score", game.score(), step["score"], where)
        _same_piles(game, step.get("piles", {}), where)
    if "final" in record:
        _same_final(game, record["final"], f"{record['where']}, final")
    return len(record["steps"])


def replay_answer(answer: Record, start: Start) -> int:
    """Replay each line of an answer, holding it to its claims; give the number of lines."""
    where = answer["where"]
    _same("winnable with a line", answer["winnable"] is True, bool(answer["win_line"]), where)
    checked = 0
    for field, options, best_field in LINES:
        if answer.get(field) is None:
            continue
        checked += 1
        where = f"{answer['where']}, {field}"
        game = start(answer["game"], answer["deck"], {**answer["options"], **options})
        scores = [game.score()]
        for number, token in enumerate(answer[field]):
            _play(game, token, f"{where} move {number}, {token}")
            scores.append(game.score())
        if field == "win_line":
            _same("status", game.status(), "won", where)
        best = answer.get("best_removed" if answer["game"] == "camelot" else best_field)
        if best is not None:
            points_a_card = 5 if answer["game"] == "universal" else 1
            _same("best", max(scores), best * points_a_card, where)
    return checked


def _same_legal(game: Playable, step: Record, where: str) -> None:
    ours = game.legal()
    _same("order of legal", ours, sorted(ours), where)
    _same("tokens out of place", set(ours) & set(step.get("extra", [])), set(), where)
    if "legal_by_colour" in step:
        _same("legal by colour", ours, sorted(step["legal_by_colour"]), where)
    unfair = step.get("unfair", [])
    theirs = sorted(token for token in step["legal"] if token not in unfair)
    _same("legal", [token for token in ours if token not in unfair], theirs, where)


def _same_piles(game: Playable, theirs: Record, where: str) -> None:
    ours = game.piles()
    for name, pile in theirs.items():
        seen = {"down": len(ours[name]["down"]), "up": ours[name]["up"]}
        _same(f"pile {name}", seen, pile, where)


def _same_final(game: Playable, final: Record, where: str) -> None:
    if final["status"] != "playing":
        _same("status", game.status(), final["status"], where)
    elif final.get("why") == "cap":  # the recording stopped; else only unfair moves were left
        _same("status", game.status(), "playing", where)
    if "score" in final:
        _same("score", game.score(), final["score"], where)
    if "legal" in final:
        _same_legal(game, final, where)
    _same_piles(game, final.get("piles", {}), where)


def _play(game: Playable, token: str, where: str) -> None:
    try:
        game.play(token)
    except Exception as problem:
        raise AssertionError(f"{where}: refused: {problem}") from problem


def _same(what: str, ours: object, theirs: object, where: str) -> None:
    if ours != theirs:
        raise AssertionError(f"{where}: {what}: ours {ours!r}, theirs {theirs!r}")
