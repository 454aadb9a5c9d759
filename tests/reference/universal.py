"""The rules of Universal Solitaire (`cardsol rules universal`) once more, by the simplest means."""

from __future__ import annotations

from tests.reference.common import Facts, Game

LOW_TO_HIGH = "1234567MSG"
SUITS = "EJMNSV"
COLUMNS = ["t1", "t2", "t3", "t4", "t5", "t6"]
BAR = ["f1", "f2", "f3", "f4", "f5", "f6"]


def builds(card: str, on: str) -> bool:
    """Build: one rank lower than the card it goes on, and of a different suit."""
    return LOW_TO_HIGH.index(card[0]) == LOW_TO_HIGH.index(on[0]) - 1 and card[1] != on[1]


def bar(card: str) -> str:
    """Piles: the bar f1…f6 holds the suits E J M N S V."""
    return BAR[SUITS.index(card[1])]


class Universal(Game):
    """Universal Solitaire."""

    DECK = "universal"
    OPTIONS = {"draw": ("1", "2", "3")}
    PILES = [*COLUMNS, "stock", "waste", *BAR]

    def express(self) -> list[str]:
        """Tokens: draw, w-f, w-t3, w-h3, t4-f, t2-t5."""
        tokens = ["draw", "w-f"]
        tokens += [f"w-{column}" for column in COLUMNS]
        tokens += [f"w-h{column[1]}" for column in COLUMNS]
        tokens += [f"{column}-f" for column in COLUMNS]
        tokens += [f"{one}-{other}" for one in COLUMNS for other in COLUMNS if one != other]
        return tokens

    def deal(self) -> None:
        """Deal: five rounds over t1…t6, four face down and the fifth face up."""
        for side in ["down", "down", "down", "down", "up"]:
            for column in COLUMNS:
                self.pile[column][side].append(self.next_card())
        self.turned: int = 1

    def allowed(self, token: str) -> bool:
        """Ask the rules of column, behind the head, empty column, bar and stock."""
        if token == "draw":
            if self.down("stock"):
                return True
            passes_left = int(self.options["draw"]) - self.turned
            return passes_left > 0 and not self.empty("waste")
        source, target = token.split("-")
        if source == "w":
            moving = self.up("waste")[-1:]
        elif target == "f":
            moving = self.up(source)[-1:]
        else:
            moving = self.up(source)  # the whole face-up run, never part of it
        if not moving:
            return False
        head = moving[0]
        if target == "f":
            return LOW_TO_HIGH.index(head[0]) == len(self.up(bar(head)))
        if target[0] == "h":
            column = "t" + target[1]
            if self.down(column) or self.empty(column):
                return False
            return builds(self.up(column)[0], on=head)
        if self.empty(target):
            whole_pile = source != "w" and not self.down(source)
            return head[0] == "G" and not whole_pile
        return builds(head, on=self.up(target)[-1])

    def carry_out(self, token: str) -> None:
        """Move the cards."""
        if token == "draw":
            self.draw()
            return
        source, target = token.split("-")
        origin = self.up("waste" if source == "w" else source)
        if target == "f":
            card = origin.pop()
            self.up(bar(card)).append(card)
        elif target[0] == "h":
            self.up("t" + target[1]).insert(0, origin.pop())
        elif source == "w":
            self.up(target).append(origin.pop())
        else:
            self.up(target).extend(origin)
            origin.clear()
        for column in COLUMNS:
            self.turn_up(column)

    def draw(self) -> None:
        """Stock: turn the waste over if need be, then turn 1, 2 or 3 cards."""
        if not self.down("stock"):
            while self.up("waste"):
                self.down("stock").append(self.up("waste").pop())
            self.turned += 1
        for _ in range(int(self.options["draw"])):
            if self.down("stock"):
                self.up("waste").append(self.next_card())

    def won(self) -> bool:
        """Won: all 60 cards on the bar."""
        return sum(len(self.up(name)) for name in BAR) == 60

    def score(self) -> int:
        """Score: 5 points a card on the bar."""
        return 5 * sum(len(self.up(name)) for name in BAR)

    def extra(self) -> Facts:
        """Rating, and the pass through the stock."""
        rating = "Novice"
        for least, word in [
            (50, "Average"),
            (100, "Above average"),
            (200, "Expert"),
            (300, "Top of your game"),
        ]:
            if self.score() >= least:
                rating = word
        return {"pass": self.turned, "rating": rating}
