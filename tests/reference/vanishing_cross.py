"""The rules of Vanishing Cross (`cardsol rules vanishing-cross`) once more, by the simplest means."""

from __future__ import annotations

from tests.reference.common import RANKS, Facts, Game

CROSS = ["a2", "b1", "b2", "b3", "c2"]
CORNERS = ["a1", "a3", "c1", "c3"]


def next_rank(rank: str) -> str:
    """Corners: round the corner, …Q K A 2…"""
    return (RANKS + "A")[RANKS.index(rank) + 1]


class VanishingCross(Game):
    """Vanishing Cross."""

    OPTIONS = {"play": ("classic", "direct"), "wrap": ("on", "off")}
    PILES = ["stock", "waste", "a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]

    def express(self) -> list[str]:
        """Tokens: draw, s-f, s-w, s-b2, w-f, w-b2, b1-f, b1-b2, b1-c2x3."""
        classic = self.options["play"] == "classic"
        pairs = [f"{one}-{other}" for one in CROSS for other in CROSS if one != other]
        tokens = ["draw", "w-f"]
        tokens += [f"w-{square}" for square in CROSS]
        tokens += [f"{square}-f" for square in CROSS]
        tokens += pairs
        if classic:
            tokens += ["s-f", "s-w"]
            tokens += [f"s-{square}" for square in CROSS]
            tokens += [f"{pair}x{number}" for pair in pairs for number in range(2, 52)]
        return tokens

    def deal(self) -> None:
        """Deal: the cross, then a1, whose rank is the base."""
        for square in [*CROSS, "a1"]:
            self.up(square).append(self.next_card())

    def base(self) -> str:
        """Give the base rank."""
        return self.up("a1")[0][0]

    def corner(self, card: str) -> str | None:
        """Corners: where the card may go, if anywhere."""
        for name in CORNERS:
            cards = self.up(name)
            if not cards:
                if card[0] == self.base():
                    return name  # the first free corner
            elif len(cards) < 13 and card == next_rank(cards[-1][0]) + cards[-1][1]:
                return name
        return None

    def builds(self, card: str, on: str) -> bool:
        """Cross: down, suits ignored; with wrap=on a King goes on an Ace."""
        if card[0] == "K":
            return self.options["wrap"] == "on" and on[0] == "A"
        return next_rank(card[0]) == on[0]

    def read(self, token: str) -> tuple[list[str], str, int]:
        """Take a token apart: the face-up cards of the source, the target, how many cards."""
        source, _, rest = token.partition("-")
        target, _, number = rest.partition("x")
        return self.up({"s": "stock", "w": "waste"}.get(source, source)), target, int(number or 1)

    def allowed(self, token: str) -> bool:
        """Ask the rules of stock, waste, corners, cross and spaces."""
        if token == "draw":
            return bool(self.down("stock")) and not self.up("stock")
        origin, target, number = self.read(token)
        if len(origin) < number:
            return False
        card = origin[-number]
        if target == "w":
            return all(self.up(square) for square in CROSS)
        if target == "f":
            return self.corner(card) is not None
        if self.up(target):
            return number == 1 and self.builds(card, on=self.up(target)[-1])
        if token[0] in "sw":
            return True
        return number < len(origin)  # into a space, but never the whole pile

    def carry_out(self, token: str) -> None:
        """Move the cards."""
        if token == "draw":
            card = self.next_card()
            self.up("stock" if self.options["play"] == "classic" else "waste").append(card)
            return
        origin, target, number = self.read(token)
        if target == "w":
            target = "waste"
        elif target == "f":
            corner = self.corner(origin[-1])
            assert corner is not None
            target = corner
        self.up(target).extend(origin[-number:])
        del origin[-number:]

    def score(self) -> int:
        """Score: one point a card on the corners."""
        return sum(len(self.up(name)) for name in CORNERS)

    def won(self) -> bool:
        """Won: all 52 there."""
        return self.score() == 52

    def extra(self) -> Facts:
        """Give the base rank."""
        return {"base": self.base()}
