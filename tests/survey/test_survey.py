"""Surveys: the same records whatever the number of processes, interruptions and deaths of workers."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import cardsol
from cardsol.cli import seeds as spans
from cardsol.cli import surveying
from cardsol.survey import pools as surveys
from cardsol.survey.players import PLAYERS, Seat
from cardsol.survey.records import Survey
from tests.support import harness
from tests.support.records import Record, lines, read, timeless, wait_for

GREEDY = Survey("camelot", {}, "greedy")


def bare(survey: Survey, seeds: range) -> list[Record]:
    return timeless([surveys.record_of(survey, str(seed)).as_dict() for seed in seeds])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_records_come_in_seed_order_and_are_the_same_for_any_number_of_processes(
    jobs: str, tmp_path: Path
) -> None:
    done = harness.run_loaded(
        "survey", "camelot", "--seeds", "1..24", "--player", "greedy", "--jobs", jobs, folder=tmp_path
    )
    assert done.status == 0
    assert timeless([json.loads(line) for line in done.out.splitlines()]) == bare(GREEDY, range(1, 25))
    assert done.err.startswith("24 deals: ")


def test_a_record_has_its_keys_in_order() -> None:
    record = surveys.record_of(
        Survey("three-peaks", {"scoring": "classic", "floor": "none", "rounds": "single"}, "random"),
        "5",
    ).as_dict()
    assert list(record) == [
        *("game", "options", "seed", "player", "goal", "max_states"),
        *("verdict", "score", "moves", "line", "states", "seconds"),
    ]  # fmt: skip
    game = cardsol.deal("three-peaks", seed="5")
    for token in record["line"]:
        game.push(token)
    assert (game.score, len(game.moves)) == (record["score"], record["moves"])


@pytest.mark.parametrize("name", ["universal", "three-peaks", "vanishing-cross", "rouge-et-noir", "camelot"])
@pytest.mark.parametrize("player", ["greedy", "random"])
def test_a_player_never_re_enters_a_position_since_the_last_draw(name: str, player: str) -> None:
    for seed in range(3):
        game = cardsol.deal(name, seed=seed)
        PLAYERS[player](Seat(game))
        had: set[Any] = set()
        for token, state in zip(("draw", *game.moves), game.states):
            if token == "draw":
                had.clear()
            assert state not in had
            had.add(state)
        fresh = [t for t in game.legal_moves if game.rules.apply(game.state, t) not in had]
        assert not fresh or len(game.moves) == 20_000


def test_resume_takes_up_a_torn_file_where_it_ends(tmp_path: Path) -> None:
    words = ("survey", "camelot", "--player", "greedy", "--out", "out.jsonl", "--jobs", "1")
    assert harness.run_loaded(*words, "--seeds", "1..20", folder=tmp_path).status == 0
    out = tmp_path / "out.jsonl"
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) * 2 // 3])
    done = harness.run_loaded(*words, "--seeds", "1..30", "--resume", folder=tmp_path)
    assert done.status == 0
    assert timeless(read(out)) == bare(GREEDY, range(1, 31))
    assert done.err.startswith("30 deals: ")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            ["--player", "random", "--seeds", "1..9"],
            "was made with --player greedy, not --player random: ask for the same",
        ),
        (["--player", "greedy", "--seeds", "2..9"], "other seeds are asked for"),
    ],
)
def test_resume_refuses_a_file_of_another_survey(changed: list[str], message: str, tmp_path: Path) -> None:
    words = ("survey", "camelot", "--out", "out.jsonl", "--jobs", "1")
    harness.run_loaded(*words, "--player", "greedy", "--seeds", "1..5", folder=tmp_path)
    before = (tmp_path / "out.jsonl").read_bytes()
    done = harness.run_loaded(*words, *changed, "--resume", folder=tmp_path)
    assert (done.status, done.out) == (3, "")
    assert message in done.err
    assert (tmp_path / "out.jsonl").read_bytes() == before


def test_an_existing_file_is_kept_without_resume(tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("mine\n")
    done = harness.run_loaded("survey", "camelot", "--seeds", "1..5", "--out", "out.jsonl", folder=tmp_path)
    assert done.status == 3
    assert (tmp_path / "out.jsonl").read_text() == "mine\n"


def _started(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [harness.COMMAND, *words],
        cwd=folder,
        env=harness.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _children(pid: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return [int(word) for word in found.stdout.split()]


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_ctrl_c_keeps_what_is_finished_tells_it_and_leaves_no_worker(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    process = _started(
        tmp_path,
        "survey",
        "camelot",
        "--seeds",
        "1..1000000",
        "--player",
        "greedy",
        "--out",
        "out.jsonl",
        "--jobs",
        "2",
    )
    wait_for(lambda: lines(out) > 20)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    records = read(out)
    assert timeless(records) == bare(GREEDY, range(1, len(records) + 1))
    assert errors.startswith(f"{len(records)} deals: ")
    assert "cardsol: interrupted: the same command with --resume goes on" in errors
    assert "Traceback" not in errors
    wait_for(lambda: not _group_lives(process.pid), seconds=10)


def test_ctrl_c_waits_for_the_record_whichever_thread_takes_the_signal() -> None:
    done = False
    over = threading.Event()
    other = threading.Thread(target=over.wait)
    other.start()
    try:
        with pytest.raises(KeyboardInterrupt), surveying._uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.05)
            done = True
    finally:
        over.set()
        other.join()
    assert done


def test_workers_end_with_the_survey_however_it_ends(tmp_path: Path) -> None:
    process = _started(
        tmp_path,
        "survey",
        "camelot",
        "--seeds",
        "1..1000000",
        "--player",
        "greedy",
        "--out",
        "o",
        "--jobs",
        "2",
    )
    wait_for(lambda: (tmp_path / "o").exists() and (tmp_path / "o").stat().st_size > 0)
    process.kill()
    process.communicate(timeout=60)
    wait_for(lambda: not _group_lives(process.pid), seconds=30)


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    process = _started(
        tmp_path,
        "survey",
        "camelot",
        "--seeds",
        "1..80",
        "--player",
        "greedy",
        "--out",
        "out.jsonl",
        "--jobs",
        "2",
    )
    wait_for(lambda: lines(out) > 5)
    for child in _children(process.pid):
        os.kill(child, signal.SIGKILL)
    process.communicate(timeout=300)
    assert process.returncode == 0
    assert timeless(read(out)) == bare(GREEDY, range(1, 81))


class _Fragile(ThreadPoolExecutor):
    """Dies of one seed, whenever a task has it: that task alone, or the whole pool."""

    error: Exception = RuntimeError("killed")
    broken = False

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        if self.broken:
            raise self.error
        if "3" in args[1]:
            self.broken = isinstance(self.error, BrokenExecutor)
            failing: Future[Any] = Future()
            failing.set_exception(self.error)
            return failing
        return super().submit(function, *args, **kwargs)


class _Breaking(_Fragile):
    error = BrokenExecutor("killed")


@pytest.mark.parametrize("pool", [_Fragile, _Breaking])
def test_a_seed_that_kills_its_worker_twice_has_an_error_record_and_the_rest_are_done(
    pool: surveys.Open,
) -> None:
    records = list(surveys.run(GREEDY, map(str, range(1, 8)), 2, pool))
    assert [record.seed for record in records] == [str(seed) for seed in range(1, 8)]
    assert [record.verdict == "error" for record in records] == [seed == 3 for seed in range(1, 8)]
    assert records[2].error == "killed"


def test_resume_tries_error_records_again(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    failing = surveys.run(GREEDY, map(str, range(1, 8)), 2, _Fragile)
    out.write_text("".join(record.as_line() for record in failing))
    words = ("survey", "camelot", "--player", "greedy", "--out", "out.jsonl", "--jobs", "1", "--resume")
    for seeds in ("1..7", "1..9"):
        done = harness.run_loaded(*words, "--seeds", seeds, folder=tmp_path)
        assert done.status == 0, done.err
    good = [record for record in timeless(read(out)) if record["verdict"] != "error"]
    assert sorted(good, key=lambda record: int(record["seed"])) == bare(GREEDY, range(1, 10))
    told = harness.run_loaded("stats", "out.jsonl", "--json", folder=tmp_path).json
    assert (told["n"], told["error"], told["twice"]) == (9, 0, [])


@pytest.mark.parametrize(
    ("words", "given", "seeds"),
    harness.some(
        [
            (["--seeds", "-1..1"], "", ["-1", "0", "1"]),
            (["--seeds", "7", "--seeds", "3..4"], "", ["7", "3", "4"]),
            (["--seeds", "-"], "a b\né\n", ["a b", "é"]),
            (["--seeds", "@seeds.txt"], "", ["x", "y"]),
            (["--seeds", "@marked.txt"], "", ["x", "y", " "]),
            (["--seeds", "@utf-16.txt"], "", ["x", "é"]),
            (["--seeds", "-"], "\ufeffa\r\n\nb", ["a", "b"]),
            (["--seeds", "-", "--seeds", "3", "--seeds", "-"], "a\nb\n", ["a", "b", "3"]),
            (["--seeds", "1-20", "--seeds", "a..b"], "", ["1-20", "a..b"]),
            (["--seeds", "3..1"], "", []),
        ],
        2,
        names=3,
    ),
)
def test_seeds_are_ranges_single_ones_files_or_standard_input(
    words: list[str], given: str, seeds: list[str], tmp_path: Path
) -> None:
    (tmp_path / "seeds.txt").write_text("x\ny\n")
    (tmp_path / "marked.txt").write_bytes(b"\xef\xbb\xbfx\r\n\r\ny\r\n ")
    (tmp_path / "utf-16.txt").write_text("x\n\né\n", "utf-16")
    done = harness.run_loaded(
        "survey", "camelot", "--player", "greedy", "--jobs", "1", *words, folder=tmp_path, given=given
    )
    assert [json.loads(line)["seed"] for line in done.out.splitlines()] == seeds


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--seeds", "1..2", "--resume"], "give --out"),
        (["--seeds", "1..2", "--player", "greedy", "--max-states", "5"], "are the solver's"),
        (["--seeds", "1..2", "-o", "draw=1"], "has no options"),
        (["--seeds", "a\x01b"], "control character"),
        ([], "--seeds"),
    ],
)
def test_a_wrong_command_line_is_refused(words: list[str], message: str, tmp_path: Path) -> None:
    done = harness.run_loaded("survey", "camelot", *words, folder=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_a_long_file_of_seeds_is_read_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("".join(f"{n:0>190}\n" for n in range(10_000)))
    done = harness.run_loaded(
        *("survey", "camelot", "--player", "greedy", "--seeds", "@seeds.txt", "--seeds", "1.."),
        folder=tmp_path,
    )
    assert done.status == 2 and "'1..' is not a range" in done.err
    assert next(spans.seeds(["@" + str(tmp_path / "seeds.txt")])) == f"{0:0>190}"


def test_deals_a_second_are_those_of_this_run(tmp_path: Path) -> None:
    words = ("survey", "camelot", "--player", "greedy", "--out", "out.jsonl", "--jobs", "1", "--json")
    harness.run_loaded(*words, "--seeds", "1..20", folder=tmp_path)
    more = json.loads(harness.run_loaded(*words, "--seeds", "1..21", "--resume", folder=tmp_path).err)
    assert more["n"] == 21
    assert more["deals_a_second"] == pytest.approx(1 / more["seconds"], rel=0.01)
    none = json.loads(harness.run_loaded(*words, "--seeds", "1..21", "--resume", folder=tmp_path).err)
    assert (none["n"], none["deals_a_second"]) == (21, None)


def test_where_the_best_score_is_looked_for_no_share_is_told(tmp_path: Path) -> None:
    words = ("survey", "camelot", "--goal", "score", "--seeds", "1..3", "--out", "out.jsonl")
    done = harness.run_loaded(*words, folder=tmp_path)
    assert done.err.startswith("3 deals: 3 best\nscore: ")
    for facts in (
        json.loads(harness.run_loaded(*words, "--resume", "--json", folder=tmp_path).err),
        harness.run_loaded("stats", "out.jsonl", "--json", folder=tmp_path).json,
    ):
        assert (facts["best"], facts["share"], facts["interval"]) == (3, None, None)


@pytest.fixture(scope="module")
def surveyed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with records of a survey, the same with a mark at its start, no records, and a save."""
    folder = tmp_path_factory.mktemp("surveyed")
    words = ("survey", "camelot", "--player", "greedy", "--jobs", "1", "--seeds")
    harness.run_loaded(*words, "1..9", "--out", "out.jsonl", folder=folder)
    harness.run_loaded(*words, "-", "--out", "empty.jsonl", folder=folder)
    (folder / "marked.jsonl").write_bytes(b"\xef\xbb\xbf" + (folder / "out.jsonl").read_bytes())
    harness.run_loaded("deal", "camelot", "-q", folder=folder)
    return folder


