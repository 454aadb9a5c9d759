"""Players: what they are given, and how packages add them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import cardsol
from cardsol.survey.players import PLAYERS, Seat, greedily, names, resolve
from tests.support import harness

PACKAGE = """
def first(seat):
    assert seat.view().seed is None
    while seat.fresh:
        seat.play(seat.fresh[0])


def cheat(seat):
    seat.play("d1+d2" if seat.game == "camelot" else "draw")


number = 7


def leaves(seat):
    raise SystemExit(0)


class Odd(BaseException):
    pass


def odd(seat):
    raise Odd("\x1b[2J" + "many lines\\n" * 20000)


"""
NOISY = """
print("NOISE")


def noisy(seat):
    print("NOISE")
"""
ENTRIES = """[cardsol.players]
first = my_players:first
cheat = my_players:cheat
number = my_players:number
leaves = my_players:leaves
odd = my_players:odd
noisy = my_noise:noisy
gone = no_such_package:player
exec:bot = my_players:first
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a machine where a package of players is installed."""
    (tmp_path / "my_players.py").write_text(PACKAGE)
    (tmp_path / "my_noise.py").write_text(NOISY)
    facts = tmp_path / "my_players-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: my-players\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(ENTRIES)
    return {"PYTHONPATH": str(tmp_path)}


def test_a_package_adds_a_player(environment: dict[str, str], tmp_path: Path) -> None:
    words = ("survey", "camelot", "--player", "first", "--seeds", "1..3", "--jobs", "1")
    done = harness.run_loaded(*words, folder=tmp_path, env=environment)
    assert done.status == 0, done.err
    for record in map(json.loads, done.out.splitlines()):
        game = cardsol.deal("camelot", seed=record["seed"])
        for token in record["line"]:
            game.push(token)
        assert (record["player"], record["verdict"], record["score"]) == ("first", "lost", game.score)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("number", "it is of type int, not a function of a Seat"),
        ("gone", "ModuleNotFoundError: No module named 'no_such_package'"),
        ("frist", "did you mean first|perhaps first is meant"),
        ("exec:no-such-bot", "there is no program 'no-such-bot'"),
    ],
)
def test_a_player_that_cannot_be_used_is_named_in_one_line(
    name: str, says: str, environment: dict[str, str], tmp_path: Path
) -> None:
    done = harness.run_loaded(
        "survey", "camelot", "--player", name, "--seeds", "1", folder=tmp_path, env=environment
    )
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
    assert any(part in done.err for part in says.split("|")), done.err


def test_a_player_that_breaks_the_rules_loses_no_other_deal(
    environment: dict[str, str], tmp_path: Path
) -> None:
    words = ("survey", "camelot", "--player", "cheat", "--seeds", "1..2", "--jobs", "1")
    done = harness.run_loaded(*words, folder=tmp_path, env=environment)
    assert done.status == 0
    assert [json.loads(line)["verdict"] for line in done.out.splitlines()] == ["error", "error"]
    assert "failed" in done.err and "Traceback" not in done.err


def test_a_seat_shows_what_is_seen_and_moves() -> None:
    game = cardsol.deal("three-peaks", seed=1)
    seat = Seat(game)
    assert seat.view() == game.view(hide_seed=True)
    assert (seat.game, seat.options, seat.legal) == (game.name, game.options, game.legal_moves)
    with pytest.raises(cardsol.IllegalMove):
        seat.play("d1")
    assert game.moves == ()
    seat.play(seat.legal[0])
    assert len(game.moves) == 1 and seat.view().made == 1


def test_nothing_public_of_a_seat_holds_the_seed_or_the_deck() -> None:
    seed = "a seed that is nowhere else"
    seat = Seat(cardsol.deal("universal", seed=seed))
    public = [getattr(seat, name) for name in dir(seat) if not name.startswith("_")]
    assert seed not in repr([value for value in public if not callable(value)])
    assert seed not in repr(seat.view())


def test_equal_deals_have_equal_random_numbers() -> None:
    first, same, other = (Seat(cardsol.deal("camelot", seed=seed)).random.random() for seed in (1, 1, 2))
    assert first == same != other


def test_the_built_in_players_have_their_names() -> None:
    assert names()[:4] == ("solve", "hint", "greedy", "random")
    assert resolve("greedy") is greedily and set(PLAYERS) == {"hint", "greedy", "random"}
    with pytest.raises(cardsol.BadOption, match="no player is named 'nobody'"):
        resolve("nobody")


@pytest.mark.parametrize("player", ["leaves", "odd"])
def test_a_player_that_leaves_loses_no_other_deal(
    player: str, environment: dict[str, str], tmp_path: Path
) -> None:
    words = ("survey", "camelot", "--player", player, "--seeds", "1..2", "--jobs", "1")
    done = harness.run_loaded(*words, folder=tmp_path, env=environment)
    assert done.status == 0
    assert [json.loads(line)["verdict"] for line in done.out.splitlines()] == ["error", "error"]
    assert "\x1b" not in done.err and len(done.err) < 1000


def test_what_a_player_prints_does_not_mix_with_the_records(
    environment: dict[str, str], tmp_path: Path
) -> None:
    words = ("survey", "camelot", "--player", "noisy", "--seeds", "1..2", "--jobs", "1")
    done = harness.run_loaded(*words, folder=tmp_path, env=environment)
    assert [json.loads(line)["seed"] for line in done.out.splitlines()] == ["1", "2"]
