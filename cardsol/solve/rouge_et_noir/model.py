"""Rouge et Noir for the search: columns by number, cards by class.

Lemma (classes). All that the rules ask of a card is its rank and colour: columns and foundations build by them, a
sequence is a built run, points are counted. So a card is one of 26 classes (`ALIKE`), and a line for the classes is a
line for the cards. Two cards of a class are still two cards: where they lie is never forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ...games.rouge_et_noir import ALIKE, COLUMNS, KING, RED, State
from ..model import Goal, Proof, in_a_row
from .relaxed import FIRST_KING, SPACE, Relaxed, Run, parent

Position = tuple[int, ...]
"""Numbers of the ten columns, number of what is gone (up or in sequences), deals made since the start."""

WON = 2 * 52
DOWN = 64
"""Added to the class of a card that lies face down."""
UP, AWAY, DRAW = 10, 11, 160
"""A step is 16 × source + target; the targets after the columns are the foundations and the sequences."""
SPACE_BIT = 1 << SPACE

# Weights of the estimate, found by trial. A unit is half of an unbuilt card: see `_worth`.
FACE_DOWN = 3
"""For a card that lies face down."""
UNBUILT = 2
"""For a card that lies on one that it is not built on."""
INVERTED = 12
"""More for it if a card of lower rank lies further down."""
KING_HIGH = 8
"""More for it if it is a King."""
NO_KING = 2
"""For a column whose lowest card is no King."""
EMPTY = -2
"""For an empty column."""
GONE = (0, -1)
"""For a card gone. The two are tried in turn: deals that are hard with one are often easy with the other."""


class RougeEtNoirModel:
    """One deal. Every column, and every set of cards gone, gets a number when it first occurs.

    Lemma (third sequence). No line wins in which three sequences have a King of one colour, so that with goal `win`
    the third is left out. Proof. The foundations need two Kings of each colour, of four; one would be left.
    """

    def __init__(self, state: State, goal: Goal = "score") -> None:
        self._most = 2 if goal == "win" else 4
        self.point = GONE[0]
        self._cards: list[tuple[int, ...]] = []
        self._number: dict[tuple[int, ...], int] = {}
        self._bit: list[int] = []
        self._rank: list[int] = []
        self._wants: list[int] = []
        self._whole: list[int] = []
        self._value: list[int] = []
        self._cuts: dict[int, int] = {}
        self._joins: dict[int, int] = {}
        self._apart: dict[int, list[Run]] = {}
        self._gone: list[tuple[int, ...]] = []
        self._gone_number: dict[tuple[int, ...], int] = {}
        self._score: list[int] = []
        self._next: list[int] = []
        self._free: list[int] = []
        self._column(())
        stock = [ALIKE[card] for card in state.stock]
        self._rows = [stock[i : i + UP] for i in range(0, len(stock), UP)]
        left = [self._rows[made:] for made in range(len(self._rows) + 1)]
        self._groups = [_groups(rows) for rows in left]
        self._coming = [sum({1 << card for row in rows for card in row}) for rows in left]
        self._columns = state.columns
        columns = [(*(ALIKE[c] + DOWN for c in p.down), *(ALIKE[c] for c in p.up)) for p in state.columns]
        red = [RED[cards[0]] for cards in state.sequences if cards]
        heights = [len(cards) for cards in state.foundations]
        gone = self._foundations((*heights, sum(red), len(red) - sum(red)))
        self.start: Position = (*map(self._column, columns), gone, 0)

    def key(self, position: Position) -> Position:
        """Sorts the columns that await the same cards.

        Lemma (columns in any order). Positions with equal keys have the same futures. Proof. Columns differ by what
        lies in them and by the cards that the stock will still deal to them; no rule names a place. So where two of
        them await the same classes, exchanging all that lies in them turns every line into a line. With the stock
        empty that is true of all ten.
        """
        groups = self._groups[position[-1]]
        if not groups:
            return position
        new = list(position)
        for group in groups:
            for place, column in zip(group, sorted([position[i] for i in group])):
                new[place] = column
        return tuple(new)

    def is_won(self, position: Position) -> bool:
        return self._score[position[UP]] == WON

    def score(self, position: Position) -> int:
        return self._score[position[UP]]

    def estimate(self, position: Position) -> int:
        return sum(map(self._value.__getitem__, position[:UP])) + self.point * self._score[position[UP]]

    def use_weights(self, point: int) -> None:
        """Estimates with this weight of a card gone from now on: one of GONE."""
        self.point = point

    def layer(self, position: Position) -> int:
        return position[-1]

    def forced(self, position: Position) -> None:
        """Returns None: no move is known to be as good as every other.

        Not even an Ace that goes up: of the four of its colour two are needed in sequences, and this may be the only
        one that gets there. Nor a complete sequence: it may hold the one card in reach for a foundation.
        """
        return

    def tokens(self, steps: Sequence[int]) -> list[str]:
        targets = (*COLUMNS, "f", "k")
        return ["draw" if step == DRAW else f"{COLUMNS[step >> 4]}-{targets[step & 15]}" for step in steps]

    def expand(self, position: Position) -> list[tuple[int, Position]]:
        found: list[tuple[int, Position]] = []
        columns, gone = position[:UP], position[UP]
        rank, wants, whole = self._rank, self._wants, self._whole
        tops = [self._bit[column] for column in columns]
        any_top = 0
        for top in tops:
            any_top |= top
        up, free = self._next[gone], self._free[gone]
        for i, source in enumerate(columns):
            wanted = wants[source] & any_top
            if wanted:
                for j, top in enumerate(tops):
                    if top & wanted:
                        taker = columns[j]
                        count = rank[taker] - rank[source]
                        new = [*position]
                        new[i] = self._cut(source, count)
                        new[j] = self._join(taker, self._cards[source][-count:])
                        found.append((i << 4 | j, tuple(new)))
            if tops[i] & up:
                found.append(self._lifted(position, i << 4 | UP, 1))
            if whole[source] & free:
                found.append(self._lifted(position, i << 4 | AWAY, KING))
        if position[-1] < len(self._rows) and self._score[gone] < WON:
            found.append((DRAW, self._dealt(position)))
        return found

    def _lifted(self, position: Position, step: int, count: int) -> tuple[int, Position]:
        i = step >> 4
        column = position[i]
        new = [*position]
        new[i] = self._cut(column, count)
        new[UP] = self._after(position[UP], self._cards[column][-count], step & 15)
        return step, tuple(new)

    def _dealt(self, position: Position) -> Position:
        row = self._rows[position[-1]]
        dealt = [self._join(column, (card,)) for column, card in zip(position, row)]
        return (*dealt, *position[len(row) : -1], position[-1] + 1)

    def _cut(self, column: int, count: int) -> int:
        what = column << 4 | count
        number = self._cuts.get(what)
        if number is None:
            cards = self._cards[column][:-count]
            if cards and cards[-1] >= DOWN:
                cards = (*cards[:-1], cards[-1] - DOWN)
            number = self._cuts[what] = self._column(cards)
        return number

    def _join(self, column: int, run: Position) -> int:
        what = (column << 5 | run[0]) << 4 | len(run)  # its first card and length determine a run
        number = self._joins.get(what)
        if number is None:
            number = self._joins[what] = self._column(self._cards[column] + run)
        return number

    def _column(self, cards: tuple[int, ...]) -> int:
        """Returns the number of a column, its cards from the bottom up; 0 is the empty one."""
        number = self._number.get(cards)
        if number is None:
            number = self._number[cards] = len(self._cards)
            self._cards.append(cards)
            self._bit.append(1 << (cards[-1] if cards else SPACE))
            self._rank.append(cards[-1] >> 1 if cards else KING + 1)
            self._value.append(_worth(cards) if cards else EMPTY)
            self._store_run(cards)
        return number

    def _store_run(self, cards: tuple[int, ...]) -> None:
        """Stores what the parts of the run at the end may go on, and the King's bit of a complete sequence."""
        length = wants = whole = 0
        while length < len(cards) and (not length or cards[-length - 1] == parent(cards[-length])):
            length += 1
            if cards[-length] < FIRST_KING:
                wants |= 1 << parent(cards[-length])
            elif length < len(cards):
                wants |= SPACE_BIT
        if length == KING:
            whole = 1 << cards[-length]
        self._wants.append(wants)
        self._whole.append(whole)

    def _foundations(self, gone: tuple[int, ...]) -> int:
        """Returns the number of two red heights, two black ones, and of the red and black sequences.

        Lemma (foundations in order). Of two foundations of a colour the higher may stand first. Proof. Exchanging
        them in all positions of a line gives a line.
        """
        a, b, c, d, red, black = gone
        gone = (max(a, b), min(a, b), max(c, d), min(c, d), red, black)
        number = self._gone_number.get(gone)
        if number is None:
            number = self._gone_number[gone] = len(self._gone)
            self._gone.append(gone)
            self._score.append(a + b + c + d + KING * (red + black))
            wanted = {2 * a + 3, 2 * b + 3, 2 * c + 2, 2 * d + 2}
            self._next.append(sum(1 << card for card in wanted if card < SPACE))
            kings = (red < self._most) << FIRST_KING + 1 | (black < self._most) << FIRST_KING
            self._free.append(kings if red + black < 4 else 0)
        return number

    def _after(self, gone: int, card: int, where: int) -> int:
        """Returns the number after a card went up, or after a King went away with his sequence."""
        new = [*self._gone[gone]]
        red = card & 1
        if where == AWAY:
            new[5 - red] += 1
        else:
            first = 0 if red else 2
            new[first + (new[first] + 1 != card >> 1)] += 1
        return self._foundations(tuple(new))

    def bound(self, position: Position) -> int:
        """Returns the most points of a game in which nothing is ever covered again, see `Relaxed`.

        Lemma (points). No line scores more. Proof. Each point still to come is a card that comes from the stock or
        leaves its place, and that a foundation or a sequence has room for; so there are no more points than either.
        """
        what, made = position[UP:]
        if max(self._gone[what][4:]) > self._most:
            return self._score[what]
        relaxed, leaving = self._relaxed(position)
        left = sum(leaving) + sum(map(len, self._rows[made:]))
        return self._score[what] + min(left, relaxed.room(self._most))

    def _relaxed(self, position: Position) -> tuple[Relaxed, list[int]]:
        """Returns the relaxed game at its end, and how many cards have left each column."""
        what, made = position[UP:]
        relaxed = Relaxed(self._gone[what], self._coming[made], self._free[what])
        return relaxed, relaxed.run([self._runs(column) for column in position[:UP]])

    def why(self) -> Proof | None:
        """Returns why no line from the start wins, where the bound proves it."""
        position = self.start
        most = self.bound(position)
        if most == WON:
            return None
        red, black = self._gone[position[UP]][4:]
        if max(red, black) > self._most:
            colour = "red" if red > black else "black"
            return Proof(
                "bound", f"three {colour} sequences are gone, so a King is missing on a {colour} foundation"
            )
        cards: list[str] = []
        for (down, up), leaving in zip(self._columns, self._relaxed(position)[1]):
            cards += (down + up)[: len(down + up) - leaving][-1:]
        stuck = f"; {in_a_row(cards)} would never leave" if cards else ""
        text = (
            f"even if no card ever covered another, at most {most} of {WON} cards would go up or away{stuck}"
        )
        return Proof("bound", text, tuple(cards))

    def _runs(self, column: int) -> list[Run]:
        """Returns a column as runs, the last one first."""
        known = self._apart.get(column)
        if known is None:
            runs: list[list[int]] = []
            above = 0
            for card in reversed(self._cards[column]):
                bit = 1 << (card & ~DOWN)
                if runs and card < DOWN and card == parent(above):
                    runs[-1].append(bit)
                else:
                    runs.append([bit])
                above = card
            known = self._apart[column] = [*map(Run.of, runs)]
        return known


def _worth(cards: tuple[int, ...]) -> int:
    """Returns a column's part of the estimate: what is in the way of its cards."""
    low = cards[0] & ~DOWN
    value = FACE_DOWN * (cards[0] >= DOWN) + NO_KING * (low < FIRST_KING)
    for under, card in pairwise(cards):
        value += FACE_DOWN * (card >= DOWN)
        card &= ~DOWN
        if under != parent(card):
            value += UNBUILT + INVERTED * (card >> 1 > low >> 1) + KING_HIGH * (card >= FIRST_KING)
        low = min(low, card)
    return value


def _groups(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Returns the groups of two columns or more that await the same cards."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for i in range(len(COLUMNS)):
        groups.setdefault(tuple(row[i] for row in rows if i < len(row)), []).append(i)
    return [group for group in groups.values() if len(group) > 1]
