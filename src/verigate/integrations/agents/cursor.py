"""Cursor. Source: its hooks page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import CURSOR
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.host import (
    SHORT_TIMEOUT_S,
    TIMEOUT_S,
    DeclaredHost,
    Entries,
    Event,
    HookResponse,
    Turn,
    text_of,
)

_EVENT_NAMES: Mapping[Event, str] = {
    Event.PROMPT: "beforeSubmitPrompt",
    Event.TOOL: "preToolUse",
    Event.EDIT: "postToolUse",
    Event.SAID: "afterAgentResponse",
    Event.STOP: "stop",
}


_MATCHERS = {Event.TOOL: "Shell|Write", Event.EDIT: "Write"}


class Cursor(DeclaredHost, frozen=True):
    """Hooks in a file of their own. There is no veto: a follow-up message blocks the end of a turn.

    The end of a turn doesn't carry the final text, so it is kept when the agent writes it. The host's own limit of
    follow-ups counts per conversation and is lifted; the gate counts per turn.
    """

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A command per event; timeouts are seconds."""
        hooks: dict[str, Any] = {}
        for event, name in _EVENT_NAMES.items():
            entry: dict[str, Any] = {"command": commands[event]}
            entry["timeout"] = TIMEOUT_S if event.ends_turn else SHORT_TIMEOUT_S
            if event is Event.STOP:
                entry["loop_limit"] = None
            if event in _MATCHERS:
                entry["matcher"] = _MATCHERS[event]
            hooks[name] = [entry]
        return Entries({"version": 1, "hooks": hooks}, comments=False)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """A conversation is a session; an aborted turn is never blocked."""
        roots = document.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None
        loops = document.get("loop_count")
        command, paths = call_of(document.get("tool_input"))
        return Turn(
            session=text_of(document, "conversation_id") or "",
            folder=first or text_of(document, "cwd"),
            prompt=text_of(document, "prompt"),
            message=text_of(document, "text"),
            looping=isinstance(loops, int) and loops > 0,
            aborted=text_of(document, "status") in {"aborted", "error"},
            command=command,
            paths=paths,
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - as above
        """The reason is the next message of the user."""
        return HookResponse(json.dumps({"followup_message": reason}))

    def refuse(self, reason: str) -> HookResponse:
        """The agent reads ``agent_message``, the person ``user_message``."""
        return HookResponse(json.dumps({"permission": "deny", "user_message": reason, "agent_message": reason}))

    def allow(self, event: Event, note: str = "") -> HookResponse:
        """An object in every case; a note only reaches the host's log."""
        return HookResponse(json.dumps({"continue": True} if event is Event.PROMPT else {}), note)


HOST = Cursor(CURSOR)
