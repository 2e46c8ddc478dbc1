"""Runs of test suites, and tests.json made from them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Outcomes

_COUNTED = ("passed", "failed", "skipped")
MAX_LISTED = 1000
"""Limit of failures with messages in tests.json; the counts cover all."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One run of one test tool in ``folder`` ("" is the root). ``argv`` is normalised.

    ``by`` names the capability that ran it, if it isn't the one that reports it.
    """

    tool: str
    version: str | None
    folder: str
    outcomes: Outcomes
    argv: tuple[str, ...]
    exit_code: int
    origin: str = "project"
    by: str | None = None


def tests_summary(runs: Sequence[SuiteRun], texts: Texts) -> dict[str, Any]:
    """Build tests.json: ``total == passed + failed + skipped``, over all suites and for each tool."""
    tools: dict[str, dict[str, Any]] = defaultdict(lambda: {"passed": 0, "failed": 0, "skipped": 0, "total": 0})
    failures: list[dict[str, Any]] = []
    for item in sorted(runs, key=lambda run: (run.tool, run.folder, run.argv)):
        entry = tools[item.tool]
        entry |= {"name": item.tool, "version": item.version}
        if item.origin == "gate":
            entry["environment"] = item.origin
        for name in _COUNTED:
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
    for name in tools:
        tools[name] |= _count_top_level([item for item in runs if item.tool == name])
    failures.sort(key=lambda f: (f["path"] or "", f["line"] or 0, f["id"], f["message"]))
    totals = {name: sum(tool[name] for tool in tools.values()) for name in (*_COUNTED, "total")}
    return totals | {
        "duration": round(sum(item.outcomes.duration_ms for item in runs), 3),
        "tool": "+".join(sorted(tools)) or None,
        "tools": [tools[name] for name in sorted(tools)],
        "failures": failures[:MAX_LISTED],
        **({"files": files} if (files := _count_by_file(runs, texts)) else {}),
        **_count_top_level(runs),
    }


def _count_top_level(runs: Sequence[SuiteRun]) -> dict[str, Any]:
    """Count the tests that are no part of another one; {} where all are."""
    cases = [case for item in runs for case in item.outcomes.cases]
    found: Counter[str] = Counter(case.outcome for case in cases if not case.nested)
    if found.total() == len(cases):
        return {}
    return {"top_level": {**{name: found[name] for name in _COUNTED}, "total": found.total()}}


def _count_by_file(runs: Sequence[SuiteRun], texts: Texts) -> list[dict[str, Any]]:
    """Count the outcomes by file; [] unless the file of each test is known."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for item in runs:
        for case in item.outcomes.cases:
            if (path := texts.path(case.path, item.folder)) is None:
                return []
            counts[path][case.outcome] += 1
    return [{"path": path, **{name: counts[path][name] for name in _COUNTED}} for path in sorted(counts)]
