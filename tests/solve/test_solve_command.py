"""The commands `solve` and `deal --winnable` as processes."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

import cardsol
from cardsol.solve import solve
from tests.support import harness

LONG = ["universal", "--seed", "9", "-o", "draw=1"]


def dealt(folder: Path, *words: str) -> Path:
    assert harness.run_loaded("deal", *words, "-q", folder=folder).status == 0
    return folder / "cardsol.json"


def test_the_line_that_is_printed_wins(tmp_path: Path) -> None:
    dealt(tmp_path, "three-peaks", "--seed", "3")
    line = harness.run_loaded("solve", folder=tmp_path)
    assert (line.status, line.err) == (0, "")
    assert harness.run_loaded("move", line.out, "-q", folder=tmp_path).status == 0
    assert harness.run_loaded("score", "--get", "status", folder=tmp_path).out == "won\n"
    again = harness.run_loaded("solve", folder=tmp_path)
    assert (again.status, again.out) == (0, "")


def test_impossible_is_said_on_standard_error_with_status_5(tmp_path: Path) -> None:
    save = dealt(tmp_path, "camelot", "--seed", "3")
    before = save.read_bytes()
    done = harness.run_loaded("solve", folder=tmp_path)
    assert (done.status, done.out) == (5, "")
    assert done.err.startswith("cardsol: impossible: the grid is full for good before ")
    assert harness.run_loaded("solve", "--json", folder=tmp_path).json["verdict"] == "impossible"
    assert save.read_bytes() == before


def test_a_limit_of_states_gives_unknown_with_status_6_and_the_same_answer_again(tmp_path: Path) -> None:
    dealt(tmp_path, *LONG)
    done = harness.run_loaded("solve", "--max-states", "20", "--json", folder=tmp_path)
    assert done.status == 6
    facts = done.json
    keys = "verdict line score optimal states seconds limit winnable best_winning shortest"
    assert list(facts) == keys.split()
    assert (facts["winnable"], facts["best_winning"], facts["shortest"]) == (None, None, None)
    assert (facts["verdict"], facts["line"], facts["optimal"], facts["limit"]) == (
        "unknown",
        None,
        False,
        "states",
    )
    assert facts["states"] == 20
    assert harness.run_loaded("solve", "--max-states", "20", folder=tmp_path).status == 6


def test_goal_score_tells_the_score_and_whether_it_is_proved(tmp_path: Path) -> None:
    dealt(tmp_path, "camelot", "--seed", "3")
    facts = harness.run_loaded("solve", "--goal", "score", "--json", folder=tmp_path).json
    assert (facts["verdict"], facts["optimal"], facts["limit"]) == ("best", True, None)
    assert harness.run_loaded("move", *facts["line"], "-q", folder=tmp_path).status == 0
    assert harness.run_loaded("score", "--get", "score", folder=tmp_path).out == f"{facts['score']}\n"


def test_goal_score_also_tells_the_best_score_of_a_win(tmp_path: Path) -> None:
    dealt(tmp_path, "three-peaks", "--seed", "1", "-o", "scoring=multiplier")
    facts = harness.run_loaded("solve", "--goal", "score", "--json", folder=tmp_path).json
    win = facts["best_winning"]
    assert list(win) == ["score", "line", "optimal"]
    assert facts["winnable"] and win["optimal"] and win["score"] < facts["score"]
    assert harness.run_loaded("move", *win["line"], "-q", folder=tmp_path).status == 0
    assert harness.run_loaded("score", "--get", "status", folder=tmp_path).out == "won\n"
    assert harness.run_loaded("score", "--get", "score", folder=tmp_path).out == f"{win['score']}\n"


@pytest.mark.parametrize(
    ("name", "seed"), [("camelot", "12"), pytest.param("three-peaks", "3", marks=pytest.mark.long)]
)
def test_where_lost_names_the_move_after_which_the_game_could_not_be_won(
    name: str, seed: str, tmp_path: Path
) -> None:
    """In Camelot a card is placed anywhere until it can't, in Three Peaks the stock is drawn to its end."""
    game, chance = cardsol.deal(name, seed=seed), random.Random(12)
    while "draw" in game.legal_moves or (name == "camelot" and game.legal_moves):
        game.push("draw" if "draw" in game.legal_moves else chance.choice(game.legal_moves))
    cardsol.save(game, tmp_path / "cardsol.json")
    facts = harness.run_loaded("solve", "--where-lost", "--json", folder=tmp_path).json
    made = facts["where_lost"]["made"]
    assert facts["verdict"] == "impossible"
    assert facts["where_lost"]["move"] == game.moves[made]
    last = len(game.moves)
    for back, status in ((last - made, 0), (last - made - 1, 5)):
        harness.run_loaded("undo", str(back), "-q", folder=tmp_path)
        assert harness.run_loaded("solve", folder=tmp_path).status == status
        harness.run_loaded("redo", "--all", "-q", folder=tmp_path)
    dealt(tmp_path, name, "--seed", seed, "--force")
    assert harness.run_loaded("solve", "--where-lost", "--json", folder=tmp_path).json["where_lost"] is None


