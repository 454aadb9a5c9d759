"""`move --dry-run`: what a player could not know before the move stays hidden."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import cardsol
from cardsol.cards import HIDDEN
from cardsol.game import Game
from tests.support import harness
from tests.support.engine import VARIANTS, few, variant_name
from tests.support.typed import in_process


def positions(name: str, options: dict[str, str], count: int) -> list[Game]:
    """Returns games with own decks, each still being played after some random moves."""
    found = []
    for seed in range(count):
        chance = random.Random(seed)
        deck = cardsol.deal(name, seed=seed).deck
        if options.get("rounds") == "progressive":
            game = cardsol.deal(name, seed=seed, options=options)
        else:
            game = cardsol.deal(name, deck=deck, options=options)
        for _ in range(chance.randrange(25)):
            if game.status == "playing":
                game.push(chance.choice(game.legal_moves))
        if game.status == "playing":
            found.append(game)
    return found


def twin(game: Game) -> Game | None:
    """Returns a game that has looked the same from the deal on, with two never seen cards in each other's places.

    None where no two of a few dozen are found that leave all that was seen, and was legal, as it is.
    """
    seen = [_seen(game.rewound(made)) for made in range(len(game.moves) + 1)]
    face_down = [card for pile in game.piles().values() for card in pile.down]
    chance = random.Random(len(game.moves))
    for _ in range(60):
        cards = list(game.deck)
        one, other = (cards.index(card) for card in chance.sample(sorted({*face_down}), 2))
        cards[one], cards[other] = cards[other], cards[one]
        twin = cardsol.deal(game.name, deck=cards, options=game.options)
        looked = [_seen(twin)]
        for token in game.moves:
            if token not in twin.legal_moves:
                break
            twin.push(token)
            looked.append(_seen(twin))
        if looked == seen:
            return twin
    return None


def _seen(game: Game) -> object:
    view = game.view()
    return view.piles, view.legal, view.extra


@pytest.mark.parametrize(
    "variant", few(1, [v for v in VARIANTS if v[1].get("rounds") != "progressive"]), ids=variant_name
)
@harness.part(5)
def test_deals_that_differ_in_hidden_cards_alone_give_the_same_dry_run(
    variant: tuple[str, dict[str, str]], tmp_path: Path, part: int
) -> None:
    compared = turned_up = 0
    for game in positions(*variant, 25 // part):
        other = twin(game)
        if other is None:
            continue
        for token in game.legal_moves:
            for more in ((), ("--json",)):
                told = []
                for each in (game, other):
                    cardsol.save(each, tmp_path / "cardsol.json")
                    told.append(in_process("move", "--dry-run", token, *more, folder=tmp_path))
                assert told[0] == told[1] and told[0].status == 0, token
                compared += 1
                turned_up += "stays hidden" in told[0].err
    assert compared > 20 // part and turned_up >= 5 // part


@pytest.mark.parametrize("variant", few(2), ids=variant_name)
def test_a_dry_run_is_the_view_after_the_move_but_for_cards_turned_up(
    variant: tuple[str, dict[str, str]], tmp_path: Path
) -> None:
    for game in positions(*variant, 8):
        cardsol.save(game, tmp_path / "cardsol.json")
        for token in game.legal_moves:
            view = in_process("move", "--dry-run", token, "--json", folder=tmp_path).json
            after = game.copy()
            after.push(token)
            due = after.view().as_dict()
            hidden = 0
            for name, pile in view["piles"].items():
                for place, card in enumerate(pile["up"]):
                    if card == HIDDEN:
                        hidden += 1
                        pile["up"][place] = due["piles"][name]["up"][place]  # type: ignore[index]
            turned = any(
                after.view().piles[name].down < pile.down for name, pile in game.view().piles.items()
            )
            assert turned == bool(hidden), token
            if hidden:
                assert (view["legal"], view["status"]) == ([], "playing")
                view["legal"], view["status"] = due["legal"], due["status"]
            assert view == due
