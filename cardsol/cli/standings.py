"""The command that compares saves: scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import click

from ..errors import CardsolError
from ..game import Game, chosen_options
from ..survey.records import options_in_words, seed_in_words
from ..text import printable
from .outcome import emit, status_of
from .params import STREAM, command, json_option, load_from, offers, path_of
from .show import print_json
from .tables import check_files, table

NUMBERS = ("score", "moves", "undos")


class Standing(NamedTuple):
    """How the game of one save stands."""

    file: str
    game: str
    options: dict[str, str]
    seed: str | None
    pysol: str | None
    score: int
    max: int | None
    status: str
    moves: int
    undos: int
    origin: str
    """Where the deck came from, in words."""

    def facts(self) -> dict[str, Any]:
        """Returns what JSON and CSV give."""
        facts = self._asdict()
        del facts["origin"]
        return facts

    @property
    def rank(self) -> tuple[bool, int, int, int]:
        """Its place among games of one kind, the best with the least value; games that are over come first."""
        return self.status == "playing", -self.score, self.moves, self.undos


@command(
    """Lists the scores of saves, the best first.

    Saves of the same game with the same options stand together. Games that are over come before those still being
    played; then the highest score comes first, then the fewest moves, then the fewest moves taken back. FILE may be -
    for stdin. A file that is not a save is named on stderr, and the others are still listed; the exit status is
    then 3.

    \b
      cardsol scores *.json
      cardsol scores ann.json bob.json --hide-seed
      cardsol scores *.json --csv
    """
)
@click.argument("paths", metavar="FILE...", nargs=-1, required=True, shell_complete=offers("files"))
@click.option("--hide-seed", is_flag=True, help="Do not say where the deck came from.")
@click.option("--csv", "as_csv", is_flag=True, help="Print rows of CSV.")
@json_option
@click.pass_context
def scores(
    context: click.Context, paths: tuple[str, ...], hide_seed: bool, as_csv: bool, as_json: bool
) -> None:
    check_files(paths, as_csv, as_json)
    found: list[Standing] = []
    wrong: list[Exception] = []
    for path in paths:
        try:
            found.append(standing(path, hide_seed))
        except (CardsolError, click.ClickException, OSError) as error:
            wrong.append(error)
    _list(_ranked(found), hide_seed, as_csv, as_json)
    # Told last: where stdout fails, the one line on stderr says that.
    statuses = [_told(error, context) for error in wrong]
    context.exit(statuses[0] if statuses else 0)


def _told(error: Exception, context: click.Context) -> int:
    """Tells an error on stderr, and returns its exit status."""

    def fail() -> None:
        raise error

    return status_of(context.obj, fail)


def _list(ranked: Sequence[Standing], hide_seed: bool, as_csv: bool, as_json: bool) -> None:
    if as_json:
        for each in ranked:
            print_json(each.facts())
    elif as_csv:
        emit(table(Standing._fields[:-1], map(_row, ranked)), encoding="utf-8")
    elif ranked:
        emit("".join(line + "\n" for line in _lines(ranked, hide_seed)))


def standing(path: str, hide_seed: bool) -> Standing:
    """Returns how the game of a save stands; raises BadSave, FileTrouble."""
    game: Game = load_from(STREAM if path == "-" else path_of(path))
    view = game.view(hide_seed)
    return Standing(
        path.encode("utf-8", "surrogateescape").decode("utf-8", "replace"),
        view.game,
        dict(view.options),
        view.seed,
        view.pysol,
        view.score,
        view.max,
        view.status,
        view.made,
        view.undos,
        "hidden" if hide_seed or game.keeps_seal else origin_in_words(view.seed, view.pysol),
    )


def _ranked(found: Iterable[Standing]) -> list[Standing]:
    """Returns the standings by game and options in the order in which those are met, each the best first."""
    groups: dict[tuple[object, ...], list[Standing]] = {}
    for each in found:
        groups.setdefault((each.game, *sorted(each.options.items())), []).append(each)
    return [each for group in groups.values() for each in sorted(group, key=lambda one: one.rank)]


def _row(one: Standing) -> dict[str, Any]:
    return {**one.facts(), "options": options_in_words(one.options)}


def _lines(ranked: Sequence[Standing], hide_seed: bool) -> Iterator[str]:
    """Yields a table whose columns are as wide as their longest cell; numbers stand to the right."""
    names = ["file", "game", *([] if hide_seed else ["seed"]), "score", "status", "moves", "undos"]
    rows = [dict(zip(names, names)), *(_cells(one) for one in ranked)]
    widths = {name: max(len(row[name]) for row in rows) for name in names}
    for row in rows:
        cells = [
            row[name].rjust(widths[name]) if name in NUMBERS else row[name].ljust(widths[name])
            for name in names
        ]
        yield "  ".join(cells).rstrip()


def _cells(one: Standing) -> dict[str, str]:
    return {
        "file": printable(one.file),
        "game": f"{one.game} {options_in_words(chosen_options(one.game, one.options))}".rstrip(),
        "seed": one.origin,
        "score": str(one.score),
        "status": one.status,
        "moves": str(one.moves),
        "undos": str(one.undos),
    }


def origin_in_words(seed: str | None, pysol: str | None) -> str:
    """Says where a deck came from."""
    if seed is not None:
        return seed_in_words(seed)
    return f"pysol {pysol}" if pysol else "own deck"
