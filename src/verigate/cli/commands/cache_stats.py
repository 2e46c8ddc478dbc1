"""``gate cache stats``: how many entries each cache has, and how old they are."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, width
from verigate.cli.target import find_surrounding_repository


@click.command(name="stats")
@with_options(JSON)
def command(as_json: bool) -> int:
    """Show how many entries each of your caches has, for all repositories, and how old they are."""
    from verigate.reporting.layout import format_table
    from verigate.usecases.caches import open_caches, survey

    found = survey(open_caches(os.environ, find_surrounding_repository()))
    if as_json:
        print_json({"schema": "verigate:cache.v1", "caches": [stats._asdict() for stats in found]})
        return 0
    rows = [
        (
            each.name,
            str(each.entries),
            f"{each.size / 1e6:.1f} MB",
            _age(each.newest_s),
            _age(each.oldest_s),
            each.holds,
        )
        for each in found
    ]
    for line in format_table(("cache", "entries", "size", "newest", "oldest", "holds"), rows, width()):
        say(line)
    return 0


def _age(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"
