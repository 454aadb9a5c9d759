"""The solver of Three Peaks: its model against the rules, its answers against plain search and known ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import cardsol
from cardsol.games import three_peaks as rules
from cardsol.solve.limits import LimitReached, Limits, Meter
from cardsol.solve.model import Found, Goal
from cardsol.solve.three_peaks import solve, win
from cardsol.solve.three_peaks.model import ThreePeaksModel
from tests.reference import oracle
from tests.support import harness

State = rules.State
SETTINGS = [(scoring, floor) for scoring in ("classic", "multiplier") for floor in ("none", "zero")]
ANSWERS = oracle.folder() is not None
RECORDED = ("aisleriot-three-peaks", "aisleriot-three-peaks-multiplier", "pysolfc-three-peaks")


def solved(state: State, goal: Goal) -> Found:
    return solve(state, goal, Meter(Limits()))


def walk(state: State, chance: random.Random, draws: float = 0.1) -> Iterator[State]:
    """Plays at random to the end, a draw seldom where a card can be played."""
    while True:
        yield state
        tokens = rules.moves(state)
        if not tokens:
            return
        plays = [token for token in tokens if token != "draw"]
        draw = "draw" in tokens and (not plays or chance.random() < draws)
        state = rules.apply(state, "draw" if draw else chance.choice(plays))


def small(chance: random.Random) -> State:
    """Makes the end of a round: few cards of few ranks, any run and any points."""
    ranks = chance.choice(["A23", "QKA2", "89TJQ", "A23456789TJQK"])
    tableau = ["*"] * len(rules.POSITIONS)
    keep = chance.randint(1, 8)
    while sum(map(bool, tableau)) > keep:
        open_ = [n for n in rules.POSITIONS if tableau[rules.INDEX[n]] and rules._is_open(tuple(tableau), n)]
        tableau[rules.INDEX[chance.choice(open_)]] = ""

    def card() -> str:
        return chance.choice(ranks) + chance.choice("CDHS")

    scoring, floor = chance.choice(SETTINGS)
    return State(
        tableau=tuple(here and card() for here in tableau),
        stock=tuple(card() for _ in range(chance.randint(0, 6))),
        former=(),
        run=tuple(card() for _ in range(chance.choice([1, 1, 2, 5, 12]))),
        points=chance.choice([0, 0, 3, 12, 40, -7 if floor == "none" else 0]),
        round=1,
        scoring=scoring,
        floor=floor,
        seed=None,
    )


def normalized(state: State) -> tuple[bool, int]:
    """Goes through every line by the game's own rules; returns whether one wins, and the best score."""
    seen, waiting = {state}, [state]
    for here in waiting:
        for token in rules.moves(here):
            after = rules.apply(here, token)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return any(map(rules.is_won, seen)), max(map(rules.score, seen))


def check_line(state: State, found: Found, win: bool) -> None:
    """Replays a line; a win is at its end."""
    for token in found.line:
        assert token in rules.moves(state)
        state = rules.apply(state, token)
    assert rules.score(state) == found.score
    assert rules.is_won(state) or not win


def check_against_plain(state: State) -> bool:
    won, best = normalized(state)
    found = solved(state, "win")
    assert (found.verdict, found.optimal) == ("won" if won else "impossible", True), state
    check_line(state, found, won)
    found = solved(state, "score")
    assert (found.verdict, found.score, found.optimal) == ("best", best, True), state
    check_line(state, found, False)
    return won


def check_model(state: State) -> None:
    """Compares one step of the model with the rules."""
    model = ThreePeaksModel(state)
    theirs = {}
    for token in rules.moves(state):
        after = rules.apply(state, token)
        theirs[token] = ThreePeaksModel(after).start[:3], len(state.stock) - len(after.stock), *facts(after)
    ours = {
        model.tokens([step])[0]: (here[:3], here.drawn, here.run, here.points, model.is_won(here))
        for step, here in model.expand(model.start)
    }
    assert ours == theirs
    assert model.score(model.start) == rules.score(state)


def facts(state: State) -> tuple[int, int, bool]:
    return rules.extra(state)["run"], rules.score(state), rules.is_won(state)  # type: ignore[return-value]


