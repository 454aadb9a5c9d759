"""The search of Universal Solitaire against its rules, plain search and known answers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import cardsol
from cardsol.cards import UNIVERSAL
from cardsol.games import universal as rules
from cardsol.piles import Pile
from cardsol.solve.limits import LimitReached, Limits, Meter
from cardsol.solve.model import Goal
from cardsol.solve.universal import CARDS, PASS, SUITS, Position, Step, UniversalModel, solve
from tests.reference import oracle
from tests.support import harness

Shown = tuple[Any, ...]


def alike(state: rules.State) -> Shown:
    """Shows a state, but not which of its columns is where."""
    return sorted(state.columns), sum(map(len, state.bar)), state.waste, state.stock, state.nth_pass


def shown(model: UniversalModel, position: Position) -> Shown:
    """Shows a position of the model in the same way."""
    columns, bar, loose, at = position
    cards = tuple(CARDS[number - SUITS] for number in loose)
    piles = []
    for column in columns:
        down = tuple(CARDS[number - SUITS] for number in model._columns.down[column[0]])
        piles.append(Pile(down, tuple(CARDS[number - SUITS] for number in column[1:])))
    size = at % PASS
    return sorted(piles), bar.bit_count() - SUITS, cards[:size], cards[size:], at // PASS


def hold_to_rules(
    model: UniversalModel, position: Position, state: rules.State
) -> list[tuple[Step, Position]]:
    """Compares all that can be reached in one step; returns the moves of the model."""
    moves = model.expand(position)
    after = {repr(alike(rules.apply(state, token))) for token in rules.moves(state)}
    assert {repr(shown(model, new)) for _, new in moves} == after
    assert len(moves) == len(after)
    assert model.score(position) == rules.score(state)
    assert model.is_won(position) == rules.is_won(state)
    assert model.bound(position) >= max((model.bound(new) for _, new in moves), default=0)
    assert all((model.layer(new) > model.layer(position)) == (step == 0) for step, new in moves)
    forced = model.forced(position)
    assert forced is None or forced in moves
    return moves


def random_deal(rng: random.Random) -> rules.State:
    deck = list(UNIVERSAL.cards)
    rng.shuffle(deck)
    return rules.deal(tuple(deck), {"draw": rng.choice("123")}, None)


def random_play(rng: random.Random) -> Iterator[rules.State]:
    """Plays at random, and rather seldom draws."""
    state = random_deal(rng)
    eager = rng.random()
    while tokens := rules.moves(state):
        yield state
        played = [token for token in tokens if token != "draw"]
        state = rules.apply(state, rng.choice(played if played and rng.random() < eager else tokens))
    yield state


@pytest.mark.parametrize("seed", harness.some(range(40), 3))
def test_model_plays_by_the_rules_in_random_play(seed: int) -> None:
    states = list(random_play(random.Random(seed)))
    first = states[len(states) // 2 if seed % 2 else 0]  # a model of a game in its middle, or from the start
    model = UniversalModel(first)
    position = model.start
    steps: list[Step] = []
    for state, after in pairwise(states[states.index(first) :]):
        moves = hold_to_rules(model, position, state)
        step, position = next(move for move in moves if shown(model, move[1]) == alike(after))
        steps.append(step)
    hold_to_rules(model, position, states[-1])
    for token in model.tokens(steps):
        assert token in rules.moves(first)
        first = rules.apply(first, token)
    assert alike(first) == alike(states[-1])


@pytest.mark.skipif(oracle.folder() is None, reason="the recorded games are not here")
@pytest.mark.parametrize("draw", [1, 2, 3])
def test_model_plays_by_the_rules_in_recorded_games(draw: int) -> None:
    folder = oracle.folder()
    assert folder is not None
    for record in list(oracle.recorded(folder / f"recorded/reference-universal-draw{draw}.jsonl.gz"))[::3]:
        state = rules.deal(tuple(record["deck"]), record["options"], None)
        model = UniversalModel(state)
        position = model.start
        for step in record["steps"]:
            moves = hold_to_rules(model, position, state)
            state = rules.apply(state, step["move"])
            position = next(new for _, new in moves if shown(model, new) == alike(state))


def cut_game(rng: random.Random) -> rules.State:
    """Returns a small position: of every suit the lowest cards are up, the others lie at random."""
    level = [10] * 6
    count = rng.randint(3, 10)
    while sum(level) > 60 - count:
        suit = rng.randrange(6)
        level[suit] = max(0, level[suit] - rng.choice((1, 1, 2, 3)))
    suits = [[card for card in CARDS if rules.SUIT[card] == suit] for suit in range(6)]
    left = [card for suit, size in zip(suits, level) for card in suit[size:]]
    rng.shuffle(left)
    if rng.random() < 0.5:  # low cards deep down: seldom winnable
        left.sort(key=lambda card: rules.RANK[card] + rng.random() * 4)
    size = rng.randint(0, min(len(left), rng.choice((1, 3, 6))))
    loose, rest = left[:size], left[size:]
    rng.shuffle(loose)
    columns: list[list[str]] = [[] for _ in range(6)]
    width = rng.choice((1, 2, 2, 3, 3, 4, 6))
    for card in rest:
        columns[rng.randrange(width)].append(card)
    draw, turned = rng.choice((1, 2, 3)), rng.randint(0, len(loose))
    return rules.State(
        draw=draw,
        nth_pass=rng.randint(1, draw),
        stock=tuple(loose[turned:]),
        waste=tuple(loose[:turned]),
        columns=tuple(in_runs(rng, tuple(column)) for column in columns),
        bar=tuple(tuple(suit[:size]) for suit, size in zip(suits, level)),
    )


def in_runs(rng: random.Random, cards: tuple[str, ...]) -> Pile:
    up = min(1, len(cards))
    while 0 < up < len(cards) and cards[-up - 1] in rules.GOES_ON[cards[-up]] and rng.random() < 0.8:
        up += 1
    return Pile(cards[: len(cards) - up], cards[len(cards) - up :])


def plain_best(state: rules.State, most: int) -> int | None:
    """Returns the best score by trying everything with the game's own rules; None if that is too much."""
    best, seen, left = 0, {state}, [state]
    while left:
        state = left.pop()
        best = max(best, rules.score(state))
        for token in rules.moves(state):
            after = rules.apply(state, token)
            if after not in seen:
                seen.add(after)
                left.append(after)
        if len(seen) > most:
            return None
    return best


