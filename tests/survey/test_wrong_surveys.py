"""A survey that can't begin prints its error line and nothing else."""

from __future__ import annotations

import json
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.support.harness import COMMAND, environment, some
from tests.support.harness import run_loaded as run
from tests.support.records import lines, read, wait_for

GREEDY = ("survey", "camelot", "--player", "greedy", "--jobs", "1")


@pytest.mark.parametrize(
    "more", some([(), ("--summary-only",), ("--out", "new.jsonl"), ("--json",)], 2), ids=" ".join
)
@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["--seeds", "5..2"], 2, "--seeds '5..2' is an empty range"),
        (["--seeds", "1..2", "--seeds", "0..-1"], 2, "--seeds '0..-1' is an empty range"),
        (["--seeds", ""], 2, "a seed has 1 to 200 characters"),
        (["--seeds", "a\x01"], 2, "control character"),
        (["--seeds", "@nowhere"], 3, "'nowhere': can't be read"),
        pytest.param(
            ["--seeds", "1..2", "--dask", "localhost:1"],
            2,
            "--dask needs the package distributed: pip install '.[dask]' in a checkout",
            marks=pytest.mark.skipif(find_spec("distributed") is not None, reason="distributed is installed"),
        ),
        (["--seeds", "1", "--jobs", "0"], 2, "--jobs takes a whole number from 1 to 1024, not '0'"),
        (["--seeds", "1", "--jobs", "3000000000"], 2, "from 1 to 1024"),
        (["--seeds", "1", "--jobs", "9" * 20], 2, "from 1 to 1024"),
        (["--seeds", "1.." + "9" * 19], 2, "is not a range"),
        (["--seeds", "1...5"], 2, "is not a range"),
        (["--seeds", "1.."], 2, "is not a range"),
        (["--seeds", "..5"], 2, "is not a range"),
        (
            ["--seeds", "1..9", "--seeds", "@wrong.txt"],
            2,
            "'wrong.txt', line 3: a seed has 1 to 200 characters",
        ),
        (["--seeds", "@utf8.txt"], 2, "'utf8.txt', line 2: a seed holds no control character or surrogate"),
        (["--seeds", "1", "-o", "a=b"], 2, "camelot has no option 'a'"),
    ],
)
def test_a_survey_that_cannot_begin_prints_its_error_alone(
    words: list[str], status: int, says: str, more: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "wrong.txt").write_text("1\n\n" + 201 * "x" + "\n2\n")
    (tmp_path / "utf8.txt").write_bytes(b"1\n\xff\xc3\n")
    done = run(*GREEDY, *words, *more, folder=tmp_path)
    assert (done.status, done.out, done.err.count("\n")) == (status, "", 1)
    assert says in done.err and "deals" not in done.err


