"""The tests: see README.md here."""
