"""Names for what is planted: made up for each plant, so that nobody can tell a plant by its words."""

from __future__ import annotations

import secrets

_WORDS = (
    "amount", "border", "column", "entry", "folder", "garden", "handle", "island", "ladder", "letter", "margin",
    "number", "orchard", "pencil", "quarter", "record", "saddle", "ticket", "total", "valley", "window",
)  # fmt: skip


def make_word() -> str:
    """Make up a word: lower case letters alone."""
    return secrets.choice(_WORDS)


def make_name() -> str:
    """Make up a name that is a word of every language: letters, ``_`` and digits, ``letter_3fa91c``."""
    return f"{make_word()}_{secrets.token_hex(3)}"


def make_task() -> str:
    """Make up the id of a task: ``letter-3fa91c``."""
    return make_name().replace("_", "-")


def make_false_sum() -> tuple[int, int, int]:
    """Make up two numbers, and a third that isn't their sum."""
    first, second = 1 + secrets.randbelow(50), 1 + secrets.randbelow(50)
    return first, second, first + second + 1 + secrets.randbelow(9)
