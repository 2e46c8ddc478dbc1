"""Compare a repository's suite inside the sandbox and outside: ask, show, and write what settles it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from verigate.cli.output import print_json, say
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.composition.suites import ExaminedSuite
    from verigate.domain.suite_comparison import SuiteResult
    from verigate.usecases.suite_fixes import SuiteFix

_OUTSIDE = (
    "run the suite outside the sandbox too? The project's own code then runs in this folder with your rights, as when "
    "you run its tests yourself"
)


def check_suite(root: Path, *, outside: bool, fix: bool, yes: bool, as_json: bool) -> int:
    """Compare, show the result, and with ``fix`` write what settles it. Returns the exit code.

    ``outside`` and ``yes`` agree to run outside; ``yes`` agrees to each file as well. Without them a terminal is asked,
    and where there is none nothing runs outside and nothing is written.
    """
    from verigate.cli.init_questions import can_ask
    from verigate.cli.progress import Quiet
    from verigate.composition.suites import examine_suite

    interactive = can_ask() and not as_json

    def agree(_: SuiteResult) -> bool:
        return outside or yes or (interactive and click.confirm(_OUTSIDE, default=False, err=True))

    def report(step: str) -> None:
        if not as_json:
            click.echo(f"running {escape(step, limit=300)}", err=True)

    examined = examine_suite(root, os.environ, agree, report, Quiet())
    chosen = [item for item in examined.fixes if _is_agreed(item, fix=fix, yes=yes, interactive=interactive)]
    written = _write(root, chosen)
    if as_json:
        print_json(_document(examined, written))
    else:
        _show(examined, written, fix=fix, interactive=interactive)
    return 0 if examined.found.is_clean or (written and len(written) == len(examined.fixes)) else 1


def _is_agreed(item: SuiteFix, *, fix: bool, yes: bool, interactive: bool) -> bool:
    if not fix:
        return False
    if yes:
        return True
    if not interactive:
        return False
    for line in item.lines:
        click.echo(f"  {escape(line, limit=500)}", err=True)
    return click.confirm(escape(item.question), default=False, err=True)


def _write(root: Path, chosen: list[SuiteFix]) -> tuple[str, ...]:
    from verigate.integrations.setup.init_files import PlannedFile, write_files

    return write_files(root, tuple(PlannedFile(item.path, item.content, item.exists, item.lines) for item in chosen))


def _show(examined: ExaminedSuite, written: tuple[str, ...], *, fix: bool, interactive: bool) -> None:
    from verigate.reporting.suite_comparison import render_comparison

    say(render_comparison(examined.found))
    if examined.found.outside is None and not examined.found.is_clean:
        click.echo("to compare: gate doctor --tests --outside")
    for item in examined.fixes:
        verb = "wrote" if item.path in written else "would write"
        click.echo(f"{verb} {item.path}")
        for line in item.lines:
            click.echo(f"  {escape(line, limit=500)}")
    left = [item for item in examined.fixes if item.path not in written]
    if left and not fix:
        click.echo("to write this: gate doctor --tests --fix")
    elif left and not interactive:
        click.echo("nobody is there to ask; to agree to all of it: gate doctor --tests --fix --yes", err=True)
    if written:
        click.echo("commit these files on their own, for somebody else to review: they hold from the next change on")


def _document(examined: ExaminedSuite, written: tuple[str, ...]) -> dict[str, Any]:
    from verigate.reporting.suite_comparison import comparison_document

    return {
        **comparison_document(examined.found),
        "fixes": [
            {"path": item.path, "content": item.content, "changes": list(item.lines), "written": item.path in written}
            for item in examined.fixes
        ],
    }
