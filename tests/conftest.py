"""What holds for every test."""

from __future__ import annotations

import gc
import signal

from hypothesis import HealthCheck, settings

# A run in the background (`pytest &` in a script) ignores Ctrl-C, and so would each command that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

ANY_SPEED = (HealthCheck.too_slow, HealthCheck.filter_too_much)
settings.register_profile("few", deadline=None, max_examples=4, suppress_health_check=ANY_SPEED)
settings.register_profile("many", deadline=None, max_examples=40, suppress_health_check=ANY_SPEED)
settings.load_profile("few")


def pytest_collection_finish() -> None:
    """Keeps the collector from going through what was collected, again and again: that lives to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
