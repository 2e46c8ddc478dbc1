"""Kiro's IDE since 1.0 and its command line since 3.0. Source: their hooks pages. No program was run.

What runs after a turn can't hold the agent back; only tool calls are refused, by exit code 2.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import KIRO
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.exit_code_host import ExitCodeHost, make_refusing_command
from verigate.integrations.agents.host import (
    SHORT_TIMEOUT_S,
    Event,
    Turn,
    WholeFile,
    text_of,
)

_WRITES_OR_RUNS = ".*(write|append|replace|edit|patch|create|delete|rename|move|bash|shell|pwsh|command|process).*"
"""Matches the names of tools that write or run something, whether a matcher has to match the whole name or not."""


_MARKER = '{\n  "version": "v1",\n  "hooks": [\n    {\n      "name": "verigate-tool",'


class Kiro(ExitCodeHost, frozen=True):
    """A file of the gate's own, among others: each hook declares its trigger; timeouts are seconds."""

    def contribution(self, commands: Mapping[Event, str]) -> WholeFile:
        """One hook before tools that write or run something."""
        hook = {
            "name": "verigate-tool",
            "trigger": "PreToolUse",
            "matcher": _WRITES_OR_RUNS,
            "action": {"type": "command", "command": make_refusing_command(commands[Event.TOOL])},
            "timeout": SHORT_TIMEOUT_S,
            "enabled": True,
        }
        return WholeFile(json.dumps({"version": "v1", "hooks": [hook]}, indent=2) + "\n", _MARKER, replaces=True)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """The same fields in both programs."""
        command, paths = call_of(document.get("tool_input"))
        return Turn(
            session=text_of(document, "session_id") or "", folder=text_of(document, "cwd"), command=command, paths=paths
        )


HOST = Kiro(
    KIRO,
    notes=(
        "kiro has no hook that holds back the end of a turn: what it left is verified by git's hooks and in CI",
        "kiro's IDE before 1.0 and its command line before 3.0 don't read this file",
    ),
)
