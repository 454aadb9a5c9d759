"""Plans: kept until something new is seen, made of what was seen alone, and by the rules of the game."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import pairwise
from operator import mul
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.errors import NoHint
from cardsol.game import Game
from cardsol.hint import Adviser, Hint, hint, history_of, policies
from cardsol.hint.course import odds
from cardsol.hint.outlook import UNKNOWN, Outlook, Seen, chance
from cardsol.hint.plan import ways
from cardsol.hint.policies import has_outlook, outlook_of
from tests.support import harness
from tests.support.engine import VARIANTS, Variant, few, variant_name


def dealt(variant: Variant, seed: object) -> Game:
    return cardsol.deal(variant[0], seed=f"plans {seed}", options=variant[1])


def player_of(game: Game) -> Adviser:
    """Returns a player that has followed a game to where it stands."""
    again = game.rewound(0)
    player = Adviser(again.view(hide_seed=True))
    for token in game.moves:
        again.push(token)
        player.follow(token, again.view(hide_seed=True))
    return player


def seen_by(player: Adviser) -> Seen:
    return player.course.guess.seen(player.view.options)


def outlook(player: Adviser) -> Outlook[Any, Any] | None:
    return outlook_of(player.rules, seen_by(player)) if has_outlook(player.rules) else None


PLANNED = [variant for variant in VARIANTS if outlook(player_of(dealt(variant, 0))) is not None]
each_planned = pytest.mark.parametrize("variant", few(1, PLANNED), ids=variant_name)


def advise(player: Adviser, worlds: int = 1) -> Hint | None:
    try:
        return player.hint(worlds)
    except NoHint:
        return None


def push(game: Game, player: Adviser, token: str) -> bool:
    """Makes a move; tells whether a card was seen for the first time."""
    unseen = player.course.guess.unseen
    game.push(token)
    player.follow(token, game.view(hide_seed=True))
    return player.course.guess.unseen != unseen


def random_moments(variant: Variant, seeds: range, every: int) -> Iterator[tuple[Game, Adviser]]:
    """Yields moments of random play, with a player that has followed it."""
    for seed in seeds:
        game = dealt(variant, seed)
        player = player_of(game)
        dice = random.Random(seed)
        while game.legal_moves and len(game.moves) < 200:
            if len(game.moves) % every == 0:
                yield game, player
            push(game, player, dice.choice(game.legal_moves))


def test_the_cross_is_planned() -> None:
    assert [options for name, options in PLANNED if name == "vanishing-cross"]


@each_planned
@pytest.mark.parametrize("worlds", harness.some([3, 1], 2))
@harness.part(5)
def test_a_plan_is_kept_until_something_new_is_seen(variant: Variant, worlds: int, part: int) -> None:
    game = dealt(variant, 1)
    player = player_of(game)
    plan: tuple[str, ...] = ()
    kept = 0
    while len(game.moves) < 100 // part and (found := advise(player, worlds)) is not None:
        assert found.plan[0] == found.token
        if plan:
            kept += 1
            assert found.plan == plan
        new = push(game, player, found.token)
        plan = () if new else found.plan[1:]
    assert kept > 3


@each_planned
def test_a_plan_can_be_played_up_to_the_next_unknown_card(variant: Variant) -> None:
    for game, player in random_moments(variant, range(1), 9):
        found = advise(player)
        if found is None or found.chance is None:
            continue
        later, follower = game.copy(), player_of(game)
        news = [push(later, follower, token) for token in found.plan]
        assert not any(news[:-1])
        assert news[-1] or later.status == "won"


@each_planned
@harness.part(3)
def test_a_history_gives_the_hint_that_following_gave(variant: Variant, part: int) -> None:
    game = dealt(variant, 2)
    player = player_of(game)
    dice = random.Random("leaves the plan now and then")
    while (found := advise(player)) is not None and len(game.moves) < 30 // part:
        assert hint(history_of(game), 1) == found
        left = dice.random() < 0.2
        push(game, player, dice.choice(game.legal_moves) if left else found.token)


@each_planned
@harness.part(2)
def test_who_leaves_the_plan_gets_one_that_ends(variant: Variant, part: int) -> None:
    game = dealt(variant, 3)
    player = player_of(game)
    dice = random.Random("wanders")
    while game.legal_moves and len(game.moves) < 300 // part:
        found = advise(player)
        if found is None:
            break
        wanders = dice.random() < 0.5
        push(game, player, dice.choice(game.legal_moves) if wanders else found.token)
    while (found := advise(player)) is not None:
        push(game, player, found.token)
        assert len(game.moves) < 600


@each_planned
@harness.part(3)
def test_the_moves_of_an_outlook_are_those_of_the_rules(variant: Variant, part: int) -> None:
    compared = 0
    for game, player in random_moments(variant, range(1), 11 * part):
        if player.course.guess.settled:
            continue
        seen = seen_by(player)
        look = outlook(player)
        assert look is not None
        start = look.position(seen)
        for step, after, shows in look.expand(start):
            (token,) = look.tokens(seen, [step])
            assert token in game.legal_moves
            later, follower = game.copy(), player_of(game)
            before = seen.unseen
            assert push(later, follower, token) == shows
            now = seen_by(follower)
            if shows:
                new = [*before]
                for card in now.unseen:
                    new.remove(card)
                if len(new) == 1:
                    after = look.reveal(after, (*new, *now.unseen))
            if not shows or len(new) == 1:
                other = outlook_of(player.rules, now)
                assert other is not None
                assert look.key(after) == other.key(other.position(now))
                compared += 1
    assert compared > 10 // part


@each_planned
def test_a_value_is_finite_and_takes_no_hidden_card(variant: Variant) -> None:
    for game, player in random_moments(variant, range(2), 3):
        seen = seen_by(player)
        known = {card for cards in seen.piles.values() for card in cards} - {UNKNOWN}
        assert known.isdisjoint(seen.unseen) or len(set(game.deck)) < len(game.deck)
        assert sum(cards.count(UNKNOWN) for cards in seen.piles.values()) == len(seen.unseen)
        if player.course.guess.settled:
            continue
        look = outlook(player)
        assert look is not None
        for way in ways(look, look.position(seen), 10):
            assert abs(way.value) < 100
            assert 0 < way.chance <= 1


@harness.part(2)
def test_a_hint_tells_its_chance_and_what_the_plan_does(part: int) -> None:
    reasons = []
    for seed in range(4 // part):
        game = dealt(("vanishing-cross", {}), seed)
        player = player_of(game)
        while (found := advise(player)) is not None:
            assert found.chance is None or 0 <= found.chance <= 1
            assert found.reason.startswith(game.explain(found.token).text + "; ")
            assert found.chance is None or found.reason.endswith((" from here", "wins")), found.reason
            reasons.append(found.reason)
            push(game, player, found.token)
    told = " ".join(reasons)
    for words in (
        "opens a space",
        "frees the ",
        "off the waste",
        "wins about ",
        "to the corners",
        "the only move",
    ):
        assert words in told


@pytest.mark.parametrize("variant", [("universal", {"draw": "1"}), ("rouge-et-noir", {})])
def test_candidates_are_the_advised_move_then_the_others_best_first(variant: Variant) -> None:
    longest = 0
    for _, player in random_moments(variant, range(1), 8):
        found = advise(player)
        if found is not None and found.chance is not None:
            assert found.candidates[0] == (found.token, found.chance, int(found.chance == 1))
            values = [candidate.value for candidate in found.candidates[1:]]
            assert values == sorted(values, reverse=True)
            longest = max(longest, len(values))
    assert longest > 2


def test_a_learned_value_is_what_its_weights_say() -> None:
    for variant in PLANNED:
        if variant[0] not in ("vanishing-cross", "universal", "rouge-et-noir"):
            continue
        for game, player in random_moments(variant, range(1), 3):
            if game.status != "playing":
                continue
            look: Any = outlook(player)
            position = look.position(seen_by(player))
            share, weights = look.share(position), look.weights
            total = sum(c * share**i for i, c in enumerate(weights["constant"]))
            for pair, amount in zip(weights["weights"].values(), look.features(position)):
                total += (pair[0] + pair[1] * share) * amount
            hidden = weights.get("hidden", {"constant": [], "out": []})
            for nth, ((a, b), out) in enumerate(zip(hidden["constant"], hidden["out"])):
                rows = [row[nth] for row in hidden["weights"].values()]
                unit = a + b * share + sum(map(mul, rows, look.features(position)))
                total += out * max(0.0, unit)
            assert look.value(position) == pytest.approx(bent(total, weights.get("chances")))


def bent(total: float, chances: dict[str, list[float]] | None) -> float:
    if chances is None:
        return total
    ends = [*pairwise(zip(chances["sums"], chances["log-odds"]))]
    (one, low), (other, high) = next((each for each in ends if total < each[1][0]), ends[-1])
    return low + (total - one) / (other - one) * (high - low)


def test_a_higher_sum_is_always_a_higher_chance() -> None:
    for file in Path(policies.__file__).parent.glob("*.json"):
        for weights in json.loads(file.read_text("utf-8")).values():
            for ends in weights.get("chances", {}).values():
                assert all(low < high for low, high in pairwise(ends))


def test_weights_are_small_and_readable() -> None:
    folder = Path(policies.__file__).parent
    files = sorted(folder.glob("*.json"))
    assert files
    for file in files:
        text = file.read_text("utf-8")
        assert len(text) <= 100_000
        assert max(map(len, text.splitlines())) < 1000


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.6, "about 3 in 5"), (0.5, "about 1 in 2"), (0.04, "about 1 in 25"), (0.001, "less than 1 in 100"),
     (0.999, "nearly always"), (0.9, "about 9 in 10")],
)  # fmt: skip
def test_a_chance_in_words(share: float, words: str) -> None:
    assert odds(share) == words


def test_chances_of_log_odds() -> None:
    assert chance(0) == 0.5
    assert chance(1000) == 1
    assert chance(-1000) == 0
    assert chance(-2) == pytest.approx(1 - chance(2))
