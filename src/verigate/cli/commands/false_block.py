"""``gate false-block``: report that a verdict blocked what should have passed."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON, Option, Takes
from verigate.cli.output import print_json, say
from verigate.cli.published_task import find_task_folder
from verigate.cli.target import find_repository

_REASON = Option("reason", ("--reason",), "Why it should have passed.", Takes.WORD, "TEXT", refuses_empty=True)
_FINDING = Option(
    "findings", ("--finding",), "The id of a check that is wrong. Default: all that held it back.", Takes.WORDS, "ID"
)
_BY = Option("by", ("--by",), "Who reports it. Default: git's user.name.", Takes.WORD, "NAME")
_LIST = Option("listed", ("--list",), "List the reports about tasks of this repository.")


@click.command(name="false-block")
@task_argument
@with_options(_REASON, _FINDING, _BY, _LIST, JSON)
def command(
    task_id: str | None, reason: str | None, findings: tuple[str, ...], by: str | None, listed: bool, as_json: bool
) -> int:
    """Report that the verdict of TASK_ID blocked what should have passed.

    The verdict stays as it is: a report opens nothing. It is kept in your state folder, and `gate serve` lists it.
    """
    from verigate.evidence.false_block_store import read_false_blocks
    from verigate.reporting.false_blocks import false_blocks_document, render_false_block, render_false_blocks

    if listed:
        found = read_false_blocks(find_repository(), os.environ)
        if as_json:
            print_json(false_blocks_document(found))
        else:
            say(render_false_blocks(found))
        return 0
    if reason is None:
        raise click.UsageError("Missing option '--reason'.")
    from verigate.composition import now
    from verigate.domain.false_block import FalseBlocks
    from verigate.subject.git_query import read_git_line
    from verigate.usecases.report_false_block import report_false_block

    root, folder = find_task_folder(task_id)
    name = by if by is not None else read_git_line(root, os.environ, "config", "--get", "user.name") or ""
    report, is_new = report_false_block(root, folder, os.environ, findings=findings, reason=reason, by=name, now=now())
    if as_json:
        print_json(false_blocks_document(FalseBlocks((report,))))
    else:
        say(f"{'reported' if is_new else 'reported before'}: {render_false_block(report)}")
        say("the verdict is the same")
    return 0
