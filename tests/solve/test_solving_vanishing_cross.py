"""The Vanishing Cross model against the game's rules, and its solver against trying everything."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import cardsol
from cardsol.cards import STANDARD
from cardsol.games import vanishing_cross as game
from cardsol.games.vanishing_cross import CROSS, State
from cardsol.solve.limits import LimitReached, Limits, Meter
from cardsol.solve.vanishing_cross import DRAWN, Position, VanishingCrossModel, solve
from tests.reference import oracle
from tests.support import harness

KINDS = [{"play": play, "wrap": wrap} for play in ("classic", "direct") for wrap in ("on", "off")]
BY_NAME = ["-".join(kind.values()) for kind in KINDS]


def position_of(model: VanishingCrossModel, state: State) -> Position:
    """Gives the model's position for a state that was reached from the model's start."""
    head, waste, cross = VanishingCrossModel(state).start
    drawn = len(model.stock) - len(state.stock)
    return head & ((1 << DRAWN) - 1) | drawn << DRAWN, waste, cross


def check_steps(model: VanishingCrossModel, state: State) -> None:
    """Holds one position to the rules: moves, results, score, tokens."""
    position = position_of(model, state)
    tokens = game.moves(state)
    steps = list(model.expand(position))
    by_rules = {position_of(model, game.apply(state, token)) for token in tokens}
    assert {after for _, after in steps} == by_rules
    assert len(steps) == len({step for step, _ in steps}) == len(by_rules)
    assert model.score(position) == game.score(state)
    assert model.is_won(position) == game.is_won(state)
    here = VanishingCrossModel(state)
    for step, after in here.expand(here.start):
        (token,) = here.tokens([step])
        assert token in tokens
        assert position_of(here, game.apply(state, token)) == after
        assert here.layer(after) >= here.layer(here.start)
    forced = here.forced(here.start)
    assert forced is None or forced in here.expand(here.start)


def play(state: State, rng: random.Random, greed: float, most: int = 400) -> Iterator[State]:
    """Plays at random, a corner first with a chance of `greed`; gives each state after the first."""
    for _ in range(most):
        tokens = game.moves(state)
        if not tokens:
            return
        up = [token for token in tokens if token.endswith("-f")]
        state = game.apply(state, rng.choice(up if up and rng.random() < greed else tokens))
        yield state


def small(rng: random.Random, kind: dict[str, str], cards: int) -> State:
    """Deals so many cards anyhow, all others being up: any split of stock, hand, waste and cross."""
    base = rng.randrange(13)
    ranks = STANDARD.ranks[base:] + STANDARD.ranks[:base]
    left = dict.fromkeys(STANDARD.suits, 0)
    suits = rng.sample(STANDARD.suits, rng.randint(1, 4))
    first = rng.choice(suits)
    for _ in range(cards):
        suit = rng.choice(suits)
        left[suit] += left[suit] < (12 if suit == first else 13)
    up = {suit: tuple(rank + suit for rank in ranks[: 13 - left[suit]]) for suit in left}
    rest = [rank + suit for suit in left for rank in ranks[13 - left[suit] :]]
    rng.shuffle(rest)
    stock = tuple(rest[: min(rng.randint(0, len(rest)), rng.randint(0, len(rest)))])
    rest = rest[len(stock) :]
    drawn = stock[:1] if kind["play"] == "classic" and rng.random() < 0.5 else ()
    piles: list[tuple[str, ...]] = [()] * 6
    even = rng.random() < 0.8
    for card in rest:
        there = rng.randrange(rng.randint(1, 6))
        if even and rng.random() < 0.9:
            there = min(range(6), key=lambda pile: len(piles[pile]))
        piles[there] += (card,)
    rng.shuffle(piles)
    corners = sorted((cards for cards in up.values() if cards), key=len, reverse=True)
    corners += [()] * (4 - len(corners))
    wrap, direct = kind["wrap"] == "on", kind["play"] == "direct"
    return State(stock[len(drawn) :], drawn, piles[5], tuple(corners), tuple(piles[:5]), wrap, direct)


def normalized(state: State, most: int, group_key: bool = False) -> int | None:
    """Tries every line by the rules themselves; gives the best score, None beyond so many states.

    States differ if anything does; with `group_key`, not if only squares are swapped.
    """
    seen = {state}
    todo = [state]
    best = 0
    while todo:
        state = todo.pop()
        best = max(best, game.score(state))
        for token in game.moves(state):
            after = game.apply(state, token)
            if group_key:
                after = after._replace(cross=tuple(sorted(after.cross)))
            if after not in seen:
                seen.add(after)
                todo.append(after)
        if len(seen) > most:
            return None
    return best


def replay(state: State, tokens: list[str]) -> State:
    """Plays tokens, each of which must be legal."""
    for token in tokens:
        assert token in game.moves(state)
        state = game.apply(state, token)
    return state


def check_solver(state: State, best: int) -> None:
    """Holds the solver to the best score there is, for both goals."""
    won = solve(state, "win", Meter(Limits(states=200_000)))
    assert won.verdict == ("won" if best == 52 else "impossible")
    assert won.optimal
    end = replay(state, won.line)
    assert game.score(end) == won.score
    assert best < 52 or game.is_won(end)
    meter = Meter(Limits(states=200_000))
    most = solve(state, "score", meter)
    assert (most.verdict, most.optimal, most.score) == ("best", True, best)
    assert game.score(replay(state, most.line)) == best
    assert (meter.best_score, meter.best_line) == (best, most.line)
    model = VanishingCrossModel(state)
    assert model.bound(model.start) >= best


@pytest.mark.parametrize("kind", KINDS, ids=BY_NAME)
@harness.part(4)
def test_the_model_keeps_to_the_rules_over_random_play(kind: dict[str, str], part: int) -> None:
    rng = random.Random(repr(kind))
    for seed in range(4 // part):
        state = cardsol.deal("vanishing-cross", seed=str(seed), options=kind).state
        model = VanishingCrossModel(state)
        check_steps(model, state)
        for later in play(state, rng, greed=0.7, most=300 if part == 1 else 100):
            check_steps(model, later)


@pytest.mark.parametrize("kind", KINDS, ids=BY_NAME)
@harness.part(3)
def test_the_model_keeps_to_the_rules_from_any_position(kind: dict[str, str], part: int) -> None:
    rng = random.Random(repr(kind))
    for _ in range(300 // part):
        state = small(rng, kind, rng.randint(1, 40))
        check_steps(VanishingCrossModel(state), state)


@harness.part(2)
def test_the_model_keeps_to_the_rules_over_recorded_games(part: int) -> None:
    folder = oracle.folder()
    if folder is None:
        pytest.skip("no recorded games here")
    for path in sorted((folder / "recorded").glob("*vanishing-cross*")):
        for number, record in enumerate(oracle.recorded(path)):
            if number == 2 // part:
                break
            played = cardsol.deal(record["game"], deck=record["deck"], options=record["options"])
            model = VanishingCrossModel(played.state)
            for step in record["steps"]:
                played.push(step["move"])
                check_steps(model, played.state)


@pytest.mark.parametrize("kind", KINDS, ids=BY_NAME)
@harness.part(4)
def test_piles_change_squares_without_any_effect(kind: dict[str, str], part: int) -> None:
    rng = random.Random(repr(kind))
    for _ in range(12 // part):
        state = small(rng, kind, rng.randint(3, 6))
        best = normalized(state, 3_000)
        if best is not None:
            swapped = state._replace(cross=tuple(rng.sample(state.cross, len(CROSS))))
            assert (
                best == normalized(state, 4_000, group_key=True) == normalized(swapped, 4_000, group_key=True)
            )


@pytest.mark.parametrize("kind", KINDS, ids=BY_NAME)
@harness.part(10)
def test_the_solver_agrees_with_trying_everything_on_few_cards(kind: dict[str, str], part: int) -> None:
    rng = random.Random(repr(kind))
    for _ in range(60 // part):
        state = small(rng, kind, rng.choice((4, 6, 8, 12, 30)))
        best = normalized(state, 600, group_key=True)
        if best is not None:
            check_solver(state, best)


@pytest.mark.parametrize("kind", KINDS, ids=BY_NAME)
@harness.part(3)
def test_the_solver_agrees_with_trying_everything_on_end_games(kind: dict[str, str], part: int) -> None:
    rng = random.Random(repr(kind))
    for seed in range(12 // part):
        state = cardsol.deal("vanishing-cross", seed=str(seed), options=kind).state
        for late in list(play(state, rng, greed=rng.random()))[-1::-12][:4]:
            best = normalized(late, 600, group_key=True)
            if best is not None:
                check_solver(late, best)


def test_a_finished_game_is_answered_at_once() -> None:
    ranks = STANDARD.ranks
    full = tuple(tuple(rank + suit for rank in ranks) for suit in STANDARD.suits)
    won = State((), (), (), full, ((),) * 5, True, False)
    assert solve(won, "win", Meter(Limits()))[:4] == ("won", [], 52, True)
    assert solve(won, "score", Meter(Limits()))[:4] == ("best", [], 52, True)
    barred = tuple((rank + "C", rank + "D") for rank in "3579J")
    up = (("AC", "2C"), full[2], full[3], ("AD",))
    waste = tuple(rank + "D" for rank in "KQT8642") + tuple(rank + "C" for rank in "468TQK")
    lost = State((), (), waste, up, barred, False, True)
    assert game.moves(lost) == []
    assert solve(lost, "win", Meter(Limits()))[:4] == ("impossible", [], 29, True)
    assert solve(lost, "score", Meter(Limits()))[:4] == ("best", [], 29, True)


def test_the_same_limit_in_states_gives_the_same_answer() -> None:
    state = cardsol.deal("vanishing-cross", seed="1", options={"play": "direct"}).state
    ends = []
    for _ in range(2):
        meter = Meter(Limits(states=300))
        with pytest.raises(LimitReached):
            solve(state, "score", meter)
        ends.append((meter.states, meter.best_score, meter.best_line))
    assert ends[0] == ends[1]
    end = replay(state, ends[0][2])
    assert game.score(end) == ends[0][1]


@pytest.mark.parametrize("play_option", ["classic", "direct"])
@harness.part(3)
def test_known_deals_are_won(play_option: str, part: int) -> None:
    folder = oracle.folder()
    if folder is None:
        pytest.skip("no known answers here")
    left, settled = 6 // part, 0
    for answer in oracle.answers(folder / "answers" / f"vanishing-cross-{play_option}.jsonl.gz"):
        if answer["winnable"] is None or not left:
            continue
        left -= 1
        played = cardsol.deal(answer["game"], deck=answer["deck"], options=answer["options"])
        try:
            found = solve(played.state, "win", Meter(Limits(states=20_000)))
        except LimitReached:
            continue
        settled += 1
        assert found.verdict == ("won" if answer["winnable"] else "impossible")
        for token in found.line:
            played.push(token)
        assert played.status == "won" or found.verdict == "impossible"
    assert settled >= 4 // part
