"""opencode. Source: its plug-in page, the types of @opencode-ai/plugin, and version 1.18.33 of the program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import OPENCODE
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.host import DeclaredHost, Event, HookResponse, Turn, WholeFile, text_of

_MARKER = "// verigate-plugin v1"


class OpenCode(DeclaredHost, frozen=True):
    """A plug-in, which is a module of JavaScript: it calls ``gate hook`` and sends the reason of a block.

    There is no veto: when the session is idle, the reason is sent as the next prompt.
    """

    def contribution(self, commands: Mapping[Event, str]) -> WholeFile:
        """The plug-in with its commands."""
        from importlib.resources import files  # 6 ms that a hook doesn't pay

        wanted = {event.value: commands[event] for event in (Event.PROMPT, Event.TOOL, Event.EDIT, Event.STOP)}
        body = (files("verigate.integrations.agents") / "opencode_plugin.js").read_text("utf-8")
        head = f"{_MARKER}: written by `gate install --agent opencode`\n"
        return WholeFile(f"{head}const COMMANDS = {json.dumps(wanted, indent=2)};\n{body}", _MARKER, replaces=True)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """The plug-in's own fields."""
        command, paths = call_of(document.get("arguments"))
        return Turn(
            session=text_of(document, "session") or "",
            folder=text_of(document, "folder"),
            prompt=text_of(document, "prompt"),
            message=text_of(document, "message"),
            looping=document.get("looping") is True,
            command=command,
            paths=paths,
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - as above
        """The plug-in sends the reason as a prompt."""
        return HookResponse(json.dumps({"prompt": reason}))

    def refuse(self, reason: str) -> HookResponse:
        """The plug-in throws an error with the reason, which is the tool's result."""
        return HookResponse(json.dumps({"refusal": reason}))

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """The plug-in shows the note."""
        return HookResponse(json.dumps({"note": note} if note else {}))


HOST = OpenCode(OPENCODE)
