"""Runs of linters, and lint.json made from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from verigate.sdk.reports.line_digests import LineDigests
from verigate.sdk.reports.sarif import LintFinding


@dataclass(frozen=True, slots=True)
class LintRun:
    """One run of one linter. ``files`` are the examined paths, relative to the root; ``argv`` is normalised."""

    tool: str
    version: str | None
    folder: str
    files: tuple[str, ...]
    findings: tuple[LintFinding, ...]
    argv: tuple[str, ...]
    exit_code: int
    checked: int | None = None
    """The number of examined files, for a tool that doesn't name them."""

    ask: Callable[[Sequence[str]], Mapping[str, str]] | None = field(default=None, repr=False, compare=False)
    """Ask the tool about some files: the reason of each that it doesn't look at. None if ``files`` is the answer."""

    @property
    def files_checked(self) -> int:
        """The number of examined files."""
        return len(self.files) if self.checked is None else self.checked


def lint_summary(linted: Sequence[LintRun], lines: LineDigests) -> dict[str, Any]:
    """Build lint.json. A file that two linters examined counts twice."""
    issues = sorted(finding for item in linted for finding in item.findings)
    tools = [
        {
            "name": item.tool,
            "version": item.version,
            "folder": item.folder or ".",
            "files_checked": item.files_checked,
            "errors": sum(finding.severity == "error" for finding in item.findings),
            "warnings": sum(finding.severity == "warning" for finding in item.findings),
        }
        for item in linted
    ]
    return {
        "errors": sum(finding.severity == "error" for finding in issues),
        "warnings": sum(finding.severity == "warning" for finding in issues),
        "files_checked": sum(item.files_checked for item in linted),
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
