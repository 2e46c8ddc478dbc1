"""``gate replay``: recompute a verdict from its evidence."""

from __future__ import annotations

import sys

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.target import Target, find_repository
from verigate.config.which_task import suggest_task
from verigate.domain.task import IMPLICIT_TASK_ID
from verigate.errors import UsageError


@click.command(name="replay")
@task_argument
@with_options(JSON)
def command(task_id: str | None, as_json: bool) -> int:
    """Recompute the verdict of TASK_ID from its published evidence and recorded policy. Nothing is executed.

    Exits with the verdict's exit code if the two agree, with 3 if they don't.
    """
    from verigate.evidence.store import task_folder
    from verigate.reporting.escape import escape_value
    from verigate.reporting.text import render
    from verigate.usecases.replay import replay

    root = find_repository()
    chosen = Target(root, task_id).choice().task_id or IMPLICIT_TASK_ID
    folder = task_folder(root, chosen)
    if not folder.is_dir():
        raise UsageError(f"there is no task {chosen}", where=str(folder), hint=suggest_task(root, chosen))
    replayed = replay(root, folder)
    difference = replayed.difference
    if as_json:
        print_json(
            {
                "schema": "verigate:replay.v1",
                "task_id": chosen,
                "agrees": difference is None,
                "status": replayed.recomputed.status.value,
                "difference": None
                if difference is None
                else {
                    "pointer": difference.pointer,
                    "recorded": difference.recorded,
                    "recomputed": difference.recomputed,
                },
            }
        )
    elif difference is None:
        say(render(replayed.recomputed, colour=use_colour(sys.stdout), width=width()))
        click.echo("replay: the recomputed verdict is the recorded one")
    else:
        click.echo(f"replay: the verdict does not follow from its evidence; first difference at {difference.pointer}")
        click.echo(f"  recorded:   {escape_value(difference.recorded)}")
        click.echo(f"  recomputed: {escape_value(difference.recomputed)}")
    return replayed.recomputed.status.exit_code if difference is None else 3
