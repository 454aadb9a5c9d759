"""Why a game is said to be impossible: what the reason claims holds at every position that can be reached."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.games import camelot, rouge_et_noir, universal, vanishing_cross
from cardsol.registry import BUILT_IN
from cardsol.solve import Answer, Found, Limits, Meter, Proof, solver_of
from cardsol.solve.model import in_a_row
from tests.support.harness import part
from tests.support.typed import in_process

from . import test_answers as of_answers
from . import test_lemmas as of_lemmas
from . import test_solving_camelot as of_camelot
from . import test_solving_rouge_et_noir as of_rouge
from . import test_solving_universal as of_universal
from . import test_solving_vanishing_cross as of_cross
from . import test_waste_of_vanishing_cross as of_waste

MOST = 1500
"""Positions of a small game."""


def reachable(rules: Any, state: Any, most: int = MOST) -> list[Any] | None:
    """Returns every position that can be reached by the rules; None where there are too many."""
    seen, waiting = {state}, [state]
    for here in waiting:
        for token in rules.moves(here):
            after = rules.apply(here, token)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
        if len(waiting) > most:
            return None
    return waiting


def universal_holds(proof: Proof, state: universal.State) -> bool:
    return not any(card in cards for cards in state.bar for card in proof.cards)


def cross_holds(proof: Proof, state: vanishing_cross.State) -> bool:
    if proof.text.startswith("no pile"):
        return all(any(card in pile for card in proof.cards) for pile in state.cross)
    if not proof.cards:
        return not vanishing_cross.is_won(state)
    (card,) = proof.cards
    if "never leaves" in proof.text:
        return card in state.waste
    return card in state.stock + state.drawn or state.waste != ()


def rouge_holds(proof: Proof, state: rouge_et_noir.State) -> bool:
    if "at most" not in proof.text:
        return not rouge_et_noir.is_won(state)
    most = int(proof.text.partition("at most ")[2].split()[0])
    lying = Counter(card for pile in state.columns for card in pile.down + pile.up)
    return rouge_et_noir.score(state) <= most and not Counter(proof.cards) - lying


def camelot_holds(proof: Proof, state: camelot.State) -> bool:
    return proof.cards[0] not in state.grid


def universal_states(chance: random.Random) -> Iterator[universal.State]:
    while True:
        yield of_universal.cut_game(chance)


def cross_states(chance: random.Random) -> Iterator[vanishing_cross.State]:
    while True:
        yield of_lemmas.barred(chance, chance.choice(of_cross.KINDS))


def waste_states(chance: random.Random) -> Iterator[vanishing_cross.State]:
    while True:
        yield of_waste.built(chance, chance.random() < 0.5)


def rouge_states(chance: random.Random) -> Iterator[rouge_et_noir.State]:
    while True:
        yield of_rouge.end_game(chance)


def camelot_states(chance: random.Random) -> Iterator[camelot.State]:
    while True:
        yield of_camelot.cut(chance)


GAMES: dict[str, tuple[Any, Callable[[random.Random], Iterator[Any]], Callable[[Proof, Any], bool]]] = {
    "universal": (universal, universal_states, universal_holds),
    "vanishing cross": (vanishing_cross, cross_states, cross_holds),
    "waste of vanishing cross": (vanishing_cross, waste_states, cross_holds),
    "rouge et noir": (rouge_et_noir, rouge_states, rouge_holds),
    "camelot": (camelot, camelot_states, camelot_holds),
}


@pytest.mark.parametrize("name", GAMES)
@part(20)
def test_a_reason_holds_at_every_position_that_can_be_reached(name: str, part: int) -> None:
    rules, states, holds = GAMES[name]
    found = Counter[str]()
    for _, state in zip(range(800 // part), states(random.Random(name))):
        positions = reachable(rules, state, MOST if part == 1 else 500)
        if positions is None:
            continue
        answer = solver_of(rules).solve(state, "win", Meter(Limits()))
        if answer.proof is None:
            continue
        assert answer.verdict == "impossible"
        assert all(card in answer.proof.text for card in answer.proof.cards)
        found[answer.proof.kind] += 1
        for here in positions:
            assert holds(answer.proof, here), (answer.proof, state, here)
    assert found.total() >= 20 // part
    assert set(found) <= {"pattern" if rules is vanishing_cross else "bound"}


KINDS = {
    "exhausted": ("three-peaks --seed 3", 20, "every line was searched, "),
    "no move": ("three-peaks --seed 21", 23, "no legal move is left"),
    "bound": ("camelot --seed 3", 0, "the grid is full for good before "),
    "pattern": ("vanishing-cross --seed 1 -o play=direct -o wrap=off", 30, " never leaves the waste: "),
}
"""Kind → a deal, how many cards are drawn at once, and what is said."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_and_the_object_tell_the_same_reason(kind: str, tmp_path: Path) -> None:
    deal, draws, says = KINDS[kind]
    assert in_process("deal", *deal.split(), "-q", folder=tmp_path).status == 0
    if draws:
        assert in_process("move", "-q", *["draw"] * draws, folder=tmp_path).status == 0
    answer = in_process("solve", "--json", folder=tmp_path)
    facts = json.loads(answer.out)
    assert (answer.status, facts["verdict"]) == (5, "impossible")
    proof = facts["proof"]
    assert list(proof) == ["kind", "text", "cards"]
    assert proof["kind"] == ("exhausted" if kind == "no move" else kind)
    assert says in proof["text"]
    assert all(card in proof["text"] for card in proof["cards"])
    if says.startswith("every line"):
        assert f"{facts['states']:,} positions" in proof["text"]
    told = in_process("solve", folder=tmp_path)
    assert (told.status, told.out, told.err) == (5, "", f"cardsol: impossible: {proof['text']}\n")


