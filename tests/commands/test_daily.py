"""`deal GAME --daily[=DATE]`: one deal a day for everybody."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path

import pytest

import cardsol
from tests.support import harness
from tests.support.typed import SAVE, in_process, saved


def today() -> str:
    return f"daily-{datetime.now(timezone.utc).date()}"


@pytest.mark.parametrize(
    "words", [("--daily", "camelot"), ("camelot", "--daily"), ("camelot", "--daily=today")]
)
def test_the_seed_of_today_is_the_date_in_utc(words: tuple[str, ...], tmp_path: Path) -> None:
    before = today()
    zone = {"TZ": "Pacific/Kiritimati"}
    assert harness.run_loaded("deal", *words, "-q", folder=tmp_path, env=zone).status == 0
    assert saved(tmp_path)["seed"] in (before, today())


@pytest.mark.parametrize("words", [("--daily=2026-12-02",), ("--daily", "2026-12-02")])
@pytest.mark.parametrize("command", ["deal", "play"])
def test_the_seed_of_another_day_is_its_date(command: str, words: tuple[str, ...], tmp_path: Path) -> None:
    assert in_process(command, "camelot", *words, folder=tmp_path).status == 0
    assert cardsol.load(tmp_path / SAVE) == cardsol.deal("camelot", seed="daily-2026-12-02")


@pytest.mark.parametrize(
    "day", ["2026-02-30", "2026-2-3", "20261202", "2026-W01-1", "2026-13-01", "0000-01-01", "", "tomorrow",
            "２０２６-12-02", "2026-12-02 "],
)  # fmt: skip
def test_what_is_no_date_is_refused(day: str, tmp_path: Path) -> None:
    for command in ("deal", "play"):
        done = in_process(command, "camelot", f"--daily={day}", folder=tmp_path)
        assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
        assert "--daily takes a date such as 2026-12-02" in done.err
    assert not (tmp_path / SAVE).exists()


@pytest.mark.parametrize(
    "other", [("--seed", "1"), ("--deck", "-"), ("--pysol", "1"), ("--winnable",)], ids=" ".join
)
def test_a_day_decides_the_whole_deck(other: tuple[str, ...], tmp_path: Path) -> None:
    done = in_process("deal", "camelot", "--daily", *other, folder=tmp_path)
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert not (tmp_path / SAVE).exists()


def test_a_session_takes_no_seed_besides_a_day(tmp_path: Path) -> None:
    assert in_process("play", "camelot", "--daily", "--seed", "1", folder=tmp_path).status == 2
    assert in_process("play", "--daily", folder=tmp_path).status == 2
