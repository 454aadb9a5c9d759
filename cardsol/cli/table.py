"""`cardsol play` on a terminal: the board, a prompt, a line of words, and so on until the player leaves."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ..deals import next_seed
from ..errors import CardsolError
from ..game import Game, deal
from ..session import REQUESTS, Keeper, Quit, Session, read_line
from ..text import counted
from .moving import in_words, play
from .outcome import emit
from .params import Look
from .show import print_board

PROMPT = "> "
IN_PLACE = "\x1b[H\x1b[J"
"""Clears the terminal and begins at its top."""
HELP = """\
t3-t5 draw   moves, as `cardsol move` takes them    m  the legal moves
u 2, r       takes back two moves; plays one again  h  a hint
s            the score                              b  the board again
again, next  the same deal, or the next one, once this game is over
deal GAME SEED KEY=VALUE   another game             q  leaves; the game stays saved"""


class Table:
    """A player at a terminal, and the game of a session."""

    def __init__(self, session: Session, keeper: Keeper, look: Look, where: str) -> None:
        """`where` says in words where the game is kept, for the line that ends the session."""
        self.session, self.keeper, self.look, self.where = session, keeper, look, where
        self.redraws = os.environ.get("TERM", "dumb") != "dumb" and sys.stdout.isatty()

    def sit(self) -> None:
        """Plays until the player leaves: by a word, at the end of the input, or by Ctrl-C."""
        _complete_with(self._offers)
        self.show()
        while True:
            try:
                line = input(PROMPT)
            except EOFError:
                emit("\n")
                break
            except KeyboardInterrupt:
                emit(f"\n{self.where}\n")
                raise
            try:
                self.do(line)
            except Quit:
                break
            except KeyboardInterrupt:
                emit("interrupted\n")
            except CardsolError as error:
                emit(f"{error}\n")
        emit(f"{self.where}\n")

    def do(self, line: str) -> None:
        """Does what a line asks for; raises CardsolError, and Quit."""
        if not line.strip():
            self.show()
            return
        word = line.strip().lower()
        if word in ("again", "a", "next", "n"):
            self._deal_again(next_one=word.startswith("n"))
            return
        request = read_line(line.encode("utf-8", "surrogateescape"))
        if request.name == "move":
            self._move(request.value)
            return
        reply = self.session.answer(request)
        if request.name in PRINTED:
            emit(PRINTED[request.name](reply))
        else:
            self.show()

    def show(self, headline: str = "") -> None:
        """Draws the board, in place where the terminal can."""
        game = self.keeper.current()
        end = "" if game.status == "playing" else f"\n{_end(game)}\n"
        print_board(game, self.look, headline, before=IN_PLACE if self.redraws else "", after=end)

    def _move(self, words: Sequence[str]) -> None:
        with self.keeper.changing() as game:
            before = game.copy()
            made = play(game, list(words))
        self.show(in_words(before, made))

    def _deal_again(self, next_one: bool) -> None:
        game = self.keeper.current()
        seed = next_seed(game.seed) if next_one and game.seed is not None else game.seed
        deck = game.deck if seed is None and not next_one else None
        dealt = deal(game.name, seed=seed, deck=deck, options=game.options)
        dealt.sealed = game.sealed
        self.keeper.replace(dealt, force=False)
        self.show()

    def _offers(self) -> list[str]:
        try:
            legal = list(self.keeper.current().legal_moves)
        except CardsolError:
            legal = []
        return [*legal, *REQUESTS, "again", "next"]


def _end(game: Game) -> str:
    after = f"after {counted(len(game.moves), 'move')}"
    if game.status == "won":
        return f"won {after}, score {game.score}; again? 'again' deals the same cards, 'next' the next seed"
    return f"no move is left {after}, score {game.score}: 'u' takes a move back, 'again' or 'next' deals"


def _help(reply: dict[str, Any]) -> str:
    return HELP + "\n"


def _hint(reply: dict[str, Any]) -> str:
    return f"{reply['token']}  {reply['reason']}\n"


def _moves(reply: dict[str, Any]) -> str:
    return "".join(f"{move['token']}  {move['text']}\n" for move in reply["moves"]) or "no move is left\n"


def _score(reply: dict[str, Any]) -> str:
    return ", ".join(f"{key} {'none' if value is None else value}" for key, value in reply.items()) + "\n"


PRINTED: dict[str, Callable[[dict[str, Any]], str]] = {
    "help": _help, "hint": _hint, "moves": _moves, "score": _score,
}  # fmt: skip
"""Requests that are answered by a text, and not by the board."""


def _complete_with(offers: Callable[[], list[str]]) -> None:
    """Makes Tab complete the words that `offers` returns, where the interpreter has readline."""
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def complete(text: str, number: int) -> str | None:
        if number == 0:
            found[:] = sorted({word for word in offers() if word.startswith(text.lower())})
        return found[number] if number < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n")
    bound_by_libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if bound_by_libedit else "tab: complete")
