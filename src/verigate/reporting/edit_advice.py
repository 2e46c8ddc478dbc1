"""One line for an agent whose edit weakens a check, while it can still be put back."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from verigate.reporting.escape import escape

_LONGEST = 300


class Weaker(Struct, frozen=True):
    """What checks less than at HEAD. ``line`` counts from 1; None for the whole file."""

    path: str
    message: str
    kind: str
    line: int | None = None

    @property
    def key(self) -> str:
        """What it is known by in a session, so that it is said once."""
        return f"{self.kind} {self.path} {self.message}"[:_LONGEST]


def render_advice(found: Sequence[Weaker]) -> str:
    """Render the worst of what was found, and how many more there are; at least one."""
    worst = found[0]
    place = f"{worst.path}:{worst.line}" if worst.line is not None else worst.path
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return (
        f"verigate: {escape(place, limit=200)}: this checks less than at HEAD: {escape(worst.message, limit=_LONGEST)}"
        f"{more}. Put it back and fix what it checks. If the check itself is wrong, tell the person which and why: "
        "it is for them to accept."
    )
