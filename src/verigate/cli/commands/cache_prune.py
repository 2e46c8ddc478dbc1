"""``gate cache prune``: remove entries."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say
from verigate.cli.target import find_surrounding_repository


@click.command(name="prune")
@click.argument("names", nargs=-1, metavar="[NAMES]...")
@click.option("--older-than", type=click.FloatRange(min=0), metavar="DAYS", help="Only entries stored so long ago.")
@click.option("--all", "everything", is_flag=True, help="Entries of any age.")
@with_options(JSON)
def command(names: tuple[str, ...], older_than: float | None, everything: bool, as_json: bool) -> int:
    """Remove entries of the caches NAMES, of all without one. The next run is slower, and nothing else."""
    from verigate.errors import UsageError
    from verigate.usecases.caches import open_caches, prune

    if (older_than is None) == (not everything):
        raise UsageError("say which entries", where="gate cache prune", hint="use --older-than DAYS, or --all")
    caches = open_caches(os.environ, find_surrounding_repository(), names)
    removed = prune(caches, 0.0 if older_than is None else older_than * 86_400)
    if as_json:
        listed = {name: {"entries": count, "size": size} for name, (count, size) in removed.items()}
        print_json({"schema": "verigate:cache-pruned.v1", "removed": listed})
        return 0
    for name, (count, size) in removed.items():
        say(f"removed {count} of {name}, {size / 1e6:.1f} MB")
    return 0
