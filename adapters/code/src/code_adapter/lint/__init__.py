"""code:lint: find the project's linters, run each, add up what their reports say."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from code_adapter.found import Missing, all_or_none, parted, skipped
from code_adapter.lint import clippy, eslint, ruff
from code_adapter.lint.declared_lint import declared_linters
from code_adapter.lint.line_digests import LineDigests
from code_adapter.lint.linters import Linted, Linter
from code_adapter.subject_files import SubjectFiles, subject_files
from verigate.sdk import write_json

if TYPE_CHECKING:
    from verigate.sdk import Request

MAX_EXAMINED = 10_000
"""How many examined files lint.meta.json names; all of them are counted."""


def run(request: Request) -> None:
    """Write lint.json and lint.meta.json. Raises ToolFailed where a linter crashed, or only some of them can run."""
    files = subject_files(request)
    linters, missing = parted(detect(request, files))
    all_or_none(linters, missing)
    linted = [linter.start() for linter in linters]
    write_json(request.task_dir, "lint.json", summary(linted, LineDigests(files)))
    write_json(request.task_dir, "lint.meta.json", _meta(linted, missing))


def detect(request: Request, files: SubjectFiles) -> Sequence[Linter | Missing]:
    """What the configuration declares, else what the subject shows."""
    declared = declared_linters(request, files)
    if declared is not None:
        return list(declared)
    return list(chain(ruff.detect(request, files), eslint.detect(request, files), clippy.detect(request, files)))


def summary(linted: Sequence[Linted], lines: LineDigests) -> dict[str, Any]:
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


def _meta(linted: Sequence[Linted], missing: Sequence[Missing]) -> dict[str, Any]:
    examined = sorted({path for item in linted for path in item.files})
    return {
        "expected": sorted({*(item.tool for item in linted), *(item.tool for item in missing)}),
        "examined": examined[:MAX_EXAMINED],
        "examined_total": len(examined),
        "skipped": skipped(missing),
        "commands": [
            {"argv": list(item.argv), "cwd": item.folder or ".", "exit_code": item.exit_code, "name": item.tool}
            for item in linted
        ],
    }
