"""What a call of a tool was and what it left: the value between running a tool and writing its report."""

from __future__ import annotations

from dataclasses import dataclass

from verigate.sdk import ToolRun
from verigate.tools.model import Tool, ToolCapability


@dataclass(frozen=True)
class Called:
    """What was run, and what it left: the reports' bytes are one for each invocation.

    ``given`` are the files that the command lines mean, ``examined`` those that the tool has looked at.
    """

    tool: Tool
    capability: ToolCapability
    version: str | None
    found: bool
    given: tuple[str, ...]
    examined: tuple[str, ...]
    runs: tuple[ToolRun, ...]
    reports: tuple[bytes, ...]
    argv: tuple[tuple[str, ...], ...]