def solved(state: rules.State, goal: Goal) -> tuple[str, int]:
    """Solves and replays the line; returns the verdict and the score that it comes to."""
    found = solve(state, goal, Meter(Limits()))
    assert found.optimal
    for token in found.line:
        assert token in rules.moves(state)
        state = rules.apply(state, token)
    if found.verdict != "impossible":
        assert found.score == rules.score(state)
    assert rules.is_won(state) or found.verdict != "won"
    return found.verdict, found.score


def compare(state: rules.State, most: int) -> int | None:
    best = plain_best(state, most)
    if best is not None:
        assert solved(state, "win")[0] == ("won" if best == rules.FULL_SCORE else "impossible")
        assert solved(state, "score") == ("best", best)
    return best


@harness.part(3)
def test_solver_agrees_with_plain_search_in_cut_games(part: int) -> None:
    bests = [compare(cut_game(random.Random(seed)), 250) for seed in range(420 // part)]
    known = [best for best in bests if best is not None]
    assert len(known) > 130 // part
    assert 30 // part < known.count(rules.FULL_SCORE) < len(known) - 30 // part


@harness.part(3)
def test_solver_agrees_with_plain_search_at_the_end_of_played_games(part: int) -> None:
    bests = []
    for seed in range(25 // part):
        states = list(random_play(random.Random(seed)))
        bests += [compare(state, 250) for state in states[-1:-30:-3]]
    assert sum(best is not None for best in bests) > 50 // part


def test_finished_games_are_answered_without_a_move() -> None:
    state = random_deal(random.Random(1))
    suits = tuple(tuple(card for card in CARDS if rules.SUIT[card] == suit) for suit in range(6))
    won = state._replace(stock=(), columns=(Pile(),) * 6, bar=suits)
    assert solve(won, "win", Meter(Limits()))[:4] == ("won", [], 300, True)
    assert solve(won, "score", Meter(Limits()))[:4] == ("best", [], 300, True)
    *_, lost = random_play(random.Random(2))
    assert not rules.is_won(lost)
    assert solve(lost, "win", Meter(Limits()))[:4] == ("impossible", [], rules.score(lost), True)
    assert solve(lost, "score", Meter(Limits()))[:4] == ("best", [], rules.score(lost), True)


def test_what_was_found_before_a_limit_is_kept_and_the_same_each_time() -> None:
    state = random_deal(random.Random(5))
    kept = []
    for _ in range(2):
        meter = Meter(Limits(states=1500))
        with pytest.raises(LimitReached):
            solve(state, "score", meter)
        kept.append((meter.best_score, meter.best_line, meter.states))
    assert kept[0] == kept[1]
    for token in kept[0][1]:
        state = rules.apply(state, token)
    assert rules.score(state) == kept[0][0]


@pytest.mark.skipif(oracle.folder() is None, reason="the known answers are not here")
@pytest.mark.parametrize("name", ["impossible", "draw1", "draw2", "draw3"])
@harness.part(2)
def test_solver_agrees_with_known_answers(name: str, part: int) -> None:
    folder = oracle.folder()
    assert folder is not None
    goals: tuple[Goal, ...] = ("win", "score")
    settled = 0
    for answer in list(oracle.answers(folder / f"answers/universal-{name}.jsonl.gz"))[: 2 // part]:
        for goal in goals if name == "impossible" else goals[:1]:
            game = cardsol.deal("universal", deck=answer["deck"], options=answer["options"])
            state = rules.deal(tuple(answer["deck"]), answer["options"], None)
            try:
                found = solve(state, goal, Meter(Limits(states=20_000)))
            except LimitReached:
                assert name != "impossible"
                continue
            settled += 1
            for token in found.line:
                game.push(token)
            if goal == "score":
                assert (found.score, game.score) == (5 * answer["best"],) * 2
            else:
                assert (game.status == "won") == (found.verdict == "won") == answer["winnable"]
    assert settled
