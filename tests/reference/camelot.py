"""The rules of Camelot (`cardsol rules camelot`) once more, by the simplest means."""

from __future__ import annotations

from tests.reference.common import RANKS, Facts, Game

#: In reading order.
GRID = [row + column for row in "abcd" for column in "1234"]
PLACES = {
    "K": ["a1", "a4", "d1", "d4"],
    "Q": ["a2", "a3", "d2", "d3"],
    "J": ["b1", "c1", "b4", "c4"],
}


class Camelot(Game):
    """Camelot."""

    PILES = ["stock", "waste", *GRID, "removed"]

    def express(self) -> list[str]:
        """Tokens: draw, w-b2, b2, b2+c3."""
        tokens = ["draw", *GRID]
        tokens += [f"w-{cell}" for cell in GRID]
        tokens += [f"{one}+{two}" for i, one in enumerate(GRID) for two in GRID[i + 1 :]]
        return tokens

    def deal(self) -> None:
        """Deal: all cards are the stock, the grid is empty."""
        self.filled = False  # whether the grid has become full since the last draw

    def all_placed(self) -> bool:
        """Say whether stock and waste are both empty."""
        return self.empty("stock") and self.empty("waste")

    def phase(self) -> int:
        """Phase two: the grid has become full, or stock and waste are both empty."""
        return 2 if self.filled or self.all_placed() else 1

    def allowed(self, token: str) -> bool:
        """Ask the rules of places and of the two phases."""
        if token == "draw":
            room = any(self.empty(cell) for cell in GRID)
            return room and self.empty("waste") and not self.empty("stock")
        if token[0] == "w":
            cell = token[2:]
            if self.empty("waste") or not self.empty(cell):
                return False
            return cell in PLACES.get(self.up("waste")[0][0], GRID)
        cells = token.split("+")
        if self.phase() == 1 or any(self.empty(cell) for cell in cells):
            return False
        ranks = [self.up(cell)[0][0] for cell in cells]
        if any(rank in "KQJ" for rank in ranks):
            return False
        return sum(RANKS.index(rank) + 1 for rank in ranks) == 10

    def carry_out(self, token: str) -> None:
        """Draw, place or remove."""
        if token == "draw":
            self.up("waste").append(self.next_card())
            self.filled = False
        elif token[0] == "w":
            self.up(token[2:]).append(self.up("waste").pop())
            self.filled = not any(self.empty(cell) for cell in GRID)
        else:
            for cell in token.split("+"):
                self.up("removed").append(self.up(cell).pop())

    def score(self) -> int:
        """Score: one point a card removed."""
        return len(self.up("removed"))

    def won(self) -> bool:
        """Won: stock and waste empty, and only the twelve court cards left."""
        left = [self.up(cell)[0] for cell in GRID if self.up(cell)]
        return self.all_placed() and len(left) == 12 and all(card[0] in "KQJ" for card in left)

    def extra(self) -> Facts:
        """Give the phase."""
        return {"phase": self.phase()}
