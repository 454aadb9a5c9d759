"""One command line, from its words to its exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from . import cardsol, outcome

COMPLETING = "_CARDSOL_COMPLETE"
"""The environment variable by which a shell asks what may come next on a command line."""


def run(words: Sequence[str]) -> int:
    """Runs `cardsol WORD...` and returns its exit status; whatever goes wrong is one line on stderr."""
    about = outcome.Run(words)

    def command() -> None:
        with cardsol.make_context("cardsol", list(words), obj=about) as context:
            cardsol.invoke(context)

    return outcome.status_of(about, command)


def run_process() -> int:
    """Runs the command line of this process, or answers the shell that started it to complete a word."""
    if COMPLETING in os.environ:
        from .completion import answer

        return answer(cardsol)
    return run([_decoded(word) for word in sys.argv[1:]])


def _decoded(word: str) -> str:
    """Returns an argument read as UTF-8, whatever the locale; other bytes become surrogates."""
    return os.fsencode(word).decode("utf-8", "surrogateescape")
