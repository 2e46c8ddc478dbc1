"""``gate plan``: show what would run and why."""

from __future__ import annotations

import sys
from typing import Any

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON, ONLY, SUBJECT
from verigate.cli.output import print_json, say, use_colour, warn, width
from verigate.cli.target import Target, find_repository

_ONLY = ONLY._replace(help="Plan only these capabilities.")


@click.command(name="plan")
@task_argument
@with_options(*SUBJECT, _ONLY, JSON)
def command(task_id: str | None, only: tuple[str, ...], as_json: bool, **subject: Any) -> int:
    """Show what `gate verify` would run for TASK_ID and why. Nothing is executed."""
    from verigate import composition
    from verigate.reporting.plan import plan_document, render_plan
    from verigate.usecases.prepare import prepare

    target = Target(find_repository(), task_id, **subject)
    services = composition.services(target.root)
    choice = target.choice()
    with prepare(target.request(choice.task_id, only=only, notes=choice.left_aside), services) as prepared:
        warn(prepared.warnings)
        names = {"task_id": prepared.task.id, "profile": prepared.profile.name}
        source = prepared.workspace.policy_source
        if as_json:
            print_json(plan_document(prepared.plan, source, **names))
        else:
            if source is not None:
                say(f"policy of {source.name} ({source.commit[:12]}), named by {source.where}", err=True)
            say(render_plan(prepared.plan, **names, colour=use_colour(sys.stdout), width=width()))
    return 0
