"""What surveys add up to."""

from __future__ import annotations

import json
import re
import statistics
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsol.survey.summary import Summary, histogram, interval, read_records, spread, wilson
from tests.support import harness


def record(seed: int, verdict: str = "won", score: int = 40, moves: int = 90) -> dict[str, Any]:
    return {
        "game": "camelot", "options": {}, "seed": str(seed), "player": "solve", "goal": "win", "max_states": 9,
        "verdict": verdict, "score": score, "moves": moves, "line": [], "states": 1, "seconds": 0.5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("won", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (8, 10, 0.4902, 0.9433), (97, 100, 0.9155, 0.9897)],
)
def test_wilson_has_its_published_values(won: int, n: int, low: float, high: float) -> None:
    assert wilson(won, n) == pytest.approx((low, high), abs=5e-5)


def test_the_unknown_count_once_as_lost_and_once_as_won() -> None:
    assert interval(5, 3, 10) == (wilson(5, 10)[0], wilson(8, 10)[1])


@given(st.lists(st.integers(-500, 500), min_size=2, max_size=60))
def test_mean_and_quartiles_are_those_of_the_standard_library(values: list[int]) -> None:
    found = spread(Counter(values))
    assert found is not None
    quartiles = statistics.quantiles(values, n=4, method="inclusive")
    assert [found["q1"], found["median"], found["q3"]] == pytest.approx(quartiles)
    assert found["mean"] == pytest.approx(statistics.mean(values), abs=1e-3)
    assert (found["least"], found["greatest"]) == (min(values), max(values))


@given(st.lists(st.integers(-(10**6), 10**9), min_size=1, max_size=60))
def test_a_histogram_counts_every_value_once(values: list[int]) -> None:
    lines = list(histogram(Counter(values)))
    assert len(lines) <= 12
    counts = [int(line.rstrip("# ").split()[-1]) for line in lines]
    assert sum(counts) == len(values)


def test_the_verdicts_add_up() -> None:
    summary = Summary()
    for seed, verdict in enumerate(["won", "won", "impossible", "unknown", "lost", "error"]):
        summary.add(record(seed, verdict))
    facts: dict[str, Any] = summary.as_dict()
    assert facts["n"] == 5
    assert facts["won"] + facts["impossible"] + facts["unknown"] + facts["lost"] == facts["n"]
    assert facts["error"] == 1
    assert facts["share"] == 0.4


def test_seeds_done_twice_are_told_and_counted_once() -> None:
    summary = Summary()
    for seed in (1, 2, 1):
        summary.add(record(seed))
    assert summary.as_dict()["n"] == 2
    assert summary.twice == ["1"]


def test_stats_adds_the_parts_of_a_survey(tmp_path: Path) -> None:
    words = ("survey", "camelot", "--player", "random", "--jobs", "1")
    harness.run(*words, "--seeds", "1..30", "--out", "whole", folder=tmp_path)
    harness.run(*words, "--seeds", "1..20", "--out", "one", folder=tmp_path)
    harness.run(*words, "--seeds", "11..30", "--out", "two", folder=tmp_path)
    whole = harness.run("stats", "whole", "--json", folder=tmp_path).json
    parts = harness.run("stats", "one", "two", "--json", folder=tmp_path).json
    assert parts["twice"] == [str(seed) for seed in range(11, 21)]
    for key in ("n", "lost", "share", "interval", "score", "moves"):
        assert parts[key] == whole[key]


def test_stats_takes_saves(tmp_path: Path) -> None:
    harness.run("deal", "camelot", "--seed", "1", "-f", "a.json", folder=tmp_path)
    harness.run("deal", "camelot", "--seed", "2", "-f", "b.json", folder=tmp_path)
    done = harness.run("stats", "a.json", "b.json", folder=tmp_path)
    assert done.out.startswith("2 deals: 2 unknown\n")


@pytest.mark.parametrize("line", ["", "[]", "{", '{"verdict": "won"}', '{"verdict": "grand"}', "7"])
def test_a_line_that_is_no_record_is_named(line: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="line 2 is no record"):
        list(read_records([json.dumps(record(1)), line]))
    (tmp_path / "out").write_text(json.dumps(record(1)) + "\n" + line + "\n")
    done = harness.run("stats", "out", folder=tmp_path)
    assert (done.status, done.out) == (3, "")
    assert "line 2" in done.err


def test_summary_only_prints_the_summary_on_standard_output(tmp_path: Path) -> None:
    words = ("survey", "camelot", "--player", "greedy", "--seeds", "1..5", "--summary-only")
    done = harness.run(*words, folder=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("5 deals: ")
    assert harness.run(*words, "--json", folder=tmp_path).json["n"] == 5


@pytest.mark.parametrize("n", [1, 10, 100, 12_345])
def test_the_interval_of_all_or_none_ends_where_shares_do(n: int) -> None:
    assert wilson(0, n)[0] == 0
    assert wilson(n, n)[1] == 1


def test_different_surveys_are_told_apart_when_they_are_added_together(tmp_path: Path) -> None:
    for words in (
        ("camelot", "--seeds", "1..3", "--out", "a.jsonl"),
        ("camelot", "--seeds", "4..9", "--out", "b.jsonl"),
        ("camelot", "--seeds", "1..5", "--player", "greedy", "--out", "c.jsonl"),
    ):
        harness.run("survey", *words, "--jobs", "1", folder=tmp_path)
    alike = harness.run("stats", "a.jsonl", "b.jsonl", folder=tmp_path).out
    assert alike.startswith("9 deals: ") and "different" not in alike
    mixed = harness.run("stats", "a.jsonl", "b.jsonl", "c.jsonl", folder=tmp_path)
    solved = re.search(r"\n  9 deals of camelot --player solve --max-states \d+\n", mixed.out)
    assert solved and "different surveys are added together:" in mixed.out
    assert "\n  5 deals of camelot --player greedy\n" in mixed.out
    surveys = harness.run("stats", "--json", "a.jsonl", "c.jsonl", folder=tmp_path).json["surveys"]
    assert list(surveys.values()) == [3, 5]


def test_a_failure_is_told_until_it_is_mended() -> None:
    summary = Summary()
    summary.add({**record(7, "error"), "error": "out of memory"})
    assert "failed, and tried again by --resume: seed 7: out of memory" in list(summary.lines())
    summary.add(record(7, "lost"))
    told = list(summary.lines())
    assert told[0] == "1 deal: 1 lost" and not any("failed" in line for line in told)
