"""The rules of Rouge et Noir (`cardsol rules rouge-et-noir`) once more, by the simplest means."""

from __future__ import annotations

from tests.reference.common import RANKS, Game

COLUMNS = [f"t{i}" for i in range(1, 11)]
FOUNDATIONS = ["f1", "f2", "f3", "f4"]
KINGS = ["k1", "k2", "k3", "k4"]


def red(card: str) -> bool:
    """Tell the colour of a card."""
    return card[1] in "DH"


def builds(card: str, on: str) -> bool:
    """Build: one rank lower and of the other colour (no King on an Ace)."""
    return RANKS.index(card[0]) == RANKS.index(on[0]) - 1 and red(card) != red(on)


class RougeEtNoir(Game):
    """Rouge et Noir."""

    DECK = "double"
    PILES = ["stock", *COLUMNS, *FOUNDATIONS, *KINGS]

    def express(self) -> list[str]:
        """Tokens: draw, t3-t5, t3-f, t3-k."""
        tokens = ["draw"]
        tokens += [f"{one}-{other}" for one in COLUMNS for other in COLUMNS if one != other]
        tokens += [f"{column}-f" for column in COLUMNS]
        tokens += [f"{column}-k" for column in COLUMNS]
        return tokens

    def deal(self) -> None:
        """Deal: rounds of 9 7 6 5 4 3 2 1 columns, the last card of each column face up."""
        for width in [9, 7, 6, 5, 4, 3, 2, 1]:
            for column in COLUMNS[:width]:
                self.down(column).append(self.next_card())
        for column in COLUMNS:
            self.turn_up(column)

    def sequences(self, column: str) -> list[list[str]]:
        """Give every built sequence that ends at the top: 1 card, 2 cards, …"""
        cards = self.up(column)
        found = [cards[-1:]] if cards else []
        for size in range(2, len(cards) + 1):
            part = cards[-size:]
            if not builds(part[1], on=part[0]):
                break
            found.append(part)
        return found

    def moving(self, source: str, target: str) -> list[str]:
        """Moves: the sequence that fits on the target, [] where none does."""
        for part in self.sequences(source):
            if self.empty(target):
                whole_column = not self.down(source) and part == self.up(source)
                if part[0][0] == "K" and not whole_column:
                    return part
            elif builds(part[0], on=self.up(target)[-1]):
                return part
        return []

    def foundation(self, card: str) -> str | None:
        """Foundations: the first of the card's colour that takes it."""
        for name in FOUNDATIONS[:2] if red(card) else FOUNDATIONS[2:]:
            if RANKS.index(card[0]) == len(self.up(name)):
                return name
        return None

    def king_sequence(self, column: str) -> list[str]:
        """King sequences: the complete one at the end of a column, [] where there is none."""
        for part in self.sequences(column):
            if part[0][0] == "K" and part[-1][0] == "A":
                return part
        return []

    def allowed(self, token: str) -> bool:
        """Ask the rules of stock, foundations, King sequences and moves."""
        if token == "draw":
            return bool(self.down("stock"))
        source, target = token.split("-")
        if self.empty(source):
            return False
        if target == "f":
            return self.foundation(self.up(source)[-1]) is not None
        if target == "k":
            return bool(self.king_sequence(source)) and any(self.empty(king) for king in KINGS)
        return bool(self.moving(source, target))

    def carry_out(self, token: str) -> None:
        """Move the cards."""
        if token == "draw":
            for column in COLUMNS:
                if self.down("stock"):
                    self.up(column).append(self.next_card())
            return
        source, target = token.split("-")
        if target == "f":
            part = self.up(source)[-1:]
            foundation = self.foundation(part[0])
            assert foundation is not None
            target = foundation
        elif target == "k":
            part = self.king_sequence(source)
            target = next(king for king in KINGS if self.empty(king))
        else:
            part = self.moving(source, target)
        self.up(target).extend(part)
        del self.up(source)[-len(part) :]
        self.turn_up(source)

    def score(self) -> int:
        """Score: one point a card on the foundations or discarded in a sequence."""
        return sum(len(self.up(name)) for name in FOUNDATIONS + KINGS)

    def won(self) -> bool:
        """Won: 52 cards on the foundations and four King sequences discarded."""
        on_foundations = sum(len(self.up(name)) for name in FOUNDATIONS)
        return on_foundations == 52 and not any(self.empty(king) for king in KINGS)
