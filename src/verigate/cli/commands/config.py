"""``gate config``: explain where each engine setting comes from."""

from __future__ import annotations

import os

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON
from verigate.cli.output import print_json, say
from verigate.cli.target import find_repository

SCHEMA = "verigate:config-report.v1"


@click.command(name="config")
@click.argument("engine", required=False)
@click.option("--explain", is_flag=True, help="Show which layer sets each key and which layers it overrides.")
@with_options(JSON)
def command(engine: str | None, explain: bool, as_json: bool) -> int:
    """Show the configuration of ENGINE, by default of every engine that is a program.

    The last layer wins: base defaults, skill defaults, user options, system enforced. Nothing is written.
    """
    from verigate.usecases import engines

    found = engines.explain_configurations(os.environ, find_repository(), engine)
    if as_json:
        print_json({"schema": SCHEMA, "engines": found})
        return 0
    for described in found:
        say(_render(described, explain=explain))
    return 0


def _render(described: dict[str, object], *, explain: bool) -> str:
    import json

    from verigate.reporting.escape import escape

    lines = [f"{described['engine']}: {described['file']} in its run folder"]
    keys = described["keys"]
    for key in keys if isinstance(keys, list) else ():
        value = "(removed)" if key["removed"] else json.dumps(key["value"], ensure_ascii=False)
        lines.append(f"  {escape(key['pointer'])} = {escape(value)}")
        if explain:
            over = f", over {', '.join(key['overrides'])}" if key["overrides"] else ""
            source = f" ({escape(key['source'])})" if key["source"] else ""
            lines.append(f"      {key['layer']}{source}{over}")
    return "\n".join(lines) + "\n"
