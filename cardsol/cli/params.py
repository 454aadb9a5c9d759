"""What the sub-commands share: their parameters, and the save that these name."""

from __future__ import annotations

import functools
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeVar

import click

from .. import files, saves
from ..errors import BadSave, FileTrouble, NoFile
from ..game import Game
from ..registry import BUILT_IN, names
from ..text import LONGEST_WORD, clauses, close_matches, did_you_mean, printable, quoted
from .outcome import Run, emit_bytes, warn

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])
InputError = TypeVar("InputError", BadSave, FileTrouble)

DEFAULT_SAVE = b"cardsol.json"
STREAM = b"-"
TODAY = "today"
DIGITS = re.compile(r"[0-9]*\.?[0-9]+(e[0-9]+)?")


class SubCommand(click.Command):
    """A command that says what a word too many may be."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise click.UsageError(f"unexpected extra argument {quoted(rest[0])}{_meant(ctx, rest[0])}", ctx)
        return rest


class WithDaily(SubCommand):
    """A command with `--daily[=DATE]`: a word that is no date is not taken for its value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given, following = list(args), [*args[1:], ""]
        args = [
            f"{word}={TODAY}" if word == "--daily" and not after[:1].isdigit() else word
            for word, after in zip(args, following)
        ]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError:
            dates = [after for word, after in zip(given, following) if word == "--daily" and after]
            if dates and not dates[0].startswith("-") and dates[0].lower() not in names():
                daily_seed(dates[0])
            raise


def command(help: str, cls: type[SubCommand] = SubCommand) -> Callable[[Callable[..., Any]], SubCommand]:
    """Makes a function a sub-command. The help is not a docstring: PYTHONOPTIMIZE=2 takes those away."""
    return click.command(cls=cls, help=help, short_help=help.partition("\n")[0])


def _meant(context: click.Context, word: str) -> str:
    """Says how a word that is one too many is given, where it is a save or an option of the game."""
    key, equals, _ = word.partition("=")
    if key and equals and any(each.name == "options" for each in context.command.params):
        return f": did you mean -o {printable(word[:LONGEST_WORD])}?"
    return if_save(context, word)


def if_save(context: click.Context | None, word: str) -> str:
    """Says how a save is named, where a word is the name of one, or of any file, and the command works on a save."""
    on_save = context is not None and any(each.name == "save" for each in context.command.params)
    return (
        ": a save is named by -f FILE" if on_save and (word.endswith(".json") or os.path.exists(word)) else ""
    )


class Number(click.FloatRange):
    """A number from `least` on, or above it, up to `most` where that is given, in plain digits: an int or a float."""

    def __init__(
        self, kind: type[int] | type[float], least: int, most: int | None = None, above: bool = False
    ) -> None:
        super().__init__(min=least, max=most, min_open=above)
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        text = str(value)
        with suppress(ValueError):
            if DIGITS.fullmatch(text) and self._has(self.kind(text)):
                return self.kind(text)
        what = "a whole number" if self.kind is int else "a number"
        span = f"above {self.min}," if self.min_open else f"from {self.min}"
        upto = "" if self.max is None else f" {'up ' if self.min_open else ''}to {self.max}"
        return self.fail(f"takes {what} {span}{upto}, not {quoted(text)}{if_save(ctx, text)}", param, ctx)

    def _has(self, number: float) -> bool:
        least = self.min or 0
        return (number > least if self.min_open else number >= least) and number <= (self.max or inf)


class OneOf(click.Choice[str]):
    """One of a few words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            takes = f"takes {' or '.join(self.choices)}, not {quoted(value)}"
            self.fail(clauses(takes, did_you_mean(close_matches(value, self.choices))), param, ctx)
        return str(value)


class GameName(click.types.StringParamType):
    """The name of a game, in upper or lower case."""

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        return "'cardsol games' lists them"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        known = () if value in BUILT_IN else names()
        return next((name for name in known if name.lower() == value.lower()), value)


Completing = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]


def offers(what: str) -> Completing:
    """Returns what a shell asks for a parameter's values; all that answers it is imported only then."""

    def complete(context: click.Context, parameter: click.Parameter, word: str) -> list[CompletionItem]:
        from .completion import offer

        return offer(what, context, word)

    return complete


