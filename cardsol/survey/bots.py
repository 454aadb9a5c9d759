"""Players that are programs of their own: `exec:COMMAND` starts one and speaks the play protocol to it.

The bot reads one JSON object a line from its standard input and writes one request a line to its standard output,
as a client of `cardsol play` does (man page cardsol-json(5)). It sees neither seed nor deck, and has no undo and no
hint. When a game is over it may ask for `{"deal": true}` and plays the next one, or end: it is then started again.
"""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from shutil import which
from threading import Event
from typing import Any

from ..errors import BadOption, CardsolError
from ..game import MOST_MOVES, Game
from ..session import Memory, Quit, Request, Session, read_line
from ..text import quoted
from .players import MOVE_SECONDS, PROGRAM

ALLOWED = ("move", "show", "moves", "score", "deal", "quit", "help")
"""The requests that a bot may make."""
LONGEST_LINE = 1 << 20
"""Bytes of a line from a bot; a longer one is a fault."""

_bots: dict[str, Bot] = {}
"""The bots that this process has started, by command: each plays many deals."""
_closing = Event()
"""Set when this process ends."""


def check(name: str) -> None:
    """Raises BadOption where the command of a player `exec:COMMAND` can't be run."""
    command = name.removeprefix(PROGRAM)
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadOption("player", name, f"--player {quoted(name)}: {error}") from None
    if not words or which(words[0]) is None:
        what = f"there is no program {quoted(words[0])}" if words else "no command is named"
        raise BadOption("player", name, f"{what}: a player that is a program is 'exec:COMMAND WORD...'")


class Fault(Exception):
    """What a bot did wrong: it loses the deal, and is started anew for the next."""


class Ended(Fault):
    """The bot ended, and everything that it wrote has been answered."""


class Clock:
    """How long a program may still take for its next move. Requests that are no moves do not stop it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.restart()

    def restart(self) -> None:
        self._until = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds; none or fewer where the time is up."""
        return self._until - time.monotonic()


