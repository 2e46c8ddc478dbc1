"""Qwen Code. Source: the hooks page in its package, and version 0.24.4 of the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import QWEN
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.hook_groups import GroupedHost, hook_groups
from verigate.integrations.agents.host import (
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
_FORMAT = 4
"""The program writes the version of its settings' format into a file without one, which would change the file."""


class Qwen(GroupedHost, frozen=True):
    """Hooks in the project's settings, which may have comments; timeouts are milliseconds.

    UserPromptSubmit also runs before each answer to a tool, with an empty prompt: only what a person sent has
    ``submitted_prompt``.
    """

    event_names = _EVENT_NAMES

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A group per event."""
        hooks = hook_groups(
            _EVENT_NAMES,
            commands,
            edits="write_file|edit|notebook_edit",
            shells="run_shell_command",
            per_second=1000,
            named=True,
        )
        return Entries({"$version": _FORMAT, "hooks": hooks}, comments=True)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """``last_assistant_message`` is the final text."""
        command, paths = call_of(document.get("tool_input"))
        prompt = text_of(document, "prompt")
        return Turn(
            session=text_of(document, "session_id") or "",
            folder=folder_of(environ, "QWEN_PROJECT_DIR", document, "cwd"),
            prompt=prompt,
            message=text_of(document, "last_assistant_message"),
            looping=document.get("stop_hook_active") is True,
            goes_on=not prompt and "submitted_prompt" not in document,
            agent=text_of(document, "agent_id"),
            command=command,
            paths=paths,
        )

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - every host takes the event
        """An object in every case."""
        return HookResponse(json.dumps({"systemMessage": note} if note else {}))


HOST = Qwen(
    QWEN,
    notes=(
        "qwen runs a project's hooks in a trusted folder only",
        "a later qwen may write another $version into the file: start it once, and commit that",
    ),
)
