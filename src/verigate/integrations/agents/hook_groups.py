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
    per_second: int = 1,
    named: bool = False,
) -> dict[str, Any]:
    """``hooks`` of a settings file: a group with one command for each event in ``names``, the host's words for them.

    ``edits`` matches the tools that edit, ``per_second`` are the units of a timeout; with ``named`` each command has a
    name.
    """
    return {name: [_group(event, commands[event], edits, per_second, named=named)] for event, name in names.items()}


def _group(event: Event, command: str, edits: str, per_second: int, *, named: bool) -> dict[str, Any]:
    timeout = per_second * (TIMEOUT_S if event.ends_turn else SHORT_TIMEOUT_S)
    hook: dict[str, Any] = {"type": "command", "command": command, "timeout": timeout}
    if named:
        hook["name"] = f"verigate-{event.value}"
    matcher = {"matcher": edits} if event is Event.EDIT else {}
    return {**matcher, "hooks": [hook]}


def context(name: str, text: str) -> HookResponse:
    """``text`` for the agent, next to what the host calls ``name``."""
    output = {"hookEventName": name, "additionalContext": text}
    return HookResponse(json.dumps({"hookSpecificOutput": output}))
