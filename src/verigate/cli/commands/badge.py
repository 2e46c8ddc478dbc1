"""``gate badge``: draw the published verdict of a task as a badge."""

from __future__ import annotations

from pathlib import Path

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import OUTPUT
from verigate.cli.output import say
from verigate.cli.published_task import read_published_task, restore_report, warn_of_chain, warn_of_change


@click.command(name="badge")
@task_argument
@click.option("--endpoint", is_flag=True, help="Write the JSON of an endpoint badge of shields.io instead of SVG.")
@with_options(OUTPUT)
def command(task_id: str | None, endpoint: bool, output: Path | None) -> int:
    """Draw the verdict of TASK_ID as an SVG badge, after checking every digest of its evidence.

    It shows the status, and how many of the checks that apply hold. A verdict about another tree is grey and outdated.
    """
    from verigate.evidence.store import encode_json, write_atomically
    from verigate.reporting.badge import describe_endpoint, draw_badge, make_badge

    if output is not None:
        # An error leaves no pass of before.
        output.unlink(missing_ok=True)
    published = read_published_task(task_id)
    notes = (*warn_of_chain(published.folder), *warn_of_change(published))
    badge = make_badge(restore_report(published, notes=notes))
    text = encode_json(describe_endpoint(badge)).decode() if endpoint else draw_badge(badge)
    if output is None:
        say(text)
    else:
        write_atomically(output, text.encode())
    return 0