def test_where_lost_within_its_limits_tells_what_it_knows_and_counts_all_its_work(tmp_path: Path) -> None:
    dealt(tmp_path, "universal", "--seed", "7")
    harness.run_loaded("move", "-q", *["draw"] * 30, folder=tmp_path)
    here = harness.run_loaded("solve", "--json", folder=tmp_path).json
    done = harness.run_loaded("solve", "--where-lost", "--max-states", "5000", "--json", folder=tmp_path)
    facts = done.json
    assert (done.status, facts["verdict"], facts["limit"]) == (5, "impossible", "states")
    assert here["states"] < facts["states"] <= 5000
    place = facts["where_lost"]
    assert place["move"] is None
    assert 0 < place["lost"] <= 30
    told = harness.run_loaded("solve", "--where-lost", "--max-states", "5000", folder=tmp_path).err
    assert f"; lost after {place['lost']} moves already; " in told
    assert "unknown: the limit --max-states was reached" in told
    harness.run_loaded("undo", str(30 - place["lost"]), "-q", folder=tmp_path)
    assert harness.run_loaded("solve", folder=tmp_path).status == 5
    start = time.monotonic()
    harness.run_loaded("solve", "--where-lost", "--max-seconds", "0.2", folder=tmp_path)
    assert time.monotonic() - start < 5


def test_a_limit_of_seconds_is_kept(tmp_path: Path) -> None:
    dealt(tmp_path, "rouge-et-noir", "--seed", "1")
    start = time.monotonic()
    done = harness.run_loaded("solve", "--goal", "score", "--max-seconds", "0.05", "--json", folder=tmp_path)
    assert time.monotonic() - start < 10
    assert done.json["limit"] in ("seconds", None)
    assert done.json["seconds"] < 0.05 * 1.1 + 1 or done.json["limit"] is None


def test_ctrl_c_gives_unknown_with_status_130(tmp_path: Path) -> None:
    dealt(tmp_path, *LONG)
    process = subprocess.Popen(
        [harness.COMMAND, "solve", "--goal", "score", "--max-states", "1000000000", "--json"],
        cwd=tmp_path, env=harness.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    time.sleep(1.5)
    if process.poll() is None:
        os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    assert process.returncode in (0, 130)
    if process.returncode == 130:
        assert '"limit": "interrupted"' in out


def test_deal_winnable_takes_the_first_seed_that_can_be_won(tmp_path: Path) -> None:
    done = harness.run_loaded("deal", "camelot", "--winnable", "--seed", "3", "-q", folder=tmp_path)
    assert done.status == 0
    seed = int(done.err.split()[1])
    assert done.err == f"seed {seed} can be won; seeds tried: {seed - 2}\n"
    assert harness.run_loaded("solve", folder=tmp_path).status == 0
    for lost in range(3, seed):
        dealt(tmp_path, "camelot", "--seed", str(lost), "--force")
        assert harness.run_loaded("solve", folder=tmp_path).status == 5


@pytest.mark.parametrize("words", [["-q"], ["--json"], []])
def test_deal_winnable_hides_the_seed_where_it_is_to_be_hidden(words: list[str], tmp_path: Path) -> None:
    done = harness.run_loaded("deal", "camelot", "--winnable", "--hide-seed", *words, folder=tmp_path)
    assert done.status == 0
    seed = json.loads((tmp_path / "cardsol.json").read_text())["seed"]
    assert re.fullmatch(r"this deal can be won; seeds tried: \d+\n", done.err)
    assert seed not in done.out


def test_deal_winnable_tells_what_is_in_the_way_before_it_searches(tmp_path: Path) -> None:
    dealt(tmp_path, "camelot", "--seed", "1")
    before = (tmp_path / "cardsol.json").read_bytes()
    done = harness.run_loaded("deal", "camelot", "--winnable", folder=tmp_path)
    assert (done.status, done.out, done.err.count("\n")) == (4, "", 1)
    assert "can be won" not in done.err
    assert (tmp_path / "cardsol.json").read_bytes() == before


@pytest.mark.parametrize("seed", ["2026-12-02", "07", "-0"])
def test_deal_winnable_goes_on_from_any_text_and_stores_the_seed_found(seed: str, tmp_path: Path) -> None:
    def winnable(text: str) -> bool:
        return solve(cardsol.deal("universal", seed=text, options={"draw": 3})).verdict == "won"

    tried = [seed, *(f"{seed}+{n}" for n in range(1, 50))]
    due = next(filter(winnable, tried))
    done = harness.run_loaded(
        "deal", "universal", "-o", "draw=3", "--winnable", f"--seed={seed}", folder=tmp_path
    )
    assert (done.status, done.err) == (0, f"seed {due} can be won; seeds tried: {tried.index(due) + 1}\n")
    assert cardsol.load(tmp_path / "cardsol.json").seed == due


@pytest.mark.parametrize("words", [["--deck", "-"], ["--pysol", "1"]])
def test_deal_winnable_goes_with_seeds_alone(words: list[str], tmp_path: Path) -> None:
    done = harness.run_loaded("deal", "camelot", "--winnable", *words, folder=tmp_path)
    assert (done.status, done.out) == (2, "")
    assert not (tmp_path / "cardsol.json").exists()
