"""What a player may not see does not come out: games that differ in hidden cards alone print the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import cardsol
from cardsol import saves
from cardsol.cards import DECKS
from cardsol.game import Game
from tests.support import engine, harness

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("show", "--hide-seed"),
    ("show", "--hide-seed", "--json"),
    ("show", "--hide-seed", "--plain"),
    ("show", "--hide-seed", "--style", "unicode", "--color", "always"),
    ("show", "--hide-seed", "--at", "AT"),
    ("show", "--hide-seed", "--json", "--at", "AT"),
    ("score",),
    ("score", "--json"),
    ("moves",),
    ("moves", "--json"),
    ("moves", "--count"),
    ("moves", "CARD"),
    ("moves", "CARD", "--json"),
    ("log",),
    ("log", "--json"),
    ("hint", "--worlds", "2"),
    ("hint", "--worlds", "2", "--json"),
    ("check", "--json"),
    ("check",),
)
"""Every command but those that tell the deal by their nature. AT and CARD stand for any number and card."""

REFUSED: tuple[tuple[str, ...], ...] = (
    ("move", "--hide-seed", "TOKEN"),
    ("move", "--hide-seed", "--json", "TOKEN"),
    ("move", "--hide-seed", "CARD"),
    ("move", "--hide-seed", "--json", "CARD-CARD"),
    ("move", "--hide-seed", "CARD-f"),
    ("move", "--hide-seed", "CARD+CARD"),
    ("move", "--hide-seed", "PILE-CARD"),
    ("undo", "999"),
    ("redo", "999", "--json"),
    ("show", "--at", "999"),
    ("deal", "camelot", "--seed", "1", "--json"),
)
"""What is refused tells no more."""


def random_game(game: str, options: dict[str, str], chance: random.Random) -> Game:
    dealt = cardsol.deal(game, seed=chance.randrange(10**9), options=options)
    for _ in range(chance.randrange(60)):
        if dealt.status != "playing":
            break
        others = [token for token in dealt.legal_moves if token != "draw"]
        dealt.push(chance.choice(others if others and chance.randrange(3) else dealt.legal_moves))
    return dealt


def seen(game: Game) -> list[object]:
    """What lay face up, and how many cards did not, at each moment; from the piles, not from the view."""
    return [
        {name: (len(pile.down), pile.up) for name, pile in game.rules.piles(state).items()}
        for state in game.states
    ]


def replayed(game: Game, deck: tuple[str, ...]) -> Game:
    """The same moves on another deck, which deals to the eye the same: each is legal there too."""
    # Not by `cardsol.deal`: a progressive game has a seed for its later rounds, and here its own deck.
    other = Game(
        game.rules,
        game.options,
        deck,
        seed=game.seed if game.options.get("rounds") == "progressive" else None,
    )
    for token in game.moves:
        other.push(token)
    return other


def twin(game: Game, chance: random.Random) -> Game | None:
    """A game that differs only in cards that never were seen; None where it has none.

    Of two cards alike, neither may have been seen: which of them it was, the piles do not tell.
    """
    due = seen(game)
    known = {card for state in game.states for pile in game.rules.piles(state).values() for card in pile.up}
    places = [place for place, card in enumerate(game.deck) if card not in known]
    deck = list(game.deck)
    for place, other in zip(places, chance.sample(places, len(places))):
        deck[place] = game.deck[other]
    if tuple(deck) == game.deck:
        return None
    found = replayed(game, tuple(deck))
    assert seen(found) == due
    return found


def filled(words: tuple[str, ...], game: Game, chance: random.Random) -> list[str]:
    """Puts cards, tokens and numbers where the table has a name for them."""
    cards = sorted(set(DECKS[game.rules.DECK].cards))
    grammar = sorted(game.grammar)

    def fill(word: str) -> str:
        word = word.replace("AT", str(chance.randint(0, len(game.moves)))).replace(
            "TOKEN", chance.choice(grammar)
        )
        while "CARD" in word:
            word = word.replace("CARD", chance.choice(cards), 1)
        return word.replace("PILE", chance.choice(game.rules.PILES))

    return [fill(word) if word.isupper() or "CARD" in word else word for word in words]


def outputs(game: Game, commands: list[list[str]], save: Path) -> list[harness.Result]:
    """Runs each command on the game's save."""
    results = []
    save.write_bytes(saves.dump(game))
    for words in commands:
        where = [str(save)] if words[0] == "check" else ["-f", str(save)]
        results.append(harness.run_inside(*words, *where))
        if results[-1].status == 0 and words[0] in ("move", "deal"):
            save.write_bytes(saves.dump(game))
    return results


@pytest.fixture
def any_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets a save of a progressive game have a deck that its seed does not deal."""
    check: Callable[..., None] = lambda *args: None  # noqa: E731
    monkeypatch.setattr(saves, "_check_shuffle", check)


@harness.repeated("positions", 5, 200)
@pytest.mark.parametrize("game", cardsol.names())
def test_games_that_differ_in_hidden_cards_alone_print_the_same(
    game: str, positions: int, tmp_path: Path, any_deck: None
) -> None:
    chance = random.Random(f"leaks {game}")
    variants = [variant for variant in engine.VARIANTS if variant[0] == game] or [(game, {})]
    save = tmp_path / "cardsol.json"
    pairs = compared = refusals = 0
    while pairs < positions:
        _, options = variants[pairs % len(variants)]
        found = random_game(game, options, chance)
        if found.options.get("rounds") != "progressive":
            found = replayed(found, found.deck)
        other = twin(found, chance)
        if other is None:
            continue
        assert other.deck != found.deck
        assert other.view(hide_seed=True) == found.view(hide_seed=True)
        chosen = [(table[pairs % len(table)], *chance.sample(table, 2)) for table in (COMMANDS, REFUSED)]
        commands = [filled(words, found, chance) for words in (*chosen[0], *chosen[1])]
        for words, one, two in zip(commands, outputs(found, commands, save), outputs(other, commands, save)):
            assert one.status == two.status, words
            # A move that is legal after all shows what it turns up.
            if words[0] != "move" or one.status:
                assert one == two, words
            compared += 1
            refusals += one.status != 0
        pairs += 1
    harness.figure(f"leaks, {game}", positions=pairs, commands=compared, refusals=refusals)
    assert refusals > pairs


@pytest.mark.parametrize("game", cardsol.names())
def test_a_wrong_save_is_refused_without_a_hidden_card_that_it_does_not_hold(
    game: str, tmp_path: Path
) -> None:
    """A face-down card that stands wrong in `piles` or `deck` is pointed at; the right one is not told."""
    chance = random.Random(game)
    found = cardsol.deal(game, seed=1)
    hidden = {card for pile in found.piles().values() for card in pile.down}
    save = tmp_path / "cardsol.json"
    for _ in range(20):
        one, other = chance.sample(sorted(hidden), 2)
        text = saves.dump(found).decode()
        for part in ('"deck"', '"piles"'):
            at = text.index(part)
            at = text.index(f'"{one}"', at)
            save.write_text(text[:at] + f'"{other}"' + text[at + len(one) + 2 :])
            result = harness.run_inside("check", str(save))
            assert result.status == 3
            assert part.strip('"') in result.out
            told = result.out.removeprefix(str(save))
            # Which card a deck lacks follows from the others; where it lies does not.
            assert "[" not in told if part == '"deck"' else one not in told
