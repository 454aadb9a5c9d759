"""Programs that play: `survey --player exec:COMMAND`. One that goes wrong loses that deal, and the survey goes on."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.survey import bots
from tests.support import harness
from tests.support.harness import COMMAND, PYTHON, environment
from tests.support.harness import run_loaded as run

BOTS = Path(__file__).parents[2] / "examples" / "bots"

HONEST = """
import json, sys
hello = json.loads(sys.stdin.readline())
view = hello["view"]
while True:
    done = view["status"] != "playing"
    print(json.dumps({"deal": True} if done else {"move": [view["legal"][0]]}), flush=True)
    view = json.loads(sys.stdin.readline())
"""
"""Plays the first legal move, deal after deal."""


def survey(folder: Path, bot: str, *words: str, seeds: str = "1..4", game: str = "three-peaks") -> list[Any]:
    (folder / "bot.py").write_text(bot)
    player = f"exec:{PYTHON} bot.py"
    done = run(
        "survey",
        game,
        "--seeds",
        seeds,
        "--jobs",
        "1",
        "--player",
        player,
        *words,
        folder=folder,
        timeout=120,
    )
    assert done.status == 0, done.err
    return [json.loads(line) for line in done.out.splitlines()]


def first_moves(seed: int) -> cardsol.Game:
    game = cardsol.deal("three-peaks", seed=seed)
    while game.legal_moves:
        game.push(game.legal_moves[0])
    return game


def test_a_bot_plays_each_seed_to_its_end(tmp_path: Path) -> None:
    records = survey(tmp_path, HONEST)
    assert [record["seed"] for record in records] == ["1", "2", "3", "4"]
    for record in records:
        game = first_moves(int(record["seed"]))
        assert (tuple(record["line"]), record["score"]) == (game.moves, game.score)
        assert record["verdict"] == ("won" if game.status == "won" else "lost") and "fault" not in record


def test_a_bot_that_ends_after_each_game_is_started_again(tmp_path: Path) -> None:
    once = HONEST.replace("    done =", "    if view['status'] != 'playing': break\n    done =")
    assert [tuple(record["line"]) for record in survey(tmp_path, once)] == [
        first_moves(seed).moves for seed in range(1, 5)
    ]


def test_a_bot_sees_neither_seed_nor_deck_and_has_no_undo_and_no_hint(tmp_path: Path) -> None:
    nosy = """
import json, sys
hello = sys.stdin.readline()
open("seen", "a").write(hello)
view = json.loads(hello)["view"]
while view["status"] == "playing":
    print(json.dumps({"move": [view["legal"][-1]]}), flush=True)
    line = sys.stdin.readline()
    open("seen", "a").write(line)
    view = json.loads(line)
"""
    survey(tmp_path, nosy, seeds="1234567..1234567")
    seen = (tmp_path / "seen").read_text()
    assert "1234567" not in seen and '"deck"' not in seen
    requests = json.loads(seen.splitlines()[0])["hello"]["requests"]
    assert not {"undo", "redo", "hint"} & set(requests)


@pytest.mark.parametrize(
    "request_", harness.some(['{"undo": 1}', '{"redo": 1}', '{"hint": true}', "h", "u"], 2)
)
def test_undo_and_hint_are_faults(request_: str, tmp_path: Path) -> None:
    (record,) = survey(tmp_path, f"import sys; sys.stdin.readline(); print('{request_}', flush=True)\n"
                       "sys.stdin.readline()", seeds="1..1")  # fmt: skip
    assert record["verdict"] == "lost" and "not answered here" in record["fault"]


AWK = ("awk", "-W", "interactive", "-f")
"""mawk waits for a full buffer without these words; other awks ignore them."""
FAULTS = {
    "it hangs": ("import time; time.sleep(600)", "no move within"),
    "it crashes": ("raise SystemExit(3)", "status 3"),
    "it is killed": ("import os; os.kill(os.getpid(), 9)", "signal 9"),
    "it ends": ("pass", "ended before"),
    "it talks nonsense": ("print('hello, world', flush=True); input()", "not a token"),
    "it sends broken JSON": ("print('{\"move\": [', flush=True); input()", "no JSON object"),
    "it sends bytes": ("sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); input()", "UTF-8"),
    "it makes an illegal move": ("print('d1', flush=True); input()", "illegal move d1"),
    "it quits": ("print('quit', flush=True); input()", "quit before"),
    "it never ends its line": ("print('x' * (3 << 20), end='', flush=True); input()", "bytes"),
}


@pytest.mark.parametrize("what", harness.some(FAULTS, 3))
def test_a_fault_loses_the_deal_and_the_survey_goes_on(what: str, tmp_path: Path) -> None:
    wrong, told = FAULTS[what]
    bot = f"""
