"""Compare a repository's suite inside the sandbox and outside: ask, show, and write what settles it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from verigate.cli.output import print_json, say
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.composition.suites import ExaminedSuite
    from verigate.usecases.suite_bench import FirstRun
    from verigate.usecases.suite_fixes import SuiteFix

_OUTSIDE = (
    "run the suite outside the sandbox too? The project's own code then runs in this folder with your rights, as when "
    "you run its tests yourself"
)


class FixTerms(NamedTuple):
    """What the user agreed to beforehand, and whether somebody can be asked for the rest.

    ``outside`` and ``yes`` agree to run outside; with ``fix``, ``yes`` agrees to each file as well.
    """

    fix: bool
    outside: bool
    yes: bool
    interactive: bool

    def agree_outside(self) -> bool:
        """Whether the suite may run outside; asks where somebody can answer."""
        agreed = self.outside or self.yes
        return agreed or (self.interactive and click.confirm(_OUTSIDE, default=False, err=True))


def check_suite(root: Path, *, outside: bool, fix: bool, yes: bool, as_json: bool) -> int:
    """Compare, show the result, and with ``fix`` write what settles it. Returns the exit code.

    Where nobody agrees and nobody can be asked, nothing runs outside and nothing is written.
    """
    from verigate.cli.init_questions import can_ask

    terms = FixTerms(fix, outside, yes, can_ask() and not as_json)
    examined = compare_suite(root, terms, quiet=as_json)
    written = write_agreed(root, examined.fixes, terms)
    if as_json:
        print_json(describe_suite(examined, written))
    else:
        show_suite(examined, written, terms, "gate doctor --tests")
    return 0 if examined.found.is_clean or (written and len(written) == len(examined.fixes)) else 1


def compare_suite(root: Path, terms: FixTerms, *, quiet: bool, first: FirstRun | None = None) -> ExaminedSuite:
    """Compare the suite inside and outside. ``first`` is a run inside. Raises GateError."""
    from verigate.composition.suites import examine_suite

    def report(step: str) -> None:
        if not quiet:
            click.echo(f"running {escape(step, limit=300)}", err=True)

    return examine_suite(root, os.environ, lambda _: terms.agree_outside(), report, first)


def write_agreed(root: Path, fixes: Sequence[SuiteFix], terms: FixTerms) -> tuple[str, ...]:
    """Write the files that were agreed to, each after its question; returns their paths."""
    from verigate.integrations.setup.init_files import PlannedFile, write_files

    chosen = [item for item in fixes if _is_agreed(item, terms)]
    return write_files(root, tuple(PlannedFile(item.path, item.content, item.exists, item.lines) for item in chosen))


def _is_agreed(item: SuiteFix, terms: FixTerms) -> bool:
    if not terms.fix:
        return False
    if terms.yes or not terms.interactive:
        return terms.yes
    for line in item.lines:
        click.echo(f"  {escape(line, limit=500)}", err=True)
    return click.confirm(escape(item.question), default=False, err=True)


def show_suite(examined: ExaminedSuite, written: tuple[str, ...], terms: FixTerms, command: str) -> None:
    """Show the comparison, and what was written or would be; ``command`` is the one to call again."""
    from verigate.reporting.suite_comparison import render_comparison

    say(render_comparison(examined.found))
    if examined.found.outside is None and not examined.found.is_clean:
        click.echo(f"to compare: {command} --outside")
    show_fixes(examined.fixes, written, terms, command)


def show_fixes(fixes: Sequence[SuiteFix], written: tuple[str, ...], terms: FixTerms, command: str) -> None:
    """Show each file and what changes in it."""
    for item in fixes:
        click.echo(f"{'wrote' if item.path in written else 'would write'} {item.path}")
        for line in item.lines:
            click.echo(f"  {escape(line, limit=500)}")
    left = [item for item in fixes if item.path not in written]
    if left and not terms.fix:
        # Without a terminal --fix alone would have nobody to ask.
        unasked = "" if terms.interactive else " --yes, which agrees to all of it"
        click.echo(f"to write this: {command} --fix{unasked}")
    elif left and not terms.interactive:
        click.echo(f"nobody is there to ask; to agree to all of it: {command} --fix --yes", err=True)
    if written:
        click.echo("commit these files on their own, for somebody else to review: they hold from the next change on")


def describe_suite(examined: ExaminedSuite, written: tuple[str, ...]) -> dict[str, Any]:
    """Return the comparison with its files as JSON."""
    from verigate.reporting.suite_comparison import comparison_document

    return {
        **comparison_document(examined.found),
        "fixes": [
            {"path": item.path, "content": item.content, "changes": list(item.lines), "written": item.path in written}
            for item in examined.fixes
        ],
    }
