"""`cardsol play` on a terminal: the board, a prompt, a line of words, and so on until the player leaves."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ..deals import next_seed
from ..errors import CardsolError, NoGame
from ..game import Game, deal
from ..session import REQUESTS, Keeper, Quit, Session, read_line
from ..text import counted
from .advice import AT_PROMPT, advised
from .look import none_with
from .moving import in_words, play
from .outcome import emit
from .params import Look
from .show import print_board

PROMPT = "> "
IN_PLACE = "\x1b[H\x1b[J"
"""Clears the terminal and begins at its top."""
GREETING = "? lists the commands, q leaves\n"
HELP = """\
{words}  moves, as `cardsol move` takes them
m, m {card}      the legal moves: all, or of one card or pile
u 2, r       takes back two moves; plays one again
h            a hint                    s      the score
b            the board again           log    the moves made
rules        the rules of this game    q      leaves{saved}
again, next  the same deal, or the next one, once this game is over
deal GAME SEED KEY=VALUE               deals another game;
             --force replaces one that is still being played
"""


class Table:
    """A player at a terminal, and the game of a session."""

    def __init__(self, session: Session, keeper: Keeper, look: Look, where: str | None) -> None:
        """`where` says in words where the game is kept, None for nowhere; it ends the session."""
        self.session, self.keeper, self.look = session, keeper, look
        self.where = where
        self.redraws = os.environ.get("TERM", "dumb") != "dumb" and sys.stdout.isatty()

    def sit(self) -> None:
        """Plays until the player leaves: by a word, at the end of the input, or by Ctrl-C."""
        _complete_with(self._offers)
        _take_any_byte()
        self.show(after=GREETING)
        while True:
            try:
                line = input(PROMPT)
            except EOFError:
                emit("\n")
                break
            except KeyboardInterrupt:
                emit(f"\n{self._farewell()}\n")
                raise
            try:
                self.do(line)
            except Quit:
                break
            except KeyboardInterrupt:
                emit("interrupted\n")
            except CardsolError as error:
                emit(f"{advised(error, AT_PROMPT)}\n")
        emit(f"{self._farewell()}\n")

    def do(self, line: str) -> None:
        """Does what a line asks for; raises CardsolError, and Quit."""
        if not line.strip():
            self.show()
            return
        word = line.strip().lower()
        if word in ("again", "a", "next", "n"):
            self._deal_again(next_one=word.startswith("n"))
            return
        if word in ONLY_HERE:
            emit(ONLY_HERE[word](self.keeper.current()))
            return
        request = read_line(line.encode("utf-8", "surrogateescape"))
        if request.name == "move":
            self._move(request.value)
        elif request.name == "help":
            emit(self._help())
        elif request.name == "moves":
            emit(_moves(self.session.answer(request), self.keeper.current(), request.value))
        elif request.name in PRINTED:
            emit(PRINTED[request.name](self.session.answer(request)))
        else:
            self.session.answer(request)
            self.show()

    def show(self, headline: str = "", after: str = "") -> None:
        """Draws the board, in place where the terminal can; `after` is printed below it."""
        game = self.keeper.current()
        end = "" if game.status == "playing" else f"\n{_end(game)}\n"
        print_board(game, self.look, headline, before=IN_PLACE if self.redraws else "", after=end + after)

    def _farewell(self) -> str:
        """Says where the game is kept; what is wrong there, where another program removed or spoiled the save."""
        if self.where is None:
            return "not saved (--no-save)"
        try:
            self.keeper.current()
        except NoGame as error:
            return f"{error} any more"
        except CardsolError as error:
            return str(error)
        return self.where

    def _help(self) -> str:
        """Lists the commands, with words and a card of the game that is played."""
        game = self.keeper.current()
        forms = list(dict.fromkeys(form.form for form in game.rules.TOKEN_FORMS))
        card = next((pile.up[-1] for pile in game.piles().values() if pile.up), "waste")
        saved = "; the game stays saved" if self.where is not None else ""
        return HELP.format(words=" ".join(forms[:2]).ljust(11), card=card, saved=saved)

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
        return [*legal, *REQUESTS, *ONLY_HERE, "again", "next"]


def _end(game: Game) -> str:
    after = f"after {counted(len(game.moves), 'move')}"
    if game.status == "won":
        return f"won {after}, score {game.score}: 'again' deals the same cards, 'next' the next seed"
    return f"no move is left {after}, score {game.score}: 'u' takes a move back, 'again' or 'next' deals"


def _hint(reply: dict[str, Any]) -> str:
    return f"{reply['token']}  {reply['reason']}\n"


def _moves(reply: dict[str, Any], game: Game, name: object) -> str:
    lines = "".join(f"{move['token']}  {move['text']}\n" for move in reply["moves"])
    return lines or f"{none_with(game, name if isinstance(name, str) else None)}\n"


def _log(game: Game) -> str:
    return f"{' '.join(game.moves) or 'no move is made yet'}\n"


def _rules(game: Game) -> str:
    from .learn import text_of

    return text_of(game.rules)


def _score(reply: dict[str, Any]) -> str:
    return ", ".join(f"{key} {'none' if value is None else value}" for key, value in reply.items()) + "\n"


PRINTED: dict[str, Callable[[dict[str, Any]], str]] = {
    "hint": _hint, "score": _score,
}  # fmt: skip
"""Requests that are answered by a text, and not by the board."""

ONLY_HERE: dict[str, Callable[[Game], str]] = {"log": _log, "rules": _rules}
"""Commands that are no requests."""


def _take_any_byte() -> None:
    """Lets `input` return a line of any bytes, in UTF-8 whatever the locale: what is wrong with it is told then."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")


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