@pytest.mark.parametrize(
    "line", harness.some(["cat {} | $CARDSOL stats -", "cat {} | $CARDSOL stats /dev/stdin"], 2)
)
@pytest.mark.parametrize("name", ["out.jsonl", "cardsol.json", "marked.jsonl", "empty.jsonl"])
def test_stats_reads_what_a_pipe_gives(line: str, name: str, surveyed: Path) -> None:
    environment = {**harness.environment(), "CARDSOL": str(harness.COMMAND)}
    done = subprocess.run(
        ["sh", "-c", line.format(name)], cwd=surveyed, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == harness.run_loaded("stats", name, folder=surveyed).out
    deals = {"out.jsonl": 9, "cardsol.json": 1, "marked.jsonl": 9, "empty.jsonl": 0}[name]
    thing = "save" if name == "cardsol.json" else "deal"
    assert done.stdout.startswith(f"{deals} {thing}{'s' * (deals != 1)}: ")


@pytest.mark.parametrize("times", [1, pytest.param(25, marks=pytest.mark.long)])
def test_ctrl_c_while_workers_begin_breaks_into_nothing(times: int, tmp_path: Path) -> None:
    chance = random.Random(5)
    words = ("survey", "camelot", "--player", "greedy", "--seeds", "1..60", "--jobs", "2")
    began = time.monotonic()
    harness.run_loaded(*words[:-2], "--jobs", "1", folder=tmp_path)
    whole = time.monotonic() - began
    for _ in range(times):
        process = _started(tmp_path, *words)
        time.sleep(whole * chance.uniform(0.25, 1))
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
        before_main = process.returncode == -signal.SIGINT or "in <module>" in err
        assert before_main or process.returncode in (0, 130)
        assert before_main or not re.search("Traceback|Fatal|Interrupt", err), err
