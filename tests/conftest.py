"""What holds for every test."""

from __future__ import annotations

import signal

# A run in the background (`pytest &` in a script) ignores Ctrl-C, and so would each command that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)
