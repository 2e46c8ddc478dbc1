"""``gate list``: list the tasks with their verdicts."""

from __future__ import annotations

import os
import sys

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.target import find_repository

_UNCUT = 400
"""Columns where no terminal has any: more than the longest line."""


@click.command(name="list")
@with_options(JSON)
def command(as_json: bool) -> int:
    """List the tasks of this repository with their verdicts. A verdict counts only if its evidence is intact."""
    from verigate.composition import tasks
    from verigate.reporting.listings import render_tasks, tasks_document

    rows = tasks.list_tasks(find_repository(), os.environ)
    if as_json:
        print_json(tasks_document(rows))
    else:
        # Whoever reads it by a pipe has no columns, and wants the whole reason.
        columns = width() if sys.stdout.isatty() else _UNCUT
        say(render_tasks(rows, colour=use_colour(sys.stdout), width=columns))
    return 0
