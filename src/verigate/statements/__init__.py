"""Prose of a claim: split into statements, and each read as the facts that it would have to agree with.

Nothing here is loaded where a claim makes no statements.
"""
