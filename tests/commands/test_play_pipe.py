"""`cardsol play` in a pipe: the hello line, then a line out for each line in."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.cli.pipe import ViewJson, written
from cardsol.session import REQUESTS
from tests.support.engine import VARIANTS
from tests.support.harness import COMMAND, PYTHON, environment
from tests.support.harness import run_loaded as run


def talk(folder: Path, *words: str, lines: str) -> list[Any]:
    done = run("play", *words, folder=folder, given=lines)
    assert (done.status, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]


def test_hello_comes_first_and_each_line_has_one_reply(tmp_path: Path) -> None:
    lines = '{"move": ["d3"]}\nundo\n{"hint": {"worlds": 1}}\nscore\nd1\nnonsense here\n\n{"show": true}\n'
    hello, *replies = talk(tmp_path, "three-peaks", "--seed", "1", "--no-save", lines=lines)
    assert hello["hello"]["protocol"] == "cardsol-play" and hello["hello"]["version"] == 1
    assert hello["view"] == cardsol.deal("three-peaks", seed=1).view().as_dict()
    assert len(replies) == lines.count("\n")
    assert [reply["error"]["status"] for reply in replies if "error" in reply] == [4, 2, 2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_a_view_is_written_in_parts_as_it_would_be_in_one(game: str, options: dict[str, str]) -> None:
    chance = random.Random(game)
    # A seed may hold what the text of a view does.
    played = cardsol.deal(game, seed='"piles": {} \u2660', options=options)
    for _ in range(60):
        view = played.view()
        due = json.dumps(view.as_dict(), ensure_ascii=False) + "\n"
        assert written(ViewJson(view)) == due.encode()
        if not played.legal_moves:
            break
        played.push(chance.choice(played.legal_moves))


def test_each_step_is_saved_as_by_move(tmp_path: Path) -> None:
    talk(tmp_path, "three-peaks", "--seed", "1", lines="d3\ndraw\nundo\n")
    run("deal", "three-peaks", "--seed", "1", "-f", "other.json", folder=tmp_path)
    for words in (["move", "d3"], ["move", "draw"], ["undo"]):
        assert run(*words, "-f", "other.json", folder=tmp_path).status == 0
    assert (tmp_path / "cardsol.json").read_bytes() == (tmp_path / "other.json").read_bytes()


def test_it_goes_on_with_the_game_of_the_save(tmp_path: Path) -> None:
    run("deal", "camelot", "--seed", "4", folder=tmp_path)
    run("move", "draw", folder=tmp_path)
    assert talk(tmp_path, lines="")[0]["view"]["made"] == 1
    assert talk(tmp_path, "camelot", lines="")[0]["view"]["made"] == 1
    assert talk(tmp_path, "camelot", "--seed", "4", lines="")[0]["view"]["made"] == 1


def test_a_game_in_play_is_not_replaced_unasked(tmp_path: Path) -> None:
    run("deal", "camelot", "--seed", "4", folder=tmp_path)
    before = (tmp_path / "cardsol.json").read_bytes()
    for words in (["universal"], ["camelot", "--seed", "5"]):
        done = run("play", *words, folder=tmp_path)
        assert (done.status, done.out) == (4, "")
        assert done.err.startswith("cardsol: 'cardsol.json' holds a") and "game of camelot" in done.err
        assert ("another" in done.err) == (words[0] == "camelot")
        assert (tmp_path / "cardsol.json").read_bytes() == before
    deal = '{"deal": {"game": "universal", "seed": 1}}\n'
    refusal = talk(tmp_path, lines=deal)[1]["error"]
    assert refusal["status"] == 4 and refusal["message"].endswith('; {"deal": {"force": true}} replaces it')
    assert talk(tmp_path, "universal", "--force", lines="")[0]["view"]["game"] == "universal"


def test_what_another_command_writes_is_gone_on_from(tmp_path: Path) -> None:
    with subprocess.Popen(
        [COMMAND, "play", "three-peaks", "--seed", "1"], cwd=tmp_path, env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as table:  # fmt: skip
        assert table.stdin is not None and table.stdout is not None
        assert json.loads(table.stdout.readline())["view"]["made"] == 0
        assert run("move", "d3", folder=tmp_path).status == 0
        table.stdin.write("draw\n")
        table.stdin.flush()
        assert json.loads(table.stdout.readline())["made"] == 2
        table.stdin.close()
        assert table.wait(10) == 0


def test_quit_ends_it_and_nothing_after_is_read(tmp_path: Path) -> None:
    replies = talk(tmp_path, "camelot", "--no-save", lines="quit\ndraw\n")
    assert replies[1:] == [{"quit": True}]


def test_a_kill_leaves_the_last_step_whole(tmp_path: Path) -> None:
    with subprocess.Popen(
        [COMMAND, "play", "three-peaks", "--seed", "1"], cwd=tmp_path, env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as table:  # fmt: skip
        assert table.stdin is not None and table.stdout is not None
        table.stdout.readline()
        table.stdin.write("d3\n")
        table.stdin.flush()
        table.stdout.readline()
        table.kill()
    assert cardsol.load(tmp_path / "cardsol.json").moves == ("d3",)


@pytest.mark.parametrize("words", [["-f", "-"], ["--seed", "1"], ["--no-save", "-f", "a.json"], ["--force"]])
def test_options_that_do_not_go_together_are_refused(words: list[str], tmp_path: Path) -> None:
    assert run("play", *words, folder=tmp_path).status == 2


def test_a_line_that_is_too_long_is_refused_and_the_next_is_read(tmp_path: Path) -> None:
    replies = talk(tmp_path, "camelot", "--no-save", lines="x" * (3 << 20) + "\ndraw\n")
    assert replies[1]["error"]["status"] == 2 and replies[2]["made"] == 1


PYTHON_CLIENT = """
import json, subprocess, sys
table = subprocess.Popen([sys.argv[1], "play", "three-peaks", "--seed", "1", "--no-save"], text=True,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
view = json.loads(table.stdout.readline())["view"]
while view["legal"]:
    print(json.dumps({"move": [view["legal"][0]]}), file=table.stdin, flush=True)
    view = json.loads(table.stdout.readline())
print(view["score"])
"""

SHELL_CLIENT = """
mkfifo requests replies
"$1" play three-peaks --seed 1 --no-save < requests > replies &
exec 3> requests 4< replies
while IFS= read -r line <&4; do
    legal=${line##*'"legal": ["'}
    case $legal in
        "$line") break ;;
    esac
    echo "${legal%%'"'*}" >&3
done
score=${line##*'"score": '}
echo "${score%%,*}"
"""

AWK_CLIENT = """
mkfifo requests replies
"$1" play three-peaks --seed 1 --no-save < requests > replies &
awk -W interactive '{
    if (!match($0, /"legal": \\["[^"]*/)) { match($0, /"score": -?[0-9]+/)
        print substr($0, RSTART + 9, RLENGTH - 9) > "/dev/stderr"; exit }
    print substr($0, RSTART + 11, RLENGTH - 11); fflush()
}' > requests < replies 2> score
cat score
"""


@pytest.mark.parametrize("client", ["python", "sh", "awk"])
def test_a_client_in_any_language_plays_a_game_to_its_end(client: str, tmp_path: Path) -> None:
    if shutil.which(client) is None and client != "python":
        pytest.skip(f"no {client} here")
    words = {
        "python": [PYTHON, "-c", PYTHON_CLIENT, COMMAND],
        "sh": ["sh", "-c", SHELL_CLIENT, "sh", COMMAND],
        "awk": ["sh", "-c", AWK_CLIENT, "sh", COMMAND],
    }[client]
    done = subprocess.run(
        words, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    game = cardsol.deal("three-peaks", seed=1)
    while game.legal_moves:
        game.push(game.legal_moves[0])
    assert done.stdout.strip() == str(game.score), done.stderr


SURROGATES = [
    *(json.dumps({name: "\ud800"}) for name in REQUESTS),
    *(json.dumps({name: ["\ud800"]}) for name in REQUESTS),
    *(json.dumps({name: {"\ud800": "\ud800"}}) for name in REQUESTS),
    *(
        json.dumps({"deal": {"game": "three-peaks", "force": True, key: value}})
        for key in ("game", "seed", "deck", "options", "force", "\ud800")
        for value in ("\ud800", ["\ud800"], {"scoring": "\ud800"}, {"\ud800": "x"})
    ),
    *('{"move": "d3 \\ud800"}', '{"\\ud800": 1}', '{"hint": {"worlds": "\\ud800"}}', '"\\ud800"', '["\\ud800"]'),
]  # fmt: skip
"""Requests with half of a surrogate pair, which JSON can write and UTF-8 can't hold, in every place."""


def test_half_a_surrogate_pair_anywhere_in_a_request_costs_that_request_alone(tmp_path: Path) -> None:
    lines = SURROGATES
    _, *replies = talk(
        tmp_path, "three-peaks", "--seed", "1", "--no-save", lines="\n".join([*lines, "show", ""])
    )
    assert len(replies) == len(lines) + 1
    for line, reply in zip(lines, replies):
        assert '"help"' in line or reply["error"]["status"] in (2, 4), line
    assert replies[lines.index('{"move": ["\\ud800"]}')]["error"]["token"] == "\ud800"
    assert replies[-1]["status"] == "playing"


def test_another_seed_and_the_right_one_get_one_answer_while_a_deal_is_sealed(tmp_path: Path) -> None:
    """Else a sealed deal could be found by trying seeds, such as the dates of daily deals."""
    dealt = ["deal", "three-peaks", "--daily=2026-12-01", "--sealed", "-q"]
    assert run(*dealt, folder=tmp_path).status == 0
    before = (tmp_path / "cardsol.json").read_bytes()
    guesses = (
        ["--daily=2026-12-01"],
        ["--daily=2026-12-02"],
        ["--seed", "daily-2026-12-01"],
        ["--seed", "1"],
    )
    answers = {run("play", "three-peaks", *guess, folder=tmp_path) for guess in guesses}
    assert len(answers) == 1
    status, out, err = answers.pop()
    assert (status, out, err.count("\n")) == (4, "", 1) and "sealed until the game is over" in err
    assert {run("play", "camelot", *guess, folder=tmp_path).status for guess in guesses} == {4}
    assert (tmp_path / "cardsol.json").read_bytes() == before
    assert talk(tmp_path, "three-peaks", lines="")[0]["view"]["seed"] is None
