"""Seeds and deck orders (README, Seeds)."""

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


GAME_OF = {"standard": "camelot", "double": "rouge-et-noir", "universal": "universal"}
SIZE = {"standard": 52, "double": 104, "universal": 60}
TOO_OFTEN = {"standard": "second", "double": "third", "universal": "second"}


def refusal(deck_name: str, deck: Any) -> str:
    """Returns the message for a wrong deck, which is one short line."""
    with pytest.raises(cardsol.BadDeck) as caught:
        cardsol.deal(GAME_OF[deck_name], deck=deck)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 140
    return message


@pytest.mark.parametrize("name", DECKS)
def test_a_card_that_the_deck_does_not_have_is_named_with_its_place(name: str) -> None:
    order = list(shuffled(name, "1"))
    n = SIZE[name]
    lost, order[6] = order[6], "XX"
    missing = f"; missing {lost}"
    given = f"{n} cards were given, {n} are needed"
    assert refusal(name, order) == f"card 7, 'XX', is no card of the {name} deck; {given}{missing}"
    order[6] = "10X\x1b"
    assert refusal(name, order) == f"card 7, '10X\\x1b', is no card of the {name} deck; {given}{missing}"
    order[6] = "X" * 1000
    assert refusal(name, order).startswith(f"card 7, '{'X' * 12}...', is no card of the {name} deck; ")
    order[2], order[4] = "?", "!"
    assert refusal(name, " ".join(order)) == f"card 3, '?', is no card of the {name} deck; {given}"
    assert refusal(name, ["", *order[1:]]).startswith("card 1, '', is no card")


@pytest.mark.parametrize("name", DECKS)
def test_a_card_that_is_there_too_often_is_named_with_its_place(name: str) -> None:
    order = list(shuffled(name, "1"))
    n = SIZE[name]
    first, lost = order[0], order[-1]
    assert lost != first
    places = [place for place, card in enumerate(order, start=1) if card == first]
    assert len(places) == DECKS[name].copies
    assert refusal(name, [*order[:-1], first.lower()]) == (
        f"card {n}, {first}, is the {TOO_OFTEN[name]} {first}; {n} cards were given, {n} are needed; missing {lost}"
    )
    assert refusal(name, [*order, first]) == (
        f"card {n + 1}, {first}, is the {TOO_OFTEN[name]} {first}; {n + 1} cards were given, {n} are needed"
    )
    assert refusal(name, order * 2).endswith(f"; {2 * n} cards were given, {n} are needed")
    assert refusal(name, order * 2).startswith(f"card {n + 1}, ")


@pytest.mark.parametrize("name", DECKS)
def test_cards_that_are_missing_are_named(name: str) -> None:
    order = shuffled(name, "1")
    n = SIZE[name]
    assert refusal(name, order[:-1]) == f"{n - 1} cards were given, {n} are needed: missing {order[-1]}"
    assert refusal(name, order[:-9]).startswith(f"{n - 9} cards were given, {n} are needed: missing ")
    assert refusal(name, order[:-9]).endswith(" ...")
    assert refusal(name, order[:1]).startswith(f"1 card was given, {n} are needed: missing ")
    nothings: list[Any] = [[], "", " ,\n"]
    for nothing in nothings:
        assert refusal(name, nothing).startswith(f"0 cards were given, {n} are needed: missing ")


@pytest.mark.parametrize("name", DECKS)
def test_what_is_no_text_is_named_with_its_place(name: str) -> None:
    order = shuffled(name, "1")
    n = SIZE[name]
    example = DECKS[name].cards[0]
    wrongs: list[Any] = [7, None, b"AC", [], {"a": 1}]
    for wrong in wrongs:
        kind = type(wrong).__name__
        message = refusal(name, [*order[:2], wrong, *order[3:]])
        assert (
            message.startswith("card 3, '")
            and f", is of type {kind}: a card is a text such as {example}; " in message
        )
        assert message.endswith(f"{n} cards were given, {n} are needed")
    for deck, kind in ((5, "int"), (b"AC 2C", "bytes"), (1.5, "float")):
        assert refusal(name, deck) == f"a deck is given as cards or as one text of them, not as {kind}"


def test_the_error_lists_the_cards_at_fault() -> None:
    order = list(shuffled("standard", "1"))
    last = order.pop()
    for deck, cards in (
        (order, (last,)),
        ([*order, order[0]], (order[0], last)),
        ([*order, "XX"], ("XX", last)),
    ):
        with pytest.raises(cardsol.BadDeck) as caught:
            cardsol.deal("camelot", deck=deck)
        assert caught.value.cards == cards


def test_seed_and_deck_together_are_an_error() -> None:
    with pytest.raises(cardsol.BadDeck):
        cardsol.deal("camelot", seed=1, deck=shuffled("standard", "1"))


def test_the_options_of_a_game_are_chosen_once() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    game.options["scoring"] = "multiplier"
    assert game.options["scoring"] == "classic"
    assert game.view().options["scoring"] == "classic"
