"""Tests of the hints."""
