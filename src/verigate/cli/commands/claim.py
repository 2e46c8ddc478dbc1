"""``gate claim``: what is said to be done."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.target import Target, find_repository
from verigate.domain.task import unit_slip
from verigate.errors import UsageError


@click.command(name="claim")
@task_argument
@click.argument("units", nargs=-1)
@click.option("--file", "file", type=click.Path(path_type=Path), help="Take the whole claim from this JSON file.")
@click.option(
    "--text", help="Prose, split into statements, each shown with the facts it needs; '-' reads it from standard input."
)
@click.option("--total", type=click.IntRange(min=0), help="How many units are claimed, without naming them.")
@click.option("--actor", help="Who claims.")
@with_options(JSON)
def command(
    task_id: str | None,
    units: tuple[str, ...],
    file: Path | None,
    text: str | None,
    total: int | None,
    actor: str | None,
    as_json: bool,
) -> int:
    """Write the claim of TASK_ID: UNITS such as file:src/app.py, func:parse, endpoint:"GET /users".

    With a single word that is a unit, the current task is meant. A claim names what was done; it carries no
    measurements, because only adapters measure.
    """
    from verigate.cli.commands.route import render_route, route_document
    from verigate.composition import tasks

    root = find_repository()
    if task_id is not None and ":" in task_id:
        units = (task_id, *units)
        task_id = None
    chosen = Target(root, task_id).choice().task_id
    if chosen is None:
        raise UsageError(
            "no task to claim for", hint="name it: `gate claim TASK_ID ...`, or begin one with `gate start`"
        )
    if file is not None and (units or text or total is not None):
        raise UsageError("--file is the whole claim", hint="leave out units, --text and --total, or leave out --file")
    if file is None and not units and text is None and total is None:
        raise UsageError("the claim says nothing", hint="name units, or use --text, --total or --file")
    for unit in units:
        if (hint := unit_slip(unit)) is not None:
            raise UsageError(f"{unit!r} has no kind of a unit before the colon", hint=hint)
    prose = sys.stdin.read() if text == "-" else text
    body = _body(units, total, prose)
    path, warnings = tasks.write_claim(root, chosen, body, file, actor)
    for warning in warnings:
        click.echo(f"warning: {warning}", err=True)
    stated = body.get("statements", ())
    if as_json:
        document = {"schema": "verigate:claim-written.v1", "task_id": chosen, "path": str(path)}
        print_json({**document, **({"statements": route_document(stated)["statements"]} if stated else {})})
    else:
        click.echo(f"{chosen} claimed: {path.relative_to(root)}")
        if stated:
            say(render_route(stated, colour=use_colour(sys.stdout), width=width()))
    return 0


def _body(units: tuple[str, ...], total: int | None, prose: str | None) -> dict[str, Any]:
    body: dict[str, Any] = {}
    if units:
        body["units_list"] = list(units)
        body["units_total"] = len(units) if total is None else total
    elif total is not None:
        body["units_total"] = total
    if prose is not None:
        body["statements"] = _statements(prose)
    return body


def _statements(prose: str) -> list[str]:
    """Prose as statements. Nothing of it is left out: what is too long or too much is refused."""
    from verigate.statements.reading import MAX_READ
    from verigate.statements.split import MAX_PROSE, statements
    from verigate.statements.values import MAX_CHARACTERS

    if len(prose) > MAX_PROSE:
        raise UsageError(f"the prose has {len(prose)} characters, at most {MAX_PROSE} are read", where="--text")
    found = list(statements(prose, most=MAX_READ + 1))
    if len(found) > MAX_READ or any(len(text) >= MAX_CHARACTERS for text in found):
        raise UsageError(
            f"a claim has at most {MAX_READ} statements of less than {MAX_CHARACTERS} characters",
            where="--text",
            hint="say less, or say it in shorter sentences",
        )
    if not found:
        raise UsageError("the prose states nothing", where="--text", hint="code blocks and headings are no statements")
    return found
