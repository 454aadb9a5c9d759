"""Answers about a game with all cards seen: `solve` and `where_lost`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal, NamedTuple

from ..game import Game
from ..registry import BUILT_IN
from ..rules import Rules
from ..text import counted
from .limits import LimitReached, Limits, Meter
from .model import BestWin, Found, Goal, Model, Proof
from .shorter import shorter
from .solver import solver_of

Progress = Callable[[int, float], None]


MANY = 10_000
"""States after which a search leaves enough behind that it is worth collecting at once."""


class Answer(NamedTuple):
    """What is known of a position once the search has ended."""

    verdict: Literal["won", "impossible", "best", "unknown"]
    """`best`: the best score found, and `optimal` says whether it is proved; `impossible` is proved; `unknown` is what
    a limit left open."""
    line: tuple[str, ...] | None
    """Canonical tokens from here: of a win, or to the best score found; None where there is none."""
    score: int
    """The score that the line ends with; the score now where there is no line."""
    optimal: bool
    """Whether the verdict is proved."""
    states: int
    """Positions that the search expanded."""
    seconds: float
    """Wall-clock time."""
    limit: str | None
    """What ended the search early: `states`, `seconds`, `memory` or `interrupted`; else None."""
    winnable: bool | None = None
    """Whether any line wins; None where that is not known."""
    best_winning: BestWin | None = None
    """With goal `score`, the best score among lines that win, measured when the game is won; None where no line wins
    (then `winnable` is False) or none is known."""
    shortest: bool | None = None
    """Whether it is proved that no line to the same end is shorter; None where there is no line."""
    proof: Proof | None = None
    """Why no line wins, where the verdict is `impossible`; else None. None too where the solver of an added game
    does not say why."""


class Loss(NamedTuple):
    """Where a game was lost: it could still be won after `made` moves, but not after `lost`."""

    made: int | None
    """None where no such number is known."""
    move: str | None
    """The move between the two; None where there are several, or none as the deal itself cannot be won."""
    lost: int
    states: int
    seconds: float
    limit: str | None
    """What kept the moves between from being decided: `states`, `seconds`, `memory` or `interrupted`; else None."""


def solve(
    game: Game,
    goal: Goal = "win",
    limits: Limits | None = None,
    progress: Progress | None = None,
    shorten: bool = True,
) -> Answer:
    """Solves a game from where it stands, with all cards seen.

    Goal `win` looks for a line that wins; goal `score` for the highest score that any line reaches at any moment.
    Without `limits` the game's own default number of states is the limit. Ctrl-C ends the search like a limit.
    `shorten` shortens the line where that is cheap; this does not count towards `states`.
    """
    meter = Meter(Limits(states=default_states(game)) if limits is None else limits, progress)
    try:
        return _solve(game, goal, meter, shorten)
    finally:
        if meter.states >= MANY:
            gc.collect()  # what a search has kept hangs together in cycles, and it may be much


def _solve(game: Game, goal: Goal, meter: Meter, shorten: bool) -> Answer:
    try:
        with _without_collector(game.name in BUILT_IN):
            found = solver_of(game.rules, game.options).solve(game.state, goal, meter)
        if game.name not in BUILT_IN:
            from ..plugins import checked_found

            found = checked_found(game.rules, goal, found)
    except LimitReached as reached:
        return _unfinished(game, goal, meter, reached.limit)
    except KeyboardInterrupt:
        return _unfinished(game, goal, meter, "interrupted")
    if shorten and found.line and not found.shortest:
        with suppress(KeyboardInterrupt):
            found = _shortened(game, goal, found)
    line = None if found.verdict == "impossible" else tuple(found.line)
    known = None if line is None else found.shortest or not line
    return Answer(
        found.verdict, line, found.score, found.optimal, meter.states, meter.seconds, None,
        found.winnable, found.best_winning, known, _proof(game, found, meter.states),
    )  # fmt: skip


@contextmanager
def _without_collector(pause: bool) -> Iterator[None]:
    """Pauses the collector of cyclic garbage.

    A search makes millions of tuples, none of them in a cycle. To go through them again and again takes the
    collector a fifth of the time. What an added game makes is not known, so there it goes on.
    """
    pause = pause and gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()


def _proof(game: Game, found: Found, states: int) -> Proof | None:
    """Returns why no line wins: as the solver says, else that every line was searched.

    How the solver of an added game proves its verdict is not known, where it does not say so.
    """
    if found.verdict != "impossible":
        return None
    if found.proof is None and not game.rules.moves(game.state):
        return Proof("exhausted", "no legal move is left")
    if found.proof is None and (game.name in BUILT_IN or not hasattr(game.rules, "SOLVER")):
        return Proof("exhausted", f"every line was searched, {counted(states, 'position')} in all")
    return found.proof


def _shortened(game: Game, goal: Goal, found: Found) -> Found:
    """Shortens the line that was found, by the solver's own function for wins or else by leaving out moves."""
    exact = getattr(solver_of(game.rules, game.options), "shortest", None)
    if exact is not None:
        win: Found | None = exact(game.state) if goal == "win" else None
        return found if win is None else win
    line = shorter(game.rules, game.state, found.line)
    win_line = found.best_winning
    if win_line is not None and win_line.line == tuple(found.line):
        win_line = win_line._replace(line=tuple(line))
    return found._replace(line=line, best_winning=win_line)


