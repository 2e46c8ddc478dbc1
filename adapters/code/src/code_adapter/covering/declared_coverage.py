"""Coverage commands from the configuration."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from functools import partial

from code_adapter.covering.measurements import Measured, Measurement
from code_adapter.declared import Declared, declared, run_declared
from code_adapter.reports.bounded import told_with
from code_adapter.reports.measured import FileCoverage
from code_adapter.subject_files import SubjectFiles
from code_adapter.texts import Texts
from verigate.sdk import Request

_PARSERS = {
    "lcov": ("code_adapter.reports.lcov", "parse_lcov"),
    "cobertura": ("code_adapter.reports.cobertura", "parse_cobertura"),
    "coverage-json": ("code_adapter.reports.coverage_py", "parse_coverage_py"),
}


def declared_measurements(request: Request, files: SubjectFiles) -> Iterator[Measurement] | None:
    """One measurement for each declared command; None where the configuration declares none."""
    entries = declared(request, "coverage", *_PARSERS)
    if entries is None:
        return None
    return (Measurement(entry.name, entry.cwd, partial(_run, request, files, entry)) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: Declared) -> Measured:
    run, raw = run_declared(request, files, entry)
    module, name = _PARSERS[entry.format]
    parse: Callable[[bytes, str], tuple[FileCoverage, ...]] = getattr(importlib.import_module(module), name)
    with told_with(run):
        files_covered = parse(raw, entry.name)
    argv = tuple(Texts(request.repo_root).argv(entry.command))
    # The exit code also says whether tests failed or a threshold was missed; neither makes the numbers wrong.
    return Measured(entry.name, None, entry.cwd, files_covered, argv, run.exit_code or 0)
