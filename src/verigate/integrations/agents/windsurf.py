"""Windsurf's Cascade. Source: its hooks page. No program was run.

What runs after a response can't hold the agent back; only tool calls are refused, by exit code 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import WINDSURF
from verigate.integrations.agents.host import DeclaredHost, Entries, Event, HookResponse, Turn, text_of
from verigate.integrations.launchers import quote

_BEFORE = ("pre_run_command", "pre_write_code")
_REFUSE = 'o=$("$@") || exit 2; [ -n "$o" ] || exit 0; printf "%s" "$o" >&2; exit 2'
"""Turns what the gate prints into what the host hears: exit code 2, and the reason on stderr. No gate is a refusal."""


class Windsurf(DeclaredHost, frozen=True):
    """Hooks in a file of their own, without matchers: an event for each kind of tool."""

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """The same command before commands and before edits."""
        words = ("sh", "-c", quote(_REFUSE), quote("verigate-refuse"), commands[Event.TOOL])
        hook = {"command": " ".join(words), "show_output": True}
        return Entries({"hooks": {name: [hook] for name in _BEFORE}}, comments=False)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """A trajectory is a session; hooks run in the workspace's root."""
        info = document.get("tool_info")
        call: Mapping[str, Any] = info if isinstance(info, dict) else {}
        path = text_of(call, "file_path")
        return Turn(
            session=text_of(document, "trajectory_id") or "",
            folder=text_of(call, "cwd"),
            command=text_of(call, "command_line"),
            paths=(path,) if path is not None else (),
        )

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """Never asked for: there is no hook at the end of a turn that is heard."""
        return HookResponse("", reason)

    def refuse(self, reason: str) -> HookResponse:
        """The agent reads it on stderr: see ``_REFUSE``."""
        return HookResponse(reason)

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """Exit code 0."""
        return HookResponse("", note)


HOST = Windsurf(
    WINDSURF,
    notes=(
        "windsurf has no hook that holds back the end of a turn: what it left is verified by git's hooks and in CI",
    ),
)
