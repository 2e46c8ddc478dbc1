"""What the gate says of a task to the hook of an agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

NO_VERDICT = "gate"
"""The check of a task on which there is no verdict."""


class Judged(Struct, frozen=True):
    """What the gate says of a task. ``reason`` is for the agent; ``refuted`` has check, code and message of each.

    ``disclosed`` is for the person: the weakenings that they have to accept, where nothing else is lacking; else "".
    ``undecided`` says of each statement that no fact decided why, whether it holds the task back or not.
    """

    passed: bool
    reason: str = ""
    refuted: Sequence[Mapping[str, str]] = ()
    disclosed: str = ""
    undecided: Sequence[str] = ()


def no_verdict(why: str) -> Judged:
    """What an agent reads when the gate could give no verdict."""
    return Judged(False, f"verigate: NOT VERIFIED: {why}", ({"check": NO_VERDICT, "code": "", "message": why},))
