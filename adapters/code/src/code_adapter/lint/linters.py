"""What a linter is to this capability: something that runs and leaves findings and the files it looked at."""

from __future__ import annotations

from dataclasses import dataclass

from code_adapter.found import Able
from code_adapter.reports.sarif import Finding


@dataclass(frozen=True, slots=True)
class Linted:
    """What one linter found. ``files`` are the paths it looked at, relative to the root; ``argv`` as it was run."""

    tool: str
    version: str | None
    folder: str
    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    argv: tuple[str, ...]
    exit_code: int


class Linter(Able[Linted]):
    """A linter that can run. ``start`` also raises ToolFailed where it crashed."""

    __slots__ = ()
