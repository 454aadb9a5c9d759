"""Learns the values by which hints are planned: log-odds of winning from what a player sees.

    python examples/learn_values.py GAME [-o KEY=VALUE]... [--rounds N] [--deals N] [--processes N]

It needs numpy (`pip install '.[learn]'`). In each round it plays deals by plans of the value so far, some choices being
made at random among the best few, and then fits the value to how the games ended, by logistic regression on every
position that a plan led to. The weights are written to the game's file in cardsol/hint/policies after each round.

Deals to learn from have the seeds train-1, train-2, …, each played once. After each round the value plays deals with
the seeds choose-1, choose-2, …, without random choices, and the weights kept are those that won most of them. Which
chance a value stands for is then fitted to these games; that changes no choice, for more value is always more chance.
With no rounds that is all that is done. What is
published as a result is measured on seeds test-1, test-2, …, which this script never deals.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

try:
    import numpy as np
except ModuleNotFoundError as error:
    sys.exit(f"learn_values.py: {error}")

import cardsol
from cardsol.cards import DECKS
from cardsol.game import Game
from cardsol.hint import policies
from cardsol.hint.outlook import UNKNOWN, Seen
from cardsol.hint.plan import CAP, looked_ahead, ways
from cardsol.solve import winning_line

STATES = 1000
"""Positions that a search for a win may take once every card is known."""
KNOTS = (-4.0, -2.5, -1.5, -0.5, 0.5, 1.5, 3.0)
"""Values whose chances are fitted."""
FEW = 100
"""Beyond the outermost of them, and half a unit, lie more positions than this."""
PULL = 20.0
"""By so many positions each of them is drawn to itself."""
LEAST = 0.25
"""The least slope between two of them: more value is always more chance."""
AMONG = 6
"""A choice at random is one of so many that look best."""


class Learner(NamedTuple):
    """Where the value of a game stands. The module of its outlook has these names:

    - `FEATURES`: the names of the features;
    - `Learned(seen, weights)`: the outlook, with `features(position)`, a number for each of them, and
      `share(position)`, the share of the game that is still to come, 0 to 1, with which each weight changes;
    - `variant(options)`: the name that the weights for these options have in the file;
    - `FIRST`: weights by hand to begin with where the file has none, by the names of their features.
    """

    file: str
    """The name of its weights in cardsol/hint/policies, without `.json`."""
    module: str
    """The module in cardsol/hint/policies."""

    def found(self) -> Any:
        """Returns the module."""
        return import_module(f"{policies.__name__}.{self.module}")


GAMES = {
    "rouge-et-noir": Learner("rouge_et_noir", "rouge_value"),
    "universal": Learner("universal", "universal_value"),
    "vanishing-cross": Learner("vanishing_cross", "cross_value"),
}


class Played(NamedTuple):
    """A game that was played to its end."""

    rows: list[list[float]]
    """For each position that a plan led to: the share of the stock that is left, then the features."""
    values: list[float]
    """The value of each of these positions."""
    won: bool


def seen_of(game: Game, known: set[str]) -> Seen:
    """Returns what the player sees of a game dealt from one deck, and notes the cards that lie face up.

    Of a deck with two copies of each card no card that lies face down is taken as known: which of the two was
    seen is not noted.
    """
    piles = game.piles()
    if DECKS[game.rules.DECK].copies == 1:
        for pile in piles.values():
            known.update(pile.up)
    cards = {
        name: (*(card if card in known else UNKNOWN for card in pile.down), *pile.up)
        for name, pile in piles.items()
    }
    unseen = tuple(sorted(card for pile in piles.values() for card in pile.down if card not in known))
    down = {name: len(pile.down) for name, pile in piles.items()}
    return Seen(game.options, cards, down, game.rules.extra(game.state), game.score, unseen)


def play(
    learner: Learner,
    name: str,
    options: Mapping[str, str],
    weights: Mapping[str, Any],
    wild: float,
    seed: str,
) -> Played:
    """Plays a deal by plans; `wild` is the share of choices at random."""
    game = cardsol.deal(name, seed=seed, options=options)
    dice = random.Random(f"{seed} {wild}")
    known: set[str] = set()
    rows: list[list[float]] = []
    values: list[float] = []
    while game.status == "playing":
        seen = seen_of(game, known)
        if len(seen.unseen) <= 1:
            line = winning_line(game.rules, game.state, STATES)
            return Played(rows, values, bool(line))
        outlook = learner.found().Learned(seen, weights)
        found = ways(outlook, outlook.position(seen), getattr(outlook, "CAP", CAP))
        if not found:
            break
        chosen = found[0] if wild else looked_ahead(outlook, found, seen.unseen, 1)[0]
        if dice.random() < wild:
            chosen = dice.choice(found[:AMONG])
        for token in outlook.tokens(seen, chosen.steps):
            game.push(token)
        if len(found) > 1:
            rows.append([outlook.share(chosen.after), *outlook.features(chosen.after)])
            values.append(chosen.value)
    return Played(rows, values, game.status == "won")


def fit(rows: Any, wins: Any, start: Any, pull: float) -> Any:
    """Fits weights by Newton's method; `pull` draws them to where they start, in units of so many positions.

    A step that would make the fit worse is halved until it does not.
    """

    def badness(weights: Any) -> float:
        lines = np.clip(rows @ weights, -500, 500)
        losses = np.logaddexp(0, lines) - wins * lines
        return float(losses.sum() + pull * ((weights - start) ** 2).sum() / 2)

    weights = start.copy()
    bad = badness(weights)
    for _ in range(12):
        chances = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (wins - chances) - pull * (weights - start)
        bend = (rows * (chances * (1 - chances))[:, None]).T @ rows + pull * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        while (after := badness(weights + step)) > bad and np.abs(step).max() > 1e-6:
            step = step / 2
        if bad - after < 1e-6 * bad:
            break
        weights, bad = weights + step, after
    return weights


def told(games: Sequence[Played]) -> tuple[Any, Any]:
    """Returns the columns of all positions of the games, and for each whether its game was won."""
    rows = columns(np.array([row for game in games for row in game.rows]))
    return rows, np.array([float(game.won) for game in games for _ in game.rows])


def true_chances(games: Sequence[Played]) -> dict[str, list[float]]:
    """Returns log-odds for some values, lines between them, so that chances are true of these games.

    It is for games without choices at random, which are won more often than those with. Values that few games had
    are drawn to themselves; nothing is returned where there are too few games for two values.
    """
    values = np.array([value for game in games for value in game.values])
    wins = np.array([float(game.won) for game in games for _ in game.values])
    knots = np.array(
        [knot for knot in KNOTS if (values < knot - 0.5).sum() > FEW < (values > knot + 0.5).sum()]
    )
    if len(knots) < 2:
        return {}  # so few games tell nothing of chances
    rows = np.zeros((len(values), len(knots)))
    inner = np.clip(np.searchsorted(knots, values) - 1, 0, len(knots) - 2)
    part = (values - knots[inner]) / (knots[inner + 1] - knots[inner])
    rows[np.arange(len(values)), inner] = 1 - part
    rows[np.arange(len(values)), inner + 1] = part
    lines = fit(rows, wins, knots, PULL)
    for i in range(1, len(knots)):
        lines[i] = max(lines[i], lines[i - 1] + LEAST * (knots[i] - knots[i - 1]))
    return {
        "sums": [round(float(knot), 2) for knot in knots],
        "log-odds": [round(float(line), 3) for line in lines],
    }


def columns(rows: Any) -> Any:
    """Returns the columns that weights are for: each feature, each times the share of the stock, 1, t and t²."""
    share = rows[:, :1]
    features = rows[:, 1:]
    return np.hstack([features, features * share, np.ones_like(share), share, share**2])


def by_hand(learner: Learner) -> dict[str, Any]:
    """Returns the weights to begin with where there are none."""
    first: Mapping[str, float] = learner.found().FIRST
    return {
        "about": "weights by hand",
        "constant": [first.get("constant", 0.0), 0.0, 0.0],
        "weights": {name: [first.get(name, 0.0), 0.0] for name in learner.found().FEATURES},
    }


def as_vector(learner: Learner, weights: Mapping[str, Any]) -> Any:
    table = weights["weights"]
    pairs = [table.get(name, (0.0, 0.0)) for name in learner.found().FEATURES]
    return np.array([pair[0] for pair in pairs] + [pair[1] for pair in pairs] + weights["constant"])


def as_weights(learner: Learner, vector: Any, how: str) -> dict[str, Any]:
    count = len(learner.found().FEATURES)
    numbers = [round(float(number), 4) for number in vector]
    return {
        "about": how,
        "constant": numbers[2 * count :],
        "weights": {
            name: [numbers[i], numbers[count + i]] for i, name in enumerate(learner.found().FEATURES)
        },
    }


def written(every: Mapping[str, Mapping[str, Any]]) -> str:
    """Returns the weights as JSON text, a feature a line."""

    def lines(value: Any, indent: str) -> str:
        if not isinstance(value, Mapping):
            return json.dumps(value)
        pairs = (f"{indent}  {json.dumps(key)}: {lines(each, indent + '  ')}" for key, each in value.items())
        return "{\n" + ",\n".join(pairs) + f"\n{indent}}}"

    return lines(every, "") + "\n"


@contextmanager
def spread(processes: int) -> Iterator[Callable[[Callable[[str], Any], Sequence[str]], Iterator[Any]]]:
    """Gives a `map` that spreads its work over so many processes."""
    if processes == 1:
        yield map
    else:
        with ProcessPoolExecutor(processes) as pool:
            yield partial(pool.map, chunksize=5)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns the values by which hints are planned.")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--deals", type=int, default=1000, help="deals to learn from in a round")
    parser.add_argument("--choose", type=int, default=400, help="deals to choose by after a round")
    parser.add_argument("--wild", type=float, default=0.05, help="the share of choices at random")
    parser.add_argument("--first", type=int, default=1, help="the number of the first seed to learn from")
    parser.add_argument(
        "--start", metavar="NAME", help="begin with the weights of these options, not with its own"
    )
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write the weights; the game's own file by default")
    asked = parser.parse_args()
    learner = GAMES[asked.game]
    options = cardsol.deal(asked.game, options=dict(pair.split("=", 1) for pair in asked.option)).options
    file = Path(policies.__file__).with_name(f"{learner.file}.json")
    out = asked.out or file
    every = dict(policies.weights(learner.file)) if file.exists() else {}
    variant = learner.found().variant(options)
    best = {**(every.get(asked.start or variant) or by_hand(learner))}
    best.pop("chances", None)
    vector, most, first = as_vector(learner, best), -1, asked.first
    kept: list[tuple[Any, Any]] = []
    with spread(asked.processes) as each_of:
        for turn in range(asked.rounds + 1):
            start = time.monotonic()
            weights = as_weights(learner, vector, "") if turn else best
            chooses = [f"choose-{i}" for i in range(1, asked.choose + 1)]
            judged = each_of(partial(play, learner, asked.game, options, weights, 0.0), chooses)
            chosen = list(judged)
            won = sum(game.won for game in chosen)
            print(f"round {turn}: {won} of {asked.choose}, {time.monotonic() - start:.0f} s", flush=True)
            if won > most:
                most = won
                words = " ".join(["python examples/learn_values.py", *sys.argv[1:]]).partition(" --out")[0]
                how = f"{words}: round {turn}, seeds train-{asked.first} to train-{first - 1}"
                if not turn:
                    how = f"{best['about']}; chances made true by {words}"
                kept_ones = as_weights(learner, vector, how) if turn else {**best, "about": how}
                every[variant] = {**kept_ones, "chances": true_chances(chosen)}
                out.write_text(written(every), "utf-8")
            if turn == asked.rounds:
                break
            trains = [f"train-{i}" for i in range(first, first + asked.deals)]
            first += asked.deals
            games = list(each_of(partial(play, learner, asked.game, options, weights, asked.wild), trains))
            rows, wins = told(games)
            kept = [*kept[-2:], (rows, wins)]
            rows, wins = np.vstack([each[0] for each in kept]), np.concatenate([each[1] for each in kept])
            vector = fit(rows, wins, vector, 20.0)
            chances = 1 / (1 + np.exp(-np.clip(rows @ vector, -30, 30)))
            loss = -np.mean(wins * np.log(chances) + (1 - wins) * np.log(1 - chances))
            share = sum(game.won for game in games) / len(games)
            print(
                f"  learned from {len(wins)} positions, won {share:.3f}, loss {loss:.4f},"
                f" {time.monotonic() - start:.0f} s",
                flush=True,
            )


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends quietly where nobody reads on
    main()
