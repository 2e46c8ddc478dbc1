"""A finding of the doctor: a level, a code, a message, and a hint."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Level(StrEnum):
    """How much a finding matters: with an error no verdict is possible."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class DoctorFinding(Struct, frozen=True):
    """One finding. ``detail`` is what this repository has no use for, shown only when everything is asked for.

    ``absent``: something is missing that isn't needed, which is neither right nor wrong.
    ``invalid`` is a fault of a configuration file or of an adapter's declaration: every other command refuses it too.
    """

    code: str
    level: Level
    message: str
    hint: str = ""
    detail: bool = False
    absent: bool = False
    invalid: bool = False
