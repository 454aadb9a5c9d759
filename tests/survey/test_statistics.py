"""What surveys add up to."""

from __future__ import annotations

import csv
import io
import json
import re
import statistics
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardsol.survey import records
from cardsol.survey.records import Record, Survey, Verdict
from cardsol.survey.summary import Summary, histogram, interval, spread, wilson
from tests.support import harness

SOLVED = Survey("camelot", {}, "solve", max_states=9)
PLAYED = Survey("camelot", {}, "greedy")


def record(seed: int | str, verdict: Verdict = "won", survey: Survey = SOLVED) -> Record:
    return Record(survey, str(seed), verdict, 40, 90, (), 1, 0.5)


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
    if len(set(values)) <= 2:
        assert not lines
        return
    counts = [int(line.rstrip("# ").split()[-1]) for line in lines]
    assert sum(counts) == len(values)


def test_the_verdicts_add_up() -> None:
    summary = Summary(SOLVED)
    verdicts: tuple[Verdict, ...] = ("won", "won", "impossible", "unknown", "lost", "error")
    for seed, verdict in enumerate(verdicts):
        summary.add(record(seed, verdict))
    facts = summary.as_dict()
    assert facts["n"] == 5
    assert facts["won"] + facts["impossible"] + facts["unknown"] + facts["lost"] == facts["n"]
    assert facts["error"] == 1
    assert facts["share"] == 0.4


def test_seeds_done_twice_are_told_and_counted_once() -> None:
    summary = Summary(SOLVED)
    for seed in ("1", "a b", "1", "a b"):
        summary.add(record(seed))
    assert summary.as_dict()["n"] == 2
    assert summary.twice == ["1", "a b"]
    assert list(summary.lines())[-1] == "found twice, counted once: 1 'a b'"


def test_stats_adds_the_parts_of_a_survey(tmp_path: Path) -> None:
    words = ("survey", "camelot", "--player", "random", "--jobs", "1")
    harness.run_loaded(*words, "--seeds", "1..30", "--out", "whole", folder=tmp_path)
    harness.run_loaded(*words, "--seeds", "1..20", "--out", "one", folder=tmp_path)
    harness.run_loaded(*words, "--seeds", "11..30", "--out", "two", folder=tmp_path)
    whole = harness.run_loaded("stats", "whole", "--json", folder=tmp_path).json
    parts = harness.run_loaded("stats", "one", "two", "--json", folder=tmp_path).json
    assert parts["twice"] == [str(seed) for seed in range(11, 21)]
    for key in ("n", "lost", "share", "interval", "score", "moves"):
        assert parts[key] == whole[key]


def test_saves_are_counted_one_a_file_with_their_status(tmp_path: Path) -> None:
    for name in ("ann", "bob", "cy"):
        harness.run_loaded("deal", "camelot", "--seed", "the same one", "-f", f"{name}.json", folder=tmp_path)
    done = harness.run_loaded("stats", "ann.json", "bob.json", "cy.json", folder=tmp_path)
    assert done.out.startswith("3 saves: 3 playing\n")
    facts = harness.run_loaded("stats", "ann.json", "bob.json", "cy.json", "--json", folder=tmp_path).json
    assert (facts["n"], facts["playing"], facts["unknown"], facts["twice"]) == (3, 3, 0, [])
    assert (facts["player"], facts["goal"], facts["share"]) == (None, None, None)


@pytest.mark.parametrize("line", ["", "[]", "{", '{"verdict": "won"}', '{"verdict": "grand"}', "7"])
def test_a_line_that_is_no_record_is_named(line: str, tmp_path: Path) -> None:
    good = record(1).as_line()
    with pytest.raises(ValueError, match="line 2 is not a record"):
        list(records.read([good, line]))
    (tmp_path / "out").write_text(good + line + "\n")
    done = harness.run_loaded("stats", "out", folder=tmp_path)
    assert (done.status, done.out) == (3, "")
    assert "line 2" in done.err


