"""The outcome of a call of a tool, from which its artifacts are written."""

from __future__ import annotations

from dataclasses import dataclass

from verigate.sdk import ToolRun
from verigate.tools.model import Tool, ToolCapability


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool: its invocations, with one report (bytes) for each.

    ``given`` are the files that the command lines cover, ``examined`` those that the tool examined.
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
