"""``gate route``: which facts prose would have to agree with, and who would have to look."""

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
    """Split PROSE into statements and show how each is meant, the facts it would have to agree with, and the
    capabilities that report them. '-' reads it from standard input; prose that begins with a dash needs '--' before it.

    Nothing is executed.
    """
    text = sys.stdin.read() if prose == "-" else prose
    from verigate.statements.split import MAX_PROSE, statements

    if len(text) > MAX_PROSE:
        raise UsageError(f"the prose has {len(text)} characters, at most {MAX_PROSE} are read", where="PROSE")
    found = statements(text)
    if as_json:
        print_json(route_document(found))
    else:
        say(render_route(found, colour=use_colour(sys.stdout), width=width()))
    return 0


def route_document(texts: Sequence[str]) -> dict[str, Any]:
    """Statements as they are understood, as a JSON value."""
    from verigate.reporting import route
    from verigate.statements.reading import read

    return route.route_document([(text, read(text)) for text in texts])


def render_route(texts: Sequence[str], *, colour: bool, width: int) -> str:
    """The same for people."""
    from verigate.reporting import route
    from verigate.statements.reading import read

    return route.render_route([(text, read(text)) for text in texts], colour=colour, width=width)
