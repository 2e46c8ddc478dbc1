"""What became of a violation that was planted to prove a rule."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct


class State(StrEnum):
    """What became of a plant. OPEN: it led to an error, or to no answer, which is no finding of the rule. UNPROVEN:
    nothing was planted, or the rule doesn't hold without it either.
    """

    STOPPED = "stopped"
    MISSED = "missed"
    OPEN = "open"
    UNPROVEN = "unproven"


class Proof(Struct, frozen=True):
    """A rule (``code.tests_pass``), what was planted, and what became of it; ``seconds`` are those of its run."""

    rule: str
    state: State
    what: str = ""
    message: str = ""
    seconds: float = 0.0


def exit_code_of(states: Iterable[State]) -> int:
    """Return 3 if a rule misses its plant or none stops one, 4 if a rule isn't proven, else 0."""
    found = set(states)
    if State.STOPPED not in found or State.MISSED in found:
        return 3
    return 0 if found == {State.STOPPED} else 4
