"""Render GitLab code quality: a JSON array in the subset of the Code Climate format that GitLab reads.

https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
"""

from __future__ import annotations

import hashlib
from typing import Any

from verigate.domain.task_folder import VERDICT_FILE, task_path
from verigate.domain.verdict import CheckOutcome, Verdict
from verigate.reporting.check_lines import CheckLines
from verigate.reporting.escape import escape
from verigate.reporting.fallback_location import fallback_path
from verigate.reporting.findings import Level, ReportFinding, collect_findings
from verigate.reporting.json_report import ascii_json
from verigate.reporting.locations import replace_surrogates
from verigate.reporting.report import ADVISORY, Report

_SEVERITY = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def render(report: Report) -> str:
    """Render one entry per finding. GitLab requires a path and a line for each; see ``fallback_path``.

    Severities: ``blocker`` for a check in error, ``critical`` for refuted, ``major`` for undecided, ``info`` for notes.
    """
    accounts = CheckLines(report.verdict)
    own = [_describe(sentence, report.verdict) for sentence in report.own_sentences]
    own += [{**_describe(note, report.verdict), "check_name": "RECORD", "severity": "major"} for note in report.notes]
    return ascii_json(
        [*own, *(_build_entry(finding, report.verdict, accounts) for finding in collect_findings(report).listed)]
    )


def render_nothing(why: str) -> str:  # noqa: ARG001 - the format has no place for a sentence
    """Render an empty array."""
    return "[]\n"


def _describe(sentence: str, verdict: Verdict) -> dict[str, Any]:
    """Build an entry for a sentence about the run: the format has no other place for it."""
    return {
        "type": "issue",
        "check_name": "ADVISORY" if sentence == ADVISORY else "BASELINE",
        "description": escape(sentence),
        "categories": ["Style"],
        "severity": "info",
        "fingerprint": hashlib.sha256(sentence.encode()).hexdigest(),
        "location": {"path": task_path(verdict.task_id, VERDICT_FILE), "lines": {"begin": 1, "end": 1}},
    }


def _build_entry(finding: ReportFinding, verdict: Verdict, accounts: CheckLines) -> dict[str, Any]:
    severity = "blocker" if finding.check.outcome is CheckOutcome.ERROR else _SEVERITY[finding.level]
    path = finding.path or fallback_path(finding.check, verdict)
    line = finding.line or 1
    return {
        "type": "issue",
        "check_name": escape(finding.code, limit=60),
        "description": f"{finding.sentence or escape(finding.check.id)} · {accounts.reproduction(finding.check)}",
        "categories": ["Bug Risk"],
        "severity": severity,
        "fingerprint": finding.fingerprint,
        "location": {"path": replace_surrogates(path), "lines": {"begin": line, "end": line}},
    }
