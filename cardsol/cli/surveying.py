"""The commands on many deals: survey, stats."""

from __future__ import annotations

import codecs
import io
import json
import os
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from typing import IO, NamedTuple

import click

from .. import files, saves
from ..errors import BadSave, CardsolError, FileTrouble
from ..game import choose_options, deal
from ..registry import rules_of
from ..survey import records
from ..survey.players import MOST_MOVE_SECONDS, MOVE_SECONDS, PROGRAM, SOLVER
from ..survey.players import check as check_player
from ..survey.pools import Open, dask_cluster, end_workers, processes, run
from ..survey.records import Record, Survey
from ..survey.summary import COLUMNS, Run, Summaries, Summary
from ..text import quoted
from . import outcome
from .outcome import emit
from .params import (
    Number,
    OneOf,
    command,
    game_argument,
    game_options,
    json_option,
    offers,
    option_option,
    standard_input,
)
from .progress import progress
from .seeds import check, count, seeds
from .show import print_json
from .tables import check_files, row, table

MOST_JOBS = 1024


class Style(NamedTuple):
    """How a survey prints its records and its summary."""

    as_json: bool
    as_csv: bool
    summary_only: bool


@command(
    """Solves or plays many deals, and sums up the results.

    Prints a JSON record per seed to stdout, and a summary to stderr. With --csv the records are rows of CSV.

    --player is solve (all cards seen), hint, greedy or random, a player that an installed package adds, or
    exec:COMMAND, a program that speaks the protocol of cardsol play.

    \b
      cardsol survey three-peaks --seeds 1..20 --out peaks.jsonl
      cardsol survey three-peaks --seeds 1..40 --out peaks.jsonl --resume
      cardsol survey camelot --seeds 1..200 --player greedy --summary-only
    """
)
@game_argument
@click.option(
    "--seeds",
    "spans",
    metavar="A..B",
    multiple=True,
    required=True,
    help="Whole numbers from A to B, one seed, a file with one seed per line (@FILE), or - for stdin.",
)
@option_option
@click.option(
    "--player", metavar="NAME", default=SOLVER, shell_complete=offers("players"),
    help="Who plays: solve, hint, greedy, random, an added player, or exec:COMMAND  [default: solve].",
)  # fmt: skip
@click.option(
    "--move-seconds",
    metavar="S",
    type=Number(float, 0, MOST_MOVE_SECONDS, above=True),
    help="Seconds per move for exec:COMMAND  [default: 10].",
)
@click.option("--goal", type=OneOf(["win", "score"]), default="win", help="What to look for  [default: win].")
@click.option(
    "--max-states", metavar="N", type=Number(int, 1), help="Positions per deal  [default: the solver's]."
)
@click.option(
    "--jobs", metavar="N", type=Number(int, 1, MOST_JOBS), help="Processes  [default: one per processor]."
)
@click.option("--out", metavar="FILE", help="Write the records to FILE, not to stdout.")
@click.option("--resume", is_flag=True, help="Go on where FILE ends.")
@click.option("--summary-only", is_flag=True, help="Print no records, and the summary to stdout.")
@click.option("--dask", metavar="ADDRESS", help="Work on the Dask cluster with this scheduler.")
@click.option("--csv", "as_csv", is_flag=True, help="Print rows of CSV.")
@json_option
def survey(
    game: str, spans: tuple[str, ...], options: tuple[str, ...], player: str, goal: str, max_states: int | None,
    move_seconds: float | None, jobs: int | None, out: str | None, resume: bool, summary_only: bool,
    dask: str | None, as_csv: bool, as_json: bool,
) -> None:  # fmt: skip
    if out is not None and summary_only:
        raise click.UsageError("give --out or --summary-only, not both")
    if out is not None and as_csv:
        raise click.UsageError(
            "--csv is for stdout: a file of --out has JSON records, so that it can be resumed"
        )
    if as_csv and as_json and summary_only:
        raise click.UsageError("give --csv or --json, not both")
    if out == "-":
        raise click.UsageError("--out takes a file: without it the records go to stdout")
    if resume and out is None:
        raise click.UsageError("--resume goes on with a file: give --out too")
    asked = _survey(game, game_options(options), player, goal, max_states, move_seconds)
    style = Style(as_json, as_csv, summary_only)
    check(spans)
    summary, start = Summary(asked), time.monotonic()
    old, worked, failed, interrupted = 0, False, False, False
    try:
        with ExitStack() as stack:
            stack.enter_context(_ended_by_signals())
            open_executor, workers = stack.enter_context(_workers(dask))
            left = seeds(spans)
            target: IO[bytes] | None = None
            if out is not None:
                target = stack.enter_context(_opened(out, resume))
                left = chain(_old(target, out, asked, left, summary), left)
            old = summary.n
            on_stdout = out is None and not summary_only
            bar = stack.enter_context(progress(summary, count(spans), on_stdout))
            if as_csv and on_stdout:
                emit(row(records.COLUMNS), encoding="utf-8")
            for record in run(asked, left, jobs or workers or 1, open_executor):
                with _uninterrupted():
                    if not summary_only:
                        _write(record, target, out, as_csv)
                    summary.add(record)
                    worked = True
                bar.add()
    except (CardsolError, click.ClickException):
        failed = not worked
        raise
    except outcome.OutputFailed:
        failed = True
        raise
    except (KeyboardInterrupt, SystemExit):
        interrupted = True
        raise
    finally:
        end_workers()
        if not failed:
            _tell(summary, Run(time.monotonic() - start, summary.n - old), style)
        if interrupted and out is not None:
            outcome.warn("cardsol: interrupted: the same command with --resume goes on")


