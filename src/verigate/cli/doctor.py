"""``gate doctor``: this machine and this repository."""

from __future__ import annotations

import os
import sys

import click

from verigate.cli.output import json_option, print_json, use_colour
from verigate.cli.target import here
from verigate.reporting.escape import escape


@click.command(name="doctor")
@json_option
def command(as_json: bool) -> int:
    """Check tools, sandbox, configuration, adapters and hooks; says what is missing and what to do.

    Ends with 3 if something keeps the gate from giving a verdict.
    """
    from verigate import composition
    from verigate.integrations.doctor import Level, worst

    findings = composition.examine(here(), os.environ)
    level = worst(findings)
    if as_json:
        print_json(
            {
                "schema": "verigate:doctor.v1",
                "level": level.value,
                "checks": [
                    {"code": item.code, "level": item.level.value, "message": item.message, "hint": item.hint}
                    for item in findings
                ],
            }
        )
    else:
        styles = {Level.INFO: ("✓", "green"), Level.WARN: ("!", "yellow"), Level.ERROR: ("✗", "red")}
        colour = use_colour(sys.stdout)
        for item in findings:
            mark, shade = styles[item.level]
            painted = click.style(mark, fg=shade) if colour else mark
            click.echo(f"{painted} {item.code:<22} {escape(item.message)}", color=colour)
            if item.hint:
                click.echo(f"  try: {escape(item.hint)}")
    return 3 if level is Level.ERROR else 0