class Bot:
    """A running bot.

    What it is sent waits here until it reads, and what it has written is answered even if it reads nothing. So the
    outcome does not depend on which of the two processes is faster, and neither can block the other.
    """

    def __init__(self, command: str) -> None:
        """Starts the bot; raises Fault where that can't be done."""
        words = shlex.split(command)
        if not words:
            raise Fault("no command is given")
        try:
            # A session of its own: Ctrl-C is for the survey, which ends its bots itself.
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except OSError as error:
            raise Fault(f"{words[0]} can't be started: {error.strerror}") from None
        assert self.process.stdin is not None and self.process.stdout is not None
        self._to, self._from = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._to, False)
        self.waiting = False
        """Whether the bot has asked for a deal that it has not been given yet."""
        self._unsent = bytearray()
        self._unread = b""

    def send(self, reply: dict[str, Any]) -> None:
        """Sends a line, or as much as the bot takes now; the rest follows while its next line is waited for."""
        self._unsent += (json.dumps(reply, ensure_ascii=False) + "\n").encode()
        self._flush()

    def line(self, clock: Clock) -> bytes:
        """Returns the next line; raises Fault where none comes in time, or none will come.

        A last line may lack its line end.
        """
        if clock.left <= 0:
            raise _too_slow(clock)
        while b"\n" not in self._unread:
            more = self._more(clock.left)
            if more is None:
                raise _too_slow(clock)
            if not more and not self._unread:
                raise Ended(self._ending(clock.seconds))
            self._unread += more or b"\n"
            if len(self._unread) > LONGEST_LINE:
                raise Fault(f"a line of more than {LONGEST_LINE:,} bytes")
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def says_more(self, seconds: float) -> bool:
        """Tells whether the bot writes anything more; one that ends, or is silent for so long, does not."""
        if not self._unread:
            self._unread = self._more(seconds) or b""
        return bool(self._unread)

    def _more(self, seconds: float) -> bytes | None:
        """Returns what the bot writes next, no bytes at its end; None where nothing comes in time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            ready, takes, _ = select.select([self._from], [self._to] if self._unsent else [], [], left)
            if takes:
                self._flush()
            if ready:
                return os.read(self._from, 1 << 16)
        return None

    def _flush(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._to, self._unsent)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            # A bot that reads no more may have written its moves already: they are what it is judged by.
            self._unsent.clear()

    def _ending(self, seconds: float) -> str:
        what = "ended before the game was over"
        with suppress(subprocess.TimeoutExpired):
            status = self.process.wait(seconds)
            if status:
                return f"{what}, with {_status(status)}"
        return what

    def stop(self) -> None:
        """Ends the bot, and whatever it started."""
        with suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self.process.wait()


def play(command: str, game: Game, seconds: float = MOVE_SECONDS) -> str:
    """Lets a bot play a game to its end; returns what it did wrong, or no text.

    `seconds` is the most that may pass before the first move, and between one move and the next.
    The game is changed as the bot plays it.
    """
    kept = command in _bots
    session = Session(Memory(game), hide_seed=True, allowed=ALLOWED)
    try:
        bot = _bots.get(command) or _started(command)
        clock = Clock(seconds)
        try:
            first = _first(bot, session, game, clock)
        except Ended:
            if not kept:
                raise
            # It asked for this deal, and ended before it could get it: that is how a bot ends after a game.
            _dismiss(command)
            bot = _started(command)
            clock.restart()
            first = _first(bot, session, game, clock)
        _play(bot, session, game, first, clock)
    except Fault as fault:
        _dismiss(command)
        return str(fault)
    if not bot.waiting:
        _dismiss(command)
    return ""


def _first(bot: Bot, session: Session, game: Game, clock: Clock) -> bytes | None:
    """Gives a bot its deal, and returns its first line."""
    hello = session.hello()
    bot.send(hello["view"] if bot.waiting else hello)
    bot.waiting = False
    return _next(bot, game, clock)


def _next(bot: Bot, game: Game, clock: Clock) -> bytes | None:
    """Returns a bot's next line; None where the game is over and the bot says nothing more, or its time is up."""
    if game.status != "playing" and (clock.left <= 0 or not bot.says_more(clock.left)):
        return None
    return bot.line(clock)


def _play(bot: Bot, session: Session, game: Game, first: bytes | None, clock: Clock) -> None:
    line = first
    while line is not None:
        request = _request(line)
        if request.name == "deal":
            bot.waiting = True  # before the end it gives the game up
            return
        made = len(game.moves)
        try:
            reply = session.answer(request)
        except Quit:
            if game.status == "playing":
                raise Fault("quit before the game was over") from None
            return
        except CardsolError as error:
            raise Fault(str(error)) from None
        if len(game.moves) >= MOST_MOVES:
            return
        bot.send(reply)
        if len(game.moves) > made:
            clock.restart()
        line = _next(bot, game, clock)


def _too_slow(clock: Clock) -> Fault:
    return Fault(f"no move within {clock.seconds:g} s")


def _request(line: bytes) -> Request:
    try:
        return read_line(line)
    except CardsolError as error:
        raise Fault(str(error)) from None


def _started(command: str) -> Bot:
    if _closing.is_set():
        raise Fault("the survey has ended")
    if not _bots:
        _end_bots_with_this_process()
    _bots[command] = Bot(command)
    return _bots[command]


def _dismiss(command: str) -> None:
    bot = _bots.pop(command, None)
    if bot is not None:
        bot.stop()


def dismiss_all() -> None:
    """Ends every bot that this process has started."""
    for command in list(_bots):
        _dismiss(command)


def close() -> None:
    """Ends every bot that this process has started, and lets it start no other."""
    _closing.set()
    dismiss_all()


def _end_bots_with_this_process() -> None:
    """Sees to it that no bot outlives this process, however that ends but by SIGKILL: then its input closes."""
    import atexit

    atexit.register(dismiss_all)

    def end(number: int, frame: object) -> None:
        close()
        os._exit(128 + number)

    with suppress(ValueError):  # not in a thread of a Dask worker
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) in (signal.SIG_DFL, None):
                signal.signal(number, end)


def _status(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"
