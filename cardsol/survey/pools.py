"""Many deals, solved or played: one record a seed, the same whatever the number of processes.

The work is handed out through the futures of an executor: the standard library's process pool, or a Dask
cluster's. Records come back in the order of the seeds, however long each takes, with no more than a window of
them in memory.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

from ..errors import CardsolError, FileTrouble
from ..game import deal

PLAYER_NAMES = ("solve", "hint", "greedy", "random")
TASK_SECONDS = 0.1
"""About how long a task should last: seeds that take less are handed out in bundles."""
LARGEST_BUNDLE = 200
WINDOW = 16
"""Tasks handed out and not yet written, for each process."""
CONNECT_SECONDS = 10

Record = dict[str, Any]
Open = Callable[[int], Executor]


class Survey(NamedTuple):
    """What is done with each seed; all of it decides the records."""

    game: str
    options: dict[str, str]
    player: str
    goal: str = "win"
    max_states: int | None = None
    """The solver's limit; None for players that do not solve."""

    def head(self, seed: str) -> Record:
        """Returns what a record begins with."""
        game, options, *rest = self._asdict().items()
        return dict((game, options, ("seed", seed), *rest))


def record_of(survey: Survey, seed: str) -> Record:
    """Deals a seed, solves or plays it, and returns its record; `seconds` alone may differ from run to run."""
    start = time.perf_counter()
    game = deal(survey.game, seed=seed, options=survey.options)
    facts = _solved(survey, game) if survey.player == "solve" else _played(survey, game)
    seconds = round(time.perf_counter() - start, 6)
    return {**survey.head(seed), **facts, "seconds": seconds}


def _solved(survey: Survey, game: Any) -> Record:
    from ..solve import Limits, solve

    answer = solve(game, survey.goal, Limits(states=survey.max_states), shorten=False)  # type: ignore[arg-type]
    if answer.limit == "interrupted":
        raise KeyboardInterrupt
    line = None if answer.line is None else list(answer.line)
    verdict = "unknown" if answer.verdict == "best" and not answer.optimal else answer.verdict
    return {
        "verdict": verdict,
        "score": answer.score,
        "moves": 0 if line is None else len(line),
        "line": line,
        "states": answer.states,
    }


def _played(survey: Survey, game: Any) -> Record:
    from .players import PLAYERS

    PLAYERS[survey.player](game)
    verdict = "won" if game.status == "won" else "lost"
    return {
        "verdict": verdict,
        "score": game.score,
        "moves": len(game.moves),
        "line": list(game.moves),
        "states": None,
    }


def failed(survey: Survey, seed: str, error: BaseException) -> Record:
    """Returns the record of a seed whose worker died twice."""
    facts = {"verdict": "error", "score": None, "moves": None, "line": None, "states": None}
    return {**survey.head(seed), **facts, "error": str(error) or type(error).__name__, "seconds": 0}


def records_of(survey: Survey, seeds: list[str]) -> list[Record]:
    """Returns the records of a bundle of seeds: one task of a worker."""
    return [record_of(survey, seed) for seed in seeds]


def run(survey: Survey, seeds: Iterable[str], jobs: int, open_executor: Open) -> Iterator[Record]:
    """Yields a record for each seed, in their order.

    `open_executor` opens an executor of so many workers. A task whose worker dies is tried once more, seed after
    seed in a worker of its own; a seed that fails again has an error record. A pool that broke with it is
    opened anew for the tasks that were under way.
    """
    wrong: list[CardsolError] = []
    waiting = _until_wrong(seeds, wrong)
    pending: deque[tuple[list[str], Future[list[Record]]]] = deque()
    executor = open_executor(jobs)
    bundle = 1
    try:
        while True:
            while len(pending) < WINDOW * jobs and (task := list(islice(waiting, bundle))):
                pending.append((task, _submit(executor, survey, task)))
            if not pending:
                break
            task, future = pending.popleft()
            try:
                records = future.result()
            except Exception as error:
                if isinstance(error, BrokenExecutor):
                    _close(executor)
                    executor = open_executor(jobs)
                    pending = deque(
                        (task, future if _is_done(future) else _submit(executor, survey, task))
                        for task, future in pending
                    )
                yield from _alone(survey, task, open_executor)
                continue
            yield from records
            spent = sum(record["seconds"] for record in records) / len(records)
            bundle = max(1, min(LARGEST_BUNDLE, int(TASK_SECONDS / max(spent, 1e-6))))
        # With no work under way its end is waited for: at the interpreter's own end it would be half gone.
        executor.shutdown()
    finally:
        _close(executor)
    if wrong:
        raise wrong[0]


def _until_wrong(seeds: Iterable[str], wrong: list[CardsolError]) -> Iterator[str]:
    """Yields seeds up to one that is none, and keeps what is wrong with it until those before it are done."""
    try:
        yield from seeds
    except CardsolError as error:
        wrong.append(error)


def _submit(executor: Executor, survey: Survey, task: list[str]) -> Future[list[Record]]:
    try:
        with _unsignalled():
            return executor.submit(records_of, survey, task)
    except OSError as error:
        raise FileTrouble(
            "--jobs", f"a worker process can't be started: {error.strerror}: give fewer"
        ) from None
    except BrokenExecutor as error:
        # A pool that broke takes no more tasks: the failure is met in its turn.
        broken: Future[list[Record]] = Future()
        broken.set_exception(error)
        return broken


@contextmanager
def _unsignalled() -> Iterator[None]:
    """Keeps Ctrl-C from the processes and threads that begin meanwhile: they inherit the mask, and never lose it."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _is_done(future: Future[list[Record]]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _alone(survey: Survey, seeds: list[str], open_executor: Open) -> Iterator[Record]:
    """Yields the records of seeds that are tried one at a time, by a worker that lasts as long as it lives."""
    executor = open_executor(1)
    try:
        for seed in seeds:
            try:
                yield from _submit(executor, survey, [seed]).result()
            except Exception as error:
                yield failed(survey, seed, error)
                _close(executor)
                executor = open_executor(1)
    finally:
        _close(executor)


def _close(executor: Executor) -> None:
    try:
        executor.shutdown(wait=False, cancel_futures=True)
    except TypeError:  # Dask's executor does not know the word, and cancels unasked
        executor.shutdown(wait=False)


def processes(jobs: int) -> Executor:
    """Opens a pool of processes that leave Ctrl-C to the one that started them."""
    from multiprocessing import get_context, resource_tracker

    # Begun before the first worker, for it would lift the mask that the worker is begun under.
    resource_tracker.ensure_running()
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin_work)


def begin_work() -> None:
    """Leaves Ctrl-C to the process that started this one, and ends this one when that is gone."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    import os

    parent.join()
    os._exit(1)


def end_workers() -> None:
    """Ends every process that a pool of this one started, at once."""
    from multiprocessing import active_children

    for child in active_children():
        child.terminate()
    for child in active_children():
        child.join()


@contextmanager
def dask_cluster(address: str) -> Iterator[tuple[Open, int]]:
    """Gives how to open an executor on the Dask cluster whose scheduler listens at an address, and its threads.

    Raises ImportError without the package `distributed`, OSError or ValueError where no scheduler answers.
    """
    from distributed import Client

    with Client(address, timeout=CONNECT_SECONDS) as client:
        yield lambda jobs: client.get_executor(pure=False), sum(client.nthreads().values())
