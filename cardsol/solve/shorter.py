"""Makes a line shorter by leaving out moves that it does not need."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ..game import first_part
from ..rules import Rules

MOVES = 12_000
"""How many moves are tried at most in all: a second or less."""


class _Spent(Exception):
    """No more moves may be tried."""


def shorter(rules: Rules[Any], state: Any, line: Sequence[str], moves: int = MOVES) -> list[str]:
    """Returns a line that is legal from the state and ends with the same score, won if the given line wins.

    First what leads back to a position that the line already had is left out; then, as long as that succeeds,
    single draws, other single moves, and neighbouring pairs of moves. At most so many moves are tried, so that the
    result is the same on every machine. It is not the shortest line there is.
    """
    trimmer = _Trimmer(rules, state, line, moves)
    with suppress(_Spent):
        trimmer.run()
    return trimmer.line


class _Trimmer:
    def __init__(self, rules: Rules[Any], state: Any, line: Sequence[str], moves: int) -> None:
        self.rules, self.left = rules, moves
        self.line = list(line)
        self.states = [state]
        """The states along the line; one more than there are moves."""
        for token in line:
            self.states.append(rules.apply(self.states[-1], token))
        self.score, self.won = rules.score(self.states[-1]), rules.is_won(self.states[-1])

    def run(self) -> None:
        self.without_loops()
        while self.without(1, draws=True) or self.without(1, draws=False) or self.without(2, draws=False):
            pass

    def without_loops(self) -> None:
        last = {state: place for place, state in enumerate(self.states)}
        tokens, states, place = list[str](), [self.states[0]], last[self.states[0]]
        while place < len(self.line):
            tokens.append(self.line[place])
            states.append(self.states[place + 1])
            place = last[self.states[place + 1]]
        self.line, self.states = tokens, states

    def without(self, count: int, draws: bool) -> bool:
        """Leaves out each group of so many moves that the line does not need; tells whether there was any."""
        any_left_out = False
        place = len(self.line) - count
        while place >= 0:
            skipped = self.line[place : place + count]
            if (count > 1 or (skipped[0] == "draw") == draws) and self.leave_out(place, count):
                any_left_out = True
                place = min(place, len(self.line) - count + 1)
            place -= 1
        return any_left_out

    def leave_out(self, place: int, count: int) -> bool:
        """Leaves out moves if the rest is still legal and comes to as much."""
        rules, rest = self.rules, self.line[place + count :]
        states = [self.states[place]]
        for token in rest:
            if not self.left:
                raise _Spent
            self.left -= 1
            if token not in rules.moves(states[-1], first_part(token)):
                return False
            states.append(rules.apply(states[-1], token))
        end = states[-1]
        if rules.score(end) != self.score or rules.is_won(end) != self.won:
            return False
        self.line[place:] = rest
        self.states[place:] = states
        return True
