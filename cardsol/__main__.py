"""The command `cardsol`, and `python -m cardsol`."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and ends the process with its status."""
    try:
        from .cli import cardsol
    except KeyboardInterrupt:
        sys.exit(130)
    cardsol.main()


if __name__ == "__main__":
    main()
