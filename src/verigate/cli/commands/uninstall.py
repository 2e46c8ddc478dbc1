"""``gate uninstall``: the hooks of git and of coding agents as they were before."""

from __future__ import annotations

import os

import click

from verigate.cli.agent_hooks import agent_options, chosen, refuse_both, report_agents, uninstall_agents
from verigate.cli.commands.install import report
from verigate.cli.output import json_option
from verigate.cli.target import here


@click.command(name="uninstall")
@click.option("--hook", "hooks", multiple=True, help="Only this hook; may be repeated.")
@click.option("--shared", is_flag=True, help="Also change a hooks folder outside of the repository.")
@agent_options
@json_option
def command(hooks: tuple[str, ...], shared: bool, agents: tuple[str, ...], dry_run: bool, as_json: bool) -> int:
    """Remove the git hooks, or with --agent those of coding agents; what was there before comes back byte for byte."""
    from verigate.integrations.git.hooks import uninstall
    from verigate.integrations.launchers import HOOKS

    hosts = chosen(agents)
    if hosts:
        refuse_both(hooks, shared=shared)
        report_agents(uninstall_agents(hosts, dry_run=dry_run), as_json=as_json, dry_run=dry_run)
        return 0
    changes = uninstall(here(), hooks or HOOKS, environ=os.environ, shared=shared, dry_run=dry_run)
    report(changes, as_json=as_json, dry_run=dry_run)
    return 0
