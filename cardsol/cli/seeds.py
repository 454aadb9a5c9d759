"""The seeds of a survey: ranges, single seeds, files with one seed per line, stdin."""

from __future__ import annotations

import codecs
import io
import os
import re
import stat
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import click

from .. import files
from ..deals import check_seed
from ..errors import BadSeed, FileTrouble
from ..text import quoted
from . import outcome
from .params import standard_input

RANGE = re.compile(r"(-?[0-9]{1,18})\.\.(-?[0-9]{1,18})")
LIKE_A_LIST = re.compile(r"-?\d+([-,:;]\d*)+|\w+(\.\.+\w+)+")
LIKE_A_RANGE = re.compile(r"-?[0-9]*\.{2,}-?[0-9]*")
LONGEST_LINE = 1000
"""Characters read at once. A longer line can't be a seed, whatever follows."""


def check(spans: Iterable[str]) -> None:
    """Checks all seeds that can be checked before work begins.

    Raises UsageError for a wrong range, BadSeed, FileTrouble.
    """
    for span in spans:
        if RANGE.fullmatch(span):
            if not count([span]):
                raise click.UsageError(
                    f"--seeds {quoted(span)} is an empty range: in A..B, A is not larger than B"
                )
        elif LIKE_A_RANGE.fullmatch(span):
            raise click.UsageError(
                f"--seeds {quoted(span)} is not a range: a range is A..B with whole numbers of at most 18 digits"
            )
        elif span.startswith("@"):
            with _opened(span) as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    for _ in _lines(file, span[1:]):
                        pass
        elif span != "-":
            check_seed(span)
            if LIKE_A_LIST.fullmatch(span):
                outcome.warn(
                    f"cardsol: {quoted(span)} is one seed; for several, give A..B, or --seeds A --seeds B"
                )


def seeds(spans: Iterable[str]) -> Iterator[str]:
    """Yields the seeds of all spans, never all of them in memory; raises BadSeed, FileTrouble."""
    for span in spans:
        found = RANGE.fullmatch(span)
        if found:
            yield from map(str, range(int(found[1]), int(found[2]) + 1))
        elif span == "-":
            yield from _lines(standard_input("the seeds"), "-")
        elif span.startswith("@"):
            with _opened(span) as file:
                yield from _lines(file, span[1:])
        else:
            yield span


def count(spans: Iterable[str]) -> int | None:
    """Returns how many seeds there are, where that is known beforehand."""
    found = [RANGE.fullmatch(span) for span in spans]
    if not all(found):
        return None
    return sum(max(0, int(each[2]) - int(each[1]) + 1) for each in found if each)


def _opened(span: str) -> BinaryIO:
    try:
        return open(span[1:].encode("utf-8", "surrogateescape"), "rb")
    except (OSError, ValueError) as error:
        raise _trouble(span[1:], error) from None


def _lines(file: BinaryIO, shown: str) -> Iterator[str]:
    """Yields the seeds of a text, one per line; empty lines are skipped."""
    try:
        text = io.TextIOWrapper(file, _encoding(file), "surrogateescape")
        try:
            for number, line in enumerate(iter(lambda: text.readline(LONGEST_LINE), ""), start=1):
                if seed := line.removesuffix("\n"):
                    yield _checked(seed, shown, number)
        finally:
            text.detach()  # or stdin would be closed too
    except (OSError, UnicodeError) as error:
        raise _trouble(shown, error) from None


def _checked(seed: str, shown: str, number: int) -> str:
    try:
        return check_seed(seed)
    except BadSeed as error:
        raise BadSeed(seed, f"{quoted(shown, 200)}, line {number}: {error}") from None


def _encoding(file: BinaryIO) -> str:
    """Returns the encoding of a text: UTF-16 where a byte-order mark says so, else UTF-8."""
    start = file.peek(2)[:2] if isinstance(file, io.BufferedReader) else b""
    return "utf-16" if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"


def _trouble(shown: str, error: OSError | ValueError) -> FileTrouble:
    if isinstance(error, OSError):
        return files.trouble(shown, error, "can't be read")
    return FileTrouble(shown, f"can't be read: {error}")
