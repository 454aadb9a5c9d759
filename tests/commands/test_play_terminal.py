"""`cardsol play` on a terminal, sat at as a player does: words typed, the board read."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import termios
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

import cardsol
from tests.support.harness import COMMAND, environment
from tests.support.harness import run_loaded as run

HOME = "\x1b[H"
"""With this a terminal begins to draw in place."""


def take_terminal(slave: int) -> None:
    """Makes a terminal that of the new process, which hears Ctrl-C even if the tests run where it is ignored."""
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


class Terminal:
    """The command at a pseudo-terminal."""

    def __init__(
        self, folder: Path, *words: str, term: str = "xterm", env: Mapping[str, str] | None = None
    ) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [COMMAND, "play", *words], cwd=folder,
            env=environment({"TERM": term, "INPUTRC": "/dev/null", **(env or {})}), stdin=slave, stdout=slave,
            stderr=slave, start_new_session=True, close_fds=True,
            preexec_fn=lambda: take_terminal(slave),
        )  # fmt: skip
        os.close(slave)
        self.seen = ""

    def until(self, text: str, seconds: float = 30) -> str:
        """Reads on until a text appears; returns all that was printed since the last call."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            left = end - time.monotonic()
            assert left > 0 and select.select([self.master], [], [], left)[0], f"no {text!r} in {self.seen!r}"
            try:
                more = os.read(self.master, 4096)
            except OSError:
                more = b""
            assert more, f"ended without {text!r}: {self.seen!r}"
            self.seen += more.decode(errors="replace")
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def say(self, line: str) -> str:
        """Types a line and returns what is printed until the next prompt."""
        os.write(self.master, line.encode() + b"\n")
        self.until("\n")
        return self.until("\n> ")

    def interrupt(self) -> None:
        """Presses Ctrl-C until it is heard: readline misses one that comes just before it waits for a key."""
        for _ in range(60):
            if select.select([self.master], [], [], 0.5)[0] or self.process.poll() is not None:
                return
            os.write(self.master, b"\x03")

    def end(self) -> int:
        try:
            return self.process.wait(20)
        finally:
            os.close(self.master)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    there = Terminal(tmp_path, "three-peaks", "--seed", "1")
    there.until("\n> ")
    yield there
    if there.process.poll() is None:
        there.process.kill()
        there.end()


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def test_moves_are_typed_and_the_board_is_drawn_in_place(terminal: Terminal, tmp_path: Path) -> None:
    shown = terminal.say("d3 draw")
    assert HOME in shown and "draw: turns a card" in plain(shown)
    assert cardsol.load(tmp_path / "cardsol.json").moves == ("d3", "draw")


def test_a_refused_word_tells_the_rule_and_leaves_the_board(terminal: Terminal, tmp_path: Path) -> None:
    before = (tmp_path / "cardsol.json").read_bytes()
    shown = terminal.say("d1")
    assert HOME not in shown and "illegal move d1" in shown
    assert "not a token" in terminal.say("sdfg")
    assert (tmp_path / "cardsol.json").read_bytes() == before


def test_the_short_words_do_what_the_commands_do(terminal: Terminal, tmp_path: Path) -> None:
    terminal.say("d3")
    terminal.say("u")
    assert cardsol.load(tmp_path / "cardsol.json").undone == ("d3",)
    terminal.say("r")
    assert "d10" in terminal.say("m")
    assert "score 1" in terminal.say("s")
    assert re.match(r"(d\d+|draw)  ", terminal.say("h 2"))
    assert "another game" in terminal.say("?")
    assert plain(terminal.say("log")).splitlines()[0] == "d3"
    assert "Three Peaks (three-peaks)" in terminal.say("rules")
    assert "d10" in terminal.say("m 9h") and "no legal move with 'KH'" in terminal.say("m KH")


def test_the_prompt_says_at_once_how_it_is_asked_for_help(tmp_path: Path) -> None:
    there = Terminal(tmp_path, "universal", "--seed", "1")
    assert "? lists the commands, q leaves" in there.until("\n> ")
    assert "draw t6-t4 " in there.say("?")
    os.write(there.master, b"q\n")
    assert there.end() == 0


