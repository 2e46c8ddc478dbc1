"""The hosts of coding agents in which the gate can be installed.

A new host is a declaration in ``verigate.domain.agent_host``, a module here and a line below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from verigate.domain.agent_host import SUPPORTED_HOSTS, AgentHost
from verigate.integrations.agents import (
    aider,
    amp,
    claude,
    cline,
    codex,
    copilot,
    crush,
    cursor,
    droid,
    gemini,
    goose,
    kiro,
    opencode,
    qwen,
    windsurf,
)
from verigate.integrations.agents.host import Host


def by_name(hosts: Iterable[Host], declared: Sequence[AgentHost] = SUPPORTED_HOSTS) -> Mapping[str, Host]:
    """Hosts by the names that ``gate install --agent`` takes, in the order of their declarations.

    Raises ValueError for a host without a declaration, whose settings nothing would guard, and for one of the
    declarations without a host.
    """
    found = {host.declared: host for host in hosts}
    undeclared = [host.name for host in found.values() if host.declared not in declared]
    missing = [host.name for host in declared if host not in found]
    if undeclared or missing:
        raise ValueError(f"hosts and declarations differ: not declared {undeclared}, without a module {missing}")
    return {host.name: found[host] for host in declared}


HOSTS = by_name(
    (
        *(claude.HOST, gemini.HOST, codex.HOST, cursor.HOST, copilot.HOST, opencode.HOST),
        *(qwen.HOST, droid.HOST, goose.HOST, aider.HOST, amp.HOST, cline.HOST, crush.HOST, windsurf.HOST, kiro.HOST),
    )
)
