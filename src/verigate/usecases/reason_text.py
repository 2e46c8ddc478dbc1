"""Check a reason that a person gives."""

from __future__ import annotations

from verigate.config.approval_files import show_line
from verigate.errors import UsageError

LONGEST = 1000


def check_reason(reason: str, where: str = "--reason") -> str:
    """Return a reason without blanks around it. Raises UsageError unless it is one line of visible characters."""
    stripped = reason.strip()
    if not any(character.isalnum() for character in stripped) or len(stripped) > LONGEST:
        raise UsageError(f"a reason has a word and at most {LONGEST} characters", where=where)
    if (shown := show_line(stripped)) != stripped:
        raise UsageError(f"it has characters that can't be seen: {shown[:200]}", where=where, hint="write one line")
    return stripped
