"""The search model of Rouge et Noir against the rules, its solver against plain search and known answers."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import cardsol
from cardsol.cards import DOUBLE
from cardsol.games import rouge_et_noir as rules
from cardsol.games.rouge_et_noir import ALIKE, COLUMNS, RED, State
from cardsol.piles import Pile
from cardsol.solve.limits import LimitReached, Limits, Meter
from cardsol.solve.model import Goal
from cardsol.solve.rouge_et_noir import WON, Position, RougeEtNoirModel, solver
from cardsol.solve.search import Search
from tests.reference import oracle
from tests.support import harness

DOWN = -100
Plain = tuple[object, ...]


def normalized(state: State) -> Plain:
    """Tell a state by classes of cards, columns in their places."""
    columns = [(*(ALIKE[c] + DOWN for c in p.down), *(ALIKE[c] for c in p.up)) for p in state.columns]
    heights = [len(cards) for cards in state.foundations]
    gone = sorted(RED[cards[0]] for cards in state.sequences if cards)
    return tuple(columns), sorted(heights[:2]), sorted(heights[2:]), gone, len(state.stock)


def alike(state: State) -> Plain:
    """Tell a state by classes of cards, columns that await the same cards in any order."""
    columns, *rest = normalized(state)
    assert isinstance(columns, tuple)
    waiting = [tuple(ALIKE[card] for card in state.stock[i::10]) for i in range(10)]
    return (*sorted(zip(waiting, columns)), *map(str, rest))


Found = dict[str, Position]


def compare(state: State, model: RougeEtNoirModel, position: Position) -> Found:
    """Hold one position to the rules; give the positions after each of its moves."""
    assert model.score(position) == rules.score(state)
    assert model.is_won(position) == rules.is_won(state)
    legal = {token: rules.apply(state, token) for token in rules.moves(state)}
    found = {model.tokens([step])[0]: after for step, after in model.expand(position)}
    assert set(found) == set(legal)
    kinds = {token: str(alike(after)) for token, after in legal.items()}
    for token, after in found.items():
        fresh = RougeEtNoirModel(legal[token])
        assert model.estimate(after) == fresh.estimate(fresh.start), token
        assert model.bound(after) == fresh.bound(fresh.start), token
        assert len(model._cards[after[0]]) == len(fresh._cards[fresh.start[0]])
        ours = [model._cards[column] for column in after[:10]]
        assert ours == [fresh._cards[column] for column in fresh.start[:10]], token
        assert model._gone[after[10]] == fresh._gone[fresh.start[10]], token
    keys = [model.key(after) for _, after in model.expand(position)]
    for token, key in zip(found, keys):
        for other, another in zip(found, keys):
            assert (key == another) == (kinds[token] == kinds[other]), (token, other)
    return found


def preferred(moves: list[str], chance: random.Random) -> str:
    """Choose a move, a draw seldom."""
    others = [token for token in moves if token != "draw"]
    return chance.choice(others if others and chance.random() < 0.93 else moves)


@pytest.mark.parametrize("seed", harness.some(range(4), 2))
def test_the_model_moves_as_the_rules_do_in_random_play(seed: int) -> None:
    chance = random.Random(seed)
    state = cardsol.deal("rouge-et-noir", seed=f"model {seed}").state
    model = RougeEtNoirModel(state)
    position = model.start
    for number in range(90):
        if not rules.moves(state):
            break
        if number % 30 == 29:
            model = RougeEtNoirModel(state)
            position = model.start
        found = compare(state, model, position)
        token = preferred(list(found), chance)
        state, position = rules.apply(state, token), found[token]


@harness.part(2)
def test_the_model_moves_as_the_rules_do_in_recorded_games(part: int) -> None:
    for deck, line in list(recorded_lines())[::part]:
        game = cardsol.deal("rouge-et-noir", deck=deck)
        model = RougeEtNoirModel(game.state)
        position = model.start
        for token in line:
            found = compare(game.state, model, position)
            game.push(token)
            position = found[token]


def recorded_lines() -> Iterator[tuple[list[str], list[str]]]:
    folder = oracle.folder()
    if folder is None:
        pytest.skip("no oracle folder")
    for name in ("reference-rouge-et-noir", "pysolfc-rouge-et-noir"):
        for number, record in enumerate(oracle.recorded(folder / "recorded" / f"{name}.jsonl.gz")):
            if number < 1:
                yield record["deck"], [step["move"] for step in record["steps"]]


def take(cards: list[str], red: bool, rank: int) -> str:
    card = next(card for card in cards if RED[card] == red and rules.RANK[card] == rank)
    cards.remove(card)
    return card


def end_game(chance: random.Random) -> State:
    """Build a late position: most cards gone, the others shuffled over few columns and the stock."""
    cards = list(DOUBLE.cards) * (2 if len(DOUBLE.cards) == 52 else 1)
    chance.shuffle(cards)
    three = [(True, True, False), (True, False, False), (True, False)]
    reds = chance.choice([(True, True, False, False)] * 3 + three)
    most = chance.choice([13, 13, 12, 11, 10]) if len(reds) < 4 else chance.choice([13, 12, 11])
    least = 13 if len(reds) == 2 else 12 if len(reds) == 3 else 9
    sequences = [
        tuple(take(cards, red != bool((13 - rank) % 2), rank) for rank in range(13, 0, -1)) for red in reds
    ]
    sequences += [()] * (4 - len(sequences))
    heights = [chance.randint(min(least, most), max(least, most)) for _ in range(4)]
    foundations = [
        tuple(take(cards, place < 2, rank) for rank in range(1, height + 1))
        for place, height in enumerate(heights)
    ]
    stock = [cards.pop() for _ in range(chance.choice([0, 0, 0, 2, 7, 11])) if cards]
    piles: list[list[str]] = [[] for _ in COLUMNS]
    used = chance.choice([1, 2, 3, 4, 6])
    places = chance.sample(range(10), used)
    if chance.random() < 0.5 and len(stock) == 0:  # in order, so that runs are frequent
        cards.sort(key=lambda card: -rules.RANK[card] + chance.random() * 4)
    for card in cards:
        piles[chance.choice(places)].append(card)
    columns = []
    for pile in piles:
        down = chance.choice([0, 0, len(pile) // 2, len(pile) - 1]) if pile else 0
        columns.append(Pile(tuple(pile[:down]), tuple(pile[down:])))
    return State(tuple(stock), tuple(columns), tuple(foundations), tuple(sequences))


def plain_search(state: State, most: int) -> tuple[bool, int] | None:
    """Go through every position without any pruning; tell whether one is won, and the best score."""
    seen = {str(normalized(state))}
    waiting = [state]
    won, best = False, 0
    while waiting:
        state = waiting.pop()
        won, best = won or rules.is_won(state), max(best, rules.score(state))
        for token in rules.moves(state):
            after = rules.apply(state, token)
            known = str(normalized(after))
            if known not in seen:
                if len(seen) >= most:
                    return None
                seen.add(known)
                waiting.append(after)
    return won, best


def replayed(state: State, line: list[str]) -> State:
    for token in line:
        assert token in rules.moves(state), token
        state = rules.apply(state, token)
    return state


def check_small(state: State, truth: tuple[bool, int]) -> None:
    won, best = truth
    found = solver.solve(state, "win", Meter(Limits()))
    assert found.verdict == ("won" if won else "impossible")
    assert found.optimal
    if won:
        assert rules.is_won(replayed(state, found.line))
    found = solver.solve(state, "score", Meter(Limits()))
    assert (found.verdict, found.score, found.optimal) == ("best", best, True)
    assert rules.score(replayed(state, found.line)) == best
    model = RougeEtNoirModel(state)
    assert model.bound(model.start) >= best
    model = RougeEtNoirModel(state, "win")
    assert not won or model.bound(model.start) == WON


def check_beam(state: State, truth: tuple[bool, int], width: int) -> bool:
    """Hold what one beam alone settles to plain search; tell whether it did."""
    won, best = truth
    settled = True
    goals: tuple[Goal, ...] = ("win", "score")
    for goal in goals:
        search = Search(RougeEtNoirModel(state, goal), goal, Meter(Limits()), WON)
        if search.beam(width, solver.BEAMS[0]):
            assert (search.best == WON) == won
            assert goal == "win" or search.best == best
        else:
            settled = False
    return settled


def small_positions(seed: int, number: int, most: int) -> Iterator[tuple[State, tuple[bool, int]]]:
    """Yield end games that plain search decides, about as many lost as won."""
    chance = random.Random(seed)
    lead = 0
    while number:
        state = end_game(chance)
        model = RougeEtNoirModel(state, "win")
        doomed = model.bound(model.start) < WON
        if doomed and lead <= 0:
            continue
        truth = plain_search(state, most)
        if truth is not None:
            lead += 1 if truth[0] else -1 if doomed else 0
            number -= 1
            yield state, truth


@harness.part(6)
def test_the_solver_agrees_with_plain_search_on_end_games(part: int) -> None:
    won = 0
    for state, truth in small_positions(1, 60 // part, 400):
        check_small(state, truth)
        check_beam(state, truth, 1)
        assert check_beam(state, truth, 100_000)
        won += truth[0]
    assert 15 // part < won < 45 // part


def test_a_finished_game_needs_no_move() -> None:
    chance = random.Random(3)
    for state, (won, best) in small_positions(3, 5, 100):
        if won:
            end = replayed(state, solver.solve(state, "win", Meter(Limits())).line)
            assert solver.solve(end, "win", Meter(Limits()))[:4] == ("won", [], 104, True)
            assert solver.solve(end, "score", Meter(Limits()))[:4] == ("best", [], 104, True)
        while rules.moves(state):
            state = rules.apply(state, chance.choice(rules.moves(state)))
        if not rules.is_won(state):
            assert solver.solve(state, "win", Meter(Limits())).verdict == "impossible"
        assert rules.score(state) <= best


def test_three_sequences_of_one_colour_are_lost() -> None:
    cards = list(DOUBLE.cards) * (2 if len(DOUBLE.cards) == 52 else 1)
    away = [tuple(take(cards, rank % 2 == 1, rank) for rank in range(13, 0, -1)) for _ in range(3)]
    columns = (Pile((), tuple(cards)), *(Pile(),) * 9)
    state = State((), columns, ((),) * 4, (*away, ()))
    meter = Meter(Limits())
    assert solver.solve(state, "win", meter).verdict == "impossible"
    assert meter.states == 0


def test_a_limit_leaves_the_best_line_in_the_meter() -> None:
    state = cardsol.deal("rouge-et-noir", seed="limit").state
    lines = []
    for _ in range(2):
        meter = Meter(Limits(states=900))
        with pytest.raises(LimitReached):
            solver.solve(state, "score", meter)
        assert meter.states == 900
        assert meter.best_score == rules.score(replayed(state, meter.best_line))
        lines.append(meter.best_line)
    assert lines[0] == lines[1]


@harness.part(2)
def test_known_answers_are_found_and_their_lines_win(part: int) -> None:
    folder = oracle.folder()
    if folder is None:
        pytest.skip("no oracle folder")
    for number, answer in enumerate(oracle.answers(folder / "answers" / "rouge-et-noir.jsonl.gz")):
        if number >= 4 // part:
            break
        game = cardsol.deal("rouge-et-noir", deck=answer["deck"], options=answer["options"])
        found = solver.solve(game.state, "win", Meter(Limits(states=solver.STATES)))
        assert found.verdict == "won"
        for token in found.line:
            game.push(token)
            model = RougeEtNoirModel(game.state, "win")
            assert model.bound(model.start) == WON  # no false *impossible* on the way
        assert game.status == "won"
