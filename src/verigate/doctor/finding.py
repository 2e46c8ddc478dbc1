"""What the doctor found: a level, a code, a message, and what to do about it."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Level(StrEnum):
    """How much a finding matters: error means that a verdict can't be had."""

    INFO = "info"
    WARN = "warn"
    ERROR = "error"


class DoctorFinding(Struct, frozen=True):
    """One thing that was looked at."""

    code: str
    level: Level
    message: str
    hint: str = ""
