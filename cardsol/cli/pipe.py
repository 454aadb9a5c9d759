"""`cardsol play` in a pipe: a request a line in, a reply a line out (man page cardsol-json(5))."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import BinaryIO, NamedTuple

from ..errors import BadRequest, CardsolError
from ..session import Quit, Reply, Session, read_line
from ..view import Shown, View
from . import outcome

LONGEST_LINE = 1 << 20
"""Bytes of a request; a longer one is refused, and the rest of its line skipped."""

encoded = json.JSONEncoder(ensure_ascii=False, default=str).encode

Send = Callable[[bytes], None]


def serve(session: Session, requests: BinaryIO, send: Send) -> None:
    """Answers each line until the input ends or a request asks to quit; the hello line comes first."""
    send(written(session.hello()))
    session.shown = ViewJson
    for line in lines_of(requests):
        try:
            reply = session.answer(read_line(line)) if line is not None else too_long()
        except Quit:
            send(written({"quit": True}))
            return
        except CardsolError as error:
            reply = refusal(error)
        send(written(reply))


def lines_of(requests: BinaryIO) -> Iterator[bytes | None]:
    """Yields lines; None for one that is too long."""
    while line := requests.readline(LONGEST_LINE):
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        while not line.endswith(b"\n") and (line := requests.readline(LONGEST_LINE)):
            pass
        yield None


def too_long() -> Reply:
    raise BadRequest(f"a request is at most {LONGEST_LINE:,} bytes long")


def refusal(error: CardsolError) -> Reply:
    """Returns the reply that tells an error: the status and kind that a command would end with, and its data."""
    from .advice import IN_PIPE, advised

    status, kind = outcome.kind_of(error)
    return {
        "error": {
            "status": status,
            "kind": kind,
            "message": advised(error, IN_PIPE),
            **outcome.data_of(error),
        }
    }


class ViewJson(NamedTuple):
    """A view that is written in parts: most piles are as they were in an earlier reply."""

    view: View

    def text(self) -> str:
        """Returns the JSON of the view, the same as that of `View.as_dict`."""
        piles = ", ".join([pile_json(name, shown) for name, shown in self.view.piles.items()])
        # No text can hold these quotes: JSON escapes them.
        return encoded(self.view._replace(piles={}).as_dict()).replace(NO_PILES, f'"piles": {{{piles}}}', 1)


NO_PILES = '"piles": {}'


@lru_cache(maxsize=4096)
def pile_json(name: str, shown: Shown) -> str:
    return f"{encoded(name)}: {encoded({'down': shown.down, 'up': shown.up})}"


def written(reply: Reply | ViewJson) -> bytes:
    """Returns a reply as a line of UTF-8.

    A lone surrogate, which UTF-8 can't hold, may be passed on from a request; it is written as JSON's own escape.
    """
    text = reply.text() if isinstance(reply, ViewJson) else encoded(reply)
    return (text + "\n").encode("utf-8", "backslashreplace")
