"""What linters found, and the standard artifact that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verigate.sdk.reports.line_digests import LineDigests
from verigate.sdk.reports.sarif import Finding


@dataclass(frozen=True, slots=True)
class Linted:
    """What one linter found. ``files`` are the paths it looked at, relative to the root; ``argv`` as it was run."""

    tool: str
    version: str | None
    folder: str
    files: tuple[str, ...]
    findings: tuple[Finding, ...]
    argv: tuple[str, ...]
    exit_code: int


def lint_summary(linted: Sequence[Linted], lines: LineDigests) -> dict[str, Any]:
    """lint.json. A file that two linters looked at counts for each of them, as it does in what they print."""
    issues = sorted(finding for item in linted for finding in item.findings)
    tools = [
        {
            "name": item.tool,
            "version": item.version,
            "folder": item.folder or ".",
            "files_checked": len(item.files),
            "errors": sum(finding.severity == "error" for finding in item.findings),
            "warnings": sum(finding.severity == "warning" for finding in item.findings),
        }
        for item in linted
    ]
    return {
        "errors": sum(finding.severity == "error" for finding in issues),
        "warnings": sum(finding.severity == "warning" for finding in issues),
        "files_checked": sum(len(item.files) for item in linted),
        "issues": [
            {
                "path": finding.path,
                "line": finding.line,
                "column": finding.column,
                "rule": finding.rule,
                "severity": finding.severity,
                "message": finding.message,
                "tool": finding.tool,
                "line_sha256": lines.of(finding.path, finding.line),
            }
            for finding in issues
        ],
        "tool": "+".join(sorted({item.tool for item in linted})) or None,
        "tools": sorted(tools, key=lambda tool: (tool["name"], tool["folder"])),
    }
