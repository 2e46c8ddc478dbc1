"""code:tests: find the suites, run each, add up what their reports say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from code_adapter.found import Missing, all_or_none, folders, parted, skipped
from code_adapter.subject_files import SubjectFiles, subject_files
from code_adapter.testing import cargo_suite, go_suite, node_suites, pytest_suite, unittest_suite
from code_adapter.testing.declared_suites import declared_suites
from code_adapter.testing.suites import Suite
from verigate.sdk import write_json
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.tests import tests_summary

if TYPE_CHECKING:
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write tests.json and tests.meta.json. Raises ToolFailed where a suite leaves no report, or only some can run."""
    files = subject_files(request)
    suites, missing = parted(detect(request, files))
    all_or_none(suites, missing)
    runs = [suite.start() for suite in suites]
    texts = Texts(request.repo_root)
    write_json(request.task_dir, "tests.json", tests_summary(runs, texts))
    meta = {
        "expected": folders(suites, missing),
        "examined": sorted({item.folder or "." for item in runs}),
        "skipped": skipped(missing),
        "commands": [
            {
                "argv": list(item.argv),
                "cwd": item.folder or ".",
                "environment": item.origin,
                "exit_code": item.exit_code,
                "name": item.tool,
            }
            for item in runs
        ],
        "metadata": {"durations_ms": [item.outcomes.duration_ms for item in runs]},
    }
    write_json(request.task_dir, "tests.meta.json", meta)


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """What the configuration declares, else what the files of the subject ask for."""
    declared = declared_suites(request, files)
    if declared is not None:
        return iter(declared)
    modules = (pytest_suite, unittest_suite, node_suites, cargo_suite, go_suite)
    return chain.from_iterable(module.detect(request, files) for module in modules)
