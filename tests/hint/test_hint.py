"""Hints: legal, equal for equal histories, never back to an old position, and made of what was seen alone."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.cards import DECKS
from cardsol.errors import NoHint
from cardsol.game import Game
from cardsol.games import three_peaks
from cardsol.hint import Adviser, Hint, History, adviser, course, hint, history_of
from cardsol.hint.adviser import LONGEST, PATIENCE
from cardsol.hint.knowledge import Snapshot
from cardsol.hint.policies.any_game import judge as judge_any
from cardsol.solve import Limits, solve
from cardsol.solve.any_game import AnyGame
from cardsol.view import View
from tests.support import harness
from tests.support.engine import VARIANTS, Variant, few, variant_name
from tests.support.harness import run_inside

Board = tuple[tuple[tuple[int, tuple[str, ...]], ...], tuple[tuple[str, int | str], ...]]
CLEARED = next(word for word in three_peaks.TOKEN_FORMS if word.form == "a1").moves.split()
"""Clears the first round of three-peaks, seed 1."""

each_variant = pytest.mark.parametrize("variant", few(1), ids=variant_name)
each_with_deck = pytest.mark.parametrize(
    "variant", few(1, [v for v in VARIANTS if v[1].get("rounds") != "progressive"]), ids=variant_name
)


def board(view: View) -> Board:
    """Returns all that a view shows of the position."""
    return tuple((pile.down, pile.up) for pile in view.piles.values()), tuple(view.extra.items())


def alike(shown: Board) -> Board:
    """Returns what boards have in common that differ in where their piles lie only."""
    return tuple(sorted(shown[0])), shown[1]


def after(game: Game, token: str) -> Board:
    game = game.copy()
    game.push(token)
    return board(game.view())


def advise(player: Adviser, worlds: int) -> Hint | None:
    try:
        return player.hint(worlds)
    except NoHint:
        return None


def random_games(variant: Variant, seeds: range, every: int) -> Iterator[tuple[Game, Adviser, set[Board]]]:
    """Yields moments of random play: the game, a player that followed it, and the boards that the game has had."""
    name, options = variant
    for seed in seeds:
        game = cardsol.deal(name, seed=f"hint {seed}", options=options)
        chance = random.Random(seed)
        player = Adviser(game.view(hide_seed=True))
        had = {board(game.view())}
        yield game, player, had
        while game.legal_moves and len(game.moves) < 150:
            token = chance.choice(game.legal_moves)
            game.push(token)
            player.follow(token, game.view(hide_seed=True))
            had.add(board(game.view()))
            if len(game.moves) % every == 0 or not game.legal_moves:
                yield game, player, had


def unknown_places(player: Adviser) -> list[int]:
    """Returns the places in the deck of the cards that the player does not know."""
    return [place for _, place in player.knowledge.guess.unknown]


def deck_of(game: Game, player: Adviser, state: Any) -> list[str]:
    """Returns the deck that a sampled state was dealt from."""
    guess, deck = player.knowledge.guess, list(game.deck)
    marks = guess.marks()
    guessed = [cards_of(game, each) for each in guess.states]
    for card, *mark in zip(cards_of(game, state), *guessed):
        if tuple(mark) in marks:
            deck[marks[tuple(mark)][1]] = card
    return deck


def cards_of(game: Game, state: Any) -> list[str]:
    return [card for pile in game.rules.piles(state).values() for card in (*pile.down, *pile.up)]


def replayed(game: Game, deck: list[str]) -> Game:
    """Returns a game of another deck with the same moves."""
    other = cardsol.deal(game.name, deck=deck, options=game.options)
    for token in game.moves:
        other.push(token)
    return other


def twin(game: Game, player: Adviser, chance: random.Random) -> Game:
    """Returns a game that differs in nothing but cards that were never seen."""
    places = unknown_places(player)
    cards = [game.deck[place] for place in places]
    chance.shuffle(cards)
    deck = list(game.deck)
    for place, card in zip(places, cards):
        deck[place] = card
    return replayed(game, deck)


@each_variant
@harness.part(2)
def test_a_hint_is_legal_and_leads_to_a_new_board(variant: Variant, part: int) -> None:
    for game, player, had in random_games(variant, range(2 // part), 9 * part):
        found = advise(player, 1)
        fresh = [token for token in game.legal_moves if after(game, token) not in had]
        if found is None:
            assert not fresh
        else:
            assert found.token in fresh
            old = {alike(each) for each in had}
            news = [token for token in fresh if alike(after(game, token)) not in old]
            assert found.token in (news or fresh) or found.chance is not None
            assert found.token == found.candidates[0].token
            assert {each.token for each in found.candidates} <= set(fresh)


@pytest.mark.parametrize("variant", harness.some(VARIANTS, 8), ids=variant_name)
def test_play_by_hints_ends_and_never_comes_back(variant: Variant) -> None:
    name, options = variant
    game = cardsol.deal(name, seed=5, options=options)
    player = Adviser(game.view(hide_seed=True))
    had = {board(game.view())}
    while (found := advise(player, 1)) is not None:
        game.push(found.token)
        player.follow(found.token, game.view(hide_seed=True))
        assert board(game.view()) not in had
        had.add(board(game.view()))
        assert len(game.moves) < 500
    assert player.idle >= LONGEST or all(after(game, token) in had for token in game.legal_moves)


def brings(game: Game, token: str) -> bool:
    """Tells whether a move draws, turns a card up or scores."""
    later = game.copy()
    later.push(token)
    down, now_down = ([pile.down for pile in each.view().piles.values()] for each in (game, later))
    return down != now_down or later.score > game.score


@pytest.mark.parametrize(("name", "seed"), harness.some([("rouge-et-noir", 1), ("rouge-et-noir", 5)], 2, 2))
def test_hints_do_not_move_cards_to_and_fro_for_long(
    name: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adviser, "LONGEST", 40)
    monkeypatch.setattr(course, "has_outlook", lambda rules: False)  # so that moves are judged one by one
    game = cardsol.deal(name, seed=seed)
    player = Adviser(game.view(hide_seed=True))
    idle = most = 0
    had = {board(game.view())}
    with pytest.raises(NoHint) as ended:
        while True:
            token = player.hint(1).token
            if idle >= PATIENCE and not brings(game, token):
                fresh = [move for move in game.legal_moves if after(game, move) not in had]
                old = {alike(each) for each in had}
                fresh = [move for move in fresh if alike(after(game, move)) not in old] or fresh
                assert not any(brings(game, move) for move in fresh)
            idle = 0 if brings(game, token) else idle + 1
            most = max(most, idle)
            game.push(token)
            had.add(board(game.view()))
            player.follow(token, game.view(hide_seed=True))
    assert PATIENCE < most <= 40
    if most == 40:
        assert "the last 40 moves have neither drawn nor turned a card nor scored" in str(ended.value)
    else:
        assert all(after(game, token) in had for token in game.legal_moves)


@each_with_deck
@harness.part(4)
def test_hidden_cards_do_not_change_a_hint(variant: Variant, part: int) -> None:
    chance = random.Random("twins")
    for game, player, _ in random_games(variant, range(2 // part), 12 * part):
        other = twin(game, player, chance)
        assert history_of(other) == history_of(game)
        found = advise(player, 2)
        if found is None:
            with pytest.raises(NoHint):
                hint(history_of(other), 2)
        else:
            assert hint(history_of(other), 2) == found


@harness.part(2)
def test_following_a_game_and_reading_its_history_come_to_the_same(part: int) -> None:
    for variant in VARIANTS[:: 3 * part]:
        for game, player, _ in random_games(variant, range(3, 4), 30):
            found = advise(player, 2)
            assert found is None or found == hint(history_of(game), 2) == advise(player, 2)


@each_variant
@harness.part(4)
def test_worlds_show_what_the_player_sees(variant: Variant, part: int) -> None:
    for game, player, _ in random_games(variant, range(4 // part), 5):
        rules = game.rules
        for state in player.worlds(3):
            piles = rules.piles(state)
            assert {name: (len(p.down), p.up) for name, p in piles.items()} == {
                name: (p.down, p.up) for name, p in game.view().piles.items()
            }
            cards = Counter(card for pile in piles.values() for card in (*pile.down, *pile.up))
            assert cards == Counter(DECKS[rules.DECK].cards)
            assert tuple(sorted(rules.moves(state))) == game.legal_moves
            assert rules.score(state) == game.score
            assert rules.extra(state) == game.view().extra


@each_with_deck
def test_worlds_agree_with_everything_that_was_seen(variant: Variant) -> None:
    for game, player, _ in random_games(variant, range(1), 25):
        for state in player.worlds(2):
            other = replayed(game, deck_of(game, player, state))
            assert other.state == state
            assert history_of(other) == history_of(game)


def test_worlds_differ_in_what_was_not_seen() -> None:
    for variant in VARIANTS:
        game = cardsol.deal(variant[0], seed=3, options=variant[1])
        assert len(set(map(repr, Adviser(game.view(hide_seed=True)).worlds(5)))) == 5


def test_a_stock_that_was_turned_over_is_known() -> None:
    game = cardsol.deal("universal", seed=4, options={"draw": 2})
    player = Adviser(game.view(hide_seed=True))
    while game.state.nth_pass == 1:
        game.push("draw")
        player.follow("draw", game.view(hide_seed=True))
    assert len(game.state.stock) == 28
    worlds = list(player.worlds(10))
    assert all(world.stock == game.state.stock and world.waste == game.state.waste for world in worlds)
    assert len({world.columns for world in worlds}) == 10


@pytest.mark.parametrize("draw", harness.some([3, 2], 2))
@harness.part(4)
def test_the_stock_turned_over_is_a_new_position_each_time(draw: int, part: int) -> None:
    for seed in range(1, 1 + 8 // part):
        game = cardsol.deal("universal", seed=seed, options={"draw": draw})
        player = Adviser(game.view(hide_seed=True))
        while "draw" in game.legal_moves:
            found = player.hint(1)
            assert found.token in game.legal_moves
            if game.legal_moves == ("draw",):
                assert found.token == "draw"
            game.push("draw")
            player.follow("draw", game.view(hide_seed=True))
        assert game.state.nth_pass == draw


def test_the_waste_of_former_runs_is_known() -> None:
    game = cardsol.deal("three-peaks", seed=4)
    player = Adviser(game.view(hide_seed=True))
    for _ in range(5):
        game.push("draw")
        player.follow("draw", game.view(hide_seed=True))
    assert all(world.former == game.state.former for world in player.worlds(5))


def test_a_history_holds_no_seed_and_no_hidden_card() -> None:
    game = cardsol.deal("three-peaks", seed="a secret")
    game.push("draw")
    history: History = history_of(game)
    assert history.moves == ("draw",)
    assert len(history.snapshots) == 2
    assert history.snapshots[-1] == Snapshot.of(history.now)
    assert history.now.seed is None and history.now.pysol is None
    for snapshot in history.snapshots:
        assert all(isinstance(pile.down, int) for pile in snapshot.board[0])
    assert "secret" not in repr(history)
    seen = set(re.findall(r"'([A2-9TJQK][CDHS])'", repr(history)))
    assert seen == {card for pile in game.piles().values() for card in pile.up} | set(game.state.former)


def test_progressive_play_goes_on_in_the_next_round() -> None:
    game = cardsol.deal("three-peaks", seed=1, options={"rounds": "progressive"})
    player = Adviser(game.view(hide_seed=True))
    for token in CLEARED:
        game.push(token)
        player.follow(token, game.view(hide_seed=True))
    assert game.view().extra["round"] == 2
    for _ in range(10):
        up = {card for pile in game.piles().values() for card in pile.up}
        for state in player.worlds(3):
            assert {card for pile in game.rules.piles(state).values() for card in pile.up} == up
            cards = Counter(c for pile in game.rules.piles(state).values() for c in (*pile.down, *pile.up))
            assert cards == Counter(DECKS["standard"].cards)
        token = player.hint(2).token
        assert token in game.legal_moves
        game.push(token)
        player.follow(token, game.view(hide_seed=True))


def test_where_every_card_is_known_a_hint_wins() -> None:
    game = cardsol.deal("vanishing-cross", seed=1)
    line = solve(game, "win", Limits(states=100_000)).line
    assert line is not None
    drawn = max(i for i, token in enumerate(line) if token == "draw")
    for token in line[: drawn + 1]:
        game.push(token)
    player = following(game)
    first = player.hint(4)
    while (found := advise(player, 4)) is not None:
        game.push(found.token)
        player.follow(found.token, game.view(hide_seed=True))
    assert game.status == "won"
    assert "every card is known" in first.reason


def following(game: Game) -> Adviser:
    """Returns a player that has followed a game to where it stands."""
    player = Adviser(game.rewound(0).view(hide_seed=True))
    for made, token in enumerate(game.moves, start=1):
        player.follow(token, game.rewound(made).view(hide_seed=True))
    return player


def test_the_only_move_needs_no_thought() -> None:
    game = cardsol.deal("camelot", seed=1)
    found = hint(history_of(game), 1000)
    assert found.token == "draw"
    assert "the only move" in found.reason


def test_a_reason_is_in_words() -> None:
    for variant in VARIANTS:
        game = cardsol.deal(variant[0], seed=2, options=variant[1])
        found = hint(history_of(game), 2)
        assert found.reason.startswith(game.explain(found.token).text + "; ")


def test_seconds_cut_the_work_short_after_one_world() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    found = hint(history_of(game), 10_000, seconds=0)
    assert found.token in game.legal_moves
    assert "1 sampled world" in found.reason


@harness.part(3)
def test_values_are_shares(part: int) -> None:
    for variant in VARIANTS[::part]:
        for _, player, _ in random_games(variant, range(7, 8), 25):
            found = advise(player, 2)
            assert found is None or all(0 <= each.value <= 1 and each.won >= 0 for each in found.candidates)


def test_a_game_without_a_model_of_its_own_is_judged_by_its_rules() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    model: Any = AnyGame(game.rules, game.state)
    assert set(judge_any(model, game.legal_moves)) <= set(game.legal_moves)
    assert judge_any(model, game.legal_moves)


def stuck() -> Game:
    """Returns a game that is not over, but can only go back to where it has been."""
    for seed in range(500):
        game = cardsol.deal("vanishing-cross", seed=seed, options={"wrap": "off"})
        had = {board(game.view())}
        while fresh := [token for token in game.legal_moves if after(game, token) not in had]:
            game.push(next((token for token in ("draw", "s-w") if token in fresh), fresh[0]))
            had.add(board(game.view()))
        if game.status == "playing":
            return game
    raise AssertionError("none of these deals ends so")


@pytest.mark.parametrize("ended", ["stuck", "lost", "won"])
def test_there_is_no_hint_where_nothing_leads_on(ended: str, tmp_path: Path) -> None:
    if ended == "stuck":
        game = stuck()
        assert game.legal_moves
    else:
        game = cardsol.deal("three-peaks", seed=1)
        for token in ["draw"] * 23 if ended == "lost" else CLEARED:
            game.push(token)
        chance = random.Random(1)
        while game.legal_moves:
            game.push(chance.choice(game.legal_moves))
        assert game.status == ended
    with pytest.raises(NoHint):
        hint(history_of(game), 2)
    path = tmp_path / "game.json"
    cardsol.save(game, path)
    result = run_inside("hint", "-f", str(path))
    assert result.status == 4
    assert "hint" in result.err or "position" in result.err
