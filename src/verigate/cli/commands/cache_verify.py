"""``gate cache verify``: check the seal of each entry."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say
from verigate.cli.target import find_surrounding_repository


@click.command(name="verify")
@click.argument("names", nargs=-1, metavar="[NAMES]...")
@with_options(JSON)
def command(names: tuple[str, ...], as_json: bool) -> int:
    """Check the seal of each entry of the caches NAMES, of all without one.

    An entry that was cut or changed is used by nobody. Exits with 3 if there is one.
    """
    from verigate.usecases.caches import find_broken, open_caches

    caches = open_caches(os.environ, find_surrounding_repository(), names)
    broken = list(find_broken(caches))
    if as_json:
        listed = [{"cache": name, **entry._asdict()} for name, entry in broken]
        print_json({"schema": "verigate:cache-check.v1", "caches": list(caches), "broken": listed})
        return 3 if broken else 0
    for name, entry in broken:
        say(f"broken  {name} {entry.key}")
    say(f"{len(broken)} broken entries in {', '.join(caches)}" if broken else f"whole: {', '.join(caches)}")
    return 3 if broken else 0
