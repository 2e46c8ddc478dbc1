"""A link as its text has it."""

from __future__ import annotations

from msgspec import Struct


class WrittenLink(Struct, frozen=True):
    """A link as written: ``target`` is a URL or a path relative to the file; ``line`` and ``column`` are from 1.

    A target with an attribute that the document doesn't define has its name in braces.
    """

    target: str
    line: int
    column: int