@pytest.mark.parametrize("name", BUILT_IN)
@part(3)
def test_a_reason_is_told_of_what_is_impossible_and_of_nothing_else(name: str, part: int) -> None:
    told = 0
    for seed in range(8)[::part]:
        chance = random.Random(seed)
        game = cardsol.deal(name, seed=seed)
        for _ in range(chance.choice((0, 40, 160))):
            if game.status != "playing":
                break
            game.push(chance.choice(game.legal_moves))
        for goal in ("win", "score"):
            answer = cardsol.solve(game, goal, cardsol.Limits(states=3_000 // part), shorten=False)
            assert (answer.proof is not None) == (answer.verdict == "impossible")
            if answer.proof:
                told += 1
                assert answer.proof.kind in ("exhausted", "bound", "pattern") and answer.proof.text
                assert not answer.proof.text.endswith(".")
    assert told or name == "vanishing-cross"


class Says:
    """A solver of an added game that calls every position impossible, and gives a reason or none."""

    STATES = 7

    def __init__(self, reason: Any) -> None:
        self.reason = reason

    def model(self, state: Any) -> Any:
        return None

    def solve(self, state: Any, goal: Any, meter: Meter) -> Found:
        return Found("impossible", [], 0, True, winnable=False, proof=self.reason)


SILENT, TALKING, WRONG = Says(None), Says(Proof("pattern", "the heap is glued")), Says("because")


def test_an_added_solver_may_say_why_or_not() -> None:
    def asked(name: str) -> Answer:
        return of_answers.asked(of_answers.Heap(solver=f"{__name__}:{name}"), (3, 0, 0), "win")

    assert asked("SILENT").proof is None
    assert asked("TALKING").proof == Proof("pattern", "the heap is glued")
    with pytest.raises(cardsol.BrokenGame):
        asked("WRONG")


def test_a_game_without_a_solver_is_searched_to_the_end() -> None:
    answer = of_answers.asked(of_answers.Heap(winnable=False), (3, 0, 0), "win")
    assert answer.proof is not None
    assert (answer.proof.kind, answer.proof.cards) == ("exhausted", ())
    assert f"{answer.states} positions" in answer.proof.text


def test_names_in_a_row() -> None:
    assert [in_a_row(["7H"]), in_a_row(["7H", "8C"]), in_a_row(["7H", "8C", "KD"])] == [
        "7H", "7H and 8C", "7H, 8C and KD",
    ]  # fmt: skip
