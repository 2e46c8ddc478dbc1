"""Install, uninstall and report the hooks in the settings of coding agents' hosts."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from verigate.cli.options import ALL_AGENTS
from verigate.cli.output import print_json
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_name
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.integrations.agents.host import Host
    from verigate.integrations.agents.settings import AgentChange

_DIFF_LINES = 400
_NAMED = 3
"""Hosts without the gate that are named; more are counted."""


def find_hosts(names: Sequence[str]) -> list[Host]:
    """Return the hosts that ``--agent`` names. Raises UsageError for an unknown one, with the nearest known name."""
    from verigate.integrations.agents import HOSTS

    wanted = list(dict.fromkeys(HOSTS if ALL_AGENTS in names else names))
    for name in wanted:
        if name not in HOSTS:
            raise UsageError(
                f"no host is called {name!r}", where="--agent", hint=suggest_name(name, [*HOSTS, ALL_AGENTS])
            )
    return [HOSTS[name] for name in wanted]


def refuse_both(hooks: Sequence[str], *, shared: bool, advisory: bool = False) -> None:
    """Raise UsageError for options of git hooks together with ``--agent``."""
    if hooks or shared or advisory:
        raise UsageError(
            "--agent can't be combined with --hook, --shared, --advisory or --each-commit",
            hint="run one command for git, one for agents",
        )


def install_agents(
    hosts: Sequence[Host], launcher: Sequence[str], *, attempts: int, dry_run: bool
) -> list[AgentChange]:
    """Install the hooks of each host."""
    from verigate.cli.target import find_repository
    from verigate.integrations.agents.settings import install

    root = find_repository()
    return [
        install(root, host, launcher=launcher, attempts=attempts, environ=os.environ, dry_run=dry_run) for host in hosts
    ]


def uninstall_agents(hosts: Sequence[Host], *, dry_run: bool) -> list[AgentChange]:
    """Uninstall the hooks of each host."""
    from verigate.cli.target import find_repository
    from verigate.integrations.agents.settings import uninstall

    root = find_repository()
    return [uninstall(root, host, environ=os.environ, dry_run=dry_run) for host in hosts]


def report_agents(changes: Sequence[AgentChange], *, as_json: bool, dry_run: bool) -> None:
    """Print what was done with each file, or would be; several hosts without the gate share a line."""
    from verigate.integrations.agents.settings import AgentAction

    if as_json:
        print_json(
            {
                "schema": "verigate:agent-hooks.v1",
                "dry_run": dry_run,
                "agents": [
                    {
                        "agent": item.host,
                        "path": item.path,
                        "action": item.action.value,
                        "content": None if item.after is None else item.after.decode("utf-8", "replace"),
                        "notes": list(item.notes),
                    }
                    for item in changes
                ],
            }
        )
        return
    untouched = [item.host for item in changes if item.action is AgentAction.LEFT]
    grouped = len(untouched) > 1
    for item in changes:
        if grouped and item.action is AgentAction.LEFT:
            continue
        head = f"would be {item.action.value}" if dry_run and item.before != item.after else item.action.value
        kept = "from " if item.action is AgentAction.REMOVED and item.after is not None else ""
        click.echo(f"{head:<10} {item.host:<12} {kept}{escape(item.path)}")
        if dry_run:
            show_difference(item.before, item.after)
        for note in item.notes:
            click.echo(f"  note: {escape(note, limit=1000)}")
    if grouped:
        named = ", ".join(untouched) if len(untouched) <= _NAMED else f"{len(untouched)} hosts"
        click.echo(f"{AgentAction.LEFT.value:<10} not installed for {named}")


def show_difference(before: bytes | None, after: bytes | None) -> None:
    """Print the lines that differ between two contents of a file; None means no file."""
    old, new = (
        [] if content is None else content.decode("utf-8", "replace").splitlines() for content in (before, after)
    )
    lines = list(difflib.unified_diff(old, new, lineterm="", n=1))[2:]
    for line in lines[:_DIFF_LINES]:
        click.echo(f"  {escape(line, limit=2000)}")
