"""The options that name reports, apart from what writes them: a command line is read before that is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from verigate.reporting.formats import FORMATS


def report_options(function: Any) -> Any:
    """``--format``, ``--json`` and ``--output``; the command gets them as ``formats``, ``as_json`` and ``output``."""
    for option in (
        click.option("--output", type=click.Path(path_type=Path), help="Write the report to this file, atomically."),
        click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
        click.option(
            "--format",
            "formats",
            multiple=True,
            metavar="NAME[=FILE]",
            shell_complete=_complete,
            help=f"Report format: {', '.join(FORMATS)}. With =FILE it goes to that file. Give it once for each report.",
        ),
    ):
        function = option(function)
    return function


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    return [name for name in FORMATS if name.startswith(incomplete)]
