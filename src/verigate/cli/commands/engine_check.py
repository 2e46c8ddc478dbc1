"""``gate engine check``: the conformance kit for engines."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import ENGINE_SET, JSON_FORMAT
from verigate.cli.output import print_json, say, use_colour, width
from verigate.cli.target import find_surrounding_repository


@click.command(name="check")
@click.argument("name")
@click.option("--check", "chosen", multiple=True, metavar="CHECK", help="Run only this check. Repeat for more.")
@with_options(ENGINE_SET)
@click.option("--timeout", "timeout_s", default=120.0, show_default=True, metavar="SECONDS", help="Time for each call.")
@click.option("--outside", is_flag=True, help="Agree to run an engine of this repository, with your rights.")
@click.option(
    "--format",
    "report_format",
    type=click.Choice(("text", "json", "junit")),
    default="text",
    show_default=True,
    help="Report format.",
)
@with_options(JSON_FORMAT)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file.")
def command(
    name: str,
    chosen: tuple[str, ...],
    engine_set: tuple[str, ...],
    timeout_s: float,
    outside: bool,
    report_format: str,
    as_json: bool,
    output: Path | None,
) -> int:
    """Check an engine: description, environment test, answers, time, cancellation, sessions, broken output, secrets.

    NAME is an engine's type, or the path of its folder. Asks its model up to six times, with your options and
    credentials, outside of the sandbox. Exit codes: 0 it conforms, 1 findings, 3 a check could not run.
    """
    from verigate.composition import engine_kit
    from verigate.reporting.conformance import document, render
    from verigate.verifier.overrides import parse_overrides

    if output is not None:
        output.unlink(missing_ok=True)  # If this run ends with an error, no old report is left.
    report = engine_kit.check(
        name,
        os.environ,
        find_surrounding_repository(),
        chosen=chosen,
        options=parse_overrides(engine_set),
        timeout_s=timeout_s,
        outside=outside,
    )
    wanted = "json" if as_json else report_format
    if wanted == "json" and output is None:
        print_json(document([report]))
    elif output is None and wanted == "text":
        say(render([report], colour=use_colour(sys.stdout), width=width()))
    else:
        from verigate.evidence.store import encode_json, write_atomically
        from verigate.reporting.conformance_junit import render as render_junit

        text = render([report]) if wanted == "text" else render_junit([report])
        if output is None:
            say(text)
        else:
            write_atomically(output, encode_json(document([report])) if wanted == "json" else text.encode())
    return report.exit_code
