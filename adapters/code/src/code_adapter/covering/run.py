"""code:coverage: find what can be measured, measure it, add it up; with a base to compare with where a rule asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from code_adapter.covering import cargo_coverage, node_coverage, python_coverage
from code_adapter.covering.base import at_base
from code_adapter.covering.declared_coverage import declared_measurements
from code_adapter.covering.measurements import Measurement
from code_adapter.found import Missing, all_or_none, folders, parted, skipped
from code_adapter.subject_files import SubjectFiles, subject_files
from verigate.sdk import ToolFailed, write_json
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import CoverageRun, coverage_summary

if TYPE_CHECKING:
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write coverage.json and coverage.meta.json. Raises ToolFailed where a measurement leaves no report."""
    base, why_no_base = None, None
    if request.rules.get("coverage_drop_max") is not None:
        # Before anything of the subject runs: what its tests leave behind must not spoil what it is compared with.
        base, why_no_base = _base(request)
    expected, missing, measured = measure_all(request)
    answer = coverage_summary(measured, Texts(request.repo_root)) | {"base": base}
    answer["unmeasured"] = sorted({item.folder or "." for item in missing})
    left_out = skipped(missing)
    if why_no_base:
        left_out.append({"path": "base", "why": Texts(request.repo_root).message(why_no_base), "tool": ""})
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
    }
    write_json(request.task_dir, "coverage.json", answer)
    write_json(request.task_dir, "coverage.meta.json", meta)


def _base(request: Request) -> tuple[dict[str, Any] | None, str | None]:
    """The base's coverage, or None and why it could not be measured: then no fact decides about a drop."""
    if not request.gated:
        # The base would have to be checked out over the user's own files.
        return None, "the base is measured in the gate's checkout only"
    try:
        with at_base(request) as extra:
            _, _, measured = measure_all(request, extra)
    except ToolFailed as error:
        return None, error.message
    there = coverage_summary(measured, Texts(request.repo_root))
    return {"pct": there["pct"], "lines": there["lines"]}, None


def measure_all(
    request: Request, extra: Mapping[str, str] = MappingProxyType({})
) -> tuple[list[str], list[Missing], list[CoverageRun]]:
    """The folders to measure, what is missing, and the measurements. Raises ToolFailed where only some can be had."""
    files = subject_files(request, extra)
    able, missing = parted(detect(request, files))
    all_or_none(able, missing)
    return folders(able, missing), missing, [item.start() for item in able]


def detect(request: Request, files: SubjectFiles) -> Iterator[Measurement | Missing]:
    """What the configuration declares, else what the files of the subject ask for."""
    declared = declared_measurements(request, files)
    if declared is not None:
        return iter(declared)
    modules = (python_coverage, node_coverage, cargo_coverage)
    return chain.from_iterable(module.detect(request, files) for module in modules)