import os, sys
if not os.path.exists("was here"):
    open("was here", "w").close()
    sys.stdin.readline()
    {wrong}
    sys.exit()
{HONEST}"""
    records = survey(tmp_path, bot, "--move-seconds", "2", seeds="1..3")
    assert records[0]["verdict"] == "lost" and told in records[0]["fault"]
    assert [tuple(record["line"]) for record in records[1:]] == [first_moves(2).moves, first_moves(3).moves]
    assert all("fault" not in record for record in records[1:])


SILENT = "ended before the game was over"
BLIND = {
    "an illegal move": ("print('a1')", "illegal move a1", 0),
    "a legal move, then an illegal one": ("print('draw'); print('a1')", "illegal move a1", 1),
    "a legal move": ("print('draw')", SILENT, 1),
    "a last line without its end": ("print('draw\\na1', end='')", "illegal move a1", 1),
    "nothing": ("", SILENT, 0),
    "more moves than there are": ("print('draw\\n' * 1000)", "illegal move draw", 23),
    "a deal that is given up": ("print('draw\\ndeal')", None, 1),
    "deals that are given up": ("print('deal\\ndraw\\ndeal')", None, None),
}
"""What a bot writes that reads nothing → its fault, and how many moves are made."""


WAITS = ("", "import time; time.sleep(0.3)", "os.close(0)", "sys.stdin.readline()")


@pytest.mark.parametrize(
    ("what", "wait"),
    [
        pytest.param(what, wait, marks=pytest.mark.long if wait and what != "a legal move" else ())
        for what in BLIND
        for wait in WAITS
    ],
)
def test_a_bot_is_judged_by_what_it_wrote_whenever_it_ends(what: str, wait: str, tmp_path: Path) -> None:
    wrong, told, moves = BLIND[what]
    (tmp_path / "bot.py").write_text(f"import os, sys\n{wrong}\nsys.stdout.flush()\n{wait}\nos._exit(0)")
    for seed in range(1, 4):
        game = cardsol.deal("three-peaks", seed=seed)
        fault = bots.play(f"{PYTHON} {tmp_path / 'bot.py'}", game)
        assert fault == "" if told is None else fault.startswith(told)
        assert moves is None or len(game.moves) == moves
    bots.dismiss_all()


def test_a_bot_that_reads_nothing_is_not_waited_for(tmp_path: Path) -> None:
    """The replies are more than a pipe holds, and the bot does not end: its moves are answered all the same."""
    game = cardsol.deal("universal", seed=1)
    while len(game.moves) < 300 and game.legal_moves:
        token = next((token for token in game.legal_moves if token != "draw"), "draw")
        game.push(token)
    bot = f"import time\nprint({chr(10).join(game.moves)!r}, flush=True)\nprint('zz', flush=True)\ntime.sleep(600)"
    (record,) = survey(tmp_path, bot, seeds="1..1", game="universal")
    assert tuple(record["line"]) == game.moves and "'zz'" in record["fault"]


def test_faults_are_told_in_the_summary(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("pass")
    done = run("survey", "camelot", "--seeds", "1..3", "--player", f"exec:{PYTHON} bot.py", "--summary-only",
               folder=tmp_path)  # fmt: skip
    assert "lost by a fault of the player: 3, first seed 1: " in done.out


def test_a_bot_may_give_a_game_up(tmp_path: Path) -> None:
    resigns = HONEST.replace('done = view["status"] != "playing"', 'done = view["made"] == 2')
    records = survey(tmp_path, resigns)
    assert [(record["verdict"], record["moves"]) for record in records] == [("lost", 2)] * 4
    assert all("fault" not in record for record in records)


@pytest.mark.parametrize("player", ["exec:", "exec:./no-such-bot", "exec:'unclosed"])
def test_a_command_that_cannot_be_run_is_refused_at_once(player: str, tmp_path: Path) -> None:
    done = run("survey", "camelot", "--seeds", "1..3", "--player", player, folder=tmp_path)
    assert (done.status, done.out) == (2, "") and done.err.count("\n") == 1


def test_seconds_per_move_are_for_programs_alone(tmp_path: Path) -> None:
    done = run(
        "survey", "camelot", "--seeds", "1..3", "--player", "greedy", "--move-seconds", "1", folder=tmp_path
    )
    assert done.status == 2 and "--move-seconds" in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_interrupted_survey_leaves_no_bot_behind(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    )
    words = [
        COMMAND,
        "survey",
        "camelot",
        "--seeds",
        "1..3",
        "--player",
        f"exec:{PYTHON} bot.py",
        "--jobs",
        "1",
    ]
    with subprocess.Popen(words, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:  # fmt: skip
        pid = tmp_path / "pid"
        end = time.monotonic() + 30
        while not (pid.exists() and pid.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 130
    while time.monotonic() < end and os.path.exists(f"/proc/{pid.read_text()}"):
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid.read_text()}")


@pytest.mark.parametrize(
    "words", [["python3", "careful.py"], ["sh", "plain.sh"], ["awk", "-W", "interactive", "-f", "last.awk"]]
)
@pytest.mark.parametrize("game", harness.some(["three-peaks", "camelot", "universal"], 3))
def test_the_example_bots_play_without_a_fault(words: list[str], game: str, tmp_path: Path) -> None:
    if shutil.which(words[0]) is None:
        pytest.skip(f"no {words[0]} here")
    player = " ".join([PYTHON if words[0] == "python3" else words[0], *words[1:-1], str(BOTS / words[-1])])
    done = run(
        "survey", game, "--seeds", "1..3", "--jobs", "1", "--player", f"exec:{player}", folder=tmp_path
    )
    assert done.status == 0, done.err
    for line in done.out.splitlines():
        record = json.loads(line)
        assert "fault" not in record and record["moves"] > 0


@pytest.mark.parametrize(
    "bot",
    harness.some(
        [
            "import sys\nfor line in sys.stdin: print('{\"show\": true}', flush=True)",
            "while True: print('moves', flush=True)",
            "import sys\nprint('draw', flush=True)\nfor line in sys.stdin: print('score', flush=True)",
        ],
        2,
    ),
    ids=["asks and reads", "asks and never reads", "asks after a move"],
)
def test_requests_that_are_no_moves_do_not_stop_the_clock(bot: str, tmp_path: Path) -> None:
    (record,) = survey(tmp_path, bot, "--move-seconds", "0.3", seeds="1..1")
    assert (record["verdict"], record["fault"]) == ("lost", "no move within 0.3 s")


@pytest.mark.parametrize("seconds", ["0", "86401", "1e12", "1" + "0" * 400])
def test_seconds_per_move_have_a_range(seconds: str, tmp_path: Path) -> None:
    done = run(
        "survey",
        "camelot",
        "--seeds",
        "1",
        "--player",
        "exec:true",
        "--move-seconds",
        seconds,
        folder=tmp_path,
    )
    assert (done.status, done.out, done.err.count("\n")) == (2, "", 1) and "--move-seconds" in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("number", harness.some([signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], 2))
def test_a_survey_that_is_killed_leaves_no_bot_behind(number: signal.Signals, tmp_path: Path) -> None:
    if number != signal.SIGKILL and signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("this signal is ignored here, as under nohup")
    (tmp_path / "bot.py").write_text(
        "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)"
    )
    words = [COMMAND, "survey", "camelot", "--seeds", "1", "--player", f"exec:{PYTHON} bot.py", "--jobs", "1"]
    with subprocess.Popen(
        words, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    ) as process:
        pid = tmp_path / "pid"
        end = time.monotonic() + 30
        while not (pid.exists() and pid.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(number)
        _, err = process.communicate(timeout=30)
    assert process.returncode == (-9 if number == signal.SIGKILL else 128 + number)
    assert "leaked" not in err or number == signal.SIGKILL
    while time.monotonic() < end and os.path.exists(f"/proc/{pid.read_text()}"):
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{pid.read_text()}")
