"""``gate claim``: write the claim of a task."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from verigate.cli.click_options import task_argument, with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.target import Target, find_repository
from verigate.domain.task import find_unknown_kind
from verigate.errors import UsageError

_UNDECIDED = (
    "note: a statement that no fact decides leaves the verdict inconclusive, unless the profile only reports it; "
    "say the same by units, such as func:NAME and file:PATH, and leave it out"
)


@click.command(name="claim")
@task_argument
@click.argument("units", nargs=-1)
@click.option("--file", "file", type=click.Path(path_type=Path), help="Read the whole claim from this JSON file.")
@click.option(
    "--text",
    "texts",
    multiple=True,
    help="Text to split into statements; each is shown with the facts it needs. '-' reads standard input. Repeatable.",
)
@click.option("--total", type=click.IntRange(min=0), help="Number of units, without naming them.")
@click.option(
    "--weakens",
    metavar="LINE",
    multiple=True,
    help="Disclose a weakening: KIND PATH::TEST ID (why), as verify prints it. Repeat for more.",
)
@click.option("--actor", help="Name of the claimant.")
@with_options(JSON)
def command(
    task_id: str | None,
    units: tuple[str, ...],
    file: Path | None,
    texts: tuple[str, ...],
    total: int | None,
    weakens: tuple[str, ...],
    actor: str | None,
    as_json: bool,
) -> int:
    """Write the claim of TASK_ID: UNITS such as file:src/app.py, func:parse, endpoint:"GET /users", or
    fix:tests/test_app.py::test_parse, a test that fails without the fix.

    If the first word is a unit, the claim is for the current task. A claim names what was done. It carries no
    measurements: only adapters measure.
    """
    from verigate.cli.commands.route import render_route, route_document
    from verigate.composition import tasks
    from verigate.composition.claimed_paths import describe_unknown_paths

    root = find_repository()
    if task_id is not None and ":" in task_id:
        units = (task_id, *units)
        task_id = None
    choice = Target(root, task_id).choice()
    chosen = choice.task_id
    if chosen is None:
        raise UsageError(
            "; ".join(("there is no task to claim for", *choice.left_aside)),
            hint="name it: `gate claim TASK_ID ...`, or start one with `gate start`",
        )
    if file is not None and (units or texts or weakens or total is not None):
        raise UsageError(
            "--file is the whole claim", hint="leave out units, --text, --total and --weakens, or leave out --file"
        )
    if file is None and not units and not weakens and not texts and total is None:
        raise UsageError("the claim is empty", hint="name units, or use --text, --total, --weakens or --file")
    for unit in units:
        if (unknown := find_unknown_kind(unit)) is not None:
            raise UsageError(f"unknown kind {unknown.kind!r} in {unit!r}", hint=f"did you mean {unknown.meant}?")
    prose = "\n\n".join(sys.stdin.read() if text == "-" else text for text in texts) if texts else None
    body = {**_body(units, total, prose), **({"weakens": list(weakens)} if weakens else {})}
    path, warnings = tasks.write_claim(root, chosen, body, file, actor)
    for warning in (*warnings, *describe_unknown_paths(root, os.environ, chosen, units)):
        click.echo(f"warning: {warning}", err=True)
    stated = body.get("statements", ())
    if as_json:
        document = {"schema": "verigate:claim-written.v1", "task_id": chosen, "path": str(path)}
        print_json({**document, **({"statements": route_document(stated)["statements"]} if stated else {})})
    else:
        click.echo(f"{chosen} claimed: {path.relative_to(root)}")
        if stated:
            say(render_route(stated, colour=use_colour(sys.stdout), width=width()))
            if any(not each["facts"] or each["unread"] for each in route_document(stated)["statements"]):
                click.echo(_UNDECIDED)
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
    """Split a text into statements. Raises UsageError for a text that is too long, rather than drop a part of it."""
    from verigate.domain.statement_reading import MAX_CHARACTERS, MAX_READ
    from verigate.statements.split import MAX_PROSE, split_statements

    if len(prose) > MAX_PROSE:
        raise UsageError(f"the prose has {len(prose)} characters, at most {MAX_PROSE} are read", where="--text")
    found = list(split_statements(prose, most=MAX_READ + 1))
    if len(found) > MAX_READ or any(len(text) >= MAX_CHARACTERS for text in found):
        raise UsageError(
            f"a claim has at most {MAX_READ} statements of less than {MAX_CHARACTERS} characters",
            where="--text",
            hint="shorten the text, or use shorter sentences",
        )
    if not prose.strip():
        raise UsageError("the claim is empty", where="--text", hint="say what you did, in a sentence or more")
    if not found:
        raise UsageError("the prose states nothing", where="--text", hint="code blocks and headings are no statements")
    return found
