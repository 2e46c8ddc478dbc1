"""``code:lint``: find the project's linters, run each, merge their reports."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from code_adapter.detection import (
    Missing,
    Unexamined,
    list_missing,
    list_unexamined,
    list_wanting,
    require_all,
    split_missing,
)
from code_adapter.excluded_tools import list_declared_tools
from code_adapter.lint import biome, clippy, eslint, flake8, go_vet, node_linters, ruff, type_checkers
from code_adapter.lint.configured_calls import drop_repeated, read_linter_calls
from code_adapter.lint.declared_lint import read_declared_linters
from code_adapter.lint.linters import Linter
from code_adapter.lint.unexamined_files import list_unexamined_files
from code_adapter.subject_files import SubjectFiles, find_subject_files
from verigate.sdk import write_json
from verigate.sdk.declared_tools import find_declared_linters
from verigate.sdk.reports.line_digests import LineDigests
from verigate.sdk.reports.lint import LintRun, lint_summary
from verigate.sdk.subject import changed_paths, find_repository

if TYPE_CHECKING:
    from verigate.sdk import Request

MAX_EXAMINED = 10_000
"""Limit of examined files listed in lint.meta.json; the count covers all."""


def run(request: Request) -> None:
    """Write lint.json and lint.meta.json. Raises ToolFailed if a linter crashed, or only some can run."""
    files = find_subject_files(request)
    found = detect(request, files)
    declared = [item for item in found if isinstance(item, Unexamined)]
    linters, missing = split_missing(item for item in found if not isinstance(item, Unexamined))
    require_all(linters, missing)
    linted = drop_repeated((linter.start() for linter in linters), read_linter_calls(request, files))
    tools = list_declared_tools(request, list_unexamined(missing, declared))
    repository = find_repository(request)
    changed = frozenset() if repository is None else changed_paths(request, repository) & files.known
    unread = {"unexamined_files": list_unexamined_files(changed, linted)}
    # A project that declares another linter doesn't lack the one that it would get without.
    lacked = [item for item in missing if not declared or item.tool != ruff.TOOL]
    wanting = list_wanting(lacked) if not linted else []
    lacking = {"missing": wanting} if wanting else {}
    write_json(request.task_dir, "lint.json", lint_summary(linted, LineDigests(files)) | tools | unread | lacking)
    write_json(request.task_dir, "lint.meta.json", _meta(linted, missing))


def detect(request: Request, files: SubjectFiles) -> Sequence[Linter | Missing | Unexamined]:
    """Return the declared linters, else those detected from the subject's files, and what else these declare."""
    declared = read_declared_linters(request, files)
    if declared is not None:
        return list(declared)
    modules = (ruff, flake8, eslint, biome, node_linters, clippy, go_vet, type_checkers)
    found = list(chain.from_iterable(module.detect(request, files) for module in modules))
    others = find_declared_linters(files.paths, files.text)
    return [*found, *(Unexamined(tool.name, tool.path, "its report can't be read here") for tool in others)]


def _meta(linted: Sequence[LintRun], missing: Sequence[Missing]) -> dict[str, Any]:
    examined = sorted({path for item in linted for path in item.files})
    return {
        "expected": sorted({*(item.tool for item in linted), *(item.tool for item in missing)}),
        "examined": examined[:MAX_EXAMINED],
        "examined_total": len(examined),
        "skipped": list_missing(missing),
        "commands": [
            {"argv": list(item.argv), "cwd": item.folder or ".", "exit_code": item.exit_code, "name": item.tool}
            for item in linted
        ],
    }
