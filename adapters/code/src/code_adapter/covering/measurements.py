"""What the modules of this package give and take."""

from __future__ import annotations

from dataclasses import dataclass

from code_adapter.found import Able
from code_adapter.reports.measured import FileCoverage


@dataclass(frozen=True, slots=True)
class Measured:
    """One measurement. The paths of ``files`` are as the tool writes them: absolute, or relative to ``folder``."""

    tool: str
    version: str | None
    folder: str
    files: tuple[FileCoverage, ...]
    argv: tuple[str, ...]
    exit_code: int
    origin: str = "project"


class Measurement(Able[Measured]):
    """Tests that can be measured, and how."""

    __slots__ = ()
