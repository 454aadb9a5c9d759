"""Tests of the rules, one file a game."""
