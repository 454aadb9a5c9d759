"""The command `cardsol`, and `python -m cardsol`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and ends the process with its status."""
    try:
        from .cli import cardsol

        cardsol.main()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        # The status stands: a later Ctrl-C would only break into Python's own farewell, with a traceback.
        import signal

        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    main()
