"""The quick games that hints are judged by keep to the rules of the game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import cardsol
from cardsol.game import Game
from cardsol.games import three_peaks, universal
from cardsol.hint.outlook import UNKNOWN, Seen
from cardsol.hint.policies import three_peaks as three_peaks_play
from cardsol.hint.policies import universal as universal_play
from cardsol.hint.policies.universal import Action, Play
from cardsol.hint.policies.universal_play import NUMBER
from cardsol.solve import three_peaks as peaks
from cardsol.solve.three_peaks.model import DRAW

DRAWS = ("1", "2", "3")


def moments(name: str, options: dict[str, str], seeds: range) -> Iterator[Game]:
    """Yields every moment of random games."""
    for seed in seeds:
        game = cardsol.deal(name, seed=f"plays {seed}", options=options)
        chance = random.Random(seed)
        while game.legal_moves:
            yield game
            game.push(chance.choice(game.legal_moves))


def all_of(play: Play) -> object:
    return play.down, play.runs, play.stock, play.waste, play.next, play.nth_pass


def actions(state: universal.State) -> set[Action]:
    return {universal_play.action_of(token) for token in universal.moves(state)}


@pytest.mark.parametrize("draw", DRAWS)
def test_a_quick_move_of_universal_does_what_the_rules_say(draw: str) -> None:
    for game in moments("universal", {"draw": draw}, range(4)):
        for token in game.legal_moves:
            play = Play(game.state)
            play.make(universal_play.action_of(token))
            assert all_of(play) == all_of(Play(universal.apply(game.state, token)))
        assert Play(game.state).choice() in actions(game.state)


@pytest.mark.parametrize("draw", DRAWS)
def test_a_quick_game_of_universal_ends_as_its_moves_do(draw: str) -> None:
    for seed in range(20):
        state = cardsol.deal("universal", seed=seed, options={"draw": draw}).state
        up = Play(state).run()
        while (action := Play(state).choice()) is not None:
            tokens = [t for t in universal.moves(state) if universal_play.action_of(t) == action]
            state = universal.apply(state, tokens[0])
        assert universal.score(state) == 5 * up


def test_other_orders_of_universal_change_what_was_not_seen_alone() -> None:
    for game in moments("universal", {"draw": "2"}, range(2)):
        play = Play(game.state)
        other = play.shuffled(random.Random(1))
        assert (other.runs, other.waste, other.next) == (play.runs, play.waste, play.next)
        assert [len(down) for down in other.down] == [len(down) for down in play.down]
        unseen, others = [sorted(card for down in p.down for card in down) for p in (play, other)]
        if play.nth_pass == 1:
            unseen, others = sorted(unseen + play.stock), sorted(others + other.stock)
        else:
            assert other.stock == play.stock
        assert unseen == others


def test_a_quick_game_of_three_peaks_ends_as_its_moves_do() -> None:
    for game in moments("three-peaks", {}, range(4)):
        model = peaks.model(game.state)
        order = three_peaks_play.Order(model.rank, model.beside, model.stock)
        left, open_, top = model.start[:3]
        step = order.choice(left, open_, top)
        state = game.state
        while tokens := three_peaks.moves(state):
            start = peaks.model(state).start
            nth = three_peaks_play.Order(model.rank, model.beside, peaks.model(state).stock)
            chosen = nth.choice(start.left, start.open, start.top)
            token = "draw" if chosen == DRAW else three_peaks.POSITIONS[chosen]
            assert token in tokens
            state = three_peaks.apply(state, token)
        assert order.run(model.start, step) == sum(map(bool, state.tableau))


def test_other_orders_of_three_peaks_change_what_was_not_seen_alone() -> None:
    for game in moments("three-peaks", {}, range(3)):
        model = peaks.model(game.state)
        own = three_peaks_play.Order(model.rank, model.beside, model.stock)
        hidden = [i for i in range(28) if model.start.left & ~model.start.open & 1 << i]
        other = own.shuffled(hidden, random.Random(1))
        assert all(other.tableau[i] == own.tableau[i] for i in range(28) if i not in hidden)
        assert sorted([*other.tableau, *other.stock]) == sorted([*own.tableau, *own.stock])
        same = own.shuffled([], random.Random(1))
        assert (tuple(same.tableau), tuple(same.beside)) == (own.tableau, own.beside)


@pytest.mark.parametrize("draw", DRAWS)
def test_a_playout_by_the_outlook_is_a_quick_game_of_the_same_cards(draw: str) -> None:
    for game in moments("universal", {"draw": draw}, range(3)):
        if game.state.nth_pass > 1 or any(not column.up for column in game.state.columns):
            continue
        columns = sorted(game.state.columns, key=lambda c: bytes([len(c.down), *(NUMBER[x] for x in c.up)]))
        hidden = [card for column in columns for card in column.down]
        order = [*hidden, *reversed(game.state.stock)]
        seen = Seen(
            game.options,
            {name: (*(UNKNOWN for _ in pile.down), *pile.up) for name, pile in game.piles().items()},
            {name: len(pile.down) for name, pile in game.piles().items()},
            game.view().extra,
            game.score,
            tuple(sorted(order)),
        )
        look = universal_play.outlook(seen)
        assert look is not None
        play = Play(game.state._replace(columns=tuple(columns)))
        up = play.run()
        assert look.play_out(look.position(seen), order) == (1 if up == 60 else up / 120)
