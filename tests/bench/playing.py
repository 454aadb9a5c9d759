"""How many moves a second a client plays: through the pipe of `cardsol play`, and with a process per move.

    python -m tests.bench.playing [--moves N] [--one-core]

Each figure stands beside the CPU time that server and client spent on a move, because machines are shared, and below
a process that sends back as many bytes and does nothing else: what a reply costs before anything is played. On some
virtual machines that is mostly the time in which a sleeping core wakes up; `--one-core` runs client and server on the
same core, which then never sleeps. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import cardsol
from tests.support.harness import COMMAND


def main() -> None:
    """Plays the same random games both ways, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=20_000, help="moves through the pipe (20,000)")
    parser.add_argument("--one-core", action="store_true", help="run client and server on one core")
    asked = parser.parse_args()
    moves = asked.moves
    if asked.one_core:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(f"{'':30} {'moves/s':>9} {'server, us/move':>16} {'client, us/move':>16}")
    row("a process that only echoes", *by_echo(moves))
    for game in cardsol.names():
        row(f"pipe, {game}", *through_the_pipe([game], moves))
    row("a process per move, three-peaks", *by_processes("three-peaks", max(20, moves // 400)))


def row(what: str, rate: float, server: float, client: float) -> None:
    print(f"{what:30} {rate:9.0f} {server:16.1f} {client:16.1f}")


def through_the_pipe(words: Sequence[str], moves: int) -> tuple[float, float, float]:
    """Returns moves a second, and CPU microseconds a move of the server and of the client."""
    chance = random.Random(1)
    before, start = cpu(), time.perf_counter()
    with subprocess.Popen(
        [COMMAND, "play", *words, "--seed", "1", "--no-save"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as table:
        assert table.stdin is not None and table.stdout is not None
        view = json.loads(table.stdout.readline())["view"]
        start = time.perf_counter()
        made = 0
        while made < moves:
            if view["legal"]:
                made += 1
                request: dict[str, object] = {"move": [chance.choice(view["legal"])]}
            else:
                request = {"deal": {"seed": made}}
            table.stdin.write(json.dumps(request).encode() + b"\n")
            table.stdin.flush()
            view = json.loads(table.stdout.readline())
        spent = time.perf_counter() - start
        table.stdin.close()
    return rates(made, spent, before)


ECHO = "import os\nwhile os.read(0, 65536): os.write(1, b'x' * 1200 + b'\\n')"


def by_echo(replies: int) -> tuple[float, float, float]:
    """Returns the same of a process that sends as many bytes as a view has."""
    before = cpu()
    with subprocess.Popen(
        [sys.executable, "-c", ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as echo:
        assert echo.stdin is not None and echo.stdout is not None
        start = time.perf_counter()
        for _ in range(replies):
            echo.stdin.write(b'{"move": ["d3"]}\n')
            echo.stdin.flush()
            echo.stdout.readline()
        spent = time.perf_counter() - start
        echo.stdin.close()
    return rates(replies, spent, before)


def by_processes(game: str, moves: int) -> tuple[float, float, float]:
    """Returns the same of `cardsol move --json`, a process per move, each with its durable save."""
    chance = random.Random(1)
    before = cpu()
    with tempfile.TemporaryDirectory() as folder:
        save = str(Path(folder) / "save.json")
        made, start = 0, time.perf_counter()
        legal: list[str] = []
        while made < moves:
            words = (
                ["move", chance.choice(legal)] if legal else ["deal", game, "--seed", str(made), "--force"]
            )
            made += bool(legal)
            done = subprocess.run([COMMAND, *words, "--json", "-f", save], stdout=subprocess.PIPE, check=True)
            legal = json.loads(done.stdout)["legal"]
        spent = time.perf_counter() - start
    return rates(made, spent, before)


def rates(made: int, spent: float, before: tuple[float, float]) -> tuple[float, float, float]:
    """Returns moves a second, and the CPU microseconds a move since `before`."""
    served, asked = (there - here for here, there in zip(before, cpu()))
    return made / spent, served / made * 1e6, asked / made * 1e6


def cpu() -> tuple[float, float]:
    """Returns the CPU seconds of the processes that this one has waited for, and of its own."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = os.times()
    return children.ru_utime + children.ru_stime, own.user + own.system


if __name__ == "__main__":
    main()
