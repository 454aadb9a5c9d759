"""The commands that think: hint, which sees what the player sees, and solve, which sees all cards."""

from __future__ import annotations

import itertools
import re
import sys

import click

from ..game import Game, deal
from ..hint import WORLDS, history_of
from ..hint import hint as hint_at
from ..plugins import added_code
from ..solve import Answer, Limits, Loss, default_states, where_lost
from ..solve import solve as solve_game
from ..solve.model import Goal
from ..text import counted
from . import outcome
from .params import Number, OneOf, command, json_option, load, save_option
from .show import print_json

IMPOSSIBLE, UNKNOWN = 5, 6


@command(
    """Prints one good next move, without looking at hidden cards.

    \b
      cardsol hint
      cardsol hint -q --worlds 4
    """
)
@click.option(
    "--worlds",
    metavar="N",
    type=Number(int, 1),
    default=WORLDS,
    show_default=True,
    help="Deal the unseen cards N times; more is better and slower.",
)
@click.option("--seconds", metavar="S", type=Number(float, 0), help="Cut the work short after S seconds.")
@click.option("-q", "--quiet", is_flag=True, help="Print the token alone.")
@save_option
@json_option
def hint(worlds: int, seconds: float | None, quiet: bool, save: str | None, as_json: bool) -> None:
    with added_code():
        found = hint_at(history_of(load(save)), worlds, seconds)
    if as_json:
        print_json(found.as_dict())
    else:
        outcome.emit(f"{found.token}\n" if quiet else f"{found.token}  {found.reason}\n")


@command(
    """Prints the moves of a line that wins, with all cards seen.

    \b
      line=$(cardsol solve) && cardsol move $line
      cardsol solve --goal score --json
      cardsol solve --where-lost

    Status 5: impossible, proved; the message says why. Status 6: unknown, a limit was reached. --where-lost prints
    the move that lost the game, and after how many moves it could still be won. Where clearing the tableau deals a
    new round, both goals look at the round in play alone. With --json, best_winning is the best score of a line
    that wins (goal score), shortest tells whether the line is proved to have the fewest moves, and proof why none
    wins.
    """
)
@click.option(
    "--goal",
    type=OneOf(["win", "score"]),
    default="win",
    help="A win, or the best score  [default: win].",
)
@click.option(
    "--max-states",
    metavar="N",
    type=Number(int, 1),
    help="Stop after N positions  [default: about a minute's].",
)
@click.option("--max-seconds", metavar="S", type=Number(float, 0), help="Stop after S seconds.")
@click.option(
    "--max-memory",
    metavar="MB",
    type=Number(float, 0),
    help="Stop when the process has grown to MB megabytes.",
)
@click.option("--where-lost", "ask_where", is_flag=True, help="Also say which move lost the game.")
@save_option
@json_option
@click.pass_context
def solve(
    context: click.Context, goal: Goal, max_states: int | None, max_seconds: float | None, max_memory: float | None,
    ask_where: bool, save: str | None, as_json: bool,
) -> None:  # fmt: skip
    if ask_where and goal != "win":
        raise click.UsageError("--where-lost asks where the win was lost: it goes with --goal win only")
    game = load(save)
    game.check_seal("solve sees its hidden cards; 'cardsol hint' does not")
    limits = Limits(max_states or default_states(game), max_seconds, max_memory)
    loss: Loss | None = None
    with ProgressLine() as progress, added_code():
        answer = solve_game(game, goal, limits, progress)
        if ask_where and answer.verdict == "impossible":
            loss = where_lost(game, limits.after(answer.states, answer.seconds), progress)
            answer = answer._replace(
                states=answer.states + loss.states, seconds=answer.seconds + loss.seconds, limit=loss.limit
            )
    if as_json:
        best_winning = answer.best_winning and answer.best_winning._asdict()
        data = {**answer._asdict(), "seconds": round(answer.seconds, 3), "best_winning": best_winning}
        proof = data.pop("proof")
        if proof:
            data["proof"] = proof._asdict()
        print_json({**data, "where_lost": loss and _place(loss)} if ask_where else data)
    else:
        _tell(answer, loss)
        if game.status == "won" and goal == "win":
            outcome.warn("cardsol: the game is already won")
        elif ask_where and answer.verdict == "won":
            outcome.warn("cardsol: not lost: the game can still be won")
    context.exit(_status(answer))


