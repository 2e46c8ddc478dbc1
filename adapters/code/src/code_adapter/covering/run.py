"""``code:coverage``: find the measurements, run and merge them; also at the base if a rule compares with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from code_adapter.covering import cargo_coverage, node_coverage, python_coverage
from code_adapter.covering.base_checkout import check_out_base
from code_adapter.covering.declared_coverage import read_declared_measurements
from code_adapter.covering.measurements import Measured, Measurement
from code_adapter.covering.patch import measure_patch
from code_adapter.covering.test_lines import describe_left_out, leave_out_tests
from code_adapter.detection import Missing, Unexamined, list_folders, list_missing, require_all, split_missing
from code_adapter.integrity.roles import is_test_code
from code_adapter.subject_files import SubjectFiles, find_subject_files
from code_adapter.testing.measured_suites import describe_suite
from code_adapter.testing.restored_sources import restore_between
from verigate.sdk import ToolFailed, write_json
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import coverage_summary, list_files
from verigate.sdk.reports.file_coverage import Ratio

if TYPE_CHECKING:
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write coverage.json and coverage.meta.json. Raises ToolFailed if a measurement leaves no report."""
    base, why_no_base = None, None
    if request.rules.get("coverage_drop_max") is not None:
        # Measure the base first, so that files left by the subject's tests can't affect it.
        base, why_no_base = _base(request)
    left: dict[str, Ratio] = {}
    expected, missing, found = measure_all(request, left=left)
    measured = [item.coverage for _, item in found]
    texts = Texts(request.repo_root)
    tests = [describe_suite(suite, item.tests, texts) for suite, item in found if suite and item.tests]
    answer = coverage_summary(measured, texts, is_test_code) | {"base": base}
    answer["left_out"] += describe_left_out(left)
    answer["patch"] = measure_patch(request, list_files(measured, texts), {item.tool for item in measured})
    answer["unmeasured"] = sorted({item.folder or "." for item in missing})
    answer["unexamined"] = [asdict(Unexamined(item.tool, item.folder or ".", item.why)) for item in missing]
    left_out = list_missing(missing)
    if why_no_base:
        left_out.append({"path": "base", "why": texts.message(why_no_base), "tool": ""})
    meta = {
        "expected": expected,
        "examined": sorted({item.folder or "." for item in measured}),
        "skipped": left_out,
        "commands": [
            {
                "argv": list(item.argv),
                "cwd": item.folder or ".",
                "environment": item.origin,
                "exit_code": item.exit_code,
                "name": item.tool,
            }
            for item in measured
        ],
        # For code:tests, which doesn't run again what passed here.
        **({"metadata": {"tests": tests}} if tests else {}),
    }
    write_json(request.task_dir, "coverage.json", answer)
    write_json(request.task_dir, "coverage.meta.json", meta)


def _base(request: Request) -> tuple[dict[str, Any] | None, str | None]:
    """Return the base's coverage, or None and the reason it couldn't be measured."""
    if not request.gated:
        # The base would have to be checked out over the user's files.
        return None, "the base is measured in the gate's checkout only"
    try:
        with check_out_base(request) as extra:
            _, _, found = measure_all(request, extra)
    except ToolFailed as error:
        return None, error.message
    there = coverage_summary([item.coverage for _, item in found], Texts(request.repo_root), is_test_code)
    return {"pct": there["pct"], "lines": there["lines"]}, None


def measure_all(
    request: Request, extra: Mapping[str, str] = MappingProxyType({}), *, left: dict[str, Ratio] | None = None
) -> tuple[list[str], list[Missing], list[tuple[str, Measured]]]:
    """Return the folders, the missing tools and what was measured, by suite. Raises ToolFailed if only some can run.

    ``left`` gets how many lines of tests in files of code were left out, by path.
    """
    files = find_subject_files(request, extra)
    able, missing = split_missing(detect(request, files))
    require_all(able, missing)
    found = []
    for item in restore_between(request, files.paths, able, extra):
        measured = item.start()
        coverage, tests = leave_out_tests(measured.coverage, files)
        found.append((item.suite, replace(measured, coverage=coverage)))
        if left is not None:
            left.update({path: left.get(path, Ratio()) + lines for path, lines in tests.items()})
    return list_folders(able, missing), missing, found


def detect(request: Request, files: SubjectFiles) -> Iterator[Measurement | Missing]:
    """Return the declared measurements, else those detected from the subject's files."""
    declared = read_declared_measurements(request, files)
    if declared is not None:
        return iter(declared)
    modules = (python_coverage, node_coverage, cargo_coverage)
    return chain.from_iterable(module.detect(request, files) for module in modules)
