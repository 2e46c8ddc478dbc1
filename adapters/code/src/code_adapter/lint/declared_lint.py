"""Linters from the configuration: commands that write SARIF."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from code_adapter.declared_commands import DeclaredCommand, read_declared, read_declared_commands
from code_adapter.lint.linters import Linter
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding, SarifReport

_READERS = {"sarif": "verigate.sdk.reports.sarif:parse_sarif"}


def read_declared_linters(request: Request, files: SubjectFiles) -> Iterator[Linter] | None:
    """Return the declared linters; None if the configuration declares none."""
    entries = read_declared_commands(request, "lint", *_READERS)
    if entries is None:
        return None
    return (Linter(entry.name, entry.cwd, partial(_run, request, files, entry)) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> LintRun:
    """Run a linter. The examined files are SARIF's artifacts; without these, only the files with findings are known."""
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
    return LintRun(entry.name, version, entry.cwd, tuple(sorted(examined)), findings, argv, run.exit_code or 0)
