"""Factory Droid. Source: its hooks page, and version 0.215.0 of the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import DROID
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.final_message import read_final_message
from verigate.integrations.agents.hook_groups import GroupedHost, hook_groups
from verigate.integrations.agents.host import (
    Entries,
    Event,
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


class Droid(GroupedHost, frozen=True):
    """Hooks in a file of their own, whose members are the events. The final text is in the transcript.

    ``droid exec`` sends no UserPromptSubmit: then everything since HEAD is the turn's work.
    """

    event_names = _EVENT_NAMES

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


def _read_text(entry: Mapping[str, Any]) -> str | None:
    """Return the text of an entry of a transcript; None for one that is no message of the assistant."""
    message = entry.get("message") if entry.get("type") == "message" else None
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return None
    parts = message.get("content")
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    return "\n\n".join(text for text in texts if isinstance(text, str))


HOST = Droid(DROID)
