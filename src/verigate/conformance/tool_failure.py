"""Choose the code for a failed call of a tool in TOML, by how its launcher ended."""

from __future__ import annotations

from verigate.domain.execution import Outcome
from verigate.tools.model import Tool
from verigate.tools.policy import build_sandbox_policy

_MARGIN_S = 5.0
"""Seconds before its own timeout when the launcher stops a tool, though never within its first second."""


def choose_tool_code(tool: Tool, outcome: Outcome) -> str:
    """Choose the code of a call that ended by itself, and not with 0."""
    if outcome.exit_code == 2:
        return "TOOL_SLOTS"
    if outcome.exit_code != 1:
        return "CRASH_ON_FIXTURE"
    stopped_after = max(build_sandbox_policy(tool).timeout_s - _MARGIN_S, 1.0)
    return "TIMEOUT_EXCEEDED" if outcome.duration_s >= stopped_after else "TOOL_REPORT"
