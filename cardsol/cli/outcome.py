"""How a command ends: what it prints, and its exit status (cardsol(6), EXIT STATUS)."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO, Any, TextIO

import click

from .. import errors
from ..text import clauses, did_you_mean, printable, quoted

USAGE, FILE, RULES, INTERRUPTED, BROKEN_PIPE = 2, 3, 4, 130, 141

STATUS: dict[type[errors.CardsolError], tuple[int, str]] = {
    errors.UnknownGame: (USAGE, "unknown-game"),
    errors.BadOption: (USAGE, "bad-option"),
    errors.BadSeed: (USAGE, "bad-seed"),
    errors.BadDeck: (USAGE, "bad-deck"),
    errors.BadToken: (USAGE, "bad-token"),
    errors.BadSave: (FILE, "bad-save"),
    errors.FileTrouble: (FILE, "file"),
    errors.AmbiguousMove: (RULES, "ambiguous-move"),
    errors.IllegalMove: (RULES, "illegal-move"),
    errors.NoSuchMove: (RULES, "no-such-move"),
    errors.NoHint: (RULES, "no-hint"),
    errors.GameInTheWay: (RULES, "game-in-the-way"),
    errors.SealedDeal: (RULES, "sealed-deal"),
    errors.NoGame: (RULES, "no-game"),
    errors.BadRequest: (USAGE, "bad-request"),
}
"""Error → exit status, and its name under --json."""


class OutputFailed(Exception):
    """Standard output did not take the answer."""

    def __init__(self, error: OSError) -> None:
        super().__init__(os.strerror(error.errno or errno.EIO))
        self.closed_pipe = error.errno == errno.EPIPE


class Run:
    """What is to be known of one command when it ends."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.as_json = "--json" in words
        self.saved = False
        """Whether a save was replaced: from then on the command has done its work."""


def status_of(run: Run, command: Callable[[], None]) -> int:
    """Runs a command and returns its exit status, after one line on standard error where it failed."""
    try:
        command()
        return 0
    except click.exceptions.Exit as end:
        if sys.stdout is None and end.exit_code == 0:
            return _output_failed(run, OutputFailed(OSError(errno.EBADF, "closed")))
        return end.exit_code
    except click.ClickException as error:
        return _fail(run, USAGE, "usage", _usage_text(error, run.words))
    except errors.CardsolError as error:
        status, kind = kind_of(error)
        saved = "the move is saved, but " if run.saved and isinstance(error, errors.BrokenGame) else ""
        from .advice import AT_SHELL, advised

        return _fail(run, status, kind, f"{saved}{advised(error, AT_SHELL)}", error)
    except OutputFailed as error:
        return _output_failed(run, error)
    except OSError as error:
        if error.filename is not None:
            return _fail(run, FILE, "file", f"{quoted(error.filename)}: {error.strerror}")
        return _output_failed(run, OutputFailed(error))
    except (KeyboardInterrupt, click.Abort):
        return _interrupted(run)
    except BaseException as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            # Up to 3.11 Python wraps what is raised while a class is made in a RuntimeError.
            return _interrupted(run)
        from ..plugins import at_fault

        broken = at_fault(error)
        if broken is None:
            raise
        return _fail(run, USAGE, "unknown-game", str(broken), broken)


def kind_of(error: errors.CardsolError) -> tuple[int, str]:
    """Returns the exit status of an error, and its name under --json."""
    return next(STATUS[cls] for cls in type(error).__mro__ if cls in STATUS)


def data_of(error: Exception) -> dict[str, object]:
    """Returns the data of an error that --json passes on."""
    return {key: value for key, value in vars(error).items() if key in REPORTED}


def emit(text: str, *, encoding: str | None = None) -> None:
    """Writes the answer to standard output at once; raises OutputFailed.

    A character that the output's encoding lacks is written as an escape; `encoding` overrules it.
    """
    if text:
        stream = sys.stdout
        name = encoding or getattr(stream, "encoding", None) or "utf-8"
        emit_bytes(text.encode(name, "backslashreplace"))


def emit_bytes(data: bytes) -> None:
    """Writes bytes to standard output at once; raises OutputFailed."""
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "closed")
        sys.stdout.flush()
        out: Any = getattr(sys.stdout.buffer, "raw", sys.stdout.buffer)
        rest = memoryview(data)
        while rest:
            taken = out.write(rest)
            if taken is None:
                _wait_for(out)
            else:
                rest = rest[taken:]
    except OSError as error:
        _discard(sys.stdout)
        raise OutputFailed(error) from None


