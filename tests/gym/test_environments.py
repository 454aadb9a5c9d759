"""The Gymnasium environments: what Gymnasium asks of them, and the library's own games step by step."""

from __future__ import annotations

import copy
import doctest
import itertools
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="the extra `gym` is not installed")
pytest.importorskip("numpy", reason="the extra `gym` is not installed")

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

import cardsol
import cardsol.gym
from cardsol import registry
from cardsol.cards import DECKS
from cardsol.drawing import lines
from cardsol.game import Game
from cardsol.gym.observer import Observation
from cardsol.registry import rules_of

ROOT = Path(__file__).parents[2]


def combinations(game: str) -> list[dict[str, str]]:
    options = rules_of(game).OPTIONS
    return [dict(zip(options, values)) for values in itertools.product(*options.values())]


VARIANTS = [(game, options) for game in cardsol.names() for options in combinations(game)]
SOME = 6
"""Random episodes with each combination of options, by default."""
EPISODES = 1_000
"""Random episodes of each game in the long run, spread over its options."""

each_variant = pytest.mark.parametrize(
    ("game", "options"), VARIANTS, ids=[" ".join([game, *options.values()]) for game, options in VARIANTS]
)
each_game = pytest.mark.parametrize("game", cardsol.names())


def make(game: str, **given: Any) -> cardsol.gym.CardsolEnv:
    env = gymnasium.make(cardsol.gym.environment_id(game), **given).unwrapped
    assert isinstance(env, cardsol.gym.CardsolEnv)
    return env


@cache
def coded(deck: str) -> tuple[str, ...]:
    """Returns the cards of a deck in the order of their codes, as the documentation tells it."""
    cards = DECKS[deck].cards
    return tuple(sorted(set(cards), key=cards.index))


def read_board(rules: Any, board: Any) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Reads a board by the documentation alone: pile → face-down cards, face-up cards."""
    names = coded(rules.DECK)
    used = board[:, 1:] != 0
    counts = used.sum(axis=1)
    assert np.array_equal(used, np.arange(used.shape[1]) < counts[:, None]), "a gap between two cards"
    return {
        pile: (row[0], tuple(names[code - 1] for code in row[1 : 1 + count]))
        for pile, row, count in zip(rules.PILES, board.tolist(), counts.tolist())
    }


def check_seen(
    env: cardsol.gym.CardsolEnv, observation: Observation, info: Mapping[str, Any], game: Game, steps: int
) -> None:
    """Holds what the environment shows to the library's game."""
    view = game.view(hide_seed=True)
    assert observation in env.observation_space
    assert read_board(game.rules, observation["board"]) == {
        name: tuple(pile) for name, pile in view.piles.items()
    }
    legal = tuple(env.tokens[action] for action in np.flatnonzero(observation["action_mask"]).tolist())
    assert legal == tuple(game.legal_moves) == info["legal"]
    facts = dict(zip(env.table.facts, observation["facts"].tolist()))
    assert (facts.pop("score"), facts.pop("steps")) == (game.score, steps)
    ranks = DECKS[game.rules.DECK].ranks
    for key, value in facts.items():
        due = view.extra[key]
        assert value == (due if isinstance(due, int) else 1 + ranks.index(due)), key
    assert info["status"] == game.status
    assert dict(info["view"]) == view.as_dict()


def play_an_episode(game: str, options: Mapping[str, str], seed: int, chance: random.Random) -> int:
    """Plays at random in the environment and the library at once, and returns the steps."""
    env = make(game, max_steps=300, **options)
    played = cardsol.deal(game, seed=seed, options=options)
    actions = {token: action for action, token in enumerate(env.tokens)}
    observation, info = env.reset(seed=seed)
    check_seen(env, observation, info, played, 0)
    over, steps = False, 0
    while not over:
        token = chance.choice(played.legal_moves)
        before = played.score
        played.push(token)
        steps += 1
        observation, reward, terminated, truncated, info = env.step(actions[token])
        check_seen(env, observation, info, played, steps)
        assert reward == played.score - before
        assert terminated is (played.status != "playing")
        assert truncated is (steps == 300 and not terminated)
        over = terminated or truncated
    assert env.game.moves == played.moves and env.game.deck == played.deck
    return steps


@each_variant
def test_gymnasium_finds_nothing_wrong(game: str, options: dict[str, str]) -> None:
    check_env(make(game, **options))
    check_env(make(game, reward="win", illegal_reward=-1, max_steps=50, render_mode="ansi", **options))


