"""Coverage measurements from the configuration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from code_adapter.covering.measurements import Measured, Measurement
from code_adapter.declared_commands import DeclaredCommand, read_declared, read_declared_commands
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import CoverageRun
from verigate.sdk.reports.file_coverage import FileCoverage

_READERS = {
    "lcov": "verigate.sdk.reports.lcov:parse_lcov",
    "cobertura": "code_adapter.reports.cobertura:parse_cobertura",
    "coverage-json": "code_adapter.reports.coverage_py:parse_coverage_py",
}


def read_declared_measurements(request: Request, files: SubjectFiles) -> Iterator[Measurement] | None:
    """Yield a measurement for each declared command; return None if the configuration declares none."""
    entries = read_declared_commands(request, "coverage", *_READERS)
    if entries is None:
        return None
    return (Measurement(entry.name, entry.cwd, partial(_run, request, files, entry)) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: DeclaredCommand) -> Measured:
    covered: tuple[FileCoverage, ...]
    run, covered = read_declared(request, files, entry, _READERS)
    argv = tuple(Texts(request.repo_root).argv(entry.command))
    # Ignore the exit code: failed tests or a missed threshold don't make the numbers wrong.
    return Measured(CoverageRun(entry.name, None, entry.cwd, covered, argv, run.exit_code or 0))
