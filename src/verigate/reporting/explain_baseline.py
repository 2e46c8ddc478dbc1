"""List the findings of one check that a baseline suppresses, each with its entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.artifact import Artifact
from verigate.domain.baseline import LINT, Baseline, BaselineEntry, list_issues, match_issues
from verigate.domain.verdict import Check
from verigate.reporting.escape import escape

_SEVERITIES: Mapping[str, str] = {
    "code.lint_clean": "error",
    "code.lint_errors_max": "error",
    "code.lint_warnings_max": "warning",
}
"""Check id -> the severity that it counts."""

_MAX_SHOWN = 100


class BaselinedIssue(Struct, frozen=True):
    """One issue of lint.json that a baseline entry matches; it counts again once the entry is ``expired``."""

    artifact: str
    pointer: str
    issue: Mapping[str, Any]
    entry: BaselineEntry
    expired: bool

    def document(self) -> dict[str, Any]:
        """As JSON."""
        named = {key: self.issue.get(key) for key in ("path", "line", "column", "rule", "message")}
        return {
            "artifact": self.artifact,
            "pointer": self.pointer,
            **named,
            "entry": self.entry.document(),
            "expired": self.expired,
        }


def find_baselined_issues(
    check: Check, baseline: Baseline | None, artifacts: Iterable[Artifact]
) -> list[BaselinedIssue]:
    """Find the issues that this check counts and the baseline matches, expired ones first."""
    severity = _SEVERITIES.get(check.id)
    if baseline is None or severity is None:
        return []
    found = []
    for artifact in sorted((item for item in artifacts if item.media_spec == LINT), key=lambda item: item.path):
        matched, issues = match_issues(baseline, artifact), list_issues(artifact)
        for numbers, expired in ((matched.expired, True), (matched.covered, False)):
            found += [
                BaselinedIssue(artifact.path, f"/issues/{index}", issues[index], baseline.entries[number], expired)
                for index, number in numbers.items()
                if issues[index]["severity"] == severity
            ]
    return sorted(found, key=lambda item: not item.expired)


def render(found: Sequence[BaselinedIssue]) -> str:
    """Render the section of an explanation; empty without issues."""
    if not found:
        return ""
    lines = ["", "in the baseline"]
    for item in found[:_MAX_SHOWN]:
        issue, entry = item.issue, item.entry
        place = ":".join(str(part) for part in (entry.key.path, issue.get("line"), issue.get("column")) if part)
        line = f"{escape(place, limit=300)}: {escape(entry.key.rule, limit=100)}: {escape(str(issue.get('message')))}"
        state = f"counts, expired {entry.expires}" if item.expired else f"left out until {entry.expires}"
        lines += [f"  {line}", f"    {state}; dated {entry.created}: {escape(entry.reason, limit=300)}"]
    if len(found) > _MAX_SHOWN:
        lines.append(f"  … and {len(found) - _MAX_SHOWN} more; all of them with --json")
    return "\n".join(lines) + "\n"
