"""Solves Camelot: from an empty grid without a search, from later on by an exact one over classes of cells.

Which cards come when is nearly the whole game: what can be removed stays removable, and each rank has one
partner rank. So the order of the cards alone says how far they can take a player, as long as each court card
finds a place. Only for these places a search is needed, and only because of the cards that lie on the grid.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...games.camelot import CELLS, State, apply, is_won, moves
from ..limits import Meter
from ..model import BestWin, Found, Goal, Proof
from .cells import Step
from .model import WON, CamelotModel, Node
from .naming import nameless

STATES = 150_000
"""Worth about a minute."""
NONE = -1
"""Stands for less than any score."""


def model(state: State) -> CamelotModel:
    """Returns the search model of a position."""
    return CamelotModel(state)


def solve(state: State, goal: Goal, meter: Meter) -> Found:
    """Finds a win, or the most cards that can be removed; both proved.

    Lemma (equal lengths). All lines from a position to a win have equally many moves. Proof. In a win each card of
    the stock has been drawn, each of waste and stock placed, each Ten removed alone and all others in pairs.

    Lemma (all removed). If a line removes all 40 cards, a line wins with the same removals. Proof. What is left are
    court cards. Those on the grid lie on cells of their class, which has four; the other cells are free.
    """
    model = CamelotModel(state)
    total, removed = len(model.ranks), len(state.removed)
    if goal == "win" and (model.end < total or model.most[total] != WON):
        return Found("impossible", [], removed, True, winnable=False, proof=why(model))
    line = None if any(model.start.grid) or state.waste else nameless(state, model.ranks)
    if line is None:
        line = search(model, goal, meter)
    if line is None:
        return Found("impossible", [], removed, True, winnable=False, proof=why(model))
    removed += sum(token.count("+") + 1 for token in line if token != "draw" and token[0] != "w")
    if goal == "win":
        return Found("won", line, removed, True, winnable=True, shortest=True)
    if removed < WON:
        return Found("best", line, removed, True, winnable=False)
    return Found("best", line, removed, True, True, BestWin(removed, tuple(placed_all(state, line)), True))


def why(model: CamelotModel) -> Proof | None:
    """Returns why no line wins, where the number of cards or the places of the court cards prove it."""
    state, total = model.state, len(model.ranks)
    coming = state.waste + state.stock
    if model.end < total:
        gone, card = model.most[model.end], coming[model.end]
        text = f"the grid is full for good before {card} can be placed: at most {gone} cards can be removed by then"
        return Proof("bound", text, (card,))
    reach = model.reach(model.start)
    if reach < total:
        card = coming[reach]
        text = f"no place can be free for {card} when it comes: too few of the cards there can go"
        return Proof("bound", text, (card,))
    return None


def placed_all(state: State, line: list[str]) -> list[str]:
    """Returns a line that removes all 40 cards, prolonged so that it also places all others."""
    for token in line:
        state = apply(state, token)
    tokens = [*line]
    while not is_won(state):
        cells = (f"w-{cell}" for cell in CELLS)
        legal = moves(state)
        tokens.append(next((token for token in cells if token in legal), "draw"))
        state = apply(state, tokens[-1])
    return tokens


def search(model: CamelotModel, goal: Goal, meter: Meter) -> list[str] | None:
    """Goes depth first through what may lead further than the best so far; None if there is no win."""
    total = len(model.ranks)

    def winning_score(node: Node) -> int:
        return WON if model.is_won(node) else NONE

    def winning_bound(node: Node) -> int:
        return WON if model.reach(node) == total else NONE

    score, bound, enough = model.score, model.bound, model.most[model.end]
    if goal == "win":
        score, bound, enough = winning_score, winning_bound, WON
    best = NONE
    line: list[str] | None = None
    seen = {model.start}
    stack: list[Iterator[tuple[list[Step], Node]]] = [iter([(list[Step](), model.start)])]
    while stack:
        for path, node in stack[-1]:
            if bound(node) <= best:
                continue
            meter.count()
            if score(node) > best:
                best, line = score(node), model.tokens(path)
                meter.keep(model.score(node), line)
                if best == enough:
                    return line
            after = [(step, there) for step, there in model.expand(node) if there not in seen]
            seen.update(there for _, there in after)
            after.sort(key=lambda item: model.estimate(item[1]))
            stack.append(iter([([*path, step], there) for step, there in after]))
            break
        else:
            stack.pop()
    return line
