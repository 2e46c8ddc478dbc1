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
@click.option("--capability", "capabilities", multiple=True, metavar="CAPABILITY", help="Only this one; repeatable.")
@click.option("--fixture", "fixtures", multiple=True, metavar="NAME", help="Only on this fixture; repeatable.")
@click.option(
    "--without",
    multiple=True,
    metavar="PROGRAM",
    help="Leave out what needs this program, which isn't installed here; repeatable. For tools in TOML.",
)
@click.option(
    "--format",
    "report_format",
    type=click.Choice(("text", "json", "junit")),
    default="text",
    show_default=True,
    help="How to report.",
)
@with_options(JSON_FORMAT)
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file.")
@with_options(QUIET)
def command(
    path: Path,
    capabilities: tuple[str, ...],
    fixtures: tuple[str, ...],
    without: tuple[str, ...],
    report_format: str,
    as_json: bool,
    output: Path | None,
    quiet: bool,
) -> int:
    """Hold an adapter against the contract: its declaration, artifacts, determinism, conduct.

    PATH is an adapter's folder, the .toml file of a tool, or a folder of such files: then each of them is checked.

    Every capability is called on the adapter's own fixtures, or on generic ones, many times and in unusual
    circumstances, in the sandbox of `gate verify`. Ends with 0 if it conforms, 1 with findings, 3 where a check could
    not be run.
    """
    from verigate.cli.progress import progress
    from verigate.composition import conforming

    chosen = "json" if as_json else report_format
    if output is not None:
        output.unlink(missing_ok=True)  # No old report is left to be read where this one ends with an error.
    # A line for each of some hundred calls is for a terminal, where it is drawn over.
    with progress(quiet=quiet or chosen != "text" or not sys.stderr.isatty()) as listener:
        reports = conforming.check_adapters(path, capabilities, fixtures, without=without, listener=listener)
    _deliver(reports, chosen, output)
    from verigate.reporting.conformance import exit_code

    return exit_code(reports)


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
    from verigate.evidence.store import encode, write_atomically

    write_atomically(output, encode(document(reports)) if chosen == "json" else text.encode("utf-8", "replace"))
