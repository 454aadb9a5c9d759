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


class Bot:
    """A running bot."""

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
        self.waiting = False
        """Whether the bot has asked for a deal that it has not been given yet."""
        self._unread = b""

    def send(self, reply: dict[str, Any]) -> None:
        """Sends a line; raises Fault where the bot reads no more."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write((json.dumps(reply, ensure_ascii=False) + "\n").encode())
        except OSError:
            raise Fault(self._end("closed its input")) from None

    def line(self, seconds: float) -> bytes:
        """Returns the next line; raises Fault where none comes in time, or none will come."""
        assert self.process.stdout is not None
        until = time.monotonic() + seconds
        while b"\n" not in self._unread:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise Fault(f"no answer within {seconds:g} s")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                raise Fault(self._end("ended before the game was over"))
            self._unread += more
            if len(self._unread) > LONGEST_LINE:
                raise Fault(f"a line of more than {LONGEST_LINE:,} bytes")
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _end(self, what: str) -> str:
        with suppress(subprocess.TimeoutExpired):
            status = self.process.wait(1)
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

    `seconds` is the most that each request may take. The game is changed as the bot plays it.
    """
    try:
        bot = _bots.get(command) or _started(command)
        try:
            _play(bot, game, seconds)
        except Fault:
            _dismiss(command)
            raise
        if not bot.waiting:
            _dismiss(command)
    except Fault as fault:
        return str(fault)
    return ""


def _play(bot: Bot, game: Game, seconds: float) -> None:
    session = Session(Memory(game), hide_seed=True, allowed=ALLOWED)
    bot.send(session.view(game) if bot.waiting else session.hello())
    bot.waiting = False
    while True:
        if game.status != "playing" and not _goes_on(bot, seconds):
            return
        request = _request(bot.line(seconds))
        if request.name == "deal":
            bot.waiting = True  # before the end it gives the game up
            return
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


def _goes_on(bot: Bot, seconds: float) -> bool:
    """Tells whether a bot whose game is over says anything more; one that ends, or is silent, is done."""
    assert bot.process.stdout is not None
    if b"\n" in bot._unread:
        return True
    ready = select.select([bot.process.stdout], [], [], seconds)[0]
    if not ready:
        return False
    more = os.read(bot.process.stdout.fileno(), 1 << 16)
    bot._unread += more
    return bool(more)


def _request(line: bytes) -> Request:
    try:
        request = read_line(line)
    except CardsolError as error:
        raise Fault(str(error)) from None
    return request


def _started(command: str) -> Bot:
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


def _end_bots_with_this_process() -> None:
    """Sees to it that no bot outlives this process, however that ends but by SIGKILL: then its input closes."""
    import atexit

    atexit.register(dismiss_all)

    def end(number: int, frame: object) -> None:
        dismiss_all()
        os._exit(128 + number)

    with suppress(ValueError):  # not in a thread of a Dask worker
        if signal.getsignal(signal.SIGTERM) in (signal.SIG_DFL, None):
            signal.signal(signal.SIGTERM, end)


def _status(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"status {status}"