@each_variant
def test_an_episode_is_the_game_of_the_library(game: str, options: dict[str, str]) -> None:
    chance = random.Random(f"{game} {options}")
    assert sum(play_an_episode(game, options, seed, chance) for seed in range(SOME)) > 10 * SOME


@pytest.mark.long
@each_game
def test_a_thousand_episodes_are_the_games_of_the_library(game: str) -> None:
    chance = random.Random(game)
    variants = combinations(game)
    steps = [
        play_an_episode(game, options, seed, chance)
        for seed, options in zip(range(EPISODES), itertools.cycle(variants))
    ]
    assert len(steps) == EPISODES


def with_other_hidden_cards(game: Game, chance: random.Random) -> tuple[str, ...]:
    """Returns the deck with the cards mixed that were never face up, nor another card of their name."""
    seen = {card for state in game.states for pile in game.rules.piles(state).values() for card in pile.up}
    places = [place for place, card in enumerate(game.deck) if card not in seen]
    deck = list(game.deck)
    for place, other in zip(places, chance.sample(places, len(places))):
        deck[place] = game.deck[other]
    return tuple(deck)


def dealing(deck: Sequence[str]) -> Callable[[str, str], tuple[str, ...]]:
    """Stands in for the shuffle, and deals this deck."""
    return lambda name, seed: tuple(deck)


def everything_told(env: cardsol.gym.CardsolEnv, actions: list[int]) -> list[Any]:
    """Returns all that comes out of an episode from the deal on, whose deck is chosen already."""
    observation, info = env.reset(options={"seed": "twins"})
    told: list[Any] = [({key: value.tolist() for key, value in observation.items()}, plain(info))]
    for action in actions:
        observation, reward, terminated, truncated, info = env.step(action)
        seen = {key: value.tolist() for key, value in observation.items()}
        told.append((seen, reward, terminated, truncated, plain(info), env.render()))
    return told


def plain(info: Mapping[str, Any]) -> dict[str, Any]:
    return {**info, "view": dict(info["view"])}


@each_variant
def test_deals_that_look_the_same_give_the_same_observations_and_infos(
    game: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(f"twins {game} {options}")
    env = make(game, render_mode="ansi", **options)
    twins = 0
    while twins < 12:
        deck = list(DECKS[rules_of(game).DECK].cards)
        chance.shuffle(deck)
        # A progressive game takes no deck, so that the deck is slipped in where the seed is dealt from.
        monkeypatch.setattr("cardsol.game.shuffled", dealing(deck))
        env.reset(options={"seed": "twins"})
        actions = []
        for _ in range(chance.randrange(40)):
            legal = env.game.legal_moves
            if not legal or env.game.view().extra.get("round", 1) != 1:
                break
            # Some are illegal: the reasons tell no more than the rest.
            token = chance.choice(legal) if chance.randrange(5) else chance.choice(env.tokens)
            actions.append(env.tokens.index(token))
            env.step(actions[-1])
        if env.game.view().extra.get("round", 1) != 1:
            continue
        other = with_other_hidden_cards(env.game, chance)
        if other == tuple(deck):
            continue
        one = everything_told(env, actions)
        monkeypatch.setattr("cardsol.game.shuffled", dealing(other))
        assert everything_told(env, actions) == one
        assert env.game.deck == other
        twins += 1


def test_every_game_has_an_id() -> None:
    assert cardsol.gym.register()[:5] == (
        "cardsol/Universal-v0",
        "cardsol/ThreePeaks-v0",
        "cardsol/VanishingCross-v0",
        "cardsol/RougeEtNoir-v0",
        "cardsol/Camelot-v0",
    )
    assert len(cardsol.gym.register()) == len(cardsol.names())
    assert set(cardsol.gym.register()) <= set(gymnasium.registry)


def test_gymnasium_can_be_told_to_import_the_package() -> None:
    program = (
        "import gymnasium; env = gymnasium.make('cardsol.gym:cardsol/ThreePeaks-v0', scoring='multiplier');"
        " print(env.reset(seed=1)[1]['view']['options']['scoring'])"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "multiplier\n", "")


def test_without_gymnasium_the_import_says_what_is_missing() -> None:
    program = "import sys; sys.modules['gymnasium'] = None; import cardsol.gym"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "cardsol.gym needs the packages gymnasium and numpy" in done.stderr


def test_an_added_game_has_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "plugin"))
    monkeypatch.setattr(registry, "BUILT_IN", {**registry.BUILT_IN, "golf": "cardsol_golf"})
    monkeypatch.setattr(gymnasium.envs.registration, "registry", dict(gymnasium.registry))
    monkeypatch.setattr(gymnasium, "registry", gymnasium.envs.registration.registry)
    monkeypatch.setattr(registry, "_found", dict(registry._found))
    assert "cardsol/Golf-v0" in cardsol.gym.register()
    for wrap in ("off", "on"):
        env = make("golf", wrap=wrap)
        check_env(env)
        assert env.table.facts == ("score", "steps", "left")
        assert play_an_episode("golf", {"wrap": wrap}, 1, random.Random(wrap)) > 16


