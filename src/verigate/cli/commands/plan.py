"""``gate plan``: what would run and why."""

from __future__ import annotations

import sys

import click

from verigate.cli.output import json_option, print_json, say, use_colour, warn, width
from verigate.cli.subject_options import subject_options, task_argument
from verigate.cli.target import Target


@click.command(name="plan")
@task_argument
@subject_options
@click.option("--only", multiple=True, metavar="CAPABILITY", help="As for verify.")
@json_option
def command(target: Target, only: tuple[str, ...], as_json: bool) -> int:
    """Show what `gate verify` would run for TASK_ID and why. Nothing is executed."""
    from verigate import composition
    from verigate.reporting.plan import plan_document, render_plan
    from verigate.usecases import verify

    services = composition.services(target.root)
    names = tuple(name.strip() for item in only for name in item.split(",") if name.strip())
    with verify.prepare(target.request(target.choice().task_id, only=names), services) as prepared:
        warn(prepared.warnings)
        if as_json:
            print_json(plan_document(prepared.plan, task_id=prepared.task.id, profile=prepared.profile.name))
        else:
            text = render_plan(
                prepared.plan,
                task_id=prepared.task.id,
                profile=prepared.profile.name,
                colour=use_colour(sys.stdout),
                width=width(),
            )
            say(text)
    return 0
