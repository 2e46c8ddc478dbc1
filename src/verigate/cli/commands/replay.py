"""``gate replay``: recompute a verdict from its evidence."""

from __future__ import annotations

import sys

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.published_task import find_task_folder, warn_of_chain


@click.command(name="replay")
@task_argument
@with_options(JSON)
def command(task_id: str | None, as_json: bool) -> int:
    """Recompute the verdict of TASK_ID from its published evidence and recorded policy. Nothing is executed.

    Exits with the verdict's exit code if the two agree, with 3 if they don't.
    """
    from verigate.reporting.escape import escape_value
    from verigate.reporting.report import Report
    from verigate.reporting.text import render
    from verigate.usecases.replay import replay

    root, folder = find_task_folder(task_id)
    replayed = replay(root, folder)
    difference = replayed.difference
    notes = warn_of_chain(folder)
    if as_json:
        print_json(
            {
                "schema": "verigate:replay.v1",
                "task_id": folder.name,
                "agrees": difference is None,
                "status": replayed.recomputed.status.value,
                "difference": None
                if difference is None
                else {
                    "pointer": difference.pointer,
                    "recorded": difference.recorded,
                    "recomputed": difference.recomputed,
                },
                "notes": list(notes),
            }
        )
    elif difference is None:
        say(render(Report(replayed.recomputed), colour=use_colour(sys.stdout), width=width()))
        click.echo("replay: the recomputed verdict is the recorded one")
    else:
        click.echo(f"replay: the verdict does not follow from its evidence; first difference at {difference.pointer}")
        click.echo(f"  recorded:   {escape_value(difference.recorded)}")
        click.echo(f"  recomputed: {escape_value(difference.recomputed)}")
    return replayed.recomputed.status.exit_code if difference is None else 3
