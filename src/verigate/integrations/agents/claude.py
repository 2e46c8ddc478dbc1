"""Claude Code. Source: its hooks reference, and version 2.1.197 of the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import CLAUDE
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.hook_groups import context, hook_groups, refusal
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
    Event.PROMPT: "UserPromptSubmit",
    Event.TOOL: "PreToolUse",
    Event.EDIT: "PostToolUse",
    Event.SUBAGENT_START: "SubagentStart",
    Event.SUBAGENT_STOP: "SubagentStop",
    Event.STOP: "Stop",
}


class Claude(DeclaredHost, frozen=True):
    """Hooks in the project's settings, which the program reads only while they are JSON without comments."""

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A group per event; timeouts are seconds."""
        hooks = hook_groups(_EVENT_NAMES, commands, edits="Edit|Write|MultiEdit|NotebookEdit", shells="Bash")
        return Entries({"hooks": hooks}, comments=False)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """``last_assistant_message`` is the final text; ``cwd`` follows the agent's own ``cd``."""
        command, paths = call_of(document.get("tool_input"))
        return Turn(
            session=text_of(document, "session_id") or "",
            folder=folder_of(environ, "CLAUDE_PROJECT_DIR", document, "cwd"),
            prompt=text_of(document, "prompt"),
            message=text_of(document, "last_assistant_message"),
            looping=document.get("stop_hook_active") is True,
            agent=text_of(document, "agent_id"),
            # Cursor reads this program's settings too.
            caller="cursor" if "cursor_version" in document else None,
            command=command,
            paths=paths,
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """The reason is what the agent reads next."""
        return HookResponse(json.dumps({"decision": "block", "reason": reason}))

    def refuse(self, reason: str) -> HookResponse:
        """The reason is the tool's error."""
        return refusal(_EVENT_NAMES[Event.TOOL], reason)

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """Nothing on stdout, or a message to the user."""
        return HookResponse(json.dumps({"systemMessage": note}) if note else "")

    def warn(self, event: Event, text: str) -> HookResponse:
        """Context next to the tool's result."""
        return context(_EVENT_NAMES[event], text)


HOST = Claude(CLAUDE)