def _wait_for(out: IO[bytes]) -> None:
    """Waits until an output that does not block takes bytes again."""
    import select

    select.select([], [out], [])


def warn(text: str, *, encoding: str | None = None) -> None:
    """Writes a line to standard error; one that is closed or full takes nothing and stops nothing.

    What its encoding, or `encoding`, lacks is written as an escape.
    """
    if sys.stderr is None:
        return
    try:
        name = encoding or getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr.flush()
        sys.stderr.buffer.write((text + "\n").encode(name, "backslashreplace"))
        sys.stderr.buffer.flush()
    except (OSError, ValueError):
        _discard(sys.stderr)


def _discard(stream: TextIO | None) -> None:
    """Points a standard stream at nothing, so that Python's own last flush cannot fail, or wait, on it."""
    if stream is None:
        return
    with suppress(OSError, ValueError), open(os.devnull, "wb") as null:
        os.dup2(null.fileno(), stream.fileno())


def _interrupted(run: Run) -> int:
    # What is left of the answer would be waited for once more, at Python's last flush.
    _discard(sys.stdout)
    if run.saved:
        return _fail(run, FILE, "interrupted", "the move is saved, but the answer was interrupted")
    return INTERRUPTED


def _output_failed(run: Run, error: OutputFailed) -> int:
    _discard(sys.stdout)
    if error.closed_pipe:
        return 0 if run.saved else BROKEN_PIPE
    but = "the move is saved, but " if run.saved else ""
    return _fail(run, FILE, "output", f"{but}standard output can't be written: {error}")


def _usage_text(error: click.ClickException, words: Sequence[str]) -> str:
    """Returns what is wrong, in our words where Click's are not plain, and where to look."""
    context: click.Context | None = getattr(error, "ctx", None)
    text, help = error.format_message().rstrip(".").replace("'. ", "'; "), ""
    if isinstance(error, click.NoSuchOption):
        text = f"no such option {quoted(error.option_name)}"
        if context and not context.parent and _is_of_a_command(error.option_name, context):
            help = "options stand after the command"
        else:
            help = did_you_mean(_game_option(error.option_name, context, words) or error.possibilities or ())
    elif isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
        text = f"{_name_of(error.param)} {error.message}"
    if text[1:2].islower():
        text = text[0].lower() + text[1:]
    return clauses(text, help, f"see '{context.command_path} --help'" if context else "")


def _is_of_a_command(name: str, context: click.Context) -> bool:
    """Tells whether a sub-command has an option of this name."""
    group = context.command
    assert isinstance(group, click.Group)
    commands = filter(None, (group.get_command(context, each) for each in group.list_commands(context)))
    return any(name in parameter.opts for command in commands for parameter in command.params)


def _game_option(name: str, context: click.Context | None, words: Sequence[str]) -> list[str]:
    """Returns how an option of a game is given, where `name` is one: `--draw 3` is `-o draw=3`."""
    from itertools import pairwise

    from ..registry import BUILT_IN, rules_of

    key = name.lstrip("-")
    if context is None or not any(each.name == "options" for each in context.command.params):
        return []
    values = [value for game in BUILT_IN for value in rules_of(game).OPTIONS.get(key, ())]
    if not values:
        return []
    given = [word.partition("=")[2] for word in words if word.startswith(f"{name}=")]
    given += [after for word, after in pairwise(words) if word == name]
    return [f"-o {key}={given[0] if given and given[0] in values else values[0]}"]


def _name_of(parameter: click.Parameter | None) -> str:
    """Returns what a player knows a parameter by: `--max-states`, `N`."""
    if parameter is None or isinstance(parameter, click.Option):
        return max(parameter.opts, key=len) if parameter else ""
    return (parameter.metavar or parameter.human_readable_name).strip("[]").upper()


def _fail(run: Run, status: int, kind: str, message: str, error: Exception | None = None) -> int:
    line = printable(" ".join(message.split()))
    if run.as_json:
        import json

        data = {} if error is None else data_of(error)
        line = json.dumps({"error": kind, "message": line, **data}, default=str, ensure_ascii=False)
        warn(line, encoding="utf-8")
    else:
        warn(f"cardsol: {line}")
    return status


REPORTED = ("token", "step", "reason", "candidates", "where", "what", "path", "key", "value", "cards")
"""The data of an error that --json passes on."""