def test_help_is_in_the_words_of_the_prompt(terminal: Terminal) -> None:
    """No line says what to type in a shell."""
    for line in (
        "zz",
        "d1",
        "score 3",
        "deal camelot",
        "deal camelot --winnable",
        "undo x",
        "m zz",
        "u 3",
        "{",
        "deal x",
    ):
        told = plain(terminal.say(line))
        assert "cardsol " not in told and " -f " not in told, told
    assert "'deal GAME --force' replaces it" in terminal.say("deal camelot")
    assert "'?' the commands" in terminal.say("zz")


def test_a_deal_takes_the_options_of_the_command(terminal: Terminal, tmp_path: Path) -> None:
    terminal.say("deal universal --seed 3 -o draw=2 --force")
    dealt = cardsol.load(tmp_path / "cardsol.json")
    assert (dealt.name, dealt.seed, dealt.options) == ("universal", "3", {"draw": "2"})


@pytest.mark.parametrize("way", ["q", "\x04", "\x03"])
def test_leaving_in_any_way_leaves_the_game_saved(way: str, terminal: Terminal, tmp_path: Path) -> None:
    terminal.say("d3")
    os.write(terminal.master, b"q\n" if way == "q" else way.encode())
    if way == "\x03":
        terminal.interrupt()
    terminal.until("'cardsol play' goes on")
    assert terminal.end() == (130 if way == "\x03" else 0)
    assert cardsol.load(tmp_path / "cardsol.json").moves == ("d3",)


def test_tab_completes_a_legal_token(terminal: Terminal) -> None:
    pytest.importorskip("readline")
    os.write(terminal.master, b"dra\t")
    terminal.until("draw")


def test_the_end_is_told_and_the_next_seed_is_a_word_away(tmp_path: Path) -> None:
    deal = ["deal", "three-peaks", "--seed", "41"]
    assert run(*deal, folder=tmp_path).status == 0
    game = cardsol.load(tmp_path / "cardsol.json")
    while game.legal_moves:
        game.push(game.legal_moves[0])
    cardsol.save(game, tmp_path / "cardsol.json")
    there = Terminal(tmp_path)
    assert "no move is left" in there.until("\n> ")
    assert "seed 42" in plain(there.say("next"))
    assert "still being played" in there.say("again")
    os.write(there.master, b"\x04")
    assert there.end() == 0


def test_a_terminal_that_cannot_move_its_cursor_gets_the_board_below(tmp_path: Path) -> None:
    there = Terminal(tmp_path, "camelot", "--seed", "1", "--no-save", term="dumb")
    assert "\x1b" not in there.until("\n> ") + there.say("draw")
    there.interrupt()
    assert there.end() == 130 and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("encoding", "readline"), [("utf-8:strict", "xterm"), ("ascii:strict", "xterm"), ("ascii", "dumb")]
)
def test_bytes_that_are_no_text_get_a_line_and_a_new_prompt(
    encoding: str, readline: str, tmp_path: Path
) -> None:
    env = {"PYTHONIOENCODING": encoding}
    there = Terminal(tmp_path, "three-peaks", "--seed", "1", term=readline, env=env)
    there.until("\n> ")
    os.write(there.master, b"d3 \xff\n")
    assert "a line is UTF-8 text" in there.until("\n> ")
    assert "not a token" in there.say("zz\u00e9")
    there.say("d3")
    os.write(there.master, b"q\n")
    assert there.end() == 0
    assert cardsol.load(tmp_path / "cardsol.json").moves == ("d3",)


@pytest.mark.parametrize("way", ["q", "\x04"])
def test_leaving_does_not_say_that_a_save_is_there_which_is_not(way: str, tmp_path: Path) -> None:
    harms: list[tuple[Callable[[Path], object], str]] = [
        (Path.unlink, "there is no game in 'cardsol.json' any more"),
        (lambda save: save.write_text("shopping"), "'cardsol.json' is no valid save"),
    ]
    for harm, told in harms:
        (tmp_path / "cardsol.json").unlink(missing_ok=True)
        there = Terminal(tmp_path, "three-peaks", "--seed", "1")
        there.until("\n> ")
        harm(tmp_path / "cardsol.json")
        os.write(there.master, b"q\n" if way == "q" else way.encode())
        assert "goes on" not in there.until(told)
        assert there.end() == 0
