"""A session answers requests: as objects, and as the words of a player."""

from __future__ import annotations

import json
from typing import Any

import pytest

import cardsol
from cardsol.errors import BadRequest, CardsolError, GameInTheWay, IllegalMove, NoGame, NoSuchMove
from cardsol.session import REQUESTS, Memory, Quit, Request, Session, read_line


def session(**kept: Any) -> Session:
    return Session(Memory(cardsol.deal("three-peaks", seed=1)), **kept)


def ask(there: Session, line: str) -> dict[str, Any]:
    return there.answer(read_line(line.encode()))


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ('{"move": ["d4", "draw"]}', Request("move", ["d4", "draw"])),
        ("d4 draw", Request("move", ["d4", "draw"])),
        ("move d4", Request("move", ["d4"])),
        ("d4 # a comment", Request("move", ["d4"])),
        ('{"undo": 2}', Request("undo", 2)),
        ("u 2", Request("undo", 2)),
        ("undo all", Request("undo", "all")),
        ("r", Request("redo", 1)),
        ("H", Request("hint", {})),
        ("hint 4", Request("hint", {"worlds": 4})),
        ("m", Request("moves", True)),
        ("s", Request("score", True)),
        ("board", Request("show", True)),
        ("q", Request("quit", True)),
        ("?", Request("help", True)),
        ("m 6H", Request("moves", "6H")),
        ("deal camelot --force", Request("deal", {"game": "camelot", "force": True})),
        ("deal camelot 7 force", Request("deal", {"game": "camelot", "seed": "7", "force": True})),
        ("deal universal -o draw=2 --seed 7", Request("deal", {"game": "universal", "seed": "7",
                                                               "options": {"draw": "2"}})),
        ("deal universal --option=draw=2 --seed=-1", Request("deal", {"game": "universal", "seed": "-1",
                                                                      "options": {"draw": "2"}})),
        ("deal", Request("deal", {})),
        ("deal three-peaks 7 scoring=multiplier",
         Request("deal", {"game": "three-peaks", "seed": "7", "options": {"scoring": "multiplier"}})),
    ],
)  # fmt: skip
def test_a_request_is_an_object_or_the_words_of_a_player(line: str, request_: Request) -> None:
    assert read_line(line.encode()) == request_


@pytest.mark.parametrize(
    "line",
    ['{"move": ["d3"], "move": ["d10"]}', '{"hint": {"worlds": 1, "worlds": 2}}', '{"undo": 1, "undo": 1}',
     "", "   ", "# nothing", "{", "[1]", "{}", '{"move": ["d4"], "undo": 1}', '{"mvoe": ["d4"]}', '"d4"',
     "undo x", "undo 1 2", "undo " + "9" * 5000, "redo ٣", "hint x", "hint " + "9" * 5000,
     "score 3", "deal a b c", "moves 6H 7H", "deal camelot -q", "deal camelot --deck x",
     "deal camelot -1", "deal universal draw=2 draw=3", "deal universal -o", "deal universal -o draw",
     "deal camelot 7 --seed 8", '{"move": [' * 5000],
)  # fmt: skip
def test_what_is_no_request_is_refused_in_one_line(line: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_line(line.encode())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    ['{"move": []}', '{"move": [1]}', '{"move": {}}', '{"undo": 0}', '{"undo": true}', '{"undo": "x"}',
     '{"show": {"at": -1}}', '{"show": 3}', '{"hint": {"worlds": 0}}',
     '{"hint": {"x": 1}}', '{"hint": {"seconds": -1}}',
     '{"hint": {"seconds": 1e999}}', '{"deal": []}', '{"deal": {"x": 1}}', '{"deal": {"game": 1}}', '{"score": {}}'],
)  # fmt: skip
def test_a_request_with_a_wrong_value_is_refused(line: str) -> None:
    with pytest.raises(BadRequest):
        ask(session(), line)


def test_a_move_is_answered_with_the_view() -> None:
    there = session()
    twin = cardsol.deal("three-peaks", seed=1)
    twin.push("d3")
    assert ask(there, '{"move": ["d3"]}') == twin.view().as_dict()


def test_moves_are_made_all_or_none() -> None:
    there = session()
    before = ask(there, "show")
    with pytest.raises(IllegalMove):
        ask(there, "d3 d1")
    assert ask(there, "show") == before


