"""Players that play a deal to its end from what they see: by hints, greedily, at random, or one of your own.

A player is a function of a `Seat`. It makes moves until it wants to, or can, make no more; a game that is not won then
counts as lost. The players here all end: they never go back to a position that the game has had since the last
card from the stock.

A package adds a player by an entry point in the group `cardsol.players`, which names such a function:

    [project.entry-points."cardsol.players"]
    cautious = "my_package:cautious"

`cardsol survey camelot --player cautious` then plays with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from random import Random
from typing import TYPE_CHECKING, Any

from ..errors import BadOption, NoHint
from ..game import MOST_MOVES, Game
from ..moves import preference
from ..text import clauses, close_matches, did_you_mean, quoted

if TYPE_CHECKING:
    from ..hint import Adviser
    from ..moves import Move
    from ..view import View

GROUP = "cardsol.players"
"""The group of entry points that add players."""
SOLVER = "solve"
"""The name that stands for the solver, which sees all cards and is no player."""
PROGRAM = "exec:"
"""What the name of a player begins with that is a program of its own; no entry point may have such a name."""
MOVE_SECONDS = 10.0
"""How long a program may take for each move, unless the survey says otherwise."""
MOST_MOVE_SECONDS = 86400
CHEAP_WORLDS = 4
"""Worlds a hint, where many games are played by hints."""


class Seat:
    """A game as its player sits before it: what is seen, what is legal, and a way to move.

    The seed and the cards that lie face down are not to be had here.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._had: set[Any] = {game.state}

    @property
    def game(self) -> str:
        """The name of the game: `three-peaks`."""
        return self._game.name

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the deal."""
        return self._game.options

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal tokens, sorted; none when the game is over, or as long as a game may be (20,000 moves)."""
        return self._game.legal_moves if len(self._game.moves) < MOST_MOVES else ()

    @property
    def fresh(self) -> tuple[str, ...]:
        """The legal tokens that lead to a position that the game has not had since the last draw.

        A player that plays only these comes to an end.
        """
        rules, state = self._game.rules, self._game.state
        return tuple(token for token in self.legal if rules.apply(state, token) not in self._had)

    @cached_property
    def random(self) -> Random:
        """A source of random numbers that is the same for equal deals, so that equal deals are played alike."""
        return Random(f"{self.game} {self._game.options} {' '.join(self._game.deck)}")

    def view(self) -> View:
        """Returns what the player sees; its seed is None."""
        return self._game.view(hide_seed=True)

    def explain(self, token: str) -> Move:
        """Returns what a legal move does: kind, piles, cards, words."""
        return self._game.explain(token)

    def play(self, token: str) -> None:
        """Makes a move; raises BadToken or IllegalMove, and changes nothing then."""
        self._game.push(token)
        if token == "draw":
            self._had.clear()
        self._had.add(self._game.state)


Player = Callable[[Seat], None]


def cheap(adviser: Adviser) -> str:
    """Returns the move that a cheap hint advises."""
    return adviser.hint(CHEAP_WORLDS).token


def by_hints(seat: Seat, advise: Callable[[Adviser], str] = cheap) -> None:
    """Plays what is advised until the game is over or no move leads on."""
    from ..hint import Adviser

    adviser = Adviser(seat.view())
    try:
        while seat.legal:
            token = advise(adviser)
            seat.play(token)
            adviser.follow(token, seat.view())
    except NoHint:
        return


def greedily(seat: Seat) -> None:
    """Plays the first move of the most preferred kind.

    A card that was moved within the tableau moves there again before the next draw only when there is nothing else.
    """
    moved: set[str] = set()

    def order(move: Move) -> tuple[bool, int, str]:
        again = move.kind in ("build", "fill") and not moved.isdisjoint(move.cards)
        return again, preference(move.kind), move.token

    while fresh := seat.fresh:
        best = min(map(seat.explain, fresh), key=order)
        if best.kind == "draw":
            moved.clear()
        moved.update(best.cards)
        seat.play(best.token)


def at_random(seat: Seat) -> None:
    """Plays any move, each with the same chance."""
    while fresh := seat.fresh:
        seat.play(seat.random.choice(fresh))


PLAYERS: dict[str, Player] = {"hint": by_hints, "greedy": greedily, "random": at_random}
"""The players of this package."""


def names() -> tuple[str, ...]:
    """Returns the names of all players: the solver, those of this package, then added ones by name."""
    return (SOLVER, *PLAYERS, *sorted(_added().keys() - {SOLVER, *PLAYERS}))


def check(name: str) -> None:
    """Raises BadOption where no player has this name, or where the one that has it can't be used."""
    if name.startswith(PROGRAM):
        from .bots import check as check_program

        check_program(name)
    elif name != SOLVER:
        resolve(name)


@cache
def resolve(name: str) -> Player:
    """Returns the player of this name; raises BadOption where there is none, or where it can't be used."""
    if name in PLAYERS:
        return PLAYERS[name]
    reference = _added().get(name)
    if reference is None:
        known = names()
        help = clauses(did_you_mean(close_matches(name, known)), f"the players are {', '.join(known)}")
        raise BadOption("player", name, f"no player is named {quoted(name)}: {help}")
    return _loaded(name, reference)


def _loaded(name: str, reference: str) -> Player:
    from ..plugins import described
    from ..registry import referred

    try:
        with muted():
            found = referred(reference)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # Whatever a package raises when it is imported, the other players work.
        raise _broken(name, reference, described(error)) from error
    if not callable(found):
        raise _broken(name, reference, f"it is of type {type(found).__name__}, not a function of a Seat")
    player: Player = found
    return player


@contextmanager
def muted() -> Iterator[None]:
    """Sends to stderr what a package prints meanwhile: stdout is for the records."""
    import sys
    from contextlib import redirect_stdout

    with redirect_stdout(sys.stderr):
        yield


def _broken(name: str, reference: str, what: str) -> BadOption:
    return BadOption(
        "player",
        name,
        f"the player {quoted(name)} is added by {quoted(reference)}, which can't be used: {what};"
        " update or uninstall the package that adds it",
    )


def _added() -> dict[str, str]:
    from importlib.metadata import entry_points

    entries = {entry.name: entry.value.replace(" ", "") for entry in entry_points(group=GROUP)}
    return {name: reference for name, reference in entries.items() if not name.startswith(PROGRAM)}
