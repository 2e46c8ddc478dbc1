"""Gemini CLI. Source: the hooks reference in its package, and version 0.61.0 of the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import GEMINI
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.hook_groups import hook_groups
from verigate.integrations.agents.host import (
    DeclaredHost,
    Entries,
    Event,
    HookResponse,
    Turn,
    folder_of,
    text_of,
)

_EVENT_NAMES: Mapping[Event, str] = {
    Event.PROMPT: "BeforeAgent",
    Event.TOOL: "BeforeTool",
    Event.EDIT: "AfterTool",
    Event.STOP: "AfterAgent",
}


class Gemini(DeclaredHost, frozen=True):
    """Hooks in the project's settings, which may have comments; timeouts are milliseconds.

    A refused turn goes on as a new one: BeforeAgent runs with the gate's reason as its prompt, ``stop_hook_active`` is
    false again after a tool was called, and ``prompt_response`` still begins with what was said before.
    """

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A group per event."""
        hooks = hook_groups(
            _EVENT_NAMES, commands, edits="write_file|replace", shells="run_shell_command", per_second=1000, named=True
        )
        return Entries({"hooks": hooks}, comments=True)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """``prompt_response`` is the final text."""
        command, paths = call_of(document.get("tool_input"))
        return Turn(
            session=text_of(document, "session_id") or "",
            folder=folder_of(environ, "GEMINI_PROJECT_DIR", document, "cwd"),
            prompt=text_of(document, "prompt"),
            message=text_of(document, "prompt_response"),
            looping=document.get("stop_hook_active") is True,
            command=command,
            paths=paths,
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """The reason is the next prompt."""
        return HookResponse(json.dumps({"decision": "deny", "reason": reason}))

    def refuse(self, reason: str) -> HookResponse:
        """The reason is the tool's error."""
        return HookResponse(json.dumps({"decision": "deny", "reason": reason}))

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """An object in every case."""
        return HookResponse(json.dumps({"systemMessage": note} if note else {}))


HOST = Gemini(GEMINI, notes=("gemini runs a project's hooks in a trusted folder only",))
