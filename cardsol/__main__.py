"""The command `cardsol`, and `python -m cardsol`."""

from __future__ import annotations

import gc
import os
import sys


def main() -> None:
    """Runs the command line and ends the process with its status."""
    status = 130
    try:
        # Nothing that is loaded now is let go of before the end: there is no garbage to look for.
        gc.disable()
        from .cli.run import run_process

        gc.enable()
        status = run_process()
        _end(status)
    except KeyboardInterrupt:
        _end(status)
    except RuntimeError as error:
        # Up to 3.11 Python wraps what is raised while a class is made, as in an import.
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        _end(status)


def _end(status: int) -> None:
    """Ends the process.

    Python's own end clears every module, which takes as long as loading a game. It is left out where nothing waits
    for it: no thread or pool, and no tool that measures.
    """
    import atexit
    import threading
    from contextlib import suppress

    if atexit._ncallbacks() or threading.active_count() > 1:
        from signal import SIG_IGN, SIGINT, signal

        # The status stands: a later Ctrl-C would only break into Python's end, with a traceback.
        signal(SIGINT, SIG_IGN)
        sys.exit(status)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            if stream is not None:
                stream.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