def test_summary_only_prints_the_summary_on_standard_output(tmp_path: Path) -> None:
    words = ("survey", "camelot", "--player", "greedy", "--seeds", "1..5", "--summary-only")
    done = harness.run_loaded(*words, folder=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("5 deals: ")
    assert harness.run_loaded(*words, "--json", folder=tmp_path).json["n"] == 5


@pytest.mark.parametrize("n", [1, 10, 100, 12_345])
def test_the_interval_of_all_or_none_ends_where_shares_do(n: int) -> None:
    assert wilson(0, n)[0] == 0
    assert wilson(n, n)[1] == 1


def made(folder: Path) -> None:
    """Makes three files of records: two parts of one survey, and another survey."""
    for words in (
        ("camelot", "--seeds", "1..3", "--out", "a.jsonl"),
        ("camelot", "--seeds", "4..9", "--out", "b.jsonl"),
        ("camelot", "--seeds", "1..5", "--player", "greedy", "--out", "c.jsonl"),
    ):
        harness.run_loaded("survey", *words, "--jobs", "1", folder=folder)


def test_each_survey_is_summed_up_by_itself_in_the_order_met(tmp_path: Path) -> None:
    made(tmp_path)
    one = harness.run_loaded("stats", "a.jsonl", "b.jsonl", folder=tmp_path).out
    assert one.startswith("9 deals: ")
    two = harness.run_loaded("stats", "c.jsonl", "a.jsonl", "b.jsonl", folder=tmp_path)
    first, second = two.out.split("\n\n")
    assert first.startswith("camelot --player greedy\n5 deals: ")
    assert re.match(r"camelot --player solve --max-states \d+\n9 deals: ", second)
    printed = harness.run_loaded("stats", "--json", "c.jsonl", "a.jsonl", folder=tmp_path).out
    facts = [json.loads(line) for line in printed.splitlines()]
    assert [(each["player"], each["n"]) for each in facts] == [("greedy", 5), ("solve", 3)]


def test_csv_has_a_row_for_each_survey(tmp_path: Path) -> None:
    made(tmp_path)
    printed = harness.run_loaded("stats", "--csv", "c.jsonl", "a.jsonl", folder=tmp_path).out
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [(row["game"], row["player"], row["n"]) for row in rows] == [
        ("camelot", "greedy", "5"),
        ("camelot", "solve", "3"),
    ]
    assert rows[0]["score_mean"] and not rows[1]["score_mean"]


def test_survey_csv_has_a_row_for_each_deal(tmp_path: Path) -> None:
    words = ("survey", "universal", "-o", "draw=3", "--player", "random", "--seeds", "1..3", "--jobs", "1")
    plain = [json.loads(line) for line in harness.run_loaded(*words, folder=tmp_path).out.splitlines()]
    rows = list(csv.DictReader(io.StringIO(harness.run_loaded(*words, "--csv", folder=tmp_path).out)))
    assert [(row["seed"], row["options"], row["line"].split()) for row in rows] == [
        (each["seed"], "draw=3", each["line"]) for each in plain
    ]
    one = harness.run_loaded(*words, "--csv", "--summary-only", folder=tmp_path).out
    (total,) = csv.DictReader(io.StringIO(one))
    assert (total["n"], total["options"]) == ("3", "draw=3")


def test_no_options_are_shown_as_python_writes_them(tmp_path: Path) -> None:
    words = ("survey", "universal", "--player", "random", "--seeds", "1..2", "--out", "u.jsonl", "--resume")
    harness.run_loaded(*words, "-o", "draw=1", folder=tmp_path)
    done = harness.run_loaded(*words, "-o", "draw=2", folder=tmp_path)
    assert "was made with -o draw=1, not -o draw=2" in done.err
    assert "{" not in done.err + harness.run_loaded("stats", "u.jsonl", folder=tmp_path).out


def test_scores_are_summed_up_where_they_were_played_for() -> None:
    for survey, told in (
        (SOLVED, False),
        (SOLVED._replace(goal="score"), True),
        (PLAYED, True),
    ):
        summary = Summary(survey)
        summary.add(record(1, "won", survey))
        assert (summary.as_dict()["score"] is not None) is told
        assert any(line.startswith("score") for line in summary.lines()) is told


@pytest.mark.parametrize(("deals", "shown"), [(3, False), (9, False), (10, True), (40, True)])
def test_a_few_deals_need_no_histogram(deals: int, shown: bool) -> None:
    summary = Summary(PLAYED)
    for seed in range(deals):
        summary.add(record(seed, "lost", PLAYED)._replace(score=40 * seed, moves=seed))
    assert any("#" in line for line in summary.lines()) is shown


def test_two_values_need_no_histogram() -> None:
    assert not list(histogram(Counter([0, 40, 40])))
    assert list(histogram(Counter([0, 1, 40])))


@pytest.mark.parametrize(
    ("values", "first", "last"),
    [
        ([-85, 0, 19], "-90 to -81", "10 to 19"),
        ([3, 7, 12], "3", "12"),
        ([78, 100, 304], "50 to 99", "300 to 349"),
    ],
)
def test_the_classes_of_a_histogram_are_round(values: list[int], first: str, last: str) -> None:
    lines = list(histogram(Counter(values)))
    assert lines[0].strip().startswith(first + " ")
    assert lines[-1].strip().startswith(last + " ")


def test_a_failure_is_told_until_it_is_mended() -> None:
    summary = Summary(SOLVED)
    summary.add(records.failure(SOLVED, "7", MemoryError("out of memory")))
    assert "failed, and tried again by --resume: seed 7: out of memory" in list(summary.lines())
    summary.add(record(7, "lost"))
    told = list(summary.lines())
    assert told[0] == "1 deal: 1 lost" and not any("failed" in line for line in told)


@given(
    st.builds(
        Record,
        st.builds(
            Survey,
            st.text(),
            st.dictionaries(st.text(), st.text()),
            st.text(),
            st.text(),
            st.none() | st.integers(1),
            st.none() | st.floats(0, 86_400, exclude_min=True),
        ),
        st.text(),
        st.sampled_from(("won", "unknown", "lost", "error")),
        st.integers(-1000, 1000),
        st.integers(0, 1000),
        st.none() | st.lists(st.text()).map(tuple),
        st.none() | st.integers(0, 10**11),
        st.floats(0, 1000),
        st.none() | st.text(),
    )
)
def test_a_record_is_read_as_it_was_written(one: Record) -> None:
    assert list(records.read([one.as_line()])) == [one]
    assert one.as_line().encode("utf-8", "surrogatepass").startswith(records.beginning(one.survey))
