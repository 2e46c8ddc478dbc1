"""``gate uninstall``: remove the hooks of git or of coding agents."""

from __future__ import annotations

import os

import click

from verigate.cli.agent_hooks import find_hosts, refuse_both, report_agents, uninstall_agents
from verigate.cli.click_options import with_options
from verigate.cli.commands.install import report
from verigate.cli.options import AGENT, DRY_RUN, HOOK, JSON, SHARED
from verigate.cli.target import find_repository


@click.command(name="uninstall")
@with_options(HOOK, SHARED, AGENT, DRY_RUN, JSON)
def command(hooks: tuple[str, ...], shared: bool, agents: tuple[str, ...], dry_run: bool, as_json: bool) -> int:
    """Remove the git hooks, or with --agent those of a coding agent. Earlier files are restored byte for byte."""
    from verigate.integrations.git.hooks import uninstall
    from verigate.integrations.launchers import HOOKS

    hosts = find_hosts(agents)
    if hosts:
        refuse_both(hooks, shared=shared)
        report_agents(uninstall_agents(hosts, dry_run=dry_run), as_json=as_json, dry_run=dry_run)
        return 0
    changes = uninstall(find_repository(), hooks or HOOKS, environ=os.environ, shared=shared, dry_run=dry_run)
    report(changes, as_json=as_json, dry_run=dry_run)
    return 0
