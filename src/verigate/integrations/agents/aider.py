"""aider. Source: its pages on linting and testing and on its configuration, and version 0.86.2 of the program.

It has no hooks. It runs a test command after each edit, and sends the model what that printed if it failed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from verigate.domain.agent_host import AIDER
from verigate.integrations.agents.host import DeclaredHost, Event, HookResponse, Turn, WholeFile
from verigate.integrations.launchers import quote

_MARKER = "# verigate-hook v1"
_TEST = 'o=$(echo {} | "$@") || exit 1; [ -n "$o" ] || exit 0; printf "%s\\n" "$o"; exit 1'
"""Gives the gate an input, and turns what it prints into a test that fails."""


class Aider(DeclaredHost, frozen=True):
    """The project's configuration, with the gate as its test command.

    aider commits before it tests, and past the hooks of git: both are turned off, so that what it did is still there
    to be verified, and the person commits it.
    """

    def contribution(self, commands: Mapping[Event, str]) -> WholeFile:
        """YAML, whose strings may be JSON's."""
        command = f"sh -c {quote(_TEST)} {quote('verigate-test')} {commands[Event.STOP]}"
        lines = (
            f"{_MARKER}: written by `gate install --agent aider`",
            "auto-commits: false",
            "git-commit-verify: true",
            "auto-test: true",
            f"test-cmd: {json.dumps(command)}",
        )
        return WholeFile("\n".join(lines) + "\n", _MARKER)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:  # noqa: ARG002 - as every host
        """Nothing is sent, neither a prompt nor what the model said."""
        return Turn("aider", unannounced=True)

    def block(self, event: Event, reason: str) -> HookResponse:  # noqa: ARG002 - every host takes the event
        """The reason is what the failed test printed."""
        return HookResponse(reason)

    def refuse(self, reason: str) -> HookResponse:
        """Never asked for: the model has no tools."""
        return HookResponse(reason)

    def allow(self, event: Event, note: str = "") -> HookResponse:  # noqa: ARG002 - as above
        """Nothing on stdout; the person reads a note."""
        return HookResponse("", note)


HOST = Aider(
    AIDER,
    notes=(
        "aider no longer commits by itself in this repository: it would commit before it tests",
        "settings of your own belong into ~/.aider.conf.yml",
        "aider sends the model at most three failed tests in a row",
    ),
)