@command(
    """Adds up survey files, or saves.

    Each survey is summed up by itself: JSON has an object for each, one per line, and CSV has a row. Saves are
    counted one per file, those of a game with the same options together. FILE may be - for stdin. Seeds that were
    that occur twice are listed, and counted once.

    \b
      cardsol stats *.json
      cardsol stats *.jsonl --csv
      cardsol survey camelot --seeds 1..9 2> /dev/null | cardsol stats - --json
    """
)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, shell_complete=offers("files"))
@click.option("--csv", "as_csv", is_flag=True, help="Print rows of CSV.")
@json_option
def stats(paths: tuple[str, ...], as_csv: bool, as_json: bool) -> None:
    check_files(paths, as_csv, as_json)
    found = Summaries()
    for path in paths:
        _add(path, found)
    if as_json:
        for summary in found:
            print_json(summary.as_dict())
    elif as_csv:
        emit(table(COLUMNS, (summary.as_row() for summary in found)), encoding="utf-8")
    else:
        emit("".join(line + "\n" for line in found.lines()))


def _survey(
    game: str,
    options: dict[str, str],
    player: str,
    goal: str,
    max_states: int | None,
    move_seconds: float | None,
) -> Survey:
    chosen = choose_options(rules_of(game), options)
    check_player(player)
    if move_seconds is not None and not player.startswith(PROGRAM):
        raise click.UsageError("--move-seconds is for programs: it goes with --player exec:COMMAND")
    if player != SOLVER:
        if max_states is not None or goal != "win":
            raise click.UsageError("--goal and --max-states are the solver's: they go with --player solve")
        if player.startswith(PROGRAM):
            return Survey(game, chosen, player, move_seconds=move_seconds or MOVE_SECONDS)
        return Survey(game, chosen, player)
    if max_states is None:
        from ..solve import default_states

        max_states = default_states(deal(game, seed=0, options=chosen))
    return Survey(game, chosen, player, goal, max_states)


@contextmanager
def _workers(dask: str | None) -> Iterator[tuple[Open, int]]:
    """Yields a function that opens an executor, and the number of workers."""
    if dask is None:
        yield processes, os.cpu_count() or 1
        return
    import logging

    # Dask logs every task that it starts again; stderr is for the summary.
    logging.disable()
    with ExitStack() as stack:
        try:
            cluster = stack.enter_context(dask_cluster(dask))
        except ImportError:
            raise click.UsageError(
                "--dask needs the package distributed: pip install '.[dask]' in a checkout of cardsol"
            ) from None
        except (OSError, ValueError) as error:
            raise FileTrouble(dask, f"no Dask scheduler answers there: {error}") from None
        yield cluster


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Ends a survey that is told to end (SIGTERM, SIGHUP) as Ctrl-C does: no worker and no program of it is left."""

    def end(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise SystemExit(128 + number)

    numbers = [each for each in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(each) is signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            if signal.getsignal(number) is end:
                signal.signal(number, signal.SIG_DFL)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Holds Ctrl-C back for a moment, so that the records written and those summed up are the same.

    A signal mask would not do: a thread of the process pool would take the signal. A second Ctrl-C is not held
    back: what reads the records may have stopped reading.
    """
    caught = False

    def hold(number: int, frame: object) -> None:
        nonlocal caught
        if caught:
            raise KeyboardInterrupt
        caught = True

    before = signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if caught:
        raise KeyboardInterrupt


def _open(out: str, resume: bool) -> tuple[IO[bytes], bool]:
    """Opens the file of records, and tells whether it was made."""
    path = out.encode("utf-8", "surrogateescape")
    try:
        try:
            return open(path, "x+b"), True
        except FileExistsError:
            if resume:
                return open(path, "a+b"), False
            raise
    except FileExistsError:
        raise FileTrouble(out, "already exists; use --resume to continue it, or another name") from None
    except (OSError, ValueError) as error:
        raise _trouble(out, error, "can't be written") from None


