"""The hosts of coding agents in which the gate can be installed. A new host is one module and one line here."""

from __future__ import annotations

from collections.abc import Mapping

from verigate.integrations.agents import claude, codex, copilot, cursor, gemini, opencode
from verigate.integrations.agents.host import Host

_ALL: tuple[Host, ...] = (claude.HOST, gemini.HOST, codex.HOST, cursor.HOST, copilot.HOST, opencode.HOST)

HOSTS: Mapping[str, Host] = {host.name: host for host in _ALL}
"""By the name that ``gate install --agent`` takes."""