@pytest.mark.parametrize("out", ["old.jsonl", "no/folder"])
def test_a_file_that_cannot_be_written_is_told_alone(out: str, tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").write_text("")
    done = run(*GREEDY, "--seeds", "1", "--out", out, folder=tmp_path)
    assert (done.status, done.out, done.err.count("\n")) == (3, "", 1)


def test_what_was_done_before_an_error_is_still_told(tmp_path: Path) -> None:
    done = run(*GREEDY, "--seeds", "-", folder=tmp_path, given="\n".join([*map(str, range(40)), "a\x01"]))
    assert done.status == 2 and "control character" in done.err.splitlines()[-1]
    assert "'-', line 41: " in done.err
    records = [json.loads(line) for line in done.out.splitlines()]
    assert [record["seed"] for record in records] == [str(n) for n in range(40)]
    assert done.err.startswith("40 deals: ")


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero", "/dev/null"])
@pytest.mark.parametrize("more", [(), ("--resume",)])
def test_records_go_to_a_regular_file(device: str, more: tuple[str, ...], tmp_path: Path) -> None:
    done = run(*GREEDY, "--seeds", "1", "--out", device, *more, folder=tmp_path)
    assert (done.status, done.out, done.err.count("\n")) == (3, "", 1)
    assert device in done.err


def test_a_line_without_end_is_no_seed(tmp_path: Path) -> None:
    done = run(*GREEDY, "--seeds", "@/dev/zero", folder=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert "'/dev/zero', line 1: " in done.err


def test_workers_that_cannot_be_started_are_told_as_that(tmp_path: Path) -> None:
    line = f"ulimit -n 18; exec {COMMAND} {' '.join(GREEDY[:-1])} 6 --seeds 1..40 --out x.jsonl"
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "cardsol: '--jobs': a worker process can't be started: Too many open files" in done.stderr
    assert "written" not in done.stderr


def test_two_surveys_do_not_write_to_one_file(tmp_path: Path) -> None:
    words = [*GREEDY, "--out", "two.jsonl", "--resume"]
    first = subprocess.Popen(
        [COMMAND, *words, "--seeds", "1..1000000"], cwd=tmp_path, env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wait_for(lambda: lines(tmp_path / "two.jsonl") > 0)
    done = run(*words, "--seeds", "1..1000000", folder=tmp_path)
    first.send_signal(signal.SIGINT)
    assert first.wait() == 130
    assert (done.status, done.out, done.err.count("\n")) == (3, "", 1)
    assert "'two.jsonl': is being written by another survey" in done.err
    seeds = [record["seed"] for record in read(tmp_path / "two.jsonl")]
    assert seeds == [str(n) for n in range(1, len(seeds) + 1)]


def test_no_seed_at_all_is_a_survey_of_none(tmp_path: Path) -> None:
    assert run(*GREEDY, "--seeds", "-", folder=tmp_path) == (0, "", "0 deals: none\n")


def test_standard_output_is_no_file_to_write_to(tmp_path: Path) -> None:
    done = run(*GREEDY, "--seeds", "1", "--out", "-", folder=tmp_path)
    assert (done.status, done.out) == (2, "") and list(tmp_path.iterdir()) == []
    assert "without it the records go to stdout" in done.err


@pytest.mark.parametrize("seed", some(["1,2", "1-3", "1:3", "a..b", "1;2;3"], 2))
def test_a_seed_that_looks_like_several_is_taken_as_it_is_and_told(seed: str, tmp_path: Path) -> None:
    done = run(*GREEDY, "--seeds", seed, folder=tmp_path)
    assert done.status == 0
    assert [json.loads(line)["seed"] for line in done.out.splitlines()] == [seed]
    assert done.err.startswith(
        f"cardsol: '{seed}' is one seed; for several, give A..B, or --seeds A --seeds B\n1 deal: "
    )


@pytest.mark.parametrize("seed", some(["1", "winter", "-5", "2026-11-30T", "round-3"], 2))
def test_a_plain_seed_is_not_remarked_on(seed: str, tmp_path: Path) -> None:
    assert run(*GREEDY, f"--seeds={seed}", folder=tmp_path).err.startswith("1 deal: ")


def test_a_file_that_is_full_is_named_and_holds_whole_records(tmp_path: Path) -> None:
    line = f"ulimit -f 2; exec {COMMAND} {' '.join(GREEDY)} --seeds 1..40 --out x.jsonl"
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert "'x.jsonl': can't be written" in done.stderr and "standard output" not in done.stderr
    read(tmp_path / "x.jsonl")


def test_processes_that_cannot_be_started_are_not_taken_for_a_failed_output(tmp_path: Path) -> None:
    line = f"ulimit -f 0; exec {COMMAND} {' '.join(GREEDY)} --seeds 1..3 --out x.jsonl"
    done = subprocess.run(
        ["sh", "-c", line], cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert "standard output" not in done.stderr and not (tmp_path / "x.jsonl").exists()


def test_a_survey_that_cannot_begin_leaves_no_empty_file(tmp_path: Path) -> None:
    done = run(*GREEDY, "--seeds", "1", "--out", "x.jsonl", "--dask", "localhost:1", folder=tmp_path)
    assert done.status in (2, 3) and not (tmp_path / "x.jsonl").exists()


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The record of a deal."""
    found: dict[str, Any] = run(*GREEDY, "--seeds", "1", folder=tmp_path_factory.mktemp("record")).json
    return found


@pytest.mark.parametrize(
    "change",
    [
        {"move_seconds": 10**400},
        {"move_seconds": float("nan")},
        {"move_seconds": 0},
        {"max_states": 0},
        {"states": -1},
    ],
    ids=str,
)
def test_a_record_with_a_number_out_of_range_is_none(
    change: dict[str, float], record: dict[str, Any], tmp_path: Path
) -> None:
    (tmp_path / "x.jsonl").write_text(json.dumps(record | change) + "\n")
    for words in (["stats", "x.jsonl"], [*GREEDY, "--seeds", "1..2", "--out", "x.jsonl", "--resume"]):
        done = run(*words, folder=tmp_path)
        assert (done.status, done.out, done.err.count("\n")) == (3, "", 1)
