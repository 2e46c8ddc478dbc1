"""``gate adapter check``: the conformance kit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import JSON_FORMAT, QUIET
from verigate.cli.output import print_json, say, use_colour, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verigate.domain.conformance import Conformance


@click.command(name="check")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--capability",
    "capabilities",
    multiple=True,
    metavar="CAPABILITY",
    help="Check only this capability. Repeat for more.",
)
@click.option("--fixture", "fixtures", multiple=True, metavar="NAME", help="Use only this fixture. Repeat for more.")
@click.option(
    "--without",
    multiple=True,
    metavar="PROGRAM",
    help="For tools in TOML: skip what needs this program, which isn't installed here. Repeat for more.",
)
@click.option("--require-sandbox", is_flag=True, help="Call nothing where there is no sandbox that holds everything.")
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
@with_options(QUIET)
def command(
    path: Path,
    capabilities: tuple[str, ...],
    fixtures: tuple[str, ...],
    without: tuple[str, ...],
    require_sandbox: bool,
    report_format: str,
    as_json: bool,
    output: Path | None,
    quiet: bool,
) -> int:
    """Check an adapter against the contract: its declaration, artifacts, determinism and conduct.

    PATH is an adapter's folder, the .toml file of a tool, or a folder of such files, each of which is checked.

    Runs every capability many times on the adapter's own fixtures, or on generic ones, also under unusual conditions,
    in the sandbox of `gate verify`. Exit codes: 0 it conforms, 1 findings, 3 a check could not run.
    """
    from verigate.cli.progress import progress
    from verigate.composition import conformance

    chosen = "json" if as_json else report_format
    if output is not None:
        output.unlink(missing_ok=True)  # If this run ends with an error, no old report is left.
    # Only a terminal can overwrite the lines of some hundred calls.
    with progress(quiet=quiet or chosen != "text" or not sys.stderr.isatty()) as listener:
        reports = conformance.check_adapters(
            path,
            capabilities,
            fixtures,
            without=without,
            sandbox="require" if require_sandbox else "prefer",
            listener=listener,
        )
    _deliver(reports, chosen, output)
    from verigate.reporting.conformance import combine_exit_codes

    return combine_exit_codes(reports)


def _deliver(reports: Sequence[Conformance], chosen: str, output: Path | None) -> None:
    from verigate.reporting.conformance import document, render
    from verigate.reporting.conformance_junit import render as render_junit

    if chosen == "json" and output is None:
        print_json(document(reports))
        return
    if chosen == "text":
        text = render(reports, colour=output is None and use_colour(sys.stdout), width=width())
    elif chosen == "junit":
        text = render_junit(reports)
    if output is None:
        say(text)
        return
    from verigate.evidence.store import encode_json, write_atomically

    write_atomically(output, encode_json(document(reports)) if chosen == "json" else text.encode("utf-8", "replace"))
