"""Deciding from facts. Pure: no I/O, no clock, no randomness."""
