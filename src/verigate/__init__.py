"""Verigate: a verification gate that decides from facts whether a claim of "done" holds."""

__version__ = "0.1.0"
