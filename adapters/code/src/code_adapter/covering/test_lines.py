"""Leave the lines of tests that stand in files of code out of every count: Rust's ``#[cfg(test)]``, vitest's blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from code_adapter.counterfactual.mixed_sources import list_test_rows
from code_adapter.subject_files import SubjectFiles
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import CoverageRun
from verigate.sdk.reports.file_coverage import FileCoverage, Ratio


def leave_out_tests(item: CoverageRun, files: SubjectFiles) -> tuple[CoverageRun, dict[str, Ratio]]:
    """Return a run without the lines of tests in files of code, and by path how many these were.

    Of such a file functions and branches aren't counted: reports don't say in which lines they are.
    """
    texts = Texts(files.root)
    left: dict[str, Ratio] = {}
    kept = tuple(_leave_out(file, texts.path(file.path, item.folder), files, left) for file in item.files)
    return replace(item, files=kept), left


def _leave_out(file: FileCoverage, path: str | None, files: SubjectFiles, left: dict[str, Ratio]) -> FileCoverage:
    if path is None or path not in files.known:
        return file
    rows = list_test_rows(path, files.text(path).encode())
    reached, missed = file.reached & rows, file.missed & rows
    if not reached and not missed:
        return file
    left[path] = left.get(path, Ratio()) + Ratio(len(reached), len(reached | missed))
    own, others = file.reached - rows, file.missed - rows
    return FileCoverage(file.path, Ratio(len(own), len(own | others)), reached=own, missed=others)


def describe_left_out(left: dict[str, Ratio]) -> Iterator[dict[str, str | int]]:
    """Describe the lines that were left out of files of code, for ``left_out`` of coverage.json."""
    for path, lines in sorted(left.items()):
        yield {"path": path, "covered": lines.covered, "total": lines.total}
