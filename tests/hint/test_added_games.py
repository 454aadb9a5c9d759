"""Hints for games of plug-ins: whatever their state is made of, and whatever they ask of a card."""

from __future__ import annotations

import importlib
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol import registry
from cardsol.errors import NoHint
from cardsol.game import Game
from cardsol.hint import Adviser, hint, history_of
from cardsol.hint.knowledge import Snapshot
from tests.hint.ladders import ENTRY_POINTS
from tests.support import harness
from tests.support.harness import run_loaded as run

KINDS = ("ladder", "ladder-double", "ladder-aces", "ladder-rounds", "ladder-boxed")
FAIR = tuple(kind for kind in KINDS if kind != "ladder-rounds")
"""Those that are dealt from their deck alone, so that a deck with other hidden cards can be dealt."""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the games as an installed package does."""
    folder = tmp_path_factory.mktemp("ladders")
    shutil.copy(Path(__file__).with_name("ladders.py"), folder / "ladders.py")
    facts = folder / "ladders-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: ladders\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRY_POINTS)
    return folder


@pytest.fixture(autouse=True)
def installed(package: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(package))
    importlib.invalidate_caches()
    yield
    for kind in (*KINDS, "ladder-peek"):
        registry._found.pop(kind, None)


def moments(kind: str, seeds: range) -> Iterator[tuple[Game, Adviser]]:
    """Yields every moment of random games, with an adviser that followed them."""
    for seed in seeds:
        game = cardsol.deal(kind, seed=seed)
        adviser = Adviser(game.view(hide_seed=True))
        chance = random.Random(seed)
        while game.legal_moves and len(game.moves) < 60:
            yield game, adviser
            token = chance.choice(sorted(game.legal_moves, key=lambda token: token == "turn")[:2])
            game.push(token)
            adviser.follow(token, game.view(hide_seed=True))


def advised(game: Game) -> object:
    try:
        return hint(history_of(game), 2)
    except NoHint as none:
        return str(none)


@pytest.mark.parametrize("kind", KINDS)
@harness.part(3)
def test_a_hint_is_legal_whatever_the_state_is_made_of(kind: str, part: int) -> None:
    given = 0
    for game, adviser in moments(kind, range(6 // part)):
        found = adviser.hint(2)
        assert found.token in game.legal_moves
        given += 1
    assert given > 60 // part


@pytest.mark.parametrize("kind", KINDS)
@harness.part(4)
def test_sampled_deals_show_what_the_player_sees(kind: str, part: int) -> None:
    for game, adviser in moments(kind, range(4 // part)):
        worlds = list(adviser.worlds(3))
        assert len(worlds) == 3
        for state in worlds:
            assert Snapshot.of_state(game.rules, state) == Snapshot.of(game.view())
            assert tuple(sorted(game.rules.moves(state))) == game.legal_moves


@pytest.mark.parametrize("kind", FAIR)
@harness.part(2)
def test_hidden_cards_do_not_change_a_hint_of_an_added_game(kind: str, part: int) -> None:
    chance = random.Random(kind)
    compared = differing = 0
    for game, adviser in moments(kind, range(2 // part)):
        deck = list(game.deck)
        places = [place for _, place in adviser.knowledge.guess.unknown]
        cards = [deck[place] for place in places]
        chance.shuffle(cards)
        for place, card in zip(places, cards):
            deck[place] = card
        twin = cardsol.deal(kind, deck=deck)
        for token in game.moves:
            twin.push(token)
        assert history_of(twin) == history_of(game)
        if len(game.moves) % (3 * part) == 0:
            assert advised(twin) == advised(game)
        compared += 1
        differing += twin.deck != game.deck
    assert compared > 20 // part and differing > 15 // part


def planned(seed: int, worlds: int) -> tuple[Game, list[str]]:
    """Plays a ladder by hints; returns it with the tokens of hints that went on with a plan."""
    game = cardsol.deal("ladder", seed=seed)
    adviser = Adviser(game.view(hide_seed=True))
    kept: list[str] = []
    plan: tuple[str, ...] = ()
    while game.legal_moves:
        try:
            found = adviser.hint(worlds)
        except NoHint:
            break
        assert found == hint(history_of(game), worlds)
        if plan:
            assert found.plan == plan
            kept.append(found.token)
        unseen = adviser.knowledge.guess.unseen
        game.push(found.token)
        adviser.follow(found.token, game.view(hide_seed=True))
        plan = found.plan[1:] if adviser.knowledge.guess.unseen == unseen else ()
    return game, kept


@pytest.mark.parametrize("worlds", [1, 4])
@harness.part(4)
def test_an_added_game_may_have_its_hints_planned(
    worlds: int, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules: Any = cardsol.deal("ladder", seed=1).rules
    monkeypatch.setattr(rules, "POLICY", "tests.hint.ladder_outlook", raising=False)
    assert hint(history_of(cardsol.deal("ladder", seed=1)), worlds).chance is not None
    games = [planned(seed, worlds) for seed in range(8 // part)]
    assert sum(len(kept) for _, kept in games) > 0
    assert max(game.score for game, _ in games) > 3


@pytest.mark.parametrize("kind", FAIR)
def test_the_known_cards_are_those_that_were_seen(kind: str) -> None:
    for game, adviser in moments(kind, range(4)):
        known: dict[Any, str] = dict(adviser.knowledge.guess.known)
        assert all(game.deck[place] == card for (_, place), card in known.items())
        assert len(known) == sum(len(pile.up) for pile in game.piles().values())


def test_a_game_that_shows_more_than_its_deck_explains_gets_one_clear_line(
    package: Path, tmp_path: Path
) -> None:
    game = cardsol.deal("ladder-peek", seed=1)
    with pytest.raises(NoHint, match="hints can't follow ladder-peek"):
        hint(history_of(game))


@pytest.mark.parametrize("kind", ["ladder", "ladder-double"])
def test_the_command_hints_at_a_move_of_an_added_game(kind: str, package: Path, tmp_path: Path) -> None:
    env = {"PYTHONPATH": str(package)}
    assert run("deal", kind, "--seed", "1", folder=tmp_path, env=env).status == 0
    found = run("hint", "--worlds", "4", "--json", folder=tmp_path, env=env)
    assert (found.status, found.err) == (0, "")
    assert found.json["token"] in cardsol.deal(kind, seed=1).legal_moves
