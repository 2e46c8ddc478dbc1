"""Test suites from the configuration."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from functools import partial

from code_adapter.declared_commands import (
    EXIT_CODE,
    DeclaredCommand,
    read_declared,
    read_declared_commands,
    run_declared,
)
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.suites import Suite
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun

READERS = {
    "junit": "verigate.sdk.reports.junit:parse_junit",
    "tap": "verigate.sdk.reports.tap:parse_tap",
    "trx": "verigate.sdk.reports.trx:parse_trx",
    "go-test-json": "code_adapter.reports.go_test:parse_go_test",
    "jest-json": "code_adapter.reports.jest:parse_jest",
}


def read_declared_suites(request: Request, files: SubjectFiles) -> Iterator[Suite] | None:
    """Yield a suite for each declared command; return None if the configuration declares none."""
    entries = read_declared_commands(request, "tests", EXIT_CODE, *READERS)
    if entries is None:
        return None
    return (Suite(entry.name, entry.cwd, partial(_run, request, files, entry), is_declared=True) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> SuiteRun:
    if entry.format == EXIT_CODE:
        return _run_unread(request, files, entry)
    outcomes: Outcomes
    run, outcomes = read_declared(request, files, entry, READERS)
    # A command may hide its tests' exit code (`|| true`), so the report decides. The opposite is an error.
    if run.exit_code and not outcomes.failed:
        raise run.as_failure(
            f"{entry.name} ended with {run.ended}, but its report has no failed test",
            hint="run it by hand in the same folder; the cause may be a threshold, a plug-in or an error outside tests",
        )
    argv = tuple(Texts(request.repo_root).argv(entry.command))
    return SuiteRun(entry.name, None, entry.cwd, outcomes, argv, run.exit_code or 0)


def _run_unread(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> SuiteRun:
    """Run a command without a report: it counts as one test, which its exit code decides."""
    run, _ = run_declared(request, files, entry)
    argv = tuple(Texts(request.repo_root).argv(entry.command))
    passed = run.exit_code == 0
    # The end of what it printed may be far from the cause, and its first line is the manager's.
    message = "" if passed else f"{run.add_cause(f'it ended with {run.ended}')}\n{run.tail()}"
    case = Case(shlex.join(argv), "passed" if passed else "failed", message=message)
    return SuiteRun(entry.name, None, entry.cwd, Outcomes((case,)), argv, run.exit_code or 0)
