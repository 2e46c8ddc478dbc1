"""GitHub Copilot CLI. Source: its hooks reference, and version 1.0.102 of the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import COPILOT
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.final_message import read_final_message
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
    Event.PROMPT: "userPromptSubmitted",
    Event.TOOL: "preToolUse",
    Event.EDIT: "postToolUse",
    Event.STOP: "agentStop",
}
_MATCHERS = {Event.TOOL: "bash|edit|create", Event.EDIT: "edit|create"}


class Copilot(DeclaredHost, frozen=True):
    """Hooks in a file of their own; exit code 2 only warns. The final text is in the transcript."""

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A command per event; timeouts are seconds."""
        hooks: dict[str, Any] = {}
        for event, name in _EVENT_NAMES.items():
            entry: dict[str, Any] = {"type": "command", "bash": commands[event]}
            entry["timeoutSec"] = TIMEOUT_S if event.ends_turn else SHORT_TIMEOUT_S
            if event in _MATCHERS:
                entry["matcher"] = _MATCHERS[event]
            hooks[name] = [entry]
        return Entries({"version": 1, "hooks": hooks}, comments=False)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """Fields are in camelCase, since the events are."""
        transcript = text_of(document, "transcriptPath")
        command, paths = call_of(_read_arguments(document.get("toolArgs")))
        return Turn(
            session=text_of(document, "sessionId") or "",
            folder=text_of(document, "cwd"),
            prompt=text_of(document, "prompt"),
            message=_read_message(transcript, document) if transcript else None,
            looping=document.get("stop_hook_active") is True or document.get("stopHookActive") is True,
            command=command,
            paths=paths,
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - as above
        """The reason is the next prompt."""
        return HookResponse(json.dumps({"decision": "block", "reason": reason}))

    def refuse(self, reason: str) -> HookResponse:
        """The reason is the tool's error."""
        return HookResponse(json.dumps({"permissionDecision": "deny", "permissionDecisionReason": reason}))

    def allow(self, event: Event, note: str = "") -> HookResponse:
        """A decision where one is asked for; a note only reaches the host's log."""
        return HookResponse(json.dumps({"decision": "allow"}) if event.ends_turn else "", note)


def _read_arguments(arguments: Any) -> Any:
    """A tool's arguments, which are JSON in a text in some versions."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return None


def _read_message(transcript: str, document: Mapping[str, Any]) -> str | None:
    """Read the final text. Entries are written up to a second late, in their order, the hook's own call among them."""
    moment = document.get("timestamp")

    def is_call(entry: Mapping[str, Any]) -> bool:
        data = entry.get("data") if entry.get("type") == "hook.start" else None
        given = data.get("input") if isinstance(data, dict) else None
        return isinstance(given, dict) and given.get("timestamp") == moment

    return read_final_message(
        transcript, _read_text, ended="stopReason" in document, is_call=is_call if moment is not None else None
    )


def _read_text(entry: Mapping[str, Any]) -> str | None:
    """Return the text of an entry of a transcript; None for one that is no message of the assistant."""
    inner = entry.get("data") if entry.get("type") == "assistant.message" else None
    return text_of(inner, "content") if isinstance(inner, dict) else None


HOST = Copilot(COPILOT)
