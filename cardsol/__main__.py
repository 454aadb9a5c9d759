"""The command `cardsol`, and `python -m cardsol`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and ends the process with its status."""
    try:
        from signal import SIG_IGN, SIGINT, signal

        try:
            from .cli.run import run_process

            status = run_process()
        finally:
            # The status stands: a later Ctrl-C would only break into Python's own farewell, with a traceback.
            signal(SIGINT, SIG_IGN)
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    main()
