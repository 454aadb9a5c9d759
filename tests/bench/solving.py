"""How good and how fast the solver is, on deals with known answers and on deals of its own.

    python -m tests.bench.solving [GAME…] [--deals N] [--own] [--goal win|score] [--mid N]

Without GAME all games are solved. Known answers come from the oracle folder (see tests/reference/oracle.py);
`--own` takes seeds
1, 2, … with each game's options instead. `--mid N` starts from positions after N random moves. Times
are CPU seconds of this process; states a second stand beside the turns a second of a fixed loop. Every line is
replayed through the engine to the end that it claims: MISTAKES must be 0.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import cardsol
from cardsol.solve import Limits, solve
from cardsol.solve.model import Goal
from tests.bench.speed import yardstick_rate
from tests.reference import oracle
from tests.support import engine

SECONDS = {"universal": 30, "vanishing-cross": 30, "rouge-et-noir": 60, "three-peaks": 60, "camelot": 10}
"""The limit for each deal, wall clock."""


class Case(NamedTuple):
    """A position to solve, and what is known of it; `best` is in points."""

    game: cardsol.Game
    winnable: bool | None
    best: int | None


class Outcome(NamedTuple):
    verdict: str
    mistake: str
    cpu: float
    states: int


def main() -> None:
    """Solves set after set and prints a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=list(SECONDS))
    parser.add_argument("--deals", type=int, default=1000, help="most deals of a set")
    parser.add_argument("--own", action="store_true", help="seeds of its own, not the oracle's decks")
    parser.add_argument("--goal", choices=["win", "score"], default="win")
    parser.add_argument("--mid", type=int, default=0, help="start after that many random moves")
    asked = parser.parse_args()
    print(
        "set: decided of deals, won of known winnable | CPU s median / 90 % / max | states median | states/s | MISTAKES"
    )
    for name, cases in sets(asked.games, asked.own, asked.deals, asked.mid, asked.goal):
        report(name, cases, asked.goal)


def sets(games: list[str], own: bool, deals: int, mid: int, goal: Goal) -> Iterator[tuple[str, list[Case]]]:
    """Yields named sets of cases."""
    if own or oracle.folder() is None:
        for game, options in engine.VARIANTS:
            if game in games and options.get("floor") != "zero" and options.get("rounds") != "progressive":
                dealt = (cardsol.deal(game, seed=seed, options=options) for seed in range(1, deals + 1))
                yield engine.variant_name((game, options)), [_later(Case(g, None, None), mid) for g in dealt]
        return
    folder = oracle.folder()
    assert folder is not None
    for path in sorted((folder / "answers").glob("*.gz")):
        answers = list(oracle.answers(path))[:deals]
        if answers[0]["game"] in games:
            for name, cases in _known(path.name.removesuffix(".jsonl.gz"), answers, goal):
                yield name, [_later(case, mid) for case in cases]


def _known(name: str, answers: list[dict[str, Any]], goal: Goal) -> Iterator[tuple[str, list[Case]]]:
    scorings: list[tuple[dict[str, str], str]] = [({}, "best")]
    if answers[0]["game"] == "camelot":
        scorings = [({}, "best_removed")]
    elif answers[0]["game"] == "three-peaks" and goal == "score":
        scorings = [({"scoring": scoring}, f"best_{scoring}") for scoring in ("classic", "multiplier")]
    for options, best in scorings:
        points = 5 if answers[0]["game"] == "universal" else 1
        yield (
            " ".join([name, *options.values()]),
            [
                Case(
                    cardsol.deal(
                        answer["game"], deck=answer["deck"], options={**answer["options"], **options}
                    ),
                    answer["winnable"],
                    None if answer.get(best) is None else answer[best] * points,
                )
                for answer in answers
            ],
        )


def _later(case: Case, moves: int) -> Case:
    """Returns a position of the same deal after random moves, of which nothing is known but that won is won."""
    if not moves:
        return case
    chance = random.Random(" ".join(case.game.deck))
    while len(case.game.moves) < moves and case.game.status == "playing":
        case.game.push(chance.choice(case.game.legal_moves))
    return Case(case.game, False if case.winnable is False else None, None)


def report(name: str, cases: list[Case], goal: Goal) -> None:
    """Solves a set and prints its line."""
    outcomes = [attempt(case, goal) for case in cases]
    decided = sum(outcome.verdict != "unknown" for outcome in outcomes)
    winnable = [outcome for case, outcome in zip(cases, outcomes) if case.winnable]
    won = sum(outcome.verdict == "won" for outcome in winnable)
    mistakes = [f"{i}: {outcome.mistake}" for i, outcome in enumerate(outcomes) if outcome.mistake]
    cpu = sorted(outcome.cpu for outcome in outcomes)
    states = [outcome.states for outcome in outcomes]
    rate = sum(states) / max(sum(cpu), 1e-9)
    of_known = f", {won} of {len(winnable)}" if winnable and goal == "win" else ""
    print(
        f"{name}: {decided} of {len(cases)}{of_known}"
        f" | {statistics.median(cpu):.4f} / {cpu[int(0.9 * (len(cpu) - 1))]:.3f} / {cpu[-1]:.3f}"
        f" | {statistics.median(states):.0f} | {rate:,.0f} ({rate / yardstick_rate():.2f} x)"
        f" | {len(mistakes)} {'; '.join(mistakes[:5])}",
        flush=True,
    )


def attempt(case: Case, goal: Goal) -> Outcome:
    """Solves a case and holds the answer to what is known and to the engine."""
    start = time.process_time()
    answer = solve(case.game, goal, Limits(seconds=SECONDS[case.game.name]))
    spent = time.process_time() - start
    return Outcome(answer.verdict, _mistake(case, goal, answer), spent, answer.states)


def _mistake(case: Case, goal: Goal, answer: Any) -> str:
    if answer.line is not None:
        game = case.game.copy()
        scores = [game.score]
        for token in answer.line:
            game.push(token)
            scores.append(game.score)
        if goal == "win" and game.status != "won":
            return "a false win"
        if goal == "score" and max(scores) != answer.score:
            return f"the line reaches {max(scores)}, not {answer.score}"
        if case.winnable is False and game.status == "won":
            return "won what is known to be impossible"
    if answer.verdict == "impossible" and case.winnable:
        return "a false impossible"
    if goal == "score" and answer.optimal and case.best is not None and answer.score != case.best:
        return f"best {answer.score}, known to be {case.best}"
    return ""


if __name__ == "__main__":
    main()