def test_undo_and_redo_go_through_the_history() -> None:
    there = session()
    ask(there, "d3 draw")
    assert ask(there, "u")["made"] == 1
    assert ask(there, "undo all")["made"] == 0
    assert ask(there, "r 2")["made"] == 2
    assert ask(there, '{"redo": "all"}')["made"] == 2
    with pytest.raises(NoSuchMove):
        ask(there, "r")
    with pytest.raises(NoSuchMove):
        ask(there, "u 3")


def test_the_board_is_shown_as_it_was() -> None:
    there = session()
    start = ask(there, "show")
    ask(there, "d3")
    then = ask(there, '{"show": {"at": 0}}')
    assert (then["piles"], then["made"]) == (start["piles"], 0)
    with pytest.raises(NoSuchMove):
        ask(there, '{"show": {"at": 2}}')


def test_moves_and_score_are_those_of_the_commands() -> None:
    there = session()
    assert [move["token"] for move in ask(there, "moves")["moves"]] == ["d2", "d3", "d4", "d9", "draw"]
    assert set(ask(there, "moves")["moves"][0]) == {"token", "kind", "from", "to", "cards", "text"}
    assert ask(there, "score") == {
        "score": 0, "max": 466, "status": "playing", "run": 0, "round": 1, "undos": 0,
    }  # fmt: skip


def test_a_hint_is_legal_and_tells_why() -> None:
    found = ask(session(), "hint 2")
    assert found["token"] in ask(session(), "show")["legal"] and found["reason"]


def test_a_deal_goes_on_with_the_game_and_options_of_the_last() -> None:
    there = session()
    ask(there, '{"deal": {"game": "universal", "options": {"draw": 3}, "seed": 5, "force": true}}')
    view = ask(there, '{"deal": {"seed": "6", "force": true}}')
    assert (view["game"], view["options"], view["seed"]) == ("universal", {"draw": "3"}, "6")
    assert ask(there, '{"deal": {"force": true}}')["seed"] not in ("5", "6")


@pytest.mark.parametrize("line", ['{"deal": true}', "deal", "deal camelot 7", '{"deal": {"force": false}}'])
def test_a_game_that_is_still_played_is_replaced_by_force_only(line: str) -> None:
    there = session()
    with pytest.raises(GameInTheWay, match="a game of three-peaks is still being played"):
        ask(there, line)
    assert ask(there, "show")["seed"] == "1"


@pytest.mark.parametrize("name", ["6H", "6♥", "d2"])
def test_moves_may_be_those_of_a_card_or_pile(name: str) -> None:
    for line in (f"m {name}", json.dumps({"moves": name})):
        assert [move["token"] for move in ask(session(), line)["moves"]] == ["d2"]
    with pytest.raises(BadRequest, match="neither a pile"):
        ask(session(), "m t99")


def test_without_a_game_everything_but_a_deal_is_refused() -> None:
    there = Session(Memory())
    assert there.hello()["view"] is None
    for line in ("show", "d3", "u", "moves", "score", "hint", '{"deal": true}'):
        with pytest.raises(NoGame):
            ask(there, line)
    assert ask(there, '{"deal": {"game": "camelot"}}')["game"] == "camelot"


def test_what_is_not_allowed_is_refused() -> None:
    there = session(allowed=("move", "quit"))
    assert there.hello()["hello"]["requests"] == ["move", "quit"]
    for name in REQUESTS.keys() - {"move", "quit"}:
        with pytest.raises(BadRequest, match="not answered here"):
            ask(there, name)


def test_a_hidden_seed_stays_hidden_in_every_reply() -> None:
    there = Session(Memory(cardsol.deal("three-peaks", seed="my seed")), hide_seed=True)
    for line in ("show", "d3", "u", "r", "moves", "score", "hint 1", '{"show": {"at": 0}}'):
        try:
            reply = ask(there, line)
        except CardsolError as error:
            reply = {"message": str(error)}
        assert "my seed" not in json.dumps(reply)
    assert "my seed" not in json.dumps(there.hello())


def test_quit_ends_the_session() -> None:
    with pytest.raises(Quit):
        ask(session(), "q")
