"""What a linter is to this capability: something that runs and leaves findings and the files it looked at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Linter:
    """A linter that can run. ``run`` raises ToolFailed where it crashed or left no report."""

    tool: str
    folder: str
    run: Callable[[], Linted] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Absent:
    """A linter that can't run. ``due``: the project configures it, so that its absence is no clean result."""

    tool: str
    folder: str
    why: str
    due: bool
