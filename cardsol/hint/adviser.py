"""A good next move from what a player has seen, and nothing else.

The adviser is given a `History`: what the player saw of a game, without its seed, and the moves. `knowledge` works out
which cards that gave away; what was seen once is known, a recycled stock for one.

Where every card is known, a search looks for a win. Else, where the game's policy has a value of what is seen, the
adviser plans up to the next unknown card (see `course` and `plan`). For other games the cards that are left over are
dealt to the unknown places at random, many times: worlds that agree with all that was seen. In each world each move
is judged by a playout with all cards seen, and the move with the best prospects over all worlds is advised. This is
a Monte Carlo method, known from programs that play bridge (M. Ginsberg, "GIB: Steps toward an expert-level
bridge-playing program", IJCAI 1999).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from ..errors import NoHint
from ..game import Game
from ..registry import rules_of
from ..rules import Rules
from ..solve import model_of
from ..solve.model import Model
from ..view import View
from .course import Course, Plan
from .knowledge import Board, Knowledge, Shows, Snapshot
from .policies import judge

WORLDS = 256
"""Worlds to sample where nothing else is asked for."""
SAFE_WORLDS = 4
"""Worlds, the first ones, that must all prove one move to be as good as any."""
MARGIN = 0.04
"""How much more a move must be worth, in shares of a win, than the one that looks best at once. Chosen by hand: worlds
are few, and a smaller difference is more often luck than skill."""
PATIENCE = 12
"""After so many moves that neither draw nor turn a card up nor score, moves that do come first. Chosen by hand."""
LONGEST = 300
"""After so many such moves hints end."""


class History(NamedTuple):
    """What a player has seen: every position from the deal to now, without seed, and the moves between them."""

    snapshots: tuple[Snapshot, ...]
    moves: tuple[str, ...]
    """Canonical tokens, one less than there are snapshots."""
    now: View
    """The last position, with its legal moves."""


class Candidate(NamedTuple):
    """A move and its prospects."""

    token: str
    """The move, one of the legal tokens."""
    value: float
    """1 where it wins in every sampled world, 0 where nothing speaks for it."""
    won: int
    """Worlds in which a win was found."""


class Hint(NamedTuple):
    """The move that is advised, why, and the rating of every candidate."""

    token: str
    """The move that is advised."""
    reason: str
    """Why, in words."""
    candidates: tuple[Candidate, ...]
    """The advised move first, then the others, best first."""
    plan: tuple[str, ...]
    """The advised move and those to make after it, up to the next unknown card or to a win."""
    chance: float | None = None
    """The chance of winning by hints from here, 0 to 1; None where the game has no value of what is seen, and no win
    is found."""

    def as_dict(self) -> dict[str, object]:
        """Returns what `hint --json` prints."""
        return {
            "token": self.token,
            "reason": self.reason,
            "plan": list(self.plan),
            "chance": None if self.chance is None else round(self.chance, 4),
            "candidates": [{"token": each.token, "value": round(each.value, 4)} for each in self.candidates],
        }


class Tally(NamedTuple):
    """Sums over worlds of what a move was worth."""

    value: float = 0.0
    won: float = 0.0
    prior: float = 0.0


def history_of(game: Game) -> History:
    """Returns what the player of a game has seen so far."""
    rules = game.rules
    same: dict[Any, Snapshot] = {}
    snapshots = []
    for state in game.states:
        snapshot = Snapshot.of_state(rules, state)
        snapshots.append(same.setdefault(snapshot, snapshot))
    return History(tuple(snapshots), game.moves, game.view(hide_seed=True))


def hint(history: History, worlds: int = WORLDS, seconds: float | None = None) -> Hint:
    """Returns a good next move; equal histories and numbers of worlds give equal hints.

    `worlds` is 1 or more. `seconds` only cuts the work short, after one world at the least. Raises NoHint where the
    game is over, every move leads back to a position that the history already has, `LONGEST` moves have brought
    nothing, or the boards can't be explained by any deck.
    """
    adviser = Adviser(history.now, history.snapshots[0])
    for token, snapshot in zip(history.moves, history.snapshots[1:]):
        adviser.note(token, snapshot)
    return adviser.hint(worlds, seconds)


class Adviser:
    """Follows a game by what its player sees, and advises at any moment; each move seen costs little."""

    def __init__(self, view: View, deal: Snapshot | None = None) -> None:
        """Begins with the view of a deal, or with a deal that was seen and led to the view; raises NoHint."""
        self.view = view
        self.rules: Rules[Any] = rules_of(view.game)
        self.seen = deal or Snapshot.of(view)
        self.knowledge = Knowledge(self.rules, view.options, self.seen)
        self.course = Course(self.rules, view.options, self.knowledge.guess)
        self.boards: set[Board] = {self.seen.board}
        """All boards that the game has had."""
        self.layouts: set[Snapshot] = {_layout(self.seen)}
        self.idle = 0
        """How many of the last moves neither drew nor turned a card up nor scored."""
        self._draws: dict[str, bool] = {}

    def follow(self, token: str, view: View) -> None:
        """Takes note of a move and of the view after it; raises NoHint where no deck explains what is seen."""
        self.note(token, Snapshot.of(view))
        self.view = view

    def note(self, token: str, seen: Snapshot) -> None:
        """Takes note of a move and of what it showed, where the view is one of a later moment."""
        drawn = self._is_draw(token)
        turned = self.knowledge.follow(token, seen)
        self.course.follow(token, self.knowledge.guess)
        self.idle = 0 if drawn or turned or seen.score > self.seen.score else self.idle + 1
        if seen.board not in self.boards:
            self.boards.add(seen.board)
            self.layouts.add(_layout(seen))
        self.seen = seen

    def hint(self, worlds: int = WORLDS, seconds: float | None = None) -> Hint:
        """Returns a good next move; raises NoHint."""
        if self.view.status != "playing":
            raise NoHint(f"the game is {self.view.status}: there is no move to hint at")
        shown = {token: self.knowledge.guess.shows(token) for token in self.view.legal}
        new = [token for token in shown if shown[token].seen.board not in self.boards]
        if not new:
            raise NoHint("every move leads back to a position that the game has had")
        if self.idle >= LONGEST:
            raise NoHint(f"the last {self.idle} moves have neither drawn nor turned a card nor scored")
        plans = self.course.plans(new, worlds, seconds)
        if not plans:
            new = [token for token in new if _layout(shown[token].seen) not in self.layouts] or new
        if len(new) == 1:
            only = "the only move" if len(self.view.legal) == 1 else "the only move to a new position"
            plan = plans[0] if plans else Plan((new[0],), 0.0)
            chance = plan.chance if plans else None
            candidate = Candidate(new[0], plan.chance, int(plan.wins))
            prospects = f"; {self.course.words(plan)}" if plans else ""
            return Hint(
                new[0], f"{self._words(new[0])}; {only}{prospects}", (candidate,), plan.tokens, chance
            )
        if plans:
            return self._planned(plans)
        return self._judged({token: shown[token] for token in new}, worlds, seconds)

    def _planned(self, plans: Sequence[Plan]) -> Hint:
        """Advises the first move of the first plan."""
        best = plans[0]
        first: dict[str, Candidate] = {}
        for plan in plans:
            first.setdefault(plan.tokens[0], Candidate(plan.tokens[0], plan.chance, int(plan.wins)))
        advised, *others = first.values()
        others.sort(key=lambda candidate: -candidate.value)
        why = f"{self._words(best.tokens[0])}; {self.course.words(best)}"
        return Hint(best.tokens[0], why, (advised, *others), best.tokens, best.chance)

    def worlds(self, count: int) -> Iterator[Any]:
        """Yields states of the game that agree with all that was seen, drawn by what was seen alone.

        As long as nothing new is seen they stay the same worlds, so that one plan is followed.
        """
        return self.knowledge.worlds(count, self.view.legal)

    def _judged(self, shown: Mapping[str, Shows], worlds: int, seconds: float | None) -> Hint:
        """Judges the moves in world after world, unless one is safe in all of the first few."""
        new: Sequence[str] = list(shown)
        if self.knowledge.guess.settled:
            worlds = 1
        if self.idle >= PATIENCE:
            new = [token for token in new if self._leads_on(token, shown[token])] or self._narrowest(new)
        start = time.monotonic()
        states = self.worlds(worlds)
        models = [model_of(self.rules, state) for state in islice(states, SAFE_WORLDS)]
        if not models:
            raise NoHint(f"hints can't follow {self.rules.NAME}: no sampled deal shows what the player sees")
        safe = {_safe(model) for model in models}
        if len(safe) == 1 and safe <= set(new):
            token = safe.pop()
            return Hint(
                token, f"{self._words(token)}; it can only help", (Candidate(token, 0.0, 0),), (token,)
            )
        tallies: dict[str, Tally] = {}
        done = 0
        for model in chain(models, (model_of(self.rules, state) for state in states)):
            for token, judged in judge(self.rules, model, new).items():
                value, won, prior = tallies.get(token, Tally())
                tallies[token] = Tally(value + judged.value, won + judged.won, prior + judged.prior)
            done += 1
            if seconds is not None and time.monotonic() - start >= seconds:
                break
        return self._best(tallies or {token: Tally() for token in new}, done)

    def _best(self, tallies: Mapping[str, Tally], worlds: int) -> Hint:
        """Picks the move of most value; one that looks less good at once has to be better by a margin."""
        highest = max(tally.prior for tally in tallies.values())

        def order(token: str) -> tuple[float, float, str]:
            tally = tallies[token]
            return -tally.value - MARGIN * worlds * (tally.prior == highest), -tally.prior, token

        best = min(tallies, key=order)
        ranked = sorted(tallies, key=lambda token: (token != best, -tallies[token].value, token))
        candidates = tuple(
            Candidate(token, tallies[token].value / worlds, int(tallies[token].won)) for token in ranked
        )
        return Hint(best, self._reason(candidates[0], worlds), candidates, (best,))

    def _reason(self, best: Candidate, worlds: int) -> str:
        sampled = "1 sampled world" if worlds == 1 else f"{worlds} sampled worlds"
        if best.won:
            return f"{self._words(best.token)}; won in {best.won} of {sampled}"
        return f"{self._words(best.token)}; looks best in {sampled}"

    def _leads_on(self, token: str, shows: Shows) -> bool:
        """Tells whether a move draws, turns a card up or scores."""
        return self._is_draw(token) or bool(shows.unknown) or shows.seen.score > self.seen.score

    def _is_draw(self, token: str) -> bool:
        """Tells whether a move now is a draw, as the game explains it; each token is explained once."""
        if token not in self._draws:
            self._draws[token] = self.rules.explain(self._view_now(), token).kind == "draw"
        return self._draws[token]

    def _view_now(self) -> View:
        """Returns a view of the position that was noted last."""
        (piles, facts), score = self.seen
        legal = tuple(sorted(self.rules.moves(self.knowledge.guess.states[0])))
        shown = dict(zip(self.rules.PILES, piles))
        return self.view._replace(piles=shown, extra=dict(facts), score=score, status="playing", legal=legal)

    def _narrowest(self, new: Sequence[str]) -> list[str]:
        """Returns the moves that leave the fewest moves to new positions: so a to and fro of cards ends."""
        left = {token: self._new_after(token) for token in new}
        return [token for token in new if left[token] == min(left.values())]

    def _new_after(self, token: str) -> int:
        """Returns how many moves lead to a new position after this one."""
        guess = self.knowledge.guess
        after = self.rules.apply(guess.states[0], token)
        return sum(
            guess.shows(token, following).seen.board not in self.boards
            for following in self.rules.moves(after)
        )

    def _words(self, token: str) -> str:
        return self.rules.explain(self.view, token).text


def _safe(model: Model[Any, Any]) -> str:
    """Returns the move that the model proves to be as good as any, or no token."""
    forced = model.forced(model.start)
    return "" if forced is None else model.tokens([forced[0]])[0]


def _layout(seen: Snapshot) -> Snapshot:
    """Returns what positions of equal score share if they differ only in where piles lie: seldom news to a player."""
    (piles, facts), score = seen
    return Snapshot((tuple(sorted(piles)), facts), score)
