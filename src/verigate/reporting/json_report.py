"""Render a verdict as JSON (``verigate:verdict.v1``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from verigate.domain.verdict import Verdict
from verigate.reporting.artifact_summaries import Finding, summarise_artifacts
from verigate.reporting.grouping import is_problem
from verigate.reporting.report import ADVISORY, Report

NO_VERDICT_SCHEMA = "verigate:no-verdict.v1"


def render(report: Report) -> str:
    """Render ``document`` of the report, indented, with sorted keys.

    Pure ASCII: names and messages stay exact for machines and can't affect a terminal. Raises ValueError for values
    that JSON doesn't have (NaN, infinity).
    """
    return ascii_json(document(report), indent=2, sort_keys=True)


def document(report: Report) -> dict[str, Any]:
    """The verdict document, with four additions to the published one.

    Checks that are refuted, unknown or in error get ``reproduce``, commands quoted for a shell; the ``metadata`` of an
    advisory run get ``advisory``, ``warnings`` where something was found that no check fails because of, and ``notes``,
    texts, where something speaks against the verdict today.
    """
    made = report.verdict.document()
    if warnings := list(_list_warnings(report)):
        made["metadata"] = {**made["metadata"], "warnings": warnings}
    made["checks"] = list(_check_entries(report.verdict, made["checks"]))
    if report.notes:
        made["metadata"] = {**made["metadata"], "notes": list(report.notes)}
    if report.advisory:
        made["metadata"] = {**made["metadata"], "advisory": ADVISORY}
    return made


def _list_warnings(report: Report) -> Iterator[dict[str, Any]]:
    if all(summary.found is Finding.NONE for summary in summarise_artifacts(report.artifacts.values())):
        return
    from verigate.reporting.findings import collect_findings, is_warning  # imported late: only where something is found

    for finding in collect_findings(report).listed:
        if is_warning(finding):
            yield {
                "path": finding.path,
                "line": finding.line,
                "column": finding.column,
                "rule": finding.rule,
                "message": finding.message,
                "check": finding.check.id,
            }


def _check_entries(verdict: Verdict, entries: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    from verigate.reporting.check_lines import CheckLines

    accounts = CheckLines(verdict)
    for check, entry in zip(verdict.checks, entries, strict=True):
        yield {**entry, "reproduce": list(accounts.commands(check))} if is_problem(check) else entry


def render_nothing(why: str) -> str:
    """Render the document for a run that had nothing to verify."""
    return ascii_json({"schema": NO_VERDICT_SCHEMA, "message": why}, indent=2, sort_keys=True)


def ascii_json(document: Any, *, indent: int | None = None, sort_keys: bool = False) -> str:
    """Serialise a document as ASCII with a final newline. Raises ValueError for values that JSON doesn't have.

    ``##[`` is escaped: the runner of GitHub Actions obeys it anywhere in a line.
    """
    text = json.dumps(document, indent=indent, sort_keys=sort_keys, ensure_ascii=True, allow_nan=False)
    return text.replace("##[", "\\u0023\\u0023[") + "\n"
