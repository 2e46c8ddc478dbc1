"""``gate media``: show what a spec ID resolves to."""

from __future__ import annotations

import sys

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, warn, width
from verigate.cli.target import find_repository
from verigate.errors import UsageError


@click.command(name="media")
@click.argument("spec_id")
@click.option("--adapter", metavar="NAME", help="Search only the tables of this adapter.")
@with_options(JSON)
def command(spec_id: str, adapter: str | None, as_json: bool) -> int:
    """Show what SPEC_ID resolves to: media type, profile, schema, whether it is binary, and from which table.

    Adapters may define the same ID differently. Without --adapter, every definition is shown.
    """
    from verigate import composition
    from verigate.config.schemas import load_artifact_schema
    from verigate.domain.media_lookup import UnknownSpecError, find_meanings
    from verigate.formats.near_names import suggest_name
    from verigate.reporting.media_types import media_document, render_media

    root = find_repository()
    registry = composition.services(root).adapters.discover(str(root))
    warn(registry.warnings)
    try:
        found = find_meanings(registry, spec_id, adapter)
    except KeyError:
        hint = suggest_name(adapter or "", {manifest.name for manifest in registry.manifests}, 3)
        raise UsageError(f"no adapter is called {adapter!r}", where="--adapter", hint=hint) from None
    except UnknownSpecError as problem:
        hint = f"nearest: {', '.join(problem.nearest)}" if problem.nearest else None
        raise UsageError(str(problem), hint=hint) from None
    if as_json:
        print_json(media_document(spec_id, found, load_artifact_schema))
    else:
        say(render_media(spec_id, found, load_artifact_schema, colour=use_colour(sys.stdout), width=width()))
    return 0
