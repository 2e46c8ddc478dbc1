"""``gate gc``: remove what finished runs of engines left."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json
from verigate.cli.target import find_repository
from verigate.reporting.escape import escape


@click.command(name="gc")
@click.option("--sessions", is_flag=True, help="Also remove runs whose session a later run may resume.")
@click.option("--dry-run", is_flag=True, help="Show what would be removed.")
@with_options(JSON)
def command(*, sessions: bool, dry_run: bool, as_json: bool) -> int:
    """Remove what finished runs of engines left on this machine.

    Removes their run folders, their entries in the programs' files of trusted folders, and their links to skills, for
    all repositories. What a run holds stays. Exits with 3 if something can't be removed.
    """
    from verigate.usecases.remove_leftovers import remove_leftovers

    found = remove_leftovers(os.environ, find_repository(), sessions=sessions, dry_run=dry_run)
    failed = any(item.problem is not None for item in found)
    if as_json:
        listed = [
            {"kind": item.kind, "path": item.path, "detail": item.detail, "problem": item.problem} for item in found
        ]
        print_json({"schema": "verigate:gc.v1", "dry_run": dry_run, "leftovers": listed})
        return 3 if failed else 0
    for item in found:
        did = "can't remove" if item.problem is not None else "would remove" if dry_run else "removed"
        more = " ".join(f"({text})" for text in (item.detail, item.problem) if text)
        click.echo(escape(f"{did} {item.kind}: {item.path} {more}".rstrip()))
    if not found:
        click.echo("nothing to remove")
    return 3 if failed else 0
