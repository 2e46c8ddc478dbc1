"""What ``gate init`` offers after a first verdict with failures: a baseline, and a comparison of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from verigate.cli.suite_check import (
    FixTerms,
    compare_and_settle,
    describe_suite,
    show_fixes,
    show_suite,
    write_agreed,
)
from verigate.errors import GateError, Interrupted
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.usecases.suite_bench import SuiteCall
    from verigate.usecases.suite_fixes import SuiteFix
    from verigate.usecases.verify import Verified

_TESTS = "code:tests"


class Settled(NamedTuple):
    """The files that were written, and the comparison as JSON, None where nothing was compared."""

    written: tuple[str, ...] = ()
    suite: dict[str, Any] | None = None


def settle_failures(
    root: Path, verified: Verified | None, call: SuiteCall | None, terms: FixTerms, *, quiet: bool
) -> Settled:
    """Offer a baseline for old lint findings, and compare the tests where some fail; write what was agreed to.

    ``call`` is how the verification called the adapter of the tests.

    Without an agreement and without somebody to ask nothing more runs: a line says how to go on.
    """
    if verified is None or verified.verdict is None:
        return Settled()
    written = (
        *_settle_findings(root, verified, terms, quiet=quiet),
        *_settle_unexamined(root, verified, terms, quiet=quiet),
        *_settle_untested(root, verified, terms, quiet=quiet),
        *_settle_unbuilt(root, verified, terms, quiet=quiet),
    )
    if not _has_failing_tests(verified):
        return Settled(written)
    if not (terms.outside or terms.yes or terms.interactive):
        if not quiet:
            click.echo("whose failures these are: gate doctor --tests --outside runs the tests outside as well")
        return Settled(written)
    if not terms.agree_outside():
        return Settled(written)
    from verigate.usecases.suite_bench import FirstRun, read_inside

    try:
        first = FirstRun(call, read_inside(verified.runs)) if call is not None else None
        examined, files = compare_and_settle(root, terms._replace(outside=True), quiet=quiet, first=first)
    except Interrupted:
        raise
    except GateError as problem:
        click.echo(f"the tests aren't compared: {escape(problem.message, limit=500)}", err=True)
        return Settled(written)
    if not quiet:
        show_suite(examined, files, terms, "gate init")
    return Settled((*written, *files), describe_suite(examined, files))


def _write(root: Path, fixes: tuple[SuiteFix, ...], terms: FixTerms, *, quiet: bool) -> tuple[str, ...]:
    written = write_agreed(root, fixes, terms)
    if not quiet:
        show_fixes(fixes, written, terms, "gate init")
    return written


def _settle_findings(root: Path, verified: Verified, terms: FixTerms, *, quiet: bool) -> tuple[str, ...]:
    if verified.verdict is None or all(check.reason != "LINT_FAIL" for check in verified.verdict.checks):
        return ()
    from verigate import composition
    from verigate.usecases.suite_fixes import plan_findings

    fixes = tuple(plan_findings(root, verified.runs, composition.today()))
    return _write(root, fixes, terms, quiet=quiet)


def _settle_unexamined(root: Path, verified: Verified, terms: FixTerms, *, quiet: bool) -> tuple[str, ...]:
    """Offer to exclude linters whose report the gate can't read. Tests that it can't run are never excluded here."""
    reasons = {"LINT_EMPTY", "LINT_FAIL", "LINT_UNEXAMINED"}
    if verified.verdict is None or not any(check.reason in reasons for check in verified.verdict.checks):
        return ()
    from verigate import composition
    from verigate.integrations.setup.stack import detect_stack
    from verigate.usecases.suite_fixes import plan_excluded

    unread = detect_stack(root).names("unread lint")
    fixes = tuple(plan_excluded(root, verified.runs, unread, composition.today()))
    return _write(root, fixes, terms, quiet=quiet)


def _settle_untested(root: Path, verified: Verified, terms: FixTerms, *, quiet: bool) -> tuple[str, ...]:
    """Offer to declare the project's own test script where no test ran."""
    if verified.verdict is None or all(check.reason != "TESTS_EMPTY" for check in verified.verdict.checks):
        return ()
    from verigate.usecases.suite_fixes import plan_declared

    fixes = tuple(plan_declared(root, verified.runs))
    return _write(root, fixes, terms, quiet=quiet)


def _settle_unbuilt(root: Path, verified: Verified, terms: FixTerms, *, quiet: bool) -> tuple[str, ...]:
    """Offer to leave out a build that fails as the repository is: its own commands may never run it."""
    if verified.verdict is None or all(check.reason != "BUILD_FAIL" for check in verified.verdict.checks):
        return ()
    from verigate.usecases.suite_fixes import plan_unbuilt

    fixes = tuple(plan_unbuilt(root))
    return _write(root, fixes, terms, quiet=quiet)


def _has_failing_tests(verified: Verified) -> bool:
    if verified.verdict is None:
        return False
    crashed = any(run.capability == _TESTS and run.failure is not None for run in verified.runs)
    return crashed or any(check.reason == "TEST_FAIL" for check in verified.verdict.checks)