@contextmanager
def _opened(out: str, resume: bool) -> Iterator[IO[bytes]]:
    """Opens the file of records, under a lock so that no other survey writes to it; raises FileTrouble.

    A file that was made here and is still empty when the survey fails is removed.
    """
    import fcntl

    opened, is_new = _open(out, resume)
    with opened as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileTrouble(out, "is no regular file: without --out the records go to stdout")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileTrouble(out, "is being written by another survey: wait, or give another name") from None
        except OSError as error:
            raise _trouble(out, error, "can't be locked") from None
        file.seek(0)
        try:
            yield file
        except BaseException:
            with suppress(OSError):
                if is_new and not os.fstat(file.fileno()).st_size:
                    os.unlink(out.encode("utf-8", "surrogateescape"))
            raise


def _old(file: IO[bytes], out: str, asked: Survey, seeds: Iterator[str], summary: Summary) -> list[str]:
    """Adds up the records of a file, which are those of the first seeds, and returns the seeds that failed.

    Raises FileTrouble where the file belongs to another survey, or can't be read.
    """
    failed: dict[str, None] = {}
    try:
        for record in records.read(_whole_lines(file, asked)):
            if other := records.difference(record.survey, asked):
                raise FileTrouble(
                    out, f"was made with {other}: ask for the same, or give another name for the file"
                )
            if record.seed in failed:
                del failed[record.seed]
            elif record.seed != next(seeds, None):
                raise FileTrouble(
                    out,
                    f"has the seed {quoted(record.seed)} where other seeds are asked for: "
                    "ask for the seeds of the file first, then for more, or give another name",
                )
            if record.verdict == "error":
                failed[record.seed] = None
            summary.add(record)
    except CardsolError:
        raise
    except (OSError, ValueError) as error:
        raise _trouble(out, error, "can't be read") from None
    return list(failed)


def _trouble(out: str, error: OSError | ValueError, doing: str) -> FileTrouble:
    return files.trouble(out, error, doing) if isinstance(error, OSError) else FileTrouble(out, f"{error}")


def _whole_lines(file: IO[bytes], asked: Survey) -> Iterator[str]:
    """Yields the lines of a file, and cuts off a last one that is incomplete because a survey was killed.

    It is cut off only where it is the beginning of a record of this survey; anything else is somebody's text.
    """
    end = 0
    for line in _lines(file):
        if line.endswith(b"\n"):
            end += len(line)
            yield line.decode("utf-8-sig", "replace")
        elif line.startswith(records.beginning(asked)[: len(line)]):
            file.truncate(end)
        else:
            yield line.decode("utf-8-sig", "replace")


def _write(record: Record, target: IO[bytes] | None, out: str | None, as_csv: bool) -> None:
    if target is None:
        facts = record.as_row() if as_csv else {}
        emit(row(facts[name] for name in records.COLUMNS) if as_csv else record.as_line(), encoding="utf-8")
        return
    _append(target.fileno(), record.as_line().encode(), out or "")


def _append(descriptor: int, data: bytes, out: str) -> None:
    """Writes all of a line at the end of a file, or raises FileTrouble and leaves the file as it was.

    No buffer stands between: what it could not write would be tried once more at the file's end.
    """
    size = os.fstat(descriptor).st_size
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError as error:
        with suppress(OSError):
            os.ftruncate(descriptor, size)
        raise files.trouble(out, error, "can't be written") from None


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yields the lines of a file; of one that is too long to be a record no more than its beginning at a time."""
    return iter(lambda: file.readline(files.LARGEST), b"")


def _tell(summary: Summary, run: Run, style: Style) -> None:
    """Prints the summary: to stdout where that is asked for, else to stderr."""
    if style.as_json:
        text = json.dumps(summary.as_dict(run), ensure_ascii=False) + "\n"
    elif style.as_csv and style.summary_only:
        text = table(COLUMNS, [summary.as_row(run)])
    else:
        text = "".join(line + "\n" for line in summary.lines(run))
    if style.summary_only:
        emit(text, encoding="utf-8" if style.as_json or style.as_csv else None)
    else:
        outcome.warn(text.rstrip("\n"))


def _add(path: str, found: Summaries) -> None:
    """Adds up the records of a survey file, or a save; those on stdin for `-`."""
    try:
        with _stream(path) as file:
            # A pipe can't be read twice, so its beginning is looked at without being read.
            start = file.peek(1024).removeprefix(codecs.BOM_UTF8).lstrip()
            if start and not start.startswith(b'{"game"'):
                found.add_save(saves.parse(files.read_open(file, path), path))
                return
            for record in records.read(line.decode("utf-8-sig", "replace") for line in _lines(file)):
                found.add(record)
    except CardsolError:
        raise
    except OSError as error:
        raise files.trouble(path, error, "can't be read") from None
    except ValueError as error:
        raise BadSave(
            path,
            "",
            f"it is not a survey file either: {error} (survey --resume repairs an incomplete last line)",
        ) from None


def _stream(path: str) -> io.BufferedReader:
    if path == "-":
        return io.BufferedReader(standard_input("the records"))  # type: ignore[arg-type]
    name = path.encode("utf-8", "surrogateescape")
    files.sweep(name)
    return open(name, "rb")
