"""``gate route``: show the facts that a text must agree with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.domain.statement_reading import StatementReading


@click.command(name="route")
@click.argument("prose", required=False)
@click.option("--commit", "of_commit", is_flag=True, help="PROSE is the message of a commit.")
@click.option("--lines", "by_line", is_flag=True, help="Read JSON from standard input, a text a line; print JSON.")
@with_options(JSON)
def command(prose: str | None, of_commit: bool, by_line: bool, as_json: bool) -> int:
    """Split PROSE into statements; show the kind of each, the facts it must agree with and the capabilities that
    report them. '-' reads standard input. Put '--' before prose that begins with a dash.

    With --lines each line is a JSON string, or an object with "text" and, for the message of a commit, "source":
    "commit". The answer of each is a line, in their order. Nothing is executed.
    """
    if by_line:
        if prose not in {None, "-"}:
            raise UsageError("with --lines the texts come from standard input", where="PROSE")
        from verigate.cli.route_lines import route_lines

        return route_lines(sys.stdin.buffer, sys.stdout.buffer, of_commits=of_commit)
    if prose is None:
        raise UsageError("there is no prose", where="PROSE", hint="gate route 'All tests pass.'")
    text = sys.stdin.read() if prose == "-" else prose
    from verigate.statements.split import MAX_PROSE

    if len(text) > MAX_PROSE:
        raise UsageError(f"the prose has {len(text)} characters, at most {MAX_PROSE} are read", where="PROSE")
    from verigate.reporting import route
    from verigate.statements.claims import read_text

    found = [(each.text, each.reading) for each in read_text(text, of_commit=of_commit) if each.reading is not None]
    if as_json:
        print_json(route.route_document(found))
    else:
        say(route.render_route(found, colour=use_colour(sys.stdout), width=width()))
    return 0


def route_document(texts: Sequence[str]) -> dict[str, Any]:
    """Return the statements of a message to people as they are read, as a JSON value."""
    from verigate.reporting import route

    return route.route_document(_read(texts))


def render_route(texts: Sequence[str], *, colour: bool, width: int) -> str:
    """Return the statements of a message to people as they are read, as text."""
    from verigate.reporting import route

    return route.render_route(_read(texts), colour=colour, width=width)


def _read(texts: Sequence[str]) -> list[tuple[str, StatementReading]]:
    from verigate.domain.task import Statement
    from verigate.statements.claims import read_statements

    read = read_statements([Statement("", text) for text in texts])
    return [(each.text, each.reading) for each in read if each.reading is not None]
