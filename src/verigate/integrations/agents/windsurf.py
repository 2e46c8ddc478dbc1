"""Windsurf's Cascade. Source: its hooks page. No program was run.

What runs after a response can't hold the agent back; only tool calls are refused, by exit code 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import WINDSURF
from verigate.integrations.agents.exit_code_host import ExitCodeHost, make_refusing_command
from verigate.integrations.agents.host import Entries, Event, Turn, text_of

_BEFORE = ("pre_run_command", "pre_write_code")


class Windsurf(ExitCodeHost, frozen=True):
    """Hooks in a file of their own, without matchers: an event for each kind of tool."""

    def contribution(self, commands: Mapping[Event, str]) -> Entries:
        """The same command before commands and before edits."""
        hook = {"command": make_refusing_command(commands[Event.TOOL]), "show_output": True}
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


HOST = Windsurf(
    WINDSURF,
    notes=(
        "windsurf has no hook that holds back the end of a turn: what it left is verified by git's hooks and in CI",
    ),
)
