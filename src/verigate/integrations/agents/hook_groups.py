"""What hosts with claude's hooks have in common: how hooks are declared in groups, and the answers that they read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from verigate.integrations.agents.host import SHORT_TIMEOUT_S, TIMEOUT_S, DeclaredHost, Event, HookResponse


class GroupedHost(DeclaredHost, frozen=True):
    """A host that reads claude's answers on stdout. ``event_names`` are its words for the events."""

    event_names: ClassVar[Mapping[Event, str]]

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """The reason is what the agent reads next."""
        return HookResponse(json.dumps({"decision": "block", "reason": reason}))

    def refuse(self, reason: str) -> HookResponse:
        """The reason is the tool's error."""
        return refusal(self.event_names[Event.TOOL], reason)

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """Nothing on stdout, or a message to the user."""
        return HookResponse(json.dumps({"systemMessage": note}) if note else "")


def hook_groups(
    names: Mapping[Event, str],
    commands: Mapping[Event, str],
    *,
    edits: str,
    shells: str,
    per_second: int = 1,
    named: bool = False,
) -> dict[str, Any]:
    """``hooks`` of a settings file: a group with one command for each event in ``names``, the host's words for them.

    ``edits`` matches the tools that edit, ``shells`` those that run a command, ``per_second`` are the units of a
    timeout; with ``named`` each command has a name.
    """
    matchers = {Event.TOOL: f"{shells}|{edits}", Event.EDIT: edits}
    return {
        name: [_group(event, commands[event], matchers.get(event), per_second, named=named)]
        for event, name in names.items()
    }


def _group(event: Event, command: str, matcher: str | None, per_second: int, *, named: bool) -> dict[str, Any]:
    timeout = per_second * (TIMEOUT_S if event.ends_turn else SHORT_TIMEOUT_S)
    hook: dict[str, Any] = {"type": "command", "command": command, "timeout": timeout}
    if named:
        hook["name"] = f"verigate-{event.value}"
    return {**({} if matcher is None else {"matcher": matcher}), "hooks": [hook]}


def refusal(name: str, reason: str) -> HookResponse:
    """Refuse a tool call in the words of what claude and codex call ``name``."""
    output = {"hookEventName": name, "permissionDecision": "deny", "permissionDecisionReason": reason}
    return HookResponse(json.dumps({"hookSpecificOutput": output}))
