"""Amp. Source: what version 0.0.1790142911 of the program prints about plug-ins. It was not run with a model.

The program asks no provider of models, only Amp's own server.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from verigate.domain.agent_host import AMP
from verigate.integrations.agents.host import Event, Turn, WholeFile
from verigate.integrations.agents.opencode import OpenCode

_MARKER = "// verigate-amp-plugin v1"


class Amp(OpenCode, frozen=True):
    """A plug-in that asks and hears what opencode's does. At the end of a turn it returns the next message."""

    def contribution(self, commands: Mapping[Event, str]) -> WholeFile:
        """The plug-in with its commands."""
        from importlib.resources import files  # 6 ms that a hook doesn't pay

        wanted = {event.value: commands[event] for event in (Event.PROMPT, Event.TOOL, Event.STOP)}
        body = (files("verigate.integrations.agents") / "amp_plugin.ts").read_text("utf-8")
        head = f"{_MARKER}: written by `gate install --agent amp`\n"
        return WholeFile(f"{head}const COMMANDS = {json.dumps(wanted, indent=2)};\n{body}", _MARKER, replaces=True)

    def turn(self, document: Mapping[str, Any], environ: Mapping[str, str]) -> Turn:
        """The plug-in's own fields."""
        return replace(super().turn(document, environ), aborted=document.get("aborted") is True)


HOST = Amp(AMP, notes=("amp's interface for plug-ins is experimental: a later amp may not understand the gate's",))
