"""Surveys on a real Dask cluster on loopback: the same records as at home, also where a worker is killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import harness
from tests.support.records import lines, read, timeless, wait_for

pytest.importorskip("distributed")

SURVEY = ("survey", "camelot", "--seeds", "1..600", "--player", "greedy")


class Cluster(NamedTuple):
    address: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A scheduler and two workers of one thread each, as processes; nobody starts a killed worker again."""

    def started(what: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words]
        process = subprocess.Popen(
            command, cwd=tmp_path, env=harness.environment(), stderr=subprocess.DEVNULL
        )
        processes.append(process)
        return process

    processes: list[subprocess.Popen[bytes]] = []
    contact = tmp_path / "scheduler.json"
    try:
        started(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(contact),
        )
        wait_for(lambda: lines(contact) > 0)
        address = json.loads(contact.read_text())["address"]
        alone = ("--nthreads", "1", "--nworkers", "1", "--no-nanny", "--no-dashboard")
        workers = [started("worker", address, *alone) for _ in range(2)]
        yield Cluster(address, workers)
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_killed_dask_worker_loses_nothing(cluster: Cluster, tmp_path: Path) -> None:
    at_home = harness.run(*SURVEY, "--out", "home.jsonl", folder=tmp_path)
    out = tmp_path / "out.jsonl"
    survey = subprocess.Popen(
        [harness.COMMAND, *SURVEY, "--out", str(out), "--dask", cluster.address],
        env=harness.environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_for(lambda: lines(out) > 20)
    assert survey.poll() is None, "over before the worker is killed"
    cluster.workers[0].send_signal(signal.SIGKILL)
    _, told = survey.communicate(timeout=300)
    assert survey.returncode == 0, told
    assert at_home.status == 0
    assert timeless(read(out)) == timeless(read(tmp_path / "home.jsonl"))
    assert told.startswith("600 deals: ")


def test_a_dask_survey_that_is_interrupted_keeps_what_is_done(cluster: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    words = [harness.COMMAND, *SURVEY, "--out", str(out), "--dask", cluster.address]
    survey = subprocess.Popen(words, env=harness.environment(), stderr=subprocess.PIPE, text=True)
    wait_for(lambda: lines(out) > 20)
    survey.send_signal(signal.SIGINT)
    _, told = survey.communicate(timeout=60)
    records = read(out)
    assert survey.returncode == 130, told
    assert told.startswith(f"{len(records)} deals: ")
    assert "Traceback" not in told
    assert [record["seed"] for record in records] == [str(seed) for seed in range(1, len(records) + 1)]


def test_no_scheduler_at_the_address_is_told_in_a_line(tmp_path: Path) -> None:
    for address in ("tcp://127.0.0.1:9", "nowhere", "x://y"):
        done = harness.run("survey", "camelot", "--seeds", "1", "--dask", address, folder=tmp_path)
        assert done.status == 3, done
        assert "no Dask scheduler answers there" in done.err
        assert "Traceback" not in done.err
