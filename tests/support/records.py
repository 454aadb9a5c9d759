"""The records that a survey writes, and waiting for them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Record = dict[str, Any]


def read(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def timeless(records: list[Record]) -> list[Record]:
    """Returns records without what may differ from run to run."""
    return [{key: value for key, value in record.items() if key != "seconds"} for record in records]


def lines(path: Path) -> int:
    """Returns how many lines a file has; none where it is not there yet."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for(what: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
