"""Deliberate faults, and which tests find each: `python -m tests.mutants`."""
