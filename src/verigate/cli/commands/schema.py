"""``gate schema``: print the JSON Schemas, for editors and other languages."""

from __future__ import annotations

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json
from verigate.errors import UsageError
from verigate.formats.near_names import suggest_nearest


@click.command(name="schema")
@click.argument("kind", required=False)
@with_options(JSON)
def command(kind: str | None, as_json: bool) -> int:
    """Print the self-contained JSON Schema of KIND (plan, claim, lint, ...), or without KIND the list of kinds.

    A schema is JSON with or without --json.
    """
    from verigate.config import schemas

    known = schemas.list_schemas()
    if kind is None and as_json:
        print_json({"schema": "verigate:schemas.v1", "kinds": list(known)})
        return 0
    if kind is None:
        click.echo("\n".join(known))
        return 0
    try:
        print_json(schemas.bundle_schema(kind))
    except KeyError:
        hint = suggest_nearest(kind, known, 3) or f"known: {', '.join(known)}"
        raise UsageError(f"there is no schema {kind!r}", hint=hint) from None
    return 0