@each_game
def test_a_seed_deals_as_the_command_does(game: str) -> None:
    env = make(game)
    env.reset(seed=7)
    assert env.game.deck == cardsol.deal(game, seed="7").deck
    env.reset(options={"seed": "the seventh"})
    assert env.game.deck == cardsol.deal(game, seed="the seventh").deck
    deck = cardsol.deal(game, seed="8").deck
    env.reset(options={"deck": " ".join(deck)})
    assert (env.game.deck, env.game.seed) == (deck, None)


def test_deals_without_a_seed_follow_from_the_last_one_given() -> None:
    one, other = make("camelot"), make("camelot")
    decks = []
    for env in (one, other):
        env.reset(seed=5)
        for _ in range(3):
            env.reset()
            decks.append(env.game.deck)
    assert decks[:3] == decks[3:]
    assert len(set(decks)) == 3


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"seed": ""}, cardsol.BadSeed),
        ({"deck": "AS"}, cardsol.BadDeck),
        ({"seed": "1", "deck": "AS"}, cardsol.BadDeck),
        ({"sede": "1"}, ValueError),
    ],
)
def test_a_deal_that_cannot_be_is_refused(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        make("camelot").reset(options=options)


@pytest.mark.parametrize(
    "given",
    [
        {"scoring": "clasic"},
        {"draw": 3},
        {"reward": "points"},
        {"max_steps": 0},
        {"max_steps": 20_001},
        {"render_mode": "human"},
    ],
    ids=str,
)
def test_a_wrong_argument_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        cardsol.gym.CardsolEnv("three-peaks", **given)


def test_a_wrong_game_is_refused() -> None:
    with pytest.raises(cardsol.UnknownGame):
        cardsol.gym.CardsolEnv("three-peeks")


@each_game
def test_an_illegal_action_changes_nothing_and_the_reason_is_told(game: str) -> None:
    env = make(game, illegal_reward=-0.5)
    before, told = env.reset(seed=3)
    due = cardsol.deal(game, seed=3)
    for steps, action in enumerate(np.flatnonzero(before["action_mask"] == 0).tolist()[:40], start=1):
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-0.5, False, False)
        assert info["illegal"] == due.why_not(env.tokens[action])
        assert observation["facts"][1] == steps
        assert np.array_equal(observation["board"], before["board"])
        assert info["legal"] == told["legal"] and dict(info["view"]) == dict(told["view"])
    assert env.game.moves == ()


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (-1, gymnasium.error.InvalidAction),
        (153, gymnasium.error.InvalidAction),
        (1.0, TypeError),
        (np.float64(1), TypeError),
        ("draw", TypeError),
        (None, TypeError),
        (np.array([1]), TypeError),
        (True, TypeError),
        (np.True_, TypeError),
    ],
    ids=repr,
)
def test_what_is_no_action_is_refused(action: Any, error: type[Exception]) -> None:
    env = make("camelot")
    env.reset(seed=1)
    assert len(env.tokens) == 153
    with pytest.raises(error):
        env.step(action)
    assert env.game.moves == ()


def test_a_step_needs_a_reset() -> None:
    env = make("camelot", render_mode="ansi")
    for call in (lambda: env.step(0), env.render, lambda: env.game):
        with pytest.raises(gymnasium.error.ResetNeeded):
            call()


def won_game() -> Game:
    """Finds a win of Three Peaks by playing at random, but never a draw where a card goes."""
    for seed in range(5_000):
        game = cardsol.deal("three-peaks", seed=seed)
        chance = random.Random(seed)
        while game.status == "playing":
            cards = [token for token in game.legal_moves if token != "draw"]
            game.push(chance.choice(cards or ["draw"]))
        if game.status == "won":
            return game
    raise AssertionError("no deal was won")


