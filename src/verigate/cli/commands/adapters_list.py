"""``gate adapters list``: show adapters and their capabilities."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say, use_colour, warn, width
from verigate.cli.target import find_repository
from verigate.errors import UsageError

if TYPE_CHECKING:
    from verigate.domain.manifest import Registry


@click.command(name="list")
@click.option(
    "--urn", metavar="URN", help="Show the capabilities that can serve this cap URN, the closest match first."
)
@with_options(JSON)
def command(urn: str | None, as_json: bool) -> int:
    """Show the adapters that are found, their capabilities and which are shadowed; and the engines of verifiers.

    No adapter and no engine is executed.
    """
    from verigate import composition
    from verigate.composition.adapters import check_settings, list_entry_warnings
    from verigate.reporting.listings import adapters_document, render_adapters, render_engines
    from verigate.usecases.engines import list_engines

    root = find_repository()
    registry = composition.services(root).adapters.discover(str(root))
    warn([*registry.warnings, *list_entry_warnings(registry)])
    check_settings(root, registry)
    if urn is not None:
        _show_found(registry, urn, as_json=as_json)
        return 0
    engines, warnings = list_engines(os.environ, root)
    if as_json:
        warn(warnings)
        print_json({**adapters_document(registry), "engines": engines})
        return 0
    colour = use_colour(sys.stdout)
    say(render_adapters(registry, colour=colour, width=width()))
    say("")
    say(render_engines(engines, warnings, colour=colour, width=width()))
    return 0


def _show_found(registry: Registry, text: str, *, as_json: bool) -> None:
    from verigate.domain.media_lookup import UnknownSpecError, find_meanings
    from verigate.domain.urn.cap import parse
    from verigate.domain.urn.find import count_declared, find_providers
    from verigate.domain.urn.tagged import UrnError
    from verigate.reporting.media_types import matches_document, render_matches

    try:
        request = parse(text)
    except UrnError as problem:
        raise UsageError(str(problem), where="--urn", hint="write it as in cap:ext=pdf;op=extract_metadata") from None
    for key, spec_id in request.spec_ids:
        try:
            find_meanings(registry, spec_id)
        except UnknownSpecError as problem:
            hint = f"nearest: {', '.join(problem.nearest)}" if problem.nearest else "see gate media"
            raise UsageError(f"{key}: {problem}", where="--urn", hint=hint) from None
    found = find_providers(registry, request)
    if as_json:
        print_json(matches_document(str(request), found))
    else:
        declared = count_declared(registry)
        say(render_matches(str(request), found, declared, colour=use_colour(sys.stdout), width=width()))
