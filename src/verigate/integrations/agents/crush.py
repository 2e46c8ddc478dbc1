"""Crush. Source: docs/hooks/README.md and internal/hooks in its repository, version 0.96.1. No program was run.

It has one hook, before tools: an agent can't be held back at the end of its turn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import CRUSH
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.host import (
    SHORT_TIMEOUT_S,
    DeclaredHost,
    Entries,
    Event,
    HookResponse,
    Turn,
    folder_of,
    text_of,
)


class Crush(DeclaredHost, frozen=True):
    """A hook in the project's configuration, which matches the names of tools by a regular expression."""

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """One command; its timeout is seconds."""
        hook = {
            "name": "verigate",
            "matcher": "^(bash|edit|multiedit|write)$",
            "command": commands[Event.TOOL],
            "timeout": SHORT_TIMEOUT_S,
        }
        return Entries({"hooks": {"PreToolUse": [hook]}}, comments=False)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """``tool_input`` is what the model sent."""
        command, paths = call_of(document.get("tool_input"))
        return Turn(
            session=text_of(document, "session_id") or "",
            folder=folder_of(environ, "CRUSH_PROJECT_DIR", document, "cwd"),
            command=command,
            paths=paths,
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """Never asked for: there is no hook at the end of a turn."""
        return HookResponse("", reason)

    def refuse(self, reason: str) -> HookResponse:
        """The reason is the tool's error."""
        return HookResponse(json.dumps({"decision": "deny", "reason": reason}))

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """No opinion: an ``allow`` would skip the person's permission."""
        return HookResponse("", note)


HOST = Crush(
    CRUSH,
    notes=(
        "crush has no hook at the end of a turn: what it left is verified by the hooks of git and in CI",
        "hooks don't run for tools of crush's sub-agents",
    ),
)