def where_lost(game: Game, limits: Limits | None = None, progress: Progress | None = None) -> Loss:
    """Looks for the move that lost a game which can no longer be won; the limits hold for the whole work.

    If a position can be won, so can every earlier one, by way of the moves made; so the place is found by
    halving. Each question gets half of what is left of the limits. A position that is not decided with that is
    left open, and the place is narrowed from both sides of it.
    """
    left = Limits(states=default_states(game)) if limits is None else limits
    winnable, lost, states, seconds = -1, len(game.moves), 0, 0.0
    undecided: list[int] = []
    limit: str | None = None
    while limit != "interrupted" and (middle := _between(winnable, undecided, lost)) is not None:
        answer = solve(game.rewound(middle), "win", left.halved(), progress, shorten=False)
        states, seconds = states + answer.states, seconds + answer.seconds
        left = left.after(answer.states, answer.seconds)
        if answer.verdict == "won":
            winnable = middle
        elif answer.verdict == "impossible":
            lost = middle
        else:
            limit = answer.limit
            undecided.append(middle)
        undecided = sorted(made for made in undecided if winnable < made < lost)
    move = game.moves[winnable] if 0 <= winnable == lost - 1 else None
    undone = limit if lost - winnable > 1 else None
    return Loss(winnable if winnable >= 0 else None, move, lost, states, seconds, undone)


def _between(winnable: int, undecided: Sequence[int], lost: int) -> int | None:
    """Returns the number of moves to look at next; late ones first, since they are decided soonest."""
    first, last = (undecided[0], undecided[-1]) if undecided else (lost, winnable)
    for low, high in ((last, lost), (winnable, first)):
        if high - low > 1:
            return (low + high) // 2
    return None


def default_states(game: Game) -> int:
    """Returns the default limit of a game: states worth about a minute."""
    return solver_of(game.rules).STATES


def model_of(rules: Rules[Any], state: Any) -> Model[Any, Any]:
    """Returns the search model of a position, for callers who look only a little way ahead."""
    return solver_of(rules).model(state)


def winning_line(rules: Rules[Any], state: Any, states: int) -> list[str]:
    """Returns a line that wins if a search of that many states finds one, else no tokens."""
    try:
        return solver_of(rules).solve(state, "win", Meter(Limits(states=states))).line
    except LimitReached:
        return []


def _unfinished(game: Game, goal: Goal, meter: Meter, limit: str) -> Answer:
    spent = meter.states, meter.seconds, limit
    best = meter.best_score
    if goal != "score" or best is None or best <= game.score:
        return Answer("unknown", None, game.score, False, *spent)
    verdict: Literal["best", "unknown"] = "unknown" if limit == "interrupted" else "best"
    line = tuple(meter.best_line)
    state = game.state
    for token in line:
        state = game.rules.apply(state, token)
    won = game.rules.is_won(state)
    win = BestWin(best, line, False) if won else None
    return Answer(verdict, line, best, False, *spent, won or None, win, False)
