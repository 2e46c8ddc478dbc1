"""Build steps from the configuration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from code_adapter.building.steps import BuildResult, BuildStep, Problem, finish_step
from code_adapter.building.text_errors import parse_any_errors
from code_adapter.declared_commands import (
    EXIT_CODE,
    DeclaredCommand,
    read_declared,
    read_declared_commands,
    run_declared,
)
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.sarif import SarifReport

_READERS = {"sarif": "verigate.sdk.reports.sarif:parse_sarif"}


def read_declared_steps(request: Request, files: SubjectFiles) -> Iterator[BuildStep] | None:
    """Yield a step for each declared command; return None if the configuration declares none."""
    entries = read_declared_commands(request, "build", EXIT_CODE, *_READERS)
    if entries is None:
        return None
    return (BuildStep(entry.name, entry.cwd, partial(_run, request, files, entry)) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> BuildResult:
    texts = Texts(request.repo_root)
    if entry.format == EXIT_CODE:
        run, _ = run_declared(request, files, entry)
        return finish_step(entry.name, entry.cwd, run, texts, parse_any_errors(run, texts, entry.cwd))
    sarif: SarifReport
    run, sarif = read_declared(request, files, entry, _READERS)
    problems = [
        (f.severity, Problem(texts.path(f.path, entry.cwd) or "", f.line, f.column, texts.message(f.message)))
        for f in sarif.findings
    ]
    return finish_step(entry.name, entry.cwd, run, texts, problems)