game_argument = click.argument("game", type=GameName(), shell_complete=offers("games"))
option_option = click.option(
    "-o",
    "--option",
    "options",
    metavar="KEY=VALUE",
    multiple=True,
    help="Choose an option of the game.",
    shell_complete=offers("options"),
)
daily_option = click.option(
    "--daily", "daily", metavar="[DATE]", is_flag=False, flag_value=TODAY,
    help="Deal today's game (the date in UTC), or that of another date, such as 2026-12-02.",
)  # fmt: skip


def _save_option(pipe: str = "") -> Callable[[Command], Command]:
    return click.option(
        "-f", "--save", "save", metavar="PATH", shell_complete=offers("files"),
        help=f"The save to work on{pipe}  [default: $CARDSOL_SAVE, else cardsol.json].",
    )  # fmt: skip


save_option = _save_option(", - for a pipe")
file_option = _save_option()
"""The same for a command that works on a file alone."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print no board.")


class Look(NamedTuple):
    """How a board or view is to be printed."""

    as_json: bool
    hide_seed: bool
    style: str
    color: str


def board_options(command: Command) -> Command:
    """Adds the options of every command that prints a board; they reach it as one argument, `look`."""

    @functools.wraps(command)
    def with_look(*args: Any, as_json: bool, hide_seed: bool, style: str, color: str, **rest: Any) -> Any:
        return command(*args, look=Look(as_json, hide_seed, style, color), **rest)

    wrapped: Any = with_look
    for option in (
        click.option("--color", type=OneOf(["auto", "always", "never"]), default="auto",
                     help="Colours, bold and dim text  [default: auto, on a terminal without NO_COLOR]."),
        click.option("--style", type=OneOf(["auto", "ascii", "unicode"]), default="auto",
                     help="Letters or signs for suits  [default: signs on a UTF-8 terminal]."),
        click.option("--hide-seed", is_flag=True, help="Do not say where the deck came from."),
        json_option,
    ):  # fmt: skip
        wrapped = option(wrapped)
    result: Command = wrapped
    return result


def game_options(words: tuple[str, ...]) -> dict[str, str]:
    """Returns the options of a game from words KEY=VALUE; raises UsageError."""
    chosen: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals:
            raise click.UsageError(
                f"an option of a game is KEY=VALUE, not {quoted(word)}: 'cardsol games' lists them"
            )
        if key in chosen:
            raise click.UsageError(f"option {quoted(key)} is given twice: give it once")
        chosen[key] = value
    return chosen


def daily_seed(day: str) -> str:
    """Returns the seed of a day, `today` or a date as 2026-12-02; raises UsageError. The clock is read only here."""
    from datetime import date, datetime, timezone

    from ..deals import DAILY

    if day == TODAY:
        return f"{DAILY}{datetime.now(timezone.utc).date()}"
    with suppress(ValueError):
        if re.fullmatch(r"\d{4}-\d\d-\d\d", day, re.ASCII):
            return f"{DAILY}{date.fromisoformat(day)}"
    raise click.UsageError(f"--daily takes a date such as 2026-12-02, not {quoted(day)}")


def path_of(save: str | None) -> bytes:
    """Returns which save is meant: `-f`, else CARDSOL_SAVE, else cardsol.json here."""
    if save is not None:
        return save.encode("utf-8", "surrogateescape")
    return os.environb.get(b"CARDSOL_SAVE") or DEFAULT_SAVE


def standard_input(what: str) -> BinaryIO:
    """Returns standard input; raises UsageError where that is a terminal, FileTrouble where it is closed."""
    if sys.stdin is None:
        closed = f"{what} should come from standard input, which is closed: give a file, or a pipe"
        raise _of_input(FileTrouble(STDIN, closed))
    if sys.stdin.isatty():
        raise click.UsageError(
            f"{what} should come from standard input, which is a terminal: give a file, or a pipe"
        )
    return sys.stdin.buffer


def read_standard_input(what: str) -> bytes:
    """Returns what standard input holds; raises UsageError where that is a terminal, or FileTrouble."""
    try:
        data = standard_input(what).read(files.LARGEST + 1)
    except OSError as error:
        raise _of_input(files.trouble(STDIN, error, "standard input can't be read")) from None
    if len(data) > files.LARGEST:
        raise _of_input(FileTrouble(STDIN, f"standard input is larger than {files.LARGEST // 2**20} MB"))
    return data


STDIN = "-"
"""What errors, under --json, call standard input as a file."""
EMPTY = "is empty: did the command before the pipe fail?"


def _of_input(error: InputError) -> InputError:
    """Returns an error whose message says `standard input`, where it would name a file '-'."""
    shown = quoted(STDIN)
    text = str(error).removeprefix(f"{shown}: ")
    error.args = (f"standard input{text.removeprefix(shown)}" if text.startswith(shown) else text,)
    return error


def about_input(error: InputError, data: bytes) -> InputError:
    """Returns the error of what came from standard input, which says so, also where nothing came."""
    if data.strip():
        return _of_input(error)
    error.what = EMPTY
    if isinstance(error, BadSave):
        error.where = ""
    error.args = (f"standard input {EMPTY}",)
    return error


def load(save: str | None) -> Game:
    """Returns the game of the save that is meant."""
    path = path_of(save)
    with _next_step():
        return load_from(path)


def load_from(path: bytes) -> Game:
    """Returns the game of a save, or of the one on standard input."""
    if path != STREAM:
        return saves.load(path)
    data = read_standard_input("the save")
    try:
        return saves.parse(data, STDIN)
    except BadSave as error:
        raise about_input(error, data) from None


@contextmanager
def _next_step() -> Iterator[None]:
    """Adds to the refusal of a save that is not there how one is made."""
    try:
        yield
    except NoFile as error:
        raise FileTrouble(
            error.path, f"{error.what}; 'cardsol deal GAME' starts a game, -f PATH names another"
        ) from None


@contextmanager
def changing(run: Run, save: str | None) -> Iterator[Game]:
    """Gives the game of a save to be changed, then writes the save; with -f - to stdout."""
    path = path_of(save)
    if path == STREAM:
        game = load(save)
        yield game
        emit_save(run, game)
        return
    with files.locked(path, waiting) as target:
        with _next_step():
            game = saves.parse(target.read(), files.name_of(path))
        yield game
        store(run, target, game)


def emit_save(run: Run, game: Game) -> None:
    """Writes a save to stdout, and says that it goes out alone where JSON was asked for too."""
    emit_bytes(saves.dump(game))
    if run.as_json:
        warn("cardsol: with -f - only the save goes to stdout: for the JSON of --json name a file, -f FILE")


def waiting(shown: str) -> None:
    """Says that another command holds a save."""
    warn(f"cardsol: waiting for another command that holds {quoted(shown, 200)}")


def store(run: Run, target: files.Target, game: Game) -> None:
    """Replaces a save, and notes that from then on the command has done its work."""
    try:
        target.replace(saves.dump(game))
    finally:
        run.saved = target.replaced


def is_stream(save: str | None) -> bool:
    """Tells whether the save is standard input and output."""
    return path_of(save) == STREAM


def without_comments(text: str) -> str:
    """Returns a text on one line, without what stands from `#` to the end of a line."""
    lines = text.replace("\r", "\n").split("\n")
    return " ".join(line.partition("#")[0] for line in lines)


def decoded(data: bytes, shown: str) -> str:
    """Returns a file's text; raises FileTrouble where it is not UTF-8, or UTF-16 with a byte-order mark."""
    try:
        return saves.decode(data)
    except ValueError:
        error = FileTrouble(shown, "is not UTF-8 text")
        if shown != STDIN:
            raise error from None
        error.args = ("standard input is not UTF-8 text",)
        raise error from None