def first_winnable(name: str, seed: str | None, options: dict[str, str], hide_seed: bool) -> Game:
    """Deals the first of the seeds from `seed` on, or of fresh ones, that is proved to be winnable.

    Tells which it is, unless that is to be hidden, and how many were tried.

    A whole number is counted on, 7, 8, 9, ...; another text goes on with numbers: TEXT, TEXT+1, TEXT+2, ...
    """
    with ProgressLine() as progress, added_code():
        for tried in itertools.count(1):
            game = deal(name, seed=None if seed is None else seed_after(seed, tried - 1), options=options)
            answer = solve_game(game, progress=progress, shorten=False)
            if answer.limit == "interrupted":
                raise KeyboardInterrupt
            if answer.verdict == "won":
                break
    which = "this deal" if hide_seed else f"seed {game.seed}"
    outcome.warn(f"{which} can be won; seeds tried: {tried}")
    return game


def seed_after(seed: str, steps: int) -> str:
    """Returns the seed that comes `steps` places after one.

    >>> seed_after("7", 2), seed_after("2026-12-02", 0), seed_after("2026-12-02", 2)
    ('9', '2026-12-02', '2026-12-02+2')
    """
    if re.fullmatch(r"0|-?[1-9][0-9]{0,18}", seed):
        return str(int(seed) + steps)
    return f"{seed}+{steps}" if steps else seed


class ProgressLine:
    """A line on standard error that tells how far a search is, once it has lasted a second, on a terminal only."""

    def __init__(self) -> None:
        self.shown = False
        self.on_terminal = sys.stderr is not None and sys.stderr.isatty()
        self.next = 1.0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            self._write("\r\x1b[K")

    def __call__(self, states: int, seconds: float) -> None:
        if self.on_terminal and seconds >= self.next:
            self._write(f"\rsolving: {counted(states, 'position')}, {seconds:.0f} s ")
            self.next = seconds + 0.5
            self.shown = True

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _place(loss: Loss) -> dict[str, object]:
    """Returns the move that lost a game; where it is not known, the numbers of moves that it lies between."""
    known: dict[str, object] = {"made": loss.made, "move": loss.move}
    return {**known, "lost": loss.lost} if loss.limit else known


def _tell(answer: Answer, loss: Loss | None) -> None:
    if answer.verdict in ("won", "best"):
        if answer.line:
            outcome.emit(" ".join(answer.line) + "\n")
        if answer.verdict == "best":
            why = _why(answer.limit) if answer.limit else "too many positions"
            proof = "proved the best" if answer.optimal else f"not proved the best: {why}"
            outcome.warn(f"cardsol: score {answer.score}, {proof}")
            _tell_of_wins(answer)
        return
    if answer.verdict == "impossible":
        where = "" if loss is None else _where(loss)
        why = answer.proof.text if answer.proof else "no line wins from here"
        outcome.warn(f"cardsol: impossible: {why}{where}")
    else:
        outcome.warn(
            f"cardsol: unknown: {_why(answer.limit)} after {counted(answer.states, 'position')}, {answer.seconds:.1f} s"
        )


def _tell_of_wins(answer: Answer) -> None:
    """Says what the best score of a line that wins is, where another line has a better one."""
    best = answer.best_winning
    if best and best.score < answer.score:
        at_least = "" if best.optimal else "at least "
        outcome.warn(
            f"cardsol: the best score of a line that wins is {at_least}{best.score}: --json prints that line"
        )
    elif answer.winnable is False:
        outcome.warn("cardsol: no line wins from here")


def _where(loss: Loss) -> str:
    """Prints the move that lost a game, or returns what is known of it."""
    if loss.move:
        made = counted(loss.made or 0, "move")
        outcome.emit(f"{loss.move}  lost the game: after {made} it could still be won\n")
        return ""
    if not loss.lost:
        return "; the deal itself can't be won"
    could = "" if loss.made is None else f"; it still could be won after {counted(loss.made, 'move')}"
    after = counted(loss.lost, "move")
    return f"; lost after {after} already{could}; which move lost the game is unknown: {_why(loss.limit)}"


def _why(limit: str | None) -> str:
    return "interrupted" if limit == "interrupted" else f"the limit --max-{limit} was reached"


def _status(answer: Answer) -> int:
    if answer.limit == "interrupted":
        return outcome.INTERRUPTED
    return {"won": 0, "best": 0, "impossible": IMPOSSIBLE, "unknown": UNKNOWN}[answer.verdict]
