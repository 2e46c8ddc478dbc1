"""Detect a repository's stack, and write the files of ``gate init`` for it."""
