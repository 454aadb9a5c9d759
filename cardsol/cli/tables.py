"""What commands on several files share: their arguments, and tables in CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

import click


def check_files(paths: Sequence[str], as_csv: bool, as_json: bool) -> None:
    """Raises UsageError where stdin is named twice, or two forms of output are asked for."""
    if paths.count("-") > 1:
        raise click.UsageError("stdin can be read only once, so - names only one of the files")
    if as_csv and as_json:
        raise click.UsageError("give --csv or --json, not both")


def row(cells: Iterable[object]) -> str:
    """Returns a line of CSV; None is an empty cell."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    """Returns CSV with a line of headings."""
    return row(columns) + "".join(row(facts.get(column) for column in columns) for facts in rows)
