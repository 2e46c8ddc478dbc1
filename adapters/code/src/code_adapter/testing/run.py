"""code:tests: find the suites, run each, add up what their reports say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from code_adapter.found import Missing, all_or_none, folders, parted, skipped
from code_adapter.subject_files import SubjectFiles, subject_files
from code_adapter.testing import cargo_suite, go_suite, node_suites, pytest_suite, unittest_suite
from code_adapter.testing.declared_suites import declared_suites
from code_adapter.testing.suites import Suite, SuiteRun
from code_adapter.texts import Texts
from verigate.sdk import write_json

if TYPE_CHECKING:
    from verigate.sdk import Request

MAX_LISTED = 1000
"""Failures with their messages in tests.json; the counts are of all."""


def run(request: Request) -> None:
    """Write tests.json and tests.meta.json. Raises ToolFailed where a suite leaves no report, or only some can run."""
    files = subject_files(request)
    suites, missing = parted(detect(request, files))
    all_or_none(suites, missing)
    runs = [suite.start() for suite in suites]
    texts = Texts(request.repo_root)
    write_json(request.task_dir, "tests.json", summary(runs, texts))
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


def summary(runs: Sequence[SuiteRun], texts: Texts) -> dict[str, Any]:
    """tests.json: ``total == passed + failed + skipped``, over all suites and for each tool."""
    tools: dict[str, dict[str, Any]] = defaultdict(lambda: {"passed": 0, "failed": 0, "skipped": 0, "total": 0})
    failures: list[dict[str, Any]] = []
    for item in sorted(runs, key=lambda run: (run.tool, run.folder, run.argv)):
        entry = tools[item.tool]
        entry |= {"name": item.tool, "version": item.version}
        for name in ("passed", "failed", "skipped"):
            entry[name] += getattr(item.outcomes, name)
        entry["total"] += len(item.outcomes.cases)
        failures += [
            {
                "id": texts.message(case.id),
                "path": texts.path(case.path, item.folder),
                "line": case.line,
                "message": texts.message(case.message),
            }
            for case in item.outcomes.cases
            if case.outcome == "failed"
        ]
    failures.sort(key=lambda f: (f["path"] or "", f["line"] or 0, f["id"], f["message"]))
    totals = {name: sum(tool[name] for tool in tools.values()) for name in ("passed", "failed", "skipped", "total")}
    return totals | {
        "duration": round(sum(item.outcomes.duration_ms for item in runs), 3),
        "tool": "+".join(sorted(tools)) or None,
        "tools": [tools[name] for name in sorted(tools)],
        "failures": failures[:MAX_LISTED],
    }
