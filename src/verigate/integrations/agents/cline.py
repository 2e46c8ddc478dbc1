"""Cline. Source: its hooks page, the hook reader in its repository, and version 3.0.65 of its program.

Nothing after a turn is heard, so that an agent can't be held back; only tool calls are refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import CLINE
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.host import DeclaredHost, Event, HookResponse, Turn, WholeFile, text_of

_MARKER = "#!/bin/sh\n# verigate-hook v1"
_WRITES = frozenset({"editor", "apply_patch", "write_to_file", "replace_in_file", "new_rule"})
_RUNS = frozenset({"run_commands", "execute_command"})


class Cline(DeclaredHost, frozen=True):
    """A hook is an executable file with the event's name. It runs before every tool, also those that only read.

    A refusal ends the run: the agent doesn't go on, and the person reads why.
    """

    def contribution(self, commands: Mapping[Event, str]) -> WholeFile:
        """The hook before tools, for the program and for the extension of editors."""
        text = f"{_MARKER}: written by `gate install --agent cline`\nexec {commands[Event.TOOL]}\n"
        return WholeFile(text, _MARKER, executable=True)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """``tool_call`` is the program's, ``preToolUse`` the extension's."""
        name, given = _read_call(document)
        roots = document.get("workspaceRoots")
        command, paths = call_of(given)
        if isinstance(given, Mapping) and isinstance(given.get("commands"), list):
            command = "\n".join(text for text in given["commands"] if isinstance(text, str))
        return Turn(
            session=text_of(document, "taskId") or "",
            folder=roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else None,
            command=command if name in _RUNS else None,
            paths=paths if name in _WRITES else (),
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """Never asked for: there is no hook at the end of a turn."""
        return HookResponse("{}", reason)

    def refuse(self, reason: str) -> HookResponse:
        """The run ends with the reason."""
        return HookResponse(json.dumps({"cancel": True, "errorMessage": reason}))

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """An object in every case."""
        return HookResponse("{}", note)


def _read_call(document: Mapping[str, Any]) -> tuple[str | None, Any]:
    call = document.get("tool_call")
    if isinstance(call, dict):
        return text_of(call, "name"), call.get("input")
    before = document.get("preToolUse")
    return (text_of(before, "toolName"), before.get("parameters")) if isinstance(before, dict) else (None, None)


HOST = Cline(
    CLINE,
    notes=(
        "cline has no hook that holds back the end of a turn: what it left is verified by the hooks of git and in CI",
        "a refused tool call ends cline's run",
    ),
)
