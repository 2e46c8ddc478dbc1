"""Claude Code. Source: its hooks reference, and version 2.1.332 of the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import CLAUDE
from verigate.formats.tool_call import call_of
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
    Event.SUBAGENT_START: "SubagentStart",
    Event.SUBAGENT_STOP: "SubagentStop",
    Event.STOP: "Stop",
}


class Claude(GroupedHost, frozen=True):
    """Hooks in the project's settings, which the program reads only while they are JSON without comments."""

    event_names = _EVENT_NAMES

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A group per event; timeouts are seconds."""
        hooks = hook_groups(_EVENT_NAMES, commands, edits="Edit|Write|MultiEdit|NotebookEdit", shells="Bash")
        # Since 2.1.295: a hook that can't start, or isn't done in time, refuses the call. Older versions allow it. The
        # command for the end of a turn blocks by itself, once.
        hooks[_EVENT_NAMES[Event.TOOL]][0]["hooks"][0]["onFailure"] = "block"
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


HOST = Claude(CLAUDE)
