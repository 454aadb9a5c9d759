"""A survey that can't begin prints its error line and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness import run

GREEDY = ("survey", "camelot", "--player", "greedy", "--jobs", "1")


@pytest.mark.parametrize("more", [(), ("--summary-only",), ("--out", "new.jsonl"), ("--json",)], ids=" ".join)
@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["--seeds", "5..2"], 2, "--seeds '5..2' is an empty range"),
        (["--seeds", "1..2", "--seeds", "0..-1"], 2, "--seeds '0..-1' is an empty range"),
        (["--seeds", ""], 2, "a seed has 1 to 200 characters"),
        (["--seeds", "a\x01"], 2, "control character"),
        (["--seeds", "@nowhere"], 3, "'nowhere': can't be read"),
        (["--seeds", "1..2", "--dask", "localhost:1"], 2, "--dask needs the extra"),
        (["--seeds", "1", "--jobs", "0"], 2, "--jobs takes a whole number from 1, not '0'"),
        (["--seeds", "1", "-o", "a=b"], 2, "camelot has no option 'a'"),
    ],
)
def test_a_survey_that_cannot_begin_prints_its_error_alone(
    words: list[str], status: int, says: str, more: tuple[str, ...], tmp_path: Path
) -> None:
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
    records = [json.loads(line) for line in done.out.splitlines()]
    assert [record["seed"] for record in records] == [str(n) for n in range(len(records))]
    assert not records or done.err.startswith(f"{len(records)} deals: ")


def test_no_seed_at_all_is_a_survey_of_none(tmp_path: Path) -> None:
    assert run(*GREEDY, "--seeds", "-", folder=tmp_path) == (0, "", "0 deals: none\n")
