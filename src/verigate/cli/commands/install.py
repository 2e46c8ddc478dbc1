"""``gate install``: install the git hooks or the hooks of coding agents."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from verigate.cli.agent_hooks import (
    find_hosts,
    install_agents,
    refuse_both,
    report_agents,
    show_difference,
)
from verigate.cli.attempts_option import attempts_option
from verigate.cli.click_options import with_options
from verigate.cli.options import AGENT, DRY_RUN, HOOK, JSON, SHARED
from verigate.cli.output import print_json
from verigate.cli.target import find_repository
from verigate.integrations.git.hooks import HookChange
from verigate.reporting.escape import escape


@click.command(name="install")
@with_options(HOOK, SHARED)
@click.option("--advisory", is_flag=True, help="Install hooks that report without blocking.")
@click.option(
    "--each-commit",
    is_flag=True,
    help="Let pre-push verify each commit by itself as well, if it was never verified here.",
)
@with_options(AGENT, DRY_RUN)
@attempts_option
@with_options(JSON)
def command(
    hooks: tuple[str, ...],
    shared: bool,
    advisory: bool,
    each_commit: bool,
    agents: tuple[str, ...],
    dry_run: bool,
    attempts: int,
    as_json: bool,
) -> int:
    """Install the git hooks that can block, or those that --hook names. Existing hooks are kept and run first.

    With --agent, install the hooks of a coding agent's host instead: a turn ends only when its work is verified.
    """
    from verigate.composition.launcher import launcher
    from verigate.integrations.git.hooks import HookAction, install
    from verigate.integrations.launchers import DEFAULT_HOOKS

    hosts = find_hosts(agents)
    if hosts:
        refuse_both(hooks, shared=shared, advisory=advisory or each_commit)
        done = install_agents(hosts, launcher(), attempts=attempts, dry_run=dry_run)
        report_agents(done, as_json=as_json, dry_run=dry_run)
        return 0
    changes = install(
        find_repository(),
        hooks or DEFAULT_HOOKS,
        launcher=launcher(),
        environ=os.environ,
        shared=shared,
        advisory=advisory,
        each_commit=each_commit,
        dry_run=dry_run,
    )
    by_hand = [item for item in changes if item.action is HookAction.BY_HAND]
    write = _manual_part(by_hand, advisory=advisory, each_commit=each_commit)
    report(changes, as_json=as_json, dry_run=dry_run, write=write)
    return 2 if by_hand else 0


def _manual_part(changes: Sequence[HookChange], *, advisory: bool, each_commit: bool) -> str:
    """Return what the user must add to the configuration of a hook manager."""
    from verigate.integrations.git.hook_managers import find_lefthook, render_configuration

    manager = find_lefthook(find_repository()) if changes else None
    wanted = [] if manager is None else [item.hook for item in changes if item.hook not in manager.called]
    return render_configuration(wanted, advisory=advisory, each_commit=each_commit) if wanted else ""


def report(changes: Sequence[HookChange], *, as_json: bool, dry_run: bool, write: str = "") -> None:
    """Print what was done with each hook, or would be, and what the user must write."""
    if as_json:
        hooks = [
            {"hook": item.hook, "path": item.path, "action": item.action.value, "note": item.note}
            | ({"content": item.after.decode("utf-8", "replace")} if dry_run and item.after is not None else {})
            for item in changes
        ]
        write_key = {"write": write} if write else {}
        print_json({"schema": "verigate:hooks.v1", "dry_run": dry_run, **write_key, "hooks": hooks})
        return
    heads = [
        f"would be {item.action.value}" if dry_run and item.before != item.after else item.action.value
        for item in changes
    ]
    widths = max(map(len, heads), default=0), max((len(item.hook) for item in changes), default=0)
    for head, item in zip(heads, changes, strict=True):
        note = f"  ({escape(item.note)})" if item.note else ""
        click.echo(f"{head:<{max(widths[0], 10)}} {item.hook:<{max(widths[1], 12)}} {escape(item.path)}{note}")
        if dry_run:
            show_difference(item.before, item.after)
    if write:
        click.echo(
            f"\nlefthook owns these hooks. Put this into its configuration and run `lefthook install`:\n\n{write}"
        )
