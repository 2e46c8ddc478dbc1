"""Linters from the configuration: commands that write SARIF, or whose exit code decides."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from code_adapter.declared_commands import (
    EXIT_CODE,
    DeclaredCommand,
    read_declared,
    read_declared_commands,
    run_declared,
)
from code_adapter.lint.linters import Linter
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding, SarifReport

_READERS = {"sarif": "verigate.sdk.reports.sarif:parse_sarif"}


def read_declared_linters(request: Request, files: SubjectFiles) -> Iterator[Linter] | None:
    """Return the declared linters; None if the configuration declares none."""
    entries = read_declared_commands(request, "lint", EXIT_CODE, *_READERS)
    if entries is None:
        return None
    return (Linter(entry.name, entry.cwd, partial(_run, request, files, entry)) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> LintRun:
    """Run a linter. The examined files are SARIF's artifacts; without these, only the files with findings are known."""
    if entry.format == EXIT_CODE:
        return _run_unread(request, files, entry)
    texts = Texts(request.repo_root)
    sarif: SarifReport
    run, sarif = read_declared(request, files, entry, _READERS)
    findings = tuple(
        sorted(
            LintFinding(
                texts.path(item.path, entry.cwd) or texts.message(item.path),
                item.line,
                item.column,
                item.rule,
                item.severity,
                texts.message(item.message),
                item.tool,
            )
            for item in sarif.findings
        )
    )
    examined = {path for text in sarif.examined if (path := texts.path(text, entry.cwd)) is not None}
    examined |= {finding.path for finding in findings if finding.path}
    version = next((version for _, version in sarif.tools), None)
    argv = tuple(texts.argv(entry.command))
    checked = tuple(sorted(examined))
    return LintRun(entry.name, version, entry.cwd, checked, findings, argv, run.exit_code or 0, ask=_know_nothing)


def _run_unread(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> LintRun:
    """Run a command without a report: it counts as one file, and as one error of no file if it fails."""
    run, _ = run_declared(request, files, entry)
    texts = Texts(request.repo_root)
    argv = tuple(texts.argv(entry.command))
    message = f"{shlex.join(argv)} ended with {run.ended}: {texts.message(run.tail())}"
    finding = LintFinding("", 0, 0, EXIT_CODE, "error", message, entry.name)
    findings = () if run.exit_code == 0 else (finding,)
    return LintRun(entry.name, None, entry.cwd, (), findings, argv, run.exit_code or 0, 1, _know_nothing)


def _know_nothing(_: Sequence[str]) -> Mapping[str, str]:
    """What a declared command is for isn't known, and so neither what it leaves out."""
    return {}
