"""Draws chart.svg in this folder, from results.json: what can be won, and what players win.

    python examples/can_it_be_won/chart.py [--out FILE]

It needs matplotlib: pip install '.[plot]' in a checkout.
"""

from __future__ import annotations

import argparse
import signal
import sys
from pathlib import Path

from tables import HERE, RESULTS, TABLES, Facts, noted

try:
    import matplotlib as mpl
    from matplotlib.figure import Figure
except ModuleNotFoundError as error:
    sys.exit(f"chart.py: {error}; in a checkout, pip install '.[plot]' brings what it needs")

PLAYERS = {"hint": ("o", "#0b6e4f"), "greedy": ("s", "#c2571a"), "random": ("^", "#6b6b6b")}
"""Player → the shape and the colour of its mark: it is known by either."""
PROVED, OPEN, NOT = "#9ecae1", "#e3eef6", "#f4d9c6"


def rows(results: dict[str, Facts]) -> list[tuple[str, Facts, dict[str, Facts]]]:
    """Returns a row for each set that was solved: its name, its figures and those of the players."""
    solved = next(table for table in TABLES if table.name == "winnable")
    found = []
    for each in solved.sets:
        words = each.words.partition(" --")[0]
        players = {
            player: results[f"{words} --player {player}"]
            for player in PLAYERS
            if f"{words} --player {player}" in results
        }
        if each.words in results:
            found.append((words.replace(" -o ", "  "), results[each.words], players))
    return found


def drawn(results: dict[str, Facts]) -> Figure:
    """Returns the chart: a bar a set, and in it a mark a player with its 95 % interval."""
    sets = rows(results)
    figure = Figure(figsize=(9, 0.5 * len(sets) + 1.6), layout="constrained")
    axes = figure.subplots()
    for y, (_, facts, players) in enumerate(sets):
        won, unknown = facts["won"] / facts["n"], facts["unknown"] / facts["n"]
        parts = ((won, PROVED), (unknown, OPEN), (1 - won - unknown, NOT))
        left = 0.0
        for width, colour in parts:
            axes.barh(y, 100 * width, left=100 * left, color=colour, edgecolor="white", height=0.8)
            left += width
        for player, played in players.items():
            shape, colour = PLAYERS[player]
            low, high = played["interval"]
            axes.plot([100 * low, 100 * high], [y, y], color=colour, linewidth=2)
            axes.plot(100 * played["share"], y, shape, color=colour, markersize=6)
    axes.set_yticks(range(len(sets)), [name for name, _, _ in sets])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel("% of deals")
    axes.spines[["top", "right", "left"]].set_visible(False)
    for label, colour in (("can be won", PROVED), ("unknown", OPEN), ("impossible", NOT)):
        axes.barh(0, 0, color=colour, label=label)
    for player, (shape, colour) in PLAYERS.items():
        axes.plot([], [], shape, color=colour, label=f"won by {player}")
    figure.legend(loc="outside upper center", ncols=6, frameon=False, fontsize="small")
    return figure


def main() -> None:
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ends quietly where nobody reads on
    parser = argparse.ArgumentParser(description="Draws chart.svg in this folder, from results.json.")
    parser.add_argument("--out", type=Path, default=HERE / "chart.svg")
    asked = parser.parse_args()
    mpl.rcParams["svg.hashsalt"] = "cardsol"  # the same figures give the same file
    mpl.rcParams["svg.fonttype"] = "none"
    drawn(noted(RESULTS)).savefig(asked.out, metadata={"Date": None, "Creator": None})
    print(asked.out)


if __name__ == "__main__":
    main()
