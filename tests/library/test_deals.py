"""Seeds and deck orders (COMMANDS, Seeds)."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.cards import DECKS
from cardsol.deals import check_seed, fresh_seed, shuffled
from tests import reference

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data/deal-vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v['deck']}-{v['round']}-{v['seed'][:12]!a}")
def test_the_published_vectors_are_dealt(vector: dict[str, Any]) -> None:
    assert " ".join(shuffled(vector["deck"], vector["seed"], vector["round"])) == vector["order"]


@pytest.mark.parametrize("deck", DECKS)
def test_engine_and_reference_shuffle_alike(deck: str) -> None:
    for seed in map(str, range(50)):
        assert list(shuffled(deck, seed)) == reference.shuffle(deck, seed)


@pytest.mark.parametrize("deck", DECKS)
def test_every_card_comes_to_every_place_equally_often(deck: str) -> None:
    """A chi-square over card and place: 99.99 % of fair shuffles lie below the bound."""
    cards = DECKS[deck].cards
    n, deals = len(cards), 3000
    kinds = sorted(set(cards))
    counts = {kind: [0] * n for kind in kinds}
    for seed in range(deals):
        for place, card in enumerate(shuffled(deck, str(seed))):
            counts[card][place] += 1
    due = deals * n / len(kinds) / n
    chi_square = sum((count - due) ** 2 / due for row in counts.values() for count in row)
    # Rows and columns of the table are fixed sums, which takes a row and a column from the freedom.
    freedom = (len(kinds) - 1) * (n - 1)
    # A place has one card: its counts vary by 1 - copies/n less than Poisson's, in all by the freedom.
    deviation = (2 * freedom) ** 0.5
    assert abs(chi_square - freedom) < 3.9 * deviation


def test_neighbouring_seeds_share_no_more_places_than_chance() -> None:
    orders = [shuffled("standard", str(seed)) for seed in range(2000)]
    shared = sum(a == b for x, y in itertools.pairwise(orders) for a, b in zip(x, y))
    assert 1999 * 0.85 < shared < 1999 * 1.15


@pytest.mark.parametrize("seed", [b"1", True, 1.0, ("1",)])
def test_a_seed_is_a_text_or_an_int(seed: Any) -> None:
    with pytest.raises(cardsol.BadSeed, match="a text or an int"):
        cardsol.deal("camelot", seed=seed)


@pytest.mark.parametrize("deck", [[1] * 52, [None], [b"AC"] * 52])
def test_a_deck_is_made_of_texts(deck: Any) -> None:
    with pytest.raises(cardsol.BadDeck, match="a card is a text"):
        cardsol.deal("camelot", deck=deck)


@pytest.mark.parametrize("name", [None, 3, ["camelot"]])
def test_a_game_is_named_by_a_text(name: Any) -> None:
    with pytest.raises(cardsol.UnknownGame):
        cardsol.deal(name)


@pytest.mark.parametrize("name", cardsol.names())
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_a_game_can_be_copied_and_pickled(name: str, copied: Any) -> None:
    game = cardsol.deal(name, seed=2)
    for _ in range(3):
        game.push(game.legal_moves[0])
    game.undo()
    other = copied(game)
    assert (other.view(), other.states, other.moves, other.undone) == (
        game.view(), game.states, game.moves, game.undone,
    )  # fmt: skip
    other.push(other.legal_moves[0])
    assert (len(game.moves), len(other.moves)) == (2, 3)


@pytest.mark.parametrize("seed", ["0", "-1", "00", "x" * 200, "é", "e\N{COMBINING ACUTE ACCENT}", " ", "🂡"])
def test_a_seed_is_any_text_taken_as_it_is(seed: str) -> None:
    assert cardsol.deal("camelot", seed=seed).seed == seed


def test_seeds_that_differ_deal_differently() -> None:
    seeds = ["7", "07", "7 ", "é", "e\N{COMBINING ACUTE ACCENT}", "-7"]
    assert len({cardsol.deal("camelot", seed=seed).deck for seed in seeds}) == len(seeds)


@pytest.mark.parametrize(
    "char", ["\0", "\n", "\x1f", "\x7f", "\x85", "\x9f", "\u2028", "\u2029", "\ud800", "\udfff"]
)
def test_a_seed_holds_no_control_character_or_surrogate(char: str) -> None:
    with pytest.raises(cardsol.BadSeed) as caught:
        check_seed("a" + char)
    assert caught.value.seed == "a" + char
    assert f"U+{ord(char):04X} is its character 2" in str(caught.value)


@pytest.mark.parametrize("seed", ["", "x" * 201])
def test_a_seed_has_1_to_200_characters(seed: str) -> None:
    with pytest.raises(cardsol.BadSeed):
        cardsol.deal("camelot", seed=seed)


def test_an_int_stands_for_its_decimal_text() -> None:
    assert cardsol.deal("camelot", seed=7).deck == cardsol.deal("camelot", seed="7").deck


def test_a_fresh_seed_has_at_least_60_random_bits() -> None:
    seeds = {fresh_seed() for _ in range(100)}
    assert len(seeds) == 100
    assert all(len(seed) == 16 and int(seed, 16) >= 0 for seed in seeds)


def test_two_games_on_the_same_deck_get_the_same_order_from_one_seed() -> None:
    assert cardsol.deal("camelot", seed="7").deck == cardsol.deal("three-peaks", seed="7").deck


@pytest.mark.parametrize("separator", [" ", ",", ", ", "\n", "\r\n", " ,\t"])
def test_a_deck_is_cards_with_blanks_or_commas_between(separator: str) -> None:
    order = shuffled("standard", "1")
    assert cardsol.deal("camelot", deck=separator.join(order)).deck == order


def test_cards_of_a_deck_may_be_written_as_players_do() -> None:
    order = shuffled("standard", "1")
    signs = {"C": "♣", "D": "♦", "H": "♥\ufe0f", "S": "♠"}
    for write in (str.lower, lambda card: card.replace("T", "10"), lambda card: card[0] + signs[card[1]]):
        assert cardsol.deal("camelot", deck=" ".join(map(write, order))).deck == order


def test_a_wrong_deck_is_refused_by_its_cards() -> None:
    order = list(shuffled("standard", "1"))
    last = order.pop()
    with pytest.raises(cardsol.BadDeck, match=f"missing {last}") as caught:
        cardsol.deal("camelot", deck=order)
    assert caught.value.cards == (last,)
    with pytest.raises(cardsol.BadDeck, match=f"too many of {order[0]}; missing {last}"):
        cardsol.deal("camelot", deck=[*order, order[0]])
    with pytest.raises(cardsol.BadDeck, match="no card of it is 'XX'"):
        cardsol.deal("camelot", deck=[*order, "XX"])


def test_seed_and_deck_together_are_an_error() -> None:
    with pytest.raises(cardsol.BadDeck):
        cardsol.deal("camelot", seed=1, deck=shuffled("standard", "1"))


def test_the_options_of_a_game_are_chosen_once() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    game.options["scoring"] = "multiplier"
    assert game.options["scoring"] == "classic"
    assert game.view().options["scoring"] == "classic"
