"""``gate route``: show the facts that a text must agree with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.errors import UsageError


@click.command(name="route")
@click.argument("prose")
@with_options(JSON)
def command(prose: str, as_json: bool) -> int:
    """Split PROSE into statements; show the kind of each, the facts it must agree with and the capabilities that
    report them. '-' reads standard input. Put '--' before prose that begins with a dash.

    Nothing is executed.
    """
    text = sys.stdin.read() if prose == "-" else prose
    from verigate.statements.split import MAX_PROSE, split_statements

    if len(text) > MAX_PROSE:
        raise UsageError(f"the prose has {len(text)} characters, at most {MAX_PROSE} are read", where="PROSE")
    found = split_statements(text)
    if as_json:
        print_json(route_document(found))
    else:
        say(render_route(found, colour=use_colour(sys.stdout), width=width()))
    return 0


def route_document(texts: Sequence[str]) -> dict[str, Any]:
    """Return the statements as they are read, as a JSON value."""
    from verigate.reporting import route
    from verigate.statements.reading import read_statement

    return route.route_document([(text, read_statement(text)) for text in texts])


def render_route(texts: Sequence[str], *, colour: bool, width: int) -> str:
    """Return the statements as they are read, as text."""
    from verigate.reporting import route
    from verigate.statements.reading import read_statement

    return route.render_route([(text, read_statement(text)) for text in texts], colour=colour, width=width)
