"""Syntax trees of the files that a change touches."""