@pytest.mark.parametrize("scoring, floor", SETTINGS)
@harness.part(4)
def test_the_model_holds_to_the_rules_in_random_play(scoring: str, floor: str, part: int) -> None:
    for seed in range(40 // part):
        chance = random.Random(seed)
        game = cardsol.deal("three-peaks", seed=seed, options={"scoring": scoring, "floor": floor})
        for state in walk(game.state, chance):
            check_model(state)


@harness.part(4)
def test_steps_from_one_start_stay_with_the_rules(part: int) -> None:
    for seed in range(40 // part):
        chance = random.Random(seed)
        state = cardsol.deal("three-peaks", seed=seed).state
        model = ThreePeaksModel(state)
        position = model.start
        while tokens := rules.moves(state):
            after = {model.tokens([step])[0]: there for step, there in model.expand(position)}
            assert sorted(after) == sorted(tokens)
            token = chance.choice(tokens)
            state, position = rules.apply(state, token), after[token]
            assert model.score(position) == rules.score(state)
            assert model.is_won(position) == rules.is_won(state)
            assert len(state.stock) == len(model.stock) - position.drawn


@pytest.mark.skipif(not ANSWERS, reason="no oracle folder")
@pytest.mark.parametrize("name", RECORDED)
def test_the_model_holds_to_recorded_games(name: str) -> None:
    folder = oracle.folder()
    assert folder is not None
    for _, record in zip(range(15), oracle.recorded(folder / "recorded" / f"{name}.jsonl.gz")):
        game = cardsol.deal("three-peaks", deck=record["deck"], options=record["options"])
        for step in record["steps"]:
            model = ThreePeaksModel(game.state)
            ours = sorted(model.tokens([step])[0] for step, _ in model.expand(model.start))
            assert ours == sorted(step["legal"])
            check_model(game.state)
            game.push(step["move"])


@harness.part(2)
def test_the_bound_is_never_passed(part: int) -> None:
    chance = random.Random(5)
    for _ in range(100 // part):
        state = small(chance)
        model = ThreePeaksModel(state)
        assert normalized(state)[1] <= model.bound(model.start)


@harness.part(5)
def test_small_positions_are_solved_as_plain_search_solves_them(part: int) -> None:
    chance = random.Random(1)
    wins = [check_against_plain(small(chance)) for _ in range(500 // part)]
    assert 100 // part < sum(wins) < 400 // part


@pytest.mark.parametrize("scoring, floor", SETTINGS)
@harness.part(4)
def test_end_games_are_solved_as_plain_search_solves_them(scoring: str, floor: str, part: int) -> None:
    for seed in range(60 // part):
        chance = random.Random(seed)
        game = cardsol.deal("three-peaks", seed=seed, options={"scoring": scoring, "floor": floor})
        for state in walk(game.state, chance, 0.02):
            left = sum(map(bool, state.tableau))
            if left <= 10 and len(state.stock) <= 8:
                check_against_plain(state)
                break


def test_lines_to_the_best_score_can_be_played_with_the_floor() -> None:
    for seed in (5241, 5325, 5661, 5753, 5773, 6013, 6033, 6133, 6313, 6345):
        options = {"scoring": "classic", "floor": "zero"}
        start = cardsol.deal("three-peaks", seed=seed, options=options).state
        played = walk(start, random.Random(seed), 0.02)
        state = next(state for state in played if sum(map(bool, state.tableau)) <= 14)
        check_line(state, solved(state, "score"), False)


@harness.part(3)
def test_the_table_says_what_the_quick_search_says(monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    chance = random.Random(3)
    states = [small(chance) for _ in range(150 // part)]
    for seed in range(1 + 9 // part):
        states += [s for s in walk(cardsol.deal("three-peaks", seed=seed).state, chance) if len(s.stock) < 12]
    quick = [solved(state, "win") for state in states]
    monkeypatch.setattr(win, "FEW", 0)
    for state, found in zip(states, quick):
        table = solved(state, "win")
        assert table.verdict == found.verdict
        check_line(state, table, table.verdict == "won")


def test_finished_games_are_answered() -> None:
    won = small(random.Random(1))._replace(tableau=("",) * 28)
    assert solved(won, "win")[:4] == ("won", [], won.points, True)
    assert solved(won, "score")[:4] == ("best", [], won.points, True)
    lost = won._replace(tableau=("7H", *won.tableau[1:]), stock=(), run=("7C",))
    assert solved(lost, "win").verdict == "impossible"
    assert solved(lost, "score")[:4] == ("best", [], lost.points, True)


def test_a_progressive_game_is_solved_for_its_round() -> None:
    for seed in range(4):
        state = cardsol.deal("three-peaks", seed=seed, options={"rounds": "progressive"}).state
        assert solved(state, "win") == solved(cardsol.deal("three-peaks", seed=seed).state, "win")
        state = [here for here in walk(state, random.Random(seed)) if here.round == 1][-12]
        alone = solved(state._replace(seed=None), "score")
        later = solved(state._replace(points=state.points + 100), "score")
        assert later.score == alone.score + 100
        assert later._replace(score=alone.score, best_winning=None) == alone._replace(best_winning=None)
        assert (later.best_winning is None) == (alone.best_winning is None)
        if later.best_winning is not None and alone.best_winning is not None:
            assert later.best_winning._replace(score=later.best_winning.score - 100) == alone.best_winning
        for token in later.line:
            state = rules.apply(state, token)
        assert state.points + 100 == later.score


def test_a_limit_ends_the_search_and_leaves_the_best_so_far() -> None:
    state = cardsol.deal("three-peaks", seed=1).state
    meter = Meter(Limits(states=10_000))
    with pytest.raises(LimitReached):
        solve(state, "score", meter)
    assert meter.best_score is not None
    check_line(state, Found("best", meter.best_line, meter.best_score, False), False)


def test_equal_positions_get_equal_lines() -> None:
    state = cardsol.deal("three-peaks", seed=4).state
    assert solved(state, "win") == solved(state, "win")
    state = list(walk(state, random.Random(4)))[-15]
    assert solved(state, "score") == solved(state, "score")


@pytest.mark.skipif(not ANSWERS, reason="no oracle folder")
@harness.part(15)
def test_known_answers_come_out(part: int) -> None:
    folder = oracle.folder()
    assert folder is not None
    for number, answer in enumerate(oracle.answers(folder / "answers" / "three-peaks.jsonl.gz")):
        for goal, scoring in (("win", "classic"), ("score", "classic"), ("score", "multiplier")):
            if goal == "win" and number % part:
                continue
            if goal == "score" and (number >= (2 if part == 1 else 1) or (number + len(scoring)) % 2):
                continue
            game = cardsol.deal("three-peaks", deck=answer["deck"], options={"scoring": scoring})
            found = solved(game.state, goal)  # type: ignore[arg-type]
            for token in found.line:
                game.push(token)
            if goal == "win":
                assert (found.verdict == "won") == answer["winnable"]
                assert found.verdict == "impossible" or game.status == "won"
            else:
                assert game.score == found.score == answer[f"best_{scoring}"]
