"""What ``gate init`` prints of a repository and of its files, as lines and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.integrations.setup.init_files import PlannedFile
    from verigate.integrations.setup.missing_dependencies import Missing
    from verigate.integrations.setup.missing_programs import MissingProgram
    from verigate.integrations.setup.stack import Stack
    from verigate.usecases.verify import Verified


def show_missing(missing: Iterable[Missing], programs: Iterable[MissingProgram], warnings: Iterable[str]) -> None:
    """Print what isn't installed with the command that installs it, and what is installed and may not work."""
    for item in missing:
        click.echo(f"missing {escape(item.what)}: {escape(item.line)}")
    for program in programs:
        click.echo(f"missing {program.what}: {program.advice}")
    for warning in warnings:
        click.echo(f"warning {escape(warning, limit=500)}")


def show_stack(stack: Stack, programs: Iterable[MissingProgram], notes: Iterable[str]) -> None:
    """Print what was found, and of which tool the program lacks."""
    lacking = {item.what for item in programs}
    for item in stack.findings:
        kind = item.kind.removeprefix("unread ")
        absent = "  (not installed)" if item.name in lacking else ""
        unknown = (
            "" if kind == item.kind else "  (how to run it isn't known: declare its command in config/adapters.json)"
        )
        click.echo(f"found   {kind:<9} {escape(item.name):<12} {escape(item.path)}{absent}{unknown}")
    for note in notes:
        click.echo(f"note    {escape(note, limit=1000)}")


def show_files(planned: Sequence[PlannedFile], *, dry_run: bool) -> None:
    """Print each file that is written or changed, or would be."""
    for file in planned:
        if file.exists:
            for change in file.changes:
                click.echo(f"{'would change' if dry_run else 'changing'} {file.path}: {escape(change)}")
            if not file.changes:
                click.echo(f"kept    {file.path}")
        else:
            click.echo(f"{'would write' if dry_run else 'writing'} {file.path}:\n{file.content.rstrip()}")


def describe_stack(
    stack: Stack,
    missing: Iterable[Missing],
    programs: Iterable[MissingProgram],
    notes: Iterable[str],
    warnings: Iterable[str],
) -> dict[str, Any]:
    """Return what was found, and what isn't installed or may not work, as JSON."""
    return {
        "found": [{"kind": item.kind, "name": item.name, "path": item.path} for item in stack.findings],
        "missing": [
            *({"what": item.what, "folder": item.folder, "command": item.line} for item in missing),
            *({"what": item.what, "folder": "", "command": item.commands[0]} for item in programs),
        ],
        "notes": list(notes),
        "warnings": list(warnings),
    }


def describe_files(
    planned: Sequence[PlannedFile], written: Sequence[str], verified: Verified | None, *, dry_run: bool
) -> dict[str, Any]:
    """Return the files and the verdict with them, as JSON."""
    from verigate.reporting import json_report
    from verigate.reporting.report import Report

    verdict = verified.verdict if verified is not None else None
    return {
        "schema": "verigate:init.v1",
        "dry_run": dry_run,
        "files": [
            {
                "path": item.path,
                "content": item.content,
                "exists": item.exists,
                "changes": list(item.changes),
                "written": item.path in written,
            }
            for item in planned
        ],
        "verdict": json_report.document(Report(verdict)) if verdict is not None else None,
    }
