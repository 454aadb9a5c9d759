"""The rules of Three Peaks (`cardsol rules three-peaks`) once more, by the simplest means."""

from __future__ import annotations

from tests.reference.common import RANKS, Facts, Game, shuffle

TABLEAU = (
    [f"a{i}" for i in range(1, 4)]
    + [f"b{i}" for i in range(1, 7)]
    + [f"c{i}" for i in range(1, 10)]
    + [f"d{i}" for i in range(1, 11)]
)

#: Covers: which positions lie on a position.
COVERS = {
    **{f"c{i}": [f"d{i}", f"d{i + 1}"] for i in range(1, 10)},
    "b1": ["c1", "c2"],
    "b2": ["c2", "c3"],
    "b3": ["c4", "c5"],
    "b4": ["c5", "c6"],
    "b5": ["c7", "c8"],
    "b6": ["c8", "c9"],
    "a1": ["b1", "b2"],
    "a2": ["b3", "b4"],
    "a3": ["b5", "b6"],
}


def neighbours(one: str, other: str) -> bool:
    """Play: one rank above or below, suits ignored; Ace is next to both King and 2."""
    distance = abs(RANKS.index(one[0]) - RANKS.index(other[0]))
    return distance == 1 or {one[0], other[0]} == {"A", "K"}


class ThreePeaks(Game):
    """Three Peaks."""

    OPTIONS = {
        "scoring": ("classic", "multiplier"),
        "floor": ("none", "zero"),
        "rounds": ("single", "progressive"),
    }
    PILES = ["stock", "waste", *TABLEAU]

    def __init__(self, deck: list[str], options: dict[str, str], seed: str | None) -> None:
        super().__init__(deck, options, seed)
        if self.options["rounds"] == "progressive" and seed is None:
            raise ValueError("rounds=progressive needs a seed")
        self.points = 0
        self.round = 1

    def express(self) -> list[str]:
        """Tokens: draw, and the position alone."""
        return ["draw", *TABLEAU]

    def deal(self) -> None:
        """Deal: rows a, b, c face down, row d face up, the next card face up on the waste."""
        for position in TABLEAU:
            side = "up" if position[0] == "d" else "down"
            self.pile[position][side].append(self.next_card())
        self.up("waste").append(self.next_card())
        self.run = 0

    def allowed(self, token: str) -> bool:
        """Ask the rules of stock and play."""
        if token == "draw":
            return bool(self.down("stock"))
        if not self.up(token):
            return False
        return neighbours(self.up(token)[0], self.up("waste")[-1])

    def carry_out(self, token: str) -> None:
        """Draw a card or play one, and count."""
        if token == "draw":
            self.draw()
            return
        self.up("waste").append(self.up(token).pop())
        for position, covers in COVERS.items():
            if all(self.empty(cover) for cover in covers):
                self.turn_up(position)
        classic = self.options["scoring"] == "classic"
        bonus = 15 if classic else 25
        self.run += 1
        self.points += self.run if classic else 2 ** (self.run - 1)
        if token[0] == "a":
            self.points += bonus
        if self.cleared():
            self.points += bonus
            if self.options["rounds"] == "progressive":
                assert self.seed is not None
                self.round += 1
                self.lay_out(shuffle("standard", self.seed, self.round))

    def draw(self) -> None:
        """Stock: one card onto the waste, the run ends; a draw costs 5 in classic scoring."""
        self.down("waste").extend(self.up("waste"))
        self.up("waste").clear()
        self.up("waste").append(self.next_card())
        self.run = 0
        if self.options["scoring"] == "classic":
            self.points -= 5
        if self.options["floor"] == "zero":
            self.points = max(self.points, 0)

    def cleared(self) -> bool:
        """Say whether the tableau is empty."""
        return all(self.empty(position) for position in TABLEAU)

    def won(self) -> bool:
        """Won (single round): the tableau is empty; a progressive game is never won."""
        return self.options["rounds"] == "single" and self.cleared()

    def score(self) -> int:
        """Score: as counted move by move."""
        return self.points

    def extra(self) -> Facts:
        """Cards played since the last draw, and the round."""
        return {"run": self.run, "round": self.round}
