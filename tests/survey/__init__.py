"""Tests of surveys and statistics."""
