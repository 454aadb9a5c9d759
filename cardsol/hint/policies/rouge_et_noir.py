"""How Rouge et Noir is played out: what looks best, or a deal where nothing looks better than now."""

from __future__ import annotations

from collections.abc import Sequence

from ...solve.rouge_et_noir import WON, Position, RougeEtNoirModel
from ..outlook import Seen
from ..playout import Judgement, play_out
from ..playout import judge as by_playouts
from . import weights
from .rouge_value import RougeOutlook, variant

STEPS = 400
"""Moves of a playout at most."""
MOST = 2
"""Moves that are played out."""


class Deals:
    """Deals the rows of the stock one by one.

    Between two deals the positions claim that all rows were dealt, so that the model works out no deal in vain.
    """

    def __init__(self, model: RougeEtNoirModel, made: int) -> None:
        self.model = model
        self.made, self.last = made, len(model._rows)

    def left(self) -> bool:
        """Tells whether a row is left."""
        return self.made < self.last

    def draw(self, position: Position) -> Position:
        """Returns the position after the next row."""
        dealt = self.model._dealt((*position[:-1], self.made))
        self.made += 1
        return self.all_dealt(dealt)

    def all_dealt(self, position: Position) -> Position:
        """Returns the position as if all rows were dealt."""
        return (*position[:-1], self.last)


def outlook(seen: Seen) -> RougeOutlook:
    """Returns the outlook, with the weights that were learned."""
    return RougeOutlook(seen, weights("rouge_et_noir")[variant(seen.options)])


def judge(model: RougeEtNoirModel, tokens: Sequence[str]) -> dict[str, Judgement]:
    """Judges moves by playouts."""

    def play(before: Position, position: Position) -> Position:
        deals = Deals(model, position[-1])
        start = deals.all_dealt(before), deals.all_dealt(position)
        end: Position = play_out(model, *start, steps=STEPS, dealer=deals)
        return end

    return by_playouts(model, tokens, lambda end: model.score(end) / WON, play, MOST)
