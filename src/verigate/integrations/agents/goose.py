"""goose. Source: its hooks page and the source of its plug-ins, as they were on 2026-11. No program was run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import GOOSE
from verigate.formats.tool_call import call_of
from verigate.integrations.agents.hook_groups import hook_groups
from verigate.integrations.agents.host import DeclaredHost, Entries, Event, HookResponse, Turn, text_of

_EVENT_NAMES: Mapping[Event, str] = {
    Event.PROMPT: "UserPromptSubmit",
    Event.TOOL: "PreToolUse",
    Event.STOP: "Stop",
}
_PLUGIN = "/.agents/plugins/verigate"


class Goose(DeclaredHost, frozen=True):
    """Hooks of a plug-in of the project. Only PreToolUse and Stop are heard: there is no warning after an edit.

    What is on stdout is a decision, so nothing else is written there.
    """

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """A group per event; timeouts are seconds, matchers are regular expressions that match anywhere."""
        hooks = hook_groups(
            _EVENT_NAMES, commands, edits="developer__(write|edit|text_editor)$", shells="developer__shell$"
        )
        return Entries({"hooks": hooks}, comments=False)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """The project is where the plug-in lies; only tool events name a folder."""
        command, paths = call_of(document.get("tool_input"))
        plugin = environ.get("PLUGIN_ROOT", "").rstrip("/")
        here = plugin.removesuffix(_PLUGIN) if plugin.startswith("/") and plugin.endswith(_PLUGIN) else None
        return Turn(
            session=text_of(document, "session_id") or "",
            folder=here or text_of(document, "working_dir"),
            prompt=text_of(document, "message"),
            message=text_of(document, "last_assistant_message"),
            command=command,
            paths=paths,
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """The turn goes on with the reason."""
        return HookResponse(json.dumps({"decision": "block", "reason": reason}))

    def refuse(self, reason: str) -> HookResponse:
        """The reason is the tool's error."""
        return HookResponse(json.dumps({"decision": "block", "reason": reason}))

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """Nothing on stdout; a note only reaches the host's log."""
        return HookResponse("", note)


HOST = Goose(GOOSE)
