"""The commands on many deals: survey, stats."""

from __future__ import annotations

import codecs
import io
import json
import os
import signal
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from typing import IO, Any

import click

from .. import files, saves
from ..errors import BadSave, CardsolError, FileTrouble
from ..game import Game, choose_options, deal
from ..registry import rules_of
from ..survey.pools import PLAYER_NAMES, Open, Record, Survey, dask_cluster, end_workers, processes, run
from ..survey.summary import Run, Summary, read_records
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
from .seeds import check, count, seeds
from .show import print_json

MOST_JOBS = 1024


@command(
    """Solves or plays many deals, and sums up.

    Prints a JSON record a seed, and what they add up to.

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
    help="Whole numbers from A to B, one seed, a file of one seed a line (@FILE), or - for standard input.",
)
@option_option
@click.option("--player", type=OneOf(PLAYER_NAMES), default="solve", help="Who plays  [default: solve].")
@click.option(
    "--goal", type=OneOf(["win", "score"]), default="win", help="What is solved for  [default: win]."
)
@click.option(
    "--max-states", metavar="N", type=Number(int, 1), help="Positions a deal  [default: the solver's]."
)
@click.option(
    "--jobs", metavar="N", type=Number(int, 1, MOST_JOBS), help="Processes  [default: one a processor]."
)
@click.option("--out", metavar="FILE", help="Write the records there, not to standard output.")
@click.option("--resume", is_flag=True, help="Go on where FILE ends.")
@click.option("--summary-only", is_flag=True, help="Print no records, and the summary to standard output.")
@click.option("--dask", metavar="ADDRESS", help="Work on the Dask cluster whose scheduler is there.")
@json_option
def survey(
    game: str, spans: tuple[str, ...], options: tuple[str, ...], player: str, goal: str, max_states: int | None,
    jobs: int | None, out: str | None, resume: bool, summary_only: bool, dask: str | None, as_json: bool,
) -> None:  # fmt: skip
    if out is not None and summary_only:
        raise click.UsageError("give --out or --summary-only, not both")
    if out == "-":
        raise click.UsageError("--out takes a file: without it the records go to standard output")
    if resume and out is None:
        raise click.UsageError("--resume goes on with a file: give --out too")
    asked = _survey(game, game_options(options), player, goal, max_states)
    check(spans)
    summary, start = Summary(), time.monotonic()
    old, worked, wrong, interrupted = 0, False, False, False
    try:
        with ExitStack() as stack:
            left = seeds(spans)
            target: IO[bytes] | None = None
            if out is not None:
                target = stack.enter_context(_opened(out, resume))
                left = chain(_old(target, out, asked, left, summary), left)
            old = summary.n
            bar = stack.enter_context(_progress(spans, summary))
            open_executor, workers = stack.enter_context(_workers(dask))
            for record in run(asked, left, jobs or workers or 1, open_executor):
                with _uninterrupted():
                    if not summary_only:
                        _write(record, target, out)
                    summary.add(record)
                    worked = True
                bar.update(1)
    except (CardsolError, click.ClickException):
        wrong = not worked
        raise
    except KeyboardInterrupt:
        interrupted = True
        raise
    finally:
        end_workers()
        if not wrong:
            _tell(summary, Run(time.monotonic() - start, summary.n - old), as_json, summary_only)
        if interrupted and out is not None:
            outcome.warn("cardsol: interrupted: the same command with --resume goes on")


@command(
    """Adds up survey files, or saves.

    FILE may be - for standard input. Tells seeds that were done twice, and counts them once.

    \b
      cardsol stats *.json
      cardsol survey camelot --seeds 1..9 2> /dev/null | cardsol stats - --json
    """
)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, shell_complete=offers("files"))
@json_option
def stats(paths: tuple[str, ...], as_json: bool) -> None:
    summary = Summary()
    for path in paths:
        for record in _records_in(path):
            summary.add(record)
    if as_json:
        print_json(summary.as_dict())
    else:
        emit("".join(line + "\n" for line in summary.lines()))


def _survey(game: str, options: dict[str, str], player: str, goal: str, max_states: int | None) -> Survey:
    chosen = choose_options(rules_of(game), options)
    if player != "solve":
        if max_states is not None or goal != "win":
            raise click.UsageError("--goal and --max-states are the solver's: they go with --player solve")
        return Survey(game, chosen, player)
    if max_states is None:
        from ..solve import default_states

        max_states = default_states(deal(game, seed=0, options=chosen))
    return Survey(game, chosen, player, goal, max_states)


@contextmanager
def _workers(dask: str | None) -> Iterator[tuple[Open, int]]:
    """Gives how to open an executor, and how many workers there are."""
    if dask is None:
        yield processes, os.cpu_count() or 1
        return
    import logging

    # Dask tells of work that it hands out anew; standard error belongs to the summary.
    logging.disable()
    with ExitStack() as stack:
        try:
            cluster = stack.enter_context(dask_cluster(dask))
        except ImportError:
            raise click.UsageError("--dask needs the extra: pip install 'cardsol-solitaire[dask]'") from None
        except (OSError, ValueError) as error:
            raise FileTrouble(dask, f"no Dask scheduler answers there: {error}") from None
        yield cluster


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Holds Ctrl-C back for a moment, so that what is written and what is summed up are the same records.

    A signal mask would not do: a thread of the process pool would take the signal. A second Ctrl-C is not held
    back, for a reader that does not read.
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


@contextmanager
def _progress(spans: tuple[str, ...], summary: Summary) -> Iterator[Any]:
    """Shows a bar on a terminal: deals a second, share so far, time left."""
    start, old = time.monotonic(), summary.n

    def facts(_: object) -> str:
        rate = (summary.n - old) / max(time.monotonic() - start, 1e-9)
        share = summary.verdicts["won"] / summary.n if summary.n else 0.0
        return f"{rate:.1f} deals/s, {share:.1%} won"

    hidden = sys.stderr is None or not sys.stderr.isatty()
    with click.progressbar(
        length=max(0, (count(spans) or 0) - old),
        file=sys.stderr,
        item_show_func=facts,
        show_eta=True,
        hidden=hidden,
    ) as bar:
        yield bar


def _open(out: str, resume: bool) -> IO[bytes]:
    try:
        return open(out.encode("utf-8", "surrogateescape"), "a+b" if resume else "x+b")
    except FileExistsError:
        raise FileTrouble(out, "is there already: --resume goes on with it, another name keeps it") from None
    except (OSError, ValueError) as error:
        raise _trouble(out, error, "can't be written") from None


@contextmanager
def _opened(out: str, resume: bool) -> Iterator[IO[bytes]]:
    """Opens the file of records, under a lock so that no other survey writes to it; raises FileTrouble."""
    import fcntl

    with _open(out, resume) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileTrouble(out, "is no regular file: without --out the records go to standard output")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileTrouble(out, "is being written by another survey: wait, or give another name") from None
        except OSError as error:
            raise _trouble(out, error, "can't be locked") from None
        file.seek(0)
        yield file


def _old(file: IO[bytes], out: str, asked: Survey, seeds: Iterator[str], summary: Summary) -> list[str]:
    """Adds up the records that a file has, in step with the seeds, and returns the seeds that failed there.

    Raises FileTrouble where the file is of another survey, or can't be read.
    """
    failed: dict[str, None] = {}
    try:
        for record in read_records(_whole_lines(file, asked)):
            for key, value in _settings(asked).items():
                if record.get(key) != value:
                    other = f"was made with {key} {record.get(key)}, not {value}"
                    raise FileTrouble(out, f"{other}: give that, or another name for the file")
            seed = record["seed"]
            if seed in failed:
                del failed[seed]
            elif seed != next(seeds, None):
                raise FileTrouble(
                    out,
                    f"has the seed {quoted(seed)} where other seeds are asked for: "
                    "ask for its own first, then for more, or give another name",
                )
            if record["verdict"] == "error":
                failed[seed] = None
            summary.add(record)
    except CardsolError:
        raise
    except (OSError, ValueError) as error:
        raise _trouble(out, error, "can't be read") from None
    return list(failed)


def _trouble(out: str, error: OSError | ValueError, doing: str) -> FileTrouble:
    return files.trouble(out, error, doing) if isinstance(error, OSError) else FileTrouble(out, f"{error}")


def _whole_lines(file: IO[bytes], asked: Survey) -> Iterator[str]:
    """Yields the lines of a file, and cuts off a last one that was torn when a survey was killed.

    It is cut only where it is the beginning of a record of this survey: all else is somebody's text.
    """
    end = 0
    for line in file:
        if line.endswith(b"\n"):
            end += len(line)
            yield line.decode("utf-8-sig", "replace")
        elif line.startswith(_beginning(asked)[: len(line)]):
            file.truncate(end)
        else:
            yield line.decode("utf-8-sig", "replace")


def _beginning(asked: Survey) -> bytes:
    head = json.dumps({"game": asked.game, "options": asked.options}, ensure_ascii=False)
    return head[:-1].encode()


def _settings(asked: Survey) -> Record:
    return {key: value for key, value in asked.head("").items() if key != "seed"}


def _write(record: Record, target: IO[bytes] | None, out: str | None) -> None:
    line = json.dumps(record, ensure_ascii=False) + "\n"
    if target is None:
        emit(line, encoding="utf-8")
        return
    try:
        target.write(line.encode())
        target.flush()
    except OSError as error:
        raise files.trouble(out or "", error, "can't be written") from None


def _tell(summary: Summary, run: Run, as_json: bool, summary_only: bool) -> None:
    facts = json.dumps(summary.as_dict(run), ensure_ascii=False)
    text = facts + "\n" if as_json else "".join(line + "\n" for line in summary.lines(run))
    if summary_only:
        emit(text, encoding="utf-8" if as_json else None)
    else:
        outcome.warn(text.rstrip("\n"))


def _records_in(path: str) -> Iterator[Record]:
    """Yields the records of a survey file, or the one record that a save is; of standard input for `-`."""
    try:
        with _stream(path) as file:
            # Looked at without being read, for a pipe goes on and never back.
            start = file.peek(1024).removeprefix(codecs.BOM_UTF8).lstrip()
            if start and not start.startswith(b'{"game"'):
                yield _record_of_save(saves.parse(files.read_open(file, path), path))
            else:
                yield from read_records(line.decode("utf-8-sig", "replace") for line in file)
    except CardsolError:
        raise
    except OSError as error:
        raise files.trouble(path, error, "can't be read") from None
    except ValueError as error:
        raise BadSave(
            path, "", f"nor a survey file: {error}; survey --resume mends a last line that was cut off"
        ) from None


def _stream(path: str) -> io.BufferedReader:
    if path == "-":
        return io.BufferedReader(standard_input("the records"))  # type: ignore[arg-type]
    return open(path.encode("utf-8", "surrogateescape"), "rb")


def _record_of_save(game: Game) -> Record:
    verdict = "unknown" if game.status == "playing" else game.status
    return {
        **Survey(game.name, game.options, "").head(game.seed or ""),
        "deck": " ".join(game.deck),
        "verdict": verdict,
        "score": game.score,
        "moves": len(game.moves),
        "line": list(game.moves),
        "seconds": 0,
    }
