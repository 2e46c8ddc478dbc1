"""``gate init``: write the configuration for a repository and give a first verdict."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.click_options import with_options
from verigate.cli.options import DRY_RUN, JSON
from verigate.cli.output import print_json, say, use_colour, warn, width
from verigate.cli.target import find_repository
from verigate.errors import GateError, Interrupted
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.integrations.setup.init_files import PlannedFile
    from verigate.integrations.setup.stack import Stack
    from verigate.usecases.verify import Verified

_POLICY = "config/"


@click.command(name="init")
@with_options(DRY_RUN)
@click.option("--no-verdict", is_flag=True, help="Write the files; verify nothing.")
@click.option("--advisory", is_flag=True, help="Set up a gate that reports without blocking, and show the next step.")
@with_options(JSON)
def command(dry_run: bool, no_verdict: bool, advisory: bool, as_json: bool) -> int:
    """Detect the stack and write config/ and .artifacts/.gitignore. Never overwrites a file; asks no question.

    Then verifies the current commit with these files. Exits with 0 whatever the verdict is.
    """
    from verigate.integrations.setup.init_files import plan_init_files, write_files
    from verigate.integrations.setup.stack import detect_stack

    root = find_repository()
    stack = detect_stack(root)
    planned = plan_init_files(root, stack)
    if not as_json:
        _show(stack, planned, dry_run=dry_run)
    written = () if dry_run else write_files(root, planned)
    verified = None if dry_run or no_verdict else _verdict(root, planned, quiet=as_json)
    if as_json:
        print_json(_document(stack, planned, written, verified, dry_run=dry_run))
        return 0
    for path in written:
        click.echo(f"wrote   {path}")
    if verified is not None and verified.verdict is not None:
        from verigate.reporting.formats import TextStyle, render
        from verigate.reporting.report import Report

        click.echo("the current commit, verified with these files:\n")
        report = Report(verified.verdict, verified.runs, {}, verified.warnings, advisory)
        say(render("text", report, TextStyle(use_colour(sys.stdout), width())))
        click.echo()
        if any(check.reason == "LINT_FAIL" for check in verified.verdict.checks):
            click.echo("to suppress existing lint findings until an expiry date: gate baseline write, docs/baseline.md")
    if not dry_run:
        install = "gate install --advisory" if advisory else "gate install"
        click.echo(
            f"next: commit these files, then `{install}` for the git hooks, or `gate verify` for your next change"
        )
    return 0


def _show(stack: Stack, planned: tuple[PlannedFile, ...], *, dry_run: bool) -> None:
    for item in stack.findings:
        click.echo(f"found   {item.kind:<9} {escape(item.name):<12} {escape(item.path)}")
    for note in stack.notes:
        click.echo(f"note    {escape(note)}")
    for file in planned:
        if file.exists:
            click.echo(f"kept    {file.path}")
        else:
            click.echo(f"{'would write' if dry_run else 'writing'} {file.path}:\n{file.content.rstrip()}")


def _verdict(root: Path, planned: tuple[PlannedFile, ...], *, quiet: bool) -> Verified | None:
    """Verify the current commit; None, with the reason on stderr, if that gives no verdict."""
    from verigate import composition
    from verigate.cli.progress import progress
    from verigate.domain.subject import SubjectKind
    from verigate.integrations.setup.commit_with_files import make_present_commit
    from verigate.reporting.console_lines import render_error
    from verigate.usecases.request import Request
    from verigate.usecases.verify import verify

    try:
        paths = [file.path for file in planned if file.path.startswith(_POLICY)]
        files = {path: (root / path).read_bytes() for path in paths if _is_plain_file(root / path)}
        present = make_present_commit(root, files, os.environ)
        if present is None:
            click.echo("no verdict: there is no commit yet", err=True)
            return None
        with progress(quiet=quiet) as listener:
            services = composition.services(root, listener=listener)
            request = Request(None, SubjectKind.COMMIT, present.tip, present.base)
            verified = verify(request, services)
    except Interrupted:
        raise
    except GateError as problem:
        say(render_error(problem, colour=use_colour(sys.stderr), width=width()), err=True)
        click.echo("no verdict: the files are written, and nothing is verified", err=True)
        return None
    warn(verified.warnings)
    if verified.verdict is None:
        click.echo("no verdict: the current commit changes nothing", err=True)
    return verified


def _is_plain_file(path: Path) -> bool:
    """Return whether this is a file and not a link: the target of a link is no policy."""
    return path.is_file() and not path.is_symlink()


def _document(
    stack: Stack,
    planned: tuple[PlannedFile, ...],
    written: tuple[str, ...],
    verified: Verified | None,
    *,
    dry_run: bool,
) -> dict[str, Any]:
    from verigate.reporting import json_report
    from verigate.reporting.report import Report

    verdict = verified.verdict if verified is not None else None
    return {
        "schema": "verigate:init.v1",
        "dry_run": dry_run,
        "found": [{"kind": item.kind, "name": item.name, "path": item.path} for item in stack.findings],
        "notes": list(stack.notes),
        "files": [
            {"path": item.path, "content": item.content, "exists": item.exists, "written": item.path in written}
            for item in planned
        ],
        "verdict": json_report.document(Report(verdict)) if verdict is not None else None,
    }
