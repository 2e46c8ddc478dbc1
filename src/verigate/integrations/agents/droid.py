"""Factory Droid. Source: its hooks page, and version 0.215.0 of the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import DROID
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.final_message import read_final_message
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
    Event.SUBAGENT_STOP: "SubagentStop",
    Event.STOP: "Stop",
}


class Droid(DeclaredHost, frozen=True):
    """Hooks in a file of their own, whose members are the events. The final text is in the transcript.

    ``droid exec`` sends no UserPromptSubmit: then everything since HEAD is the turn's work.
    """

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A group per event; timeouts are seconds."""
        hooks = hook_groups(_EVENT_NAMES, commands, edits="Create|Edit|ApplyPatch", shells="Execute")
        return Entries(hooks, comments=False)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """The fields are those of claude, without the final text."""
        transcript = text_of(document, "transcript_path")
        command, paths = call_of(document.get("tool_input"))
        ends = document.get("hook_event_name") in {"Stop", "SubagentStop"}
        return Turn(
            session=text_of(document, "session_id") or "",
            folder=folder_of(environ, "FACTORY_PROJECT_DIR", document, "cwd"),
            prompt=text_of(document, "prompt"),
            message=read_final_message(transcript, _read_text, ended=True) if ends and transcript else None,
            looping=document.get("stop_hook_active") is True,
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
        """A message next to the tool's result."""
        return context(_EVENT_NAMES[event], text)


def _read_text(entry: Mapping[str, Any]) -> str | None:
    """Return the text of an entry of a transcript; None for one that is no message of the assistant."""
    message = entry.get("message") if entry.get("type") == "message" else None
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return None
    parts = message.get("content")
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return "\n\n".join(text for text in texts if isinstance(text, str))


HOST = Droid(DROID)
