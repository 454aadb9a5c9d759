"""Plans: the way to the best position that can be reached before the next unknown card.

Nothing new is learned on the way, so the way as a whole is what there is to decide, not its first move. The value of
a game's `Outlook` says which position is best; with more than one world the planner also looks past the next unknown
card, with the same cards for all ways.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import islice
from math import fsum, sqrt
from random import Random
from typing import Any, NamedTuple

from ..cards import Card
from .outlook import Outlook, chance

CAP = 200
"""Positions from which moves are tried for a plan, where the outlook has no CAP of its own."""
PATIENCE = 20
"""So many times as many positions are looked at where the first ones show no way: a known stock may have to be gone
through, for one."""
CAP_AHEAD = 50
"""The same after each card that may come next."""
FEW = 6
"""Ways that are looked at further where there is more than one world."""
FEW_PLAYED = 8
"""The same where the outlook plays out."""
ORDERS = 16
"""How many orders of the unseen cards are a world where the outlook plays out."""
LEAN = 1.0
"""What the chance of the value counts for beside playouts."""
PRIOR = 4
"""How many worlds the value of a way itself counts for, at least."""
PRIOR_SHARE = 0.25
"""The same as a share of the worlds: what is reached one card later is no surer for being looked at with every card."""
MARGIN = 0.3
"""Divided by the number of worlds: what a way must be better by than the one of most value, beyond a standard error,
where the outlook plays out. Without it a few worlds would make play worse: the best of several means is more often luck
than skill. What can be reached after the next card varies less, and there a margin costs more than it saves."""
RACE = 16
"""After so many worlds or orders, and again after as many more, ways that are clearly behind are dropped."""
BEHIND = 3.0
"""Standard errors that a way is behind the best one then, and worlds besides: a few of them may show no difference
by chance."""
WON = 30.0
"""Log-odds of a game that is won."""


class Way(NamedTuple):
    """A way to the next unknown card, or to a win."""

    value: float
    """Log-odds of winning after it."""
    steps: tuple[Any, ...]
    before: Any
    """The position before its last step."""
    after: Any
    """The position after it, in which the cards shown are unknown."""
    chance: float = 0.0
    """The chance of winning, 0 to 1, when everything has been looked at that was to be."""


def ways(
    outlook: Outlook[Any, Any], start: Any, cap: int, banned: Container[Hashable] = frozenset()
) -> list[Way]:
    """Returns the ways found by expanding positions best first, at most `cap` of them; the best way first.

    Where that finds none, it goes on for `PATIENCE` times as many, until one is found. Positions whose keys are
    banned are not entered.
    """
    reached = {outlook.key(start)}
    ends: set[Hashable] = set()
    found: list[tuple[float, int, int, Any, Any, Any]] = []
    heap: list[tuple[float, int, Any, Any, int]] = [(0.0, 0, start, None, 0)]
    count = 0
    for expanded in range(cap * PATIENCE):
        if not heap or (expanded >= cap and found):
            break
        _, _, position, link, length = heappop(heap)
        for step, after, shows in outlook.expand(position):
            key = outlook.key(after)
            if key in banned:
                continue
            count += 1
            if shows or outlook.is_won(after):
                if key not in ends:
                    ends.add(key)
                    value = outlook.value(after) if shows else WON
                    found.append((-value, length, count, (link, step), position, after))
            elif key not in reached:
                reached.add(key)
                heappush(heap, (-outlook.value(after), count, after, (link, step), length + 1))
    found.sort(key=lambda way: way[:3])
    return [
        Way(-value, _unlinked(link), before, after, chance(-value))
        for value, _, _, link, before, after in found
    ]


def best_value(outlook: Outlook[Any, Any], start: Any, cap: int) -> float | None:
    """Returns the highest value that `ways` finds, or None where there is no way."""
    found = ways(outlook, start, cap)
    return found[0].value if found else None


def _unlinked(link: Any) -> tuple[Any, ...]:
    steps = []
    while link is not None:
        link, step = link
        steps.append(step)
    return tuple(reversed(steps))


def looked_ahead(
    outlook: Outlook[Any, Any],
    found: Sequence[Way],
    unseen: Sequence[Card],
    worlds: int,
    seconds: float | None = None,
) -> list[Way]:
    """Returns the ways in the order of what they promise over so many next cards, the same for all of them.

    Only the `FEW` ways of most value are looked at; the others keep their order after them. `seconds` cuts the work
    short after one world at the least. Ways that fall clearly behind are dropped early. Where the outlook plays out,
    a world is `ORDERS` orders of the unseen cards, and the chances stay those of the value: what playouts come to only
    says which way is better.
    """
    plays: Callable[[Any, Sequence[Card]], float] | None = getattr(outlook, "play_out", None)
    few = found[: FEW_PLAYED if plays else FEW]
    if len(few) < 2 or (worlds < 2 and not plays):
        return list(found)
    judge = plays or getattr(outlook, "look_ahead", None) or _next_card(outlook)
    lean = LEAN if plays else 0.0
    scores: list[list[float]] = [[] for _ in few]
    running = list(range(len(few)))
    start = time.monotonic()
    for nth, cards in enumerate(islice(_orders(unseen), worlds * ORDERS if plays else worlds), 1):
        for i in running:
            way = few[i]
            score = way.chance if outlook.is_won(way.after) else judge(way.after, cards)
            scores[i].append(score + lean * way.chance)
        if seconds is not None and time.monotonic() - start >= seconds and not (plays and nth % ORDERS):
            break
        if nth % RACE == 0:
            running = _still_running(scores, running)
            if len(running) == 1:
                break
    priors = [0 if plays else max(PRIOR, PRIOR_SHARE * len(score)) for score in scores]
    means = [
        (fsum(score) + prior * way.chance) / (len(score) + prior)
        for way, score, prior in zip(few, scores, priors)
    ]
    best = max(running, key=lambda i: (means[i], -i))
    if plays and best and running[0] == 0 and not _clearly(scores[best], scores[0]):
        best = 0
    order = sorted(range(len(few)), key=lambda i: (i != best, -means[i], i))
    told = [few[i] if plays else few[i]._replace(chance=means[i]) for i in order]
    return told + list(found[len(few) :])


def _still_running(scores: Sequence[Sequence[float]], running: Sequence[int]) -> list[int]:
    """Returns the ways that are not clearly behind the one of the highest mean, world for world."""
    best = max(running, key=lambda i: (fsum(scores[i]), -i))
    return [i for i in running if i == best or not _is_behind(scores[i], scores[best])]


def _is_behind(scores: Sequence[float], others: Sequence[float]) -> bool:
    mean, error = _difference(others, scores)
    return mean > BEHIND * (error + 1 / len(scores))


def _orders(unseen: Sequence[Card]) -> Iterator[list[Card]]:
    """Yields orders of the unseen cards without end: at random, and so that each comes first as often as any other."""
    cards = list(unseen)
    dice = Random(repr(cards))
    while True:
        dice.shuffle(cards)
        yield from (cards[i:] + cards[:i] for i in range(max(len(cards), 1)))


def _next_card(outlook: Outlook[Any, Any]) -> Callable[[Any, Sequence[Card]], float]:
    """Returns a function that looks one unknown card ahead: the best chance that can then be reached."""
    known: dict[Hashable, float] = {}

    def judge(position: Any, cards: Sequence[Card]) -> float:
        after = outlook.reveal(position, cards)
        key = outlook.key(after)
        if key not in known:
            value = WON if outlook.is_won(after) else best_value(outlook, after, CAP_AHEAD)
            known[key] = 0.0 if value is None else chance(value)
        return known[key]

    return judge


def _clearly(scores: Sequence[float], others: Sequence[float]) -> bool:
    """Tells whether scores are higher than others by more than chance explains, world for world."""
    mean, error = _difference(scores, others)
    return mean > error + MARGIN / len(scores)


def _difference(scores: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """Returns by how much scores are higher than others in the mean, world for world, and its standard error."""
    count = len(scores)
    differences = [one - other for one, other in zip(scores, others)]
    mean = fsum(differences) / count
    variance = fsum([(each - mean) ** 2 for each in differences]) / max(1, count - 1)
    return mean, sqrt(variance / count)
