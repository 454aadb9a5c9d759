"""Many deals, solved or played: one record per seed, the same for any number of processes.

The work goes to an executor: the standard library's process pool, or that of a Dask cluster. Records come back in
the order of the seeds, however long each takes, and only a window of them is in memory at any time.
"""

from __future__ import annotations

import errno
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from ..errors import CardsolError, FileTrouble
from ..game import Game, deal
from .players import MOVE_SECONDS, PROGRAM, SOLVER, Seat, muted, resolve
from .records import Record, Survey, Verdict, failure

TASK_SECONDS = 0.1
"""About how long a task should last: seeds that take less are handed out in bundles."""
LARGEST_BUNDLE = 200
WINDOW = 16
"""Tasks handed out and not yet written, for each process."""
CONNECT_SECONDS = 10
TOO_MANY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""Errors of the operating system that fewer processes may avoid."""

Open = Callable[[int], Executor]


def record_of(survey: Survey, seed: str) -> Record:
    """Deals a seed, solves or plays it, and returns its record."""
    start = time.perf_counter()
    game = deal(survey.game, seed=seed, options=survey.options)
    if survey.player == SOLVER:
        return _solved(survey, game, seed, start)
    return _played(survey, game, seed, start)


def _solved(survey: Survey, game: Game, seed: str, start: float) -> Record:
    from ..solve import Limits, solve

    answer = solve(game, survey.goal, Limits(states=survey.max_states), shorten=False)  # type: ignore[arg-type]
    if answer.limit == "interrupted":
        raise KeyboardInterrupt
    line = answer.line
    verdict: Verdict = "unknown" if answer.verdict == "best" and not answer.optimal else answer.verdict
    moves = 0 if line is None else len(line)
    return Record(survey, seed, verdict, answer.score, moves, line, answer.states, _since(start))


def _played(survey: Survey, game: Game, seed: str, start: float) -> Record:
    if survey.player.startswith(PROGRAM):
        return _played_by_program(survey, game, seed, start)
    player = resolve(survey.player)
    try:
        with muted():
            player(Seat(game))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # Players come from anywhere. One that fails, or calls sys.exit, loses nothing but this deal.
        return failure(survey, seed, error)
    verdict: Verdict = "won" if game.status == "won" else "lost"
    return Record(survey, seed, verdict, game.score, len(game.moves), game.moves, None, _since(start))


def _played_by_program(survey: Survey, game: Game, seed: str, start: float) -> Record:
    from .bots import play

    command = survey.player.removeprefix(PROGRAM)
    fault = play(command, game, survey.move_seconds or MOVE_SECONDS)
    verdict: Verdict = "won" if game.status == "won" and not fault else "lost"
    return Record(
        survey,
        seed,
        verdict,
        game.score,
        len(game.moves),
        game.moves,
        None,
        _since(start),
        fault=fault or None,
    )


def _since(start: float) -> float:
    return round(time.perf_counter() - start, 6)


def records_of(survey: Survey, seeds: list[str]) -> list[Record]:
    """Returns the records of a bundle of seeds: one task of a worker."""
    try:
        return [record_of(survey, seed) for seed in seeds]
    except (Exception, KeyboardInterrupt):
        raise
    except BaseException as error:
        # SystemExit from an added game's solver, say: passed on as it is, it would end the survey.
        raise RuntimeError(f"{type(error).__name__}: {error}") from None


def run(survey: Survey, seeds: Iterable[str], jobs: int, open_executor: Open) -> Iterator[Record]:
    """Yields a record for each seed, in their order.

    `open_executor` opens an executor with that many workers. A task whose worker dies is tried once more, one seed
    at a time in a worker of its own; a seed that fails again gets an error record. If the pool broke too, a new
    one takes over the tasks that were under way.
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
            spent = sum(record.seconds for record in records) / len(records)
            bundle = max(1, min(LARGEST_BUNDLE, int(TASK_SECONDS / max(spent, 1e-6))))
        # No work is under way, so this does not take long; at the interpreter's exit it would be too late.
        executor.shutdown()
    finally:
        _close(executor)
    if wrong:
        raise wrong[0]


def _until_wrong(seeds: Iterable[str], wrong: list[CardsolError]) -> Iterator[str]:
    """Yields seeds up to the first wrong one, whose error is kept until those before it are done."""
    try:
        yield from seeds
    except CardsolError as error:
        wrong.append(error)


def _submit(executor: Executor, survey: Survey, task: list[str]) -> Future[list[Record]]:
    try:
        with _unsignalled():
            return executor.submit(records_of, survey, task)
    except OSError as error:
        raise _no_worker(error) from None
    except BrokenExecutor as error:
        # A pool that broke takes no more tasks. The failure is dealt with when it is this task's turn.
        broken: Future[list[Record]] = Future()
        broken.set_exception(error)
        return broken
    except RuntimeError as error:  # a thread that can't be started
        raise FileTrouble("--jobs", f"a worker process can't be started: {error}: give fewer") from None


def _no_worker(error: OSError) -> FileTrouble:
    """Returns why no worker can be started, as an error of ours."""
    import os

    try:
        os.getcwd()
    except OSError:
        return FileTrouble(".", "the current folder has been removed: change to another")
    advice = ": give fewer" if error.errno in TOO_MANY else ""
    return FileTrouble("--jobs", f"a worker process can't be started: {error.strerror}{advice}")


@contextmanager
def _unsignalled() -> Iterator[None]:
    """Keeps Ctrl-C from the processes and threads that are started meanwhile: they inherit the signal mask."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _is_done(future: Future[list[Record]]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _alone(survey: Survey, seeds: list[str], open_executor: Open) -> Iterator[Record]:
    """Yields the records of seeds tried one at a time; a worker that dies is replaced."""
    executor = open_executor(1)
    try:
        for seed in seeds:
            try:
                yield from _submit(executor, survey, [seed]).result()
            except Exception as error:
                yield failure(survey, seed, error)
                _close(executor)
                executor = open_executor(1)
    finally:
        _close(executor)


def _close(executor: Executor) -> None:
    try:
        executor.shutdown(wait=False, cancel_futures=True)
    except TypeError:  # Dask's executor has no such parameter, and always cancels
        executor.shutdown(wait=False)


def processes(jobs: int) -> Executor:
    """Opens a pool of processes that leave Ctrl-C to the one that started them."""
    from multiprocessing import get_context, resource_tracker

    # Started before the first worker: starting it later would unblock the signal while a worker starts.
    try:
        resource_tracker.ensure_running()
        return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin_work)
    except OSError as error:
        raise _no_worker(error) from None


def begin_work() -> None:
    """Leaves Ctrl-C and stdout to the process that started this one, and ends this one when that is gone."""
    import os
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Whatever an added game or player prints, stdout is for the records.
    with suppress(OSError):
        os.dup2(2, 1)
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: Any) -> None:
    import os
    import sys

    parent.join()
    if bots := sys.modules.get(f"{__package__}.bots"):
        bots.close()
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
    """Yields a function that opens an executor on a Dask cluster, and the cluster's number of threads.

    `address` is that of the scheduler. Raises ImportError without the package `distributed`, OSError or
    ValueError where no scheduler answers.
    """
    from distributed import Client

    with Client(address, timeout=CONNECT_SECONDS) as client:
        yield lambda jobs: client.get_executor(pure=False), sum(client.nthreads().values())
