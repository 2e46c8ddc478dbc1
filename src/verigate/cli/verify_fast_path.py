"""Read ``gate verify`` with its own options and run it without click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.cli.fast_path import read_arguments
from verigate.cli.options import VERIFY, error_style
from verigate.sdk.lazy_imports import defer_imports, load_msgspec


def read(arguments: Sequence[str]) -> tuple[str | None, dict[str, Any]] | None:
    """Read the arguments after the command's name; return the task's id and the options, None for click."""
    found = read_arguments(VERIFY, arguments)
    if found is None:
        return None
    words, values = found
    if len(words) > 1 or "" in words:
        return None
    return next(iter(words), None), values


def run(arguments: Sequence[str]) -> int | None:
    """Run ``gate verify``; return the exit code, None for what click must read."""
    defer_imports()
    found = read(arguments)
    if found is None:
        return None
    task_id, values = found
    try:
        load_msgspec()
        from verigate.cli.run_verify import run_verify

        return run_verify(task_id, **values)
    except (Exception, KeyboardInterrupt, SystemExit) as problem:  # noqa: BLE001 - reported like that of any command
        from verigate.cli.failures import report_failure

        return report_failure(problem, arguments=["verify", *arguments], style=error_style(VERIFY, values))
