"""Read ``gate do`` with its own options and run it without click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.cli.fast_path import read_arguments
from verigate.cli.options import DO, error_style


def read(arguments: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """Read the arguments after the command's name; return the request's words and the options, None for click."""
    found = read_arguments(DO, arguments)
    return found if found is not None and found[0] else None


def run(arguments: Sequence[str]) -> int | None:
    """Run ``gate do``; return the exit code, None for what click must read."""
    found = read(arguments)
    if found is None:
        return None
    words, values = found
    try:
        from verigate.cli.run_do import run_do

        return run_do(words, **values)
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - reported like that of any command
        from verigate.cli.failures import report_failure

        return report_failure(problem, arguments=["do", *arguments], style=error_style(DO, values))
