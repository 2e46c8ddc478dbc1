"""Build commands from the configuration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from code_adapter.building.steps import Built, Problem, Step, built
from code_adapter.building.text_errors import any_errors
from code_adapter.declared import Declared, declared, read_declared, run_declared
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.sarif import SarifReport

_READERS = {"sarif": "verigate.sdk.reports.sarif:parse_sarif"}


def declared_steps(request: Request, files: SubjectFiles) -> Iterator[Step] | None:
    """One step for each declared command; None where the configuration declares none."""
    entries = declared(request, "build", "exit-code", *_READERS)
    if entries is None:
        return None
    return (Step(entry.name, entry.cwd, partial(_run, request, files, entry)) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: Declared) -> Built:
    texts = Texts(request.repo_root)
    if entry.format == "exit-code":
        run, _ = run_declared(request, files, entry)
        return built(entry.name, entry.cwd, run, texts, any_errors(run, texts, entry.cwd))
    sarif: SarifReport
    run, sarif = read_declared(request, files, entry, _READERS)
    problems = [
        (f.severity, Problem(texts.path(f.path, entry.cwd) or "", f.line, f.column, texts.message(f.message)))
        for f in sarif.findings
    ]
    return built(entry.name, entry.cwd, run, texts, problems)
