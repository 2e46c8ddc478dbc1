"""What claude, codex and gemini have in common: how hooks are declared, and context next to a tool's result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.integrations.agents.host import SHORT_TIMEOUT_S, TIMEOUT_S, Event, HookResponse


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


def context(name: str, text: str) -> HookResponse:
    """``text`` for the agent, next to what the host calls ``name``."""
    output = {"hookEventName": name, "additionalContext": text}
    return HookResponse(json.dumps({"hookSpecificOutput": output}))
