"""Coverage commands from the configuration."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from code_adapter.covering.measurements import Measurement
from code_adapter.declared import Declared, declared, read_declared
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


def declared_measurements(request: Request, files: SubjectFiles) -> Iterator[Measurement] | None:
    """One measurement for each declared command; None where the configuration declares none."""
    entries = declared(request, "coverage", *_READERS)
    if entries is None:
        return None
    return (Measurement(entry.name, entry.cwd, partial(_run, request, files, entry)) for entry in entries)


def _run(request: Request, files: SubjectFiles, entry: Declared) -> CoverageRun:
    covered: tuple[FileCoverage, ...]
    run, covered = read_declared(request, files, entry, _READERS)
    argv = tuple(Texts(request.repo_root).argv(entry.command))
    # The exit code also says whether tests failed or a threshold was missed; neither makes the numbers wrong.
    return CoverageRun(entry.name, None, entry.cwd, covered, argv, run.exit_code or 0)
