"""Tests of what may go wrong: kills, races, full disks, hostile saves, leaks."""
