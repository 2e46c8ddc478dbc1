"""GitHub Copilot CLI. Source: its hooks reference, and version 1.0.102 of the program."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import COPILOT
from verigate.integrations.agents.host import (
    SHORT_TIMEOUT_S,
    TIMEOUT_S,
    DeclaredHost,
    Entries,
    Event,
    HookResponse,
    Turn,
    call_of,
    text_of,
)

_EVENT_NAMES: Mapping[Event, str] = {
    Event.PROMPT: "userPromptSubmitted",
    Event.TOOL: "preToolUse",
    Event.EDIT: "postToolUse",
    Event.STOP: "agentStop",
}
_MATCHERS = {Event.TOOL: "bash|edit|create", Event.EDIT: "edit|create"}
_TAIL_BYTES = 1024 * 1024
_WRITTEN_WITHIN_S = 3.0


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
            message=_final_message(transcript, ended="stopReason" in document) if transcript is not None else None,
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

    def warn(self, event: Event, text: str) -> HookResponse:  # noqa: ARG002 - as above
        """Context next to the tool's result."""
        return HookResponse(json.dumps({"additionalContext": text}))


def _read_arguments(arguments: Any) -> Any:
    """A tool's arguments, which are JSON in a text in some versions."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return None


def _final_message(path: str, *, ended: bool) -> str | None:
    """The text that a turn ends with: it may be written a moment after the hook is called.

    Until then the last message is that of a tool's call, without a text.
    """
    deadline = time.monotonic() + (_WRITTEN_WITHIN_S if ended else 0)
    while not (message := _last_message(path)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return message


def _last_message(path: str) -> str | None:
    """The last text of the assistant in a transcript of JSON lines; None where there is none to be found."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            file.seek(max(0, os.fstat(descriptor).st_size - _TAIL_BYTES))
            lines = file.read(_TAIL_BYTES).splitlines()
    except (OSError, ValueError):
        return None
    return next((text for line in reversed(lines) if (text := _message(line)) is not None), None)


def _message(line: bytes) -> str | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    inner = event.get("data") if isinstance(event, dict) and event.get("type") == "assistant.message" else None
    return text_of(inner, "content") if isinstance(inner, dict) else None


HOST = Copilot(COPILOT)
