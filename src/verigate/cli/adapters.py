"""``gate adapters``: who provides what."""

from __future__ import annotations

import sys

import click

from verigate.cli.output import json_option, print_json, say, use_colour, warn, width
from verigate.cli.target import here


@click.command(name="adapters")
@json_option
def command(as_json: bool) -> int:
    """Show the adapters that are found, what they provide and who is shadowed. Nothing is executed."""
    from verigate import composition
    from verigate.reporting.listings import adapters_document, render_adapters

    root = here()
    registry = composition.services(root).discover(str(root))
    warn([*registry.warnings, *composition.entry_warnings(registry)])
    if as_json:
        print_json(adapters_document(registry))
    else:
        say(render_adapters(registry, colour=use_colour(sys.stdout), width=width()))
    return 0
