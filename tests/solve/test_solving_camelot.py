"""The solver of Camelot: its model against the rules, its answers against plain search and known ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations

import pytest

import cardsol
from cardsol.games import camelot as rules
from cardsol.solve.camelot import CamelotModel, solve
from cardsol.solve.camelot.cells import CLASS_OF, ONE
from cardsol.solve.camelot.model import Node
from cardsol.solve.camelot.naming import nameless
from cardsol.solve.camelot.solver import search
from cardsol.solve.limits import Limits, Meter
from cardsol.solve.model import Found, Goal
from tests.reference import oracle
from tests.support import harness

State = rules.State
Grid = tuple[int, ...]
ANSWERS = oracle.folder() is not None


def solved(state: State, goal: Goal) -> Found:
    return solve(state, goal, Meter(Limits()))


def walk(state: State, chance: random.Random) -> Iterator[State]:
    """Plays at random to the end, as a rule to the middle first and drawing sooner than removing more."""
    while tokens := rules.moves(state):
        yield state
        middle = [token for token in tokens if token[0] == "w" and not rules.OWNER[token[2:]]]
        if middle and chance.random() < 0.8:
            tokens = middle
        elif "draw" in tokens and chance.random() < 0.7:
            tokens = ["draw"]
        state = rules.apply(state, chance.choice(tokens))
    yield state


def middle_game(seed: int) -> State:
    """Plays a deal at random up to a random moment."""
    chance = random.Random(seed)
    return chance.choice(list(walk(cardsol.deal("camelot", seed=seed).state, chance))[1:])


def end_game(seed: int) -> State | None:
    """Follows a solution of a deal, leaves it for some random moves, and has few cards left in the stock."""
    chance = random.Random(seed)
    state = cardsol.deal("camelot", seed=seed).state
    line = solved(state, "score").line
    for token in line[: -chance.randint(12, 50)]:
        state = rules.apply(state, token)
    for _ in range(chance.randint(0, 6)):
        if tokens := rules.moves(state):
            state = rules.apply(state, chance.choice(tokens))
    return state if len(state.stock) <= 10 else None


def cut(chance: random.Random) -> State:
    """Makes a position with few cards in the stock, most court cards in place, and the rest anyhow."""
    deck = cardsol.deal("camelot", seed=chance.randrange(10**9)).state.stock
    left = chance.randint(0, 8)
    stock, others = deck[:left], deck[left:]
    grid = [""] * len(rules.CELLS)
    for card in others:
        cells = [i for i, cell in enumerate(rules.CELLS) if not grid[i] and rules.OWNER[cell] == card[0]]
        if cells and chance.random() < 0.95:
            grid[chance.choice(cells)] = card
    pips = [card for card in others if rules.RANK[card] <= rules.TEN]
    empty = [i for i, card in enumerate(grid) if not card]
    chance.shuffle(empty)
    for i in empty[chance.choice([0, 0, 1, 2, 3, 5]) :]:
        grid[i] = pips.pop()
    phase = 2 if all(grid) or not stock else chance.choice([1, 2])
    waste: tuple[str, ...] = ()
    if stock and phase == 1 and chance.random() < 0.3:
        stock, waste = stock[1:], stock[:1]
    return State(stock, waste, tuple(grid), tuple(pips), phase)


def normalized(state: State, most: int = 6000) -> tuple[bool, int] | None:
    """Goes through all moves by the game's own rules, None if there are too many.

    Positions are one if they differ in suits only, or in what was removed but not in its number: no rule
    knows these.
    """
    seen, waiting = set(), [state]
    for here in waiting:
        for token in rules.moves(here):
            after = rules.apply(here, token)
            look = len(after.stock), after.waste, after.phase, tuple(card[:1] for card in after.grid)
            if look not in seen:
                seen.add(look)
                waiting.append(after)
        if len(waiting) > most:
            return None
    return any(map(rules.is_won, waiting)), max(map(rules.score, waiting))


def check_line(state: State, found: Found) -> None:
    for token in found.line:
        assert token in rules.moves(state)
        state = rules.apply(state, token)
    assert found.verdict == "impossible" or rules.score(state) == found.score
    assert found.verdict != "won" or rules.is_won(state)


def check_against_plain(state: State) -> str:
    known = normalized(state)
    if known is None:
        return "big"
    won, best = known
    found = solved(state, "win")
    assert (found.verdict, found.optimal) == ("won" if won else "impossible", True), state
    check_line(state, found)
    found = solved(state, "score")
    assert (found.verdict, found.score, found.optimal) == ("best", best, True), state
    check_line(state, found)
    return found.verdict if not won else "won"


def classes(state: State) -> tuple[int, Grid, Grid]:
    """Returns what a position is to the solver: cards left, free cells and cards below Jack by class."""
    free, grid = [0] * 4, [0] * 4
    for cell, card in zip(rules.CELLS, state.grid):
        free[CLASS_OF[cell]] += not card
        if card and card[0] not in rules.COURT:
            grid[CLASS_OF[cell]] += ONE[rules.RANK[card]]
    return len(state.stock), tuple(free), tuple(grid)


def by_rules(state: State) -> set[tuple[int, Grid, Grid]]:
    """Removes one thing, or draws and places until the grid is full; returns all that can come of it."""
    found = set()
    if state.phase == 2 and state.stock:
        found = {classes(rules.apply(state, token)) for token in rules.moves(state) if token != "draw"}
    seen = {state}
    waiting = [state] if state.waste else [rules.apply(state, t) for t in rules.moves(state) if t == "draw"]
    for here in waiting:
        for token in rules.moves(here):
            after = rules.apply(here, token)
            if after.phase == 2:
                found.add(classes(after))
            elif after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


def ways(node: Node) -> set[tuple[Grid, Grid]]:
    """Returns every way in which the cards of the bags can lie, as free cells and cards by class."""
    grids = {node.grid}
    for cards, cells in node.bags:
        ranks = [rank for rank in range(1, 11) for _ in range(cards >> 3 * rank - 3 & 7)]
        names = [name for name in range(4) for _ in range(cells[name])]
        grids = {
            tuple(grid[n] + sum(ONE[r] for r, name in zip(ranks, order) if name == n) for n in range(4))
            for grid in grids
            for order in set(permutations(names))
        }
    return {(node.free, grid) for grid in grids}


def check_model(state: State) -> int:
    """Compares one step of the model with the rules, until the stock is out, from where all is alike."""
    model = CamelotModel(state)
    ours = {
        (len(model.ranks) - after.drawn, *way)
        for _, after in model.expand(model.start)
        if after.drawn < len(model.ranks)
        for way in ways(after)
    }
    theirs = {after for after in by_rules(state) if after[0]}
    assert ours == theirs, state
    return len(ours)


def few_free(state: State) -> bool:
    return state.grid.count("") <= 4


@harness.part(4)
def test_the_model_holds_to_the_rules_in_random_play(part: int) -> None:
    compared = 0
    for seed in range(60 // part):
        for state in walk(cardsol.deal("camelot", seed=seed).state, random.Random(seed)):
            if few_free(state):
                compared += check_model(state)
    assert compared > 1000 // part


def test_bags_come_to_what_each_way_of_placing_comes_to() -> None:
    """Two steps: fills the grid, and removes; the rules do so from each way in which the cards can lie."""
    for seed in range(150):
        chance = random.Random(seed)
        played = walk(cardsol.deal("camelot", seed=seed).state, chance)
        states = [state for state in played if 2 <= state.grid.count("") <= 4]
        if not states or states[0].waste or len(states[0].stock) < 6:
            continue
        model = CamelotModel(states[0])
        filled = model.fill(model.start)
        if filled is None:
            continue
        ours = {(*way, after.drawn) for _, after in model.expand(filled) for way in ways(after)}
        theirs = set()
        for free, grid in ways(filled):
            for _, after in model.expand(filled._replace(free=free, grid=grid, bags=())):
                theirs |= {(*way, after.drawn) for way in ways(after)}
        assert ours == theirs


@pytest.mark.skipif(not ANSWERS, reason="no oracle folder")
@pytest.mark.parametrize("name", ["aisleriot-camelot", "pysolfc-camelot"])
def test_the_model_holds_to_recorded_games(name: str) -> None:
    folder = oracle.folder()
    assert folder is not None
    for _, record in zip(range(12), oracle.recorded(folder / "recorded" / f"{name}.jsonl.gz")):
        game = cardsol.deal("camelot", deck=record["deck"])
        for step in record["steps"]:
            if few_free(game.state):
                check_model(game.state)
            game.push(step["move"])


@harness.part(3)
def test_small_positions_are_solved_as_plain_search_solves_them(part: int) -> None:
    chance = random.Random(1)
    results = [check_against_plain(cut(chance)) for _ in range(250 // part)]
    assert results.count("won") > 3 // part and results.count("best") > 50 // part


@harness.part(3)
def test_end_games_are_solved_as_plain_search_solves_them(part: int) -> None:
    states = filter(None, map(end_game, range(350 // part)))
    results = [check_against_plain(state) for state in states]
    assert results.count("won") > 20 // part and results.count("best") > 5 // part


def test_the_bound_is_never_passed() -> None:
    chance = random.Random(2)
    for _ in range(100):
        state = cut(chance)
        model = CamelotModel(state)
        known = normalized(state)
        assert known is None or known[1] <= model.bound(model.start)


def test_without_a_search_comes_what_the_search_finds() -> None:
    for seed in range(40):
        model = CamelotModel(cardsol.deal("camelot", seed=seed).state)
        line = nameless(model.state, model.ranks)
        assert line is not None
        found = search(model, "score", Meter(Limits()))
        assert found is not None
        assert removed(line) == removed(found)


def removed(line: list[str]) -> int:
    return sum(token.count("+") + 1 for token in line if token != "draw" and token[0] != "w")


@harness.part(4)
def test_middle_games_are_decided(part: int) -> None:
    for seed in range(100 // part):
        state = middle_game(seed)
        for goal in ("win", "score"):
            meter = Meter(Limits(states=20_000))
            check_line(state, solve(state, goal, meter))


def test_finished_games_are_answered() -> None:
    game = cardsol.deal("camelot", seed=282)
    for token in solved(game.state, "score").line:
        game.push(token)
    verdict = "won" if game.status == "won" else "impossible"
    assert solved(game.state, "win")[:4] == (verdict, [], game.score, True)
    assert solved(game.state, "score")[:4] == ("best", [], game.score, True)


def test_equal_positions_get_equal_lines() -> None:
    for seed in range(20):
        state = middle_game(seed)
        assert solved(state, "score") == solved(state._replace(stock=(*state.stock,)), "score")


@pytest.mark.skipif(not ANSWERS, reason="no oracle folder")
def test_known_answers_come_out() -> None:
    folder = oracle.folder()
    assert folder is not None
    for answer in oracle.answers(folder / "answers" / "camelot.jsonl.gz"):
        state = cardsol.deal("camelot", deck=answer["deck"]).state
        found = solved(state, "win")
        assert (found.verdict == "won") == answer["winnable"]
        check_line(state, found)
        found = solved(state, "score")
        assert found.score == answer["best_removed"]
        check_line(state, found)