def test_a_win_is_worth_one_with_that_reward_and_ends_the_episode() -> None:
    game = won_game()
    env = make("three-peaks", reward="win")
    env.reset(seed=int(game.seed or ""))
    ends = [env.step(env.tokens.index(token))[1:3] for token in game.moves]
    assert ends[:-1] == [(0.0, False)] * (len(ends) - 1)
    assert ends[-1] == (1.0, True)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["status"]) == (0.0, True, "won")
    assert info["illegal"] == "the game is already won"


def test_an_episode_is_cut_off_after_max_steps_legal_or_not() -> None:
    env = make("rouge-et-noir", max_steps=3)
    env.reset(seed=1)
    draw, wrong = env.tokens.index("draw"), env.tokens.index("t1-k")
    assert [env.step(action)[3] for action in (draw, wrong, draw)] == [False, False, True]


@each_game
def test_the_board_is_that_of_the_show_command(game: str) -> None:
    env = make(game, render_mode="ansi")
    _, info = env.reset(seed=1)
    played = cardsol.deal(game, seed=1)
    for token in info["legal"][:1]:
        assert env.render() == "\n".join(lines(played, hide_seed=True))
        env.step(env.tokens.index(token))
        played.push(token)
        assert env.render() == "\n".join(lines(played, hide_seed=True))
    assert make(game).render() is None


@each_game
def test_what_was_handed_out_stays_as_it_was(game: str) -> None:
    """Arrays may be written to, and the view is that of its moment also when it is looked at later."""
    env, untouched = make(game), make(game)
    chance = random.Random(game)
    played = cardsol.deal(game, seed=2)
    observation, info = env.reset(seed=2)
    untouched.reset(seed=2)
    kept: list[tuple[Mapping[str, object], dict[str, object]]] = []
    while info["legal"] and len(kept) < 60:
        kept.append((info["view"], played.view(hide_seed=True).as_dict()))
        for array in observation.values():
            array[...] = 1
        token = chance.choice(info["legal"])
        played.push(token)
        observation, *_, info = env.step(env.tokens.index(token))
        due, *_ = untouched.step(env.tokens.index(token))
        assert all(np.array_equal(observation[key], due[key]) for key in due)
    for view, facts in kept:
        assert dict(view) == facts
        assert pickle.loads(pickle.dumps(view)) == facts


@each_game
def test_a_copy_plays_on_by_itself(game: str) -> None:
    env = make(game)
    _, info = env.reset(seed=4)
    chance = random.Random(game)
    for _ in range(10):
        *_, info = env.step(env.tokens.index(chance.choice(info["legal"])))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        action = env.tokens.index(info["legal"][0])
        made = env.game.moves
        observation, *_, seen = twin.step(action)
        assert env.game.moves == made
        check_seen(twin, observation, seen, twin.game, 11)


def test_environments_run_in_a_vector() -> None:
    envs = gymnasium.make_vec("cardsol/Camelot-v0", 3, vectorization_mode="sync")
    observations, infos = envs.reset(seed=1)
    assert observations["board"].shape == (3, 19, 53)
    for _ in range(120):
        actions = [int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in observations["action_mask"]]
        observations, *_, infos = envs.step(np.array(actions))
    assert set(infos) >= {"legal", "view"}
    envs.close()


def test_every_deck_fits_a_byte_with_a_sign() -> None:
    assert max(len(deck.cards) for deck in DECKS.values()) <= np.iinfo(np.int8).max


@pytest.mark.parametrize("home", [cardsol.gym, cardsol.gym.registration])
def test_the_examples_in_docstrings_are_true(home: Any) -> None:
    failed, tried = doctest.testmod(home)
    assert tried and not failed


def test_the_examples_in_the_manual_are_true() -> None:
    failed, tried = doctest.testfile(
        str(ROOT / "cardsol" / "gym" / "README.md"), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert tried > 5 and not failed


def test_the_manual_tells_the_sizes_of_every_game() -> None:
    text = (ROOT / "cardsol" / "gym" / "README.md").read_text("utf-8")
    for game in registry.BUILT_IN:
        for options in combinations(game):
            table = make(game, **options).table
            rows, width = table.shape
            size = f"{rows} × {width}"
            facts = ", ".join(f"`{key}`" for key in table.facts[2:]) or "none"
            start = f"| `{cardsol.gym.environment_id(game)}`"
            line = next(line for line in text.splitlines() if line.startswith(start))
            assert size in line and facts in line and f"{len(table.tokens):,}" in line, (game, options)
