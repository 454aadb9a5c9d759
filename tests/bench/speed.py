"""How fast playing is: whole processes, random play in process, and the cost of a load.

    python -m tests.bench.speed [--runs N]

Every figure stands beside a yardstick that is measured in the same run, because machines differ and their
speed drifts; quote the ratios. Nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cardsol
from cardsol import names, saves

COMMAND = str(Path(sysconfig.get_path("scripts")) / "cardsol")


def main() -> None:
    """Runs the three parts and prints their tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15, help="processes of each kind (15)")
    runs = parser.parse_args().runs
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors\n")
    with tempfile.TemporaryDirectory() as folder:
        processes(Path(folder), runs)
    random_play()
    loads()


def middle_game(name: str, moves: int, seed: int = 1) -> cardsol.Game:
    """Returns a game after that many random moves, still being played."""
    for start in range(seed, seed + 1000):
        game = cardsol.deal(name, seed=start)
        chance = random.Random(start)
        while len(game.moves) < moves and game.status == "playing":
            game.push(chance.choice(game.legal_moves))
        if game.status == "playing":
            return game
    raise SystemExit(f"no seed from {seed} on keeps {name} going for {moves} moves")


def processes(folder: Path, runs: int) -> None:
    """Measures whole processes, each beside the yardstick, so that both meet the same moods of the machine."""
    print(f"Whole processes, CPU time, median of {runs} pairs, against importing click")
    yardstick = [sys.executable, "-c", "import click"]
    for name in names():
        game = middle_game(name, 20)
        path = folder / f"{name}.json"
        cardsol.save(game, path)
        content = path.read_bytes()
        for command in ("move", "undo", "show", "moves", "score"):
            words = [COMMAND, command, "-f", str(path), *game.legal_moves[: command == "move"]]
            taken, ratios = [], []
            for _ in range(runs):
                path.write_bytes(content)
                taken.append(cpu_seconds(words))
                ratios.append(taken[-1] / cpu_seconds(yardstick))
            shown = f"{command}, {name}"
            print(
                f"  {shown:26} {statistics.median(taken) * 1000:7.1f} ms  {statistics.median(ratios):5.2f} x"
            )
    print()


def cpu_seconds(words: list[str]) -> float:
    """Returns the CPU time of a process, user and system."""
    into_nothing = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    process = os.posix_spawn(words[0], words, os.environ, file_actions=into_nothing)
    _, status, used = os.wait4(process, 0)
    if status:
        raise SystemExit(f"{' '.join(words)} failed")
    return used.ru_utime + used.ru_stime


def random_play() -> None:
    """Counts steps of legal_moves and push in random play, against a fixed loop."""
    print(
        "Random play in process, against a fixed loop of plain Python (ratio above 1: a step is faster than a turn)"
    )
    for name in names():
        games, steps, spent = _play(name)
        turns = yardstick_rate()
        rate = steps / spent
        print(
            f"  {name:16} {games / spent:7.0f} games/s {rate:8.0f} steps/s  {rate / turns:5.2f} x {turns:8.0f} turns/s"
        )
    print()


def _play(name: str, seconds: float = 1.0) -> tuple[int, int, float]:
    chance = random.Random(name)
    games = steps = 0
    spent = 0.0
    while spent < seconds:
        game = cardsol.deal(name, seed=games)
        start = time.process_time()
        for _ in range(300):
            legal = game.legal_moves
            if not legal:
                break
            game.push(chance.choice(legal))
            steps += 1
        spent += time.process_time() - start
        games += 1
    return games, steps, spent


def yardstick_rate() -> float:
    """Returns turns a second of a fixed loop over tuples, texts, a dict and a sort: what a step is made of."""
    start = time.process_time()
    turns = 0
    while (spent := time.process_time() - start) < 0.3:
        for _ in range(200):
            row = tuple(range(40))
            table = {str(i): row[:i] for i in row[:25]}
            sorted(table, key=lambda key: table[key])
            turns += 1
    return turns / spent


def loads() -> None:
    """Times parsing a save, all of it verified by replay, against the number of moves."""
    print("Loading a save, against json.loads of the same text")
    for moves in (0, 100, 500, 2000, 20000):
        text = saves.dump(long_game(moves))
        load = _best(lambda text=text: saves.parse(text, "bench"))  # type: ignore[misc]
        import json

        plain = _best(lambda text=text: json.loads(text))  # type: ignore[misc]
        print(
            f"  {moves:6} moves {load * 1000:8.2f} ms  {load / max(moves, 1) * 1e6:7.1f} us/move  {load / plain:5.1f} x"
        )


def long_game(moves: int) -> cardsol.Game:
    """Returns a game of Vanishing Cross in which a card goes to and fro as long as wanted."""
    for seed in range(1000):
        game = cardsol.deal("vanishing-cross", seed=seed)
        while len(game.moves) < moves:
            there = next((token for token in game.legal_moves if token != "draw" and "-f" not in token), None)
            if there is None:
                break
            game.push(there)
        if len(game.moves) == moves:
            return game
    raise SystemExit("no seed has two cross piles between which a card can go to and fro")


def _best(action: Callable[[], object], repeats: int = 5) -> float:
    spent = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        spent.append(time.process_time() - start)
    return min(spent)


if __name__ == "__main__":
    main()
