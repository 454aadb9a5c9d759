"""Tests of the library as a whole: deals, properties, known answers."""
