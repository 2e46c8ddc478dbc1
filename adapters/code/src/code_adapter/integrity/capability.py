"""code:integrity: run every check on the change, and checkwash; write what was found and what was looked at."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from code_adapter.integrity.brought_tools import brought_tools
from code_adapter.integrity.changeset import ChangeSet
from code_adapter.integrity.checkwash_run import CheckwashReport, run_checkwash
from code_adapter.integrity.disguises import disguises
from code_adapter.integrity.doctests import lost_doctests, patterns_of
from code_adapter.integrity.documents import Unreadable
from code_adapter.integrity.eslint_settings import weakened_eslint
from code_adapter.integrity.finding import KINDS, Finding
from code_adapter.integrity.hooks import runner_hooks
from code_adapter.integrity.lost_tests import lost_tests, removed_names
from code_adapter.integrity.pipelines import weakened_pipelines
from code_adapter.integrity.reached import Walk
from code_adapter.integrity.repeats import repeated_tests
from code_adapter.integrity.roles import is_collected, is_gate_file, is_pipeline, is_test_code
from code_adapter.integrity.runner_parts import replaced_parts
from code_adapter.integrity.settings import is_settings_file, read_settings
from code_adapter.integrity.shadowed_imports import shadowed_imports
from code_adapter.integrity.stand_ins import stand_ins
from code_adapter.integrity.suppressions import new_suppressions
from code_adapter.integrity.tables import lost_rows
from code_adapter.integrity.text_linters import is_text_linter_file, silenced_linters
from code_adapter.integrity.told_apart import told_apart
from code_adapter.integrity.weakened_settings import weakened_settings
from code_adapter.syntax.changes import changed_files
from verigate.sdk import path_text, write_json
from verigate.sdk.subject import open_repository, resolve_base

if TYPE_CHECKING:
    from verigate.sdk import Request

_PYTEST_FILES = ("pytest.toml", ".pytest.toml", "pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg")


def run(request: Request) -> None:
    """Write integrity.json and integrity.meta.json. Raises AdapterError outside git, or when checkwash can't judge."""
    with open_repository(request) as repository:
        base = resolve_base(request, repository)
        files = changed_files(repository, base)
        paths = tuple(path_text(path) for path in repository.indexed_files())
        changes = ChangeSet(files, repository, base, paths)
        report = run_checkwash(changes, request.environ) if files else CheckwashReport((), "", ())
        findings = {*report.findings, *_own(changes)}
    unread = {file.path: file.unread for file in files if file.unread}
    examined = [file.path for file in files if file.path not in unread]
    artifact = {
        "findings": [finding.entry() for finding in sorted(findings, key=lambda finding: finding.sort_key)],
        "files_examined": len(files) - sum(_is_blind(path) for path in unread),
        "total": len(files),
        "checks": sorted(KINDS),
    }
    meta = {
        "expected": [file.path for file in files],
        "examined": examined,
        "skipped": [{"path": path, "why": why} for path, why in sorted(unread.items())],
        "checkwash": {
            "version": report.version,
            "context": report.context,
            "not_shown": list(report.left_out),
        },
    }
    write_json(request.task_dir, "integrity.meta.json", meta)
    write_json(request.task_dir, "integrity.json", artifact)


def _own(changes: ChangeSet) -> Iterator[Finding]:
    yield from lost_tests(changes, _of_pytest(changes, "python_files"), _walk(changes))
    gone_names = removed_names(changes)
    yield from lost_rows(changes, gone_names)
    yield from lost_doctests(changes, patterns_of(" ".join(_of_pytest(changes, "addopts"))), gone_names)
    yield from new_suppressions(changes)
    yield from silenced_linters(changes)
    yield from weakened_pipelines(changes)
    yield from weakened_settings(changes)
    yield from weakened_eslint(changes)
    yield from runner_hooks(changes)
    yield from replaced_parts(changes)
    yield from brought_tools(changes)
    yield from shadowed_imports(changes)
    yield from told_apart(changes)
    yield from repeated_tests(changes)
    yield from stand_ins(changes)
    yield from disguises(changes)
    yield from _touched(changes)
    yield from _unexamined(changes)


def _of_pytest(changes: ChangeSet, option: str) -> tuple[str, ...]:
    """The words of one of pytest's options in base, from the first file that has it."""
    for path in _PYTEST_FILES:
        content = changes.at_base(path)
        try:
            value = read_settings(path, (content or b"").decode("utf-8", "replace")).get("pytest", {}).get(option)
        except Unreadable:
            continue
        if value is not None:
            return tuple(str(item) for item in (value if isinstance(value, list) else str(value).split()))
    return ()


def _walk(changes: ChangeSet) -> Walk:
    """The way of pytest through the repository, as the base says it: what narrows it is a finding of its own."""

    @cache
    def is_project(folder: str) -> bool:
        return any(changes.at_base(f"{folder}/{name}") is not None for name in (*_PYTEST_FILES, "setup.py"))

    return Walk(_of_pytest(changes, "testpaths"), _of_pytest(changes, "norecursedirs"), is_project)


def _touched(changes: ChangeSet) -> Iterator[Finding]:
    for file in changes.files:
        for side in (file.before, file.after):
            if side is not None and is_gate_file(side.path):
                message = "this file belongs to the gate, its adapters or the hooks that start it"
                yield Finding("gate_file_touched", side.path, None, message, "info", "gate-file")


def _unexamined(changes: ChangeSet) -> Iterator[Finding]:
    for file in changes.files:
        if file.unread:
            severe = _is_blind(file.path) or (file.before is not None and _is_blind(file.before.path))
            message = f"could not be examined: {file.unread}"
            yield Finding("unexamined", file.path, None, message, "high" if severe else "info", "unread")
        for side in (file.after,):
            tree = (
                changes.tree(side) if side is not None and is_collected(side.path) and is_test_code(side.path) else None
            )
            if tree is not None and tree.broken and not _was_broken(changes, file.before):
                message = f"this test file has a syntax error in line {tree.first_error()}"
                yield Finding("unexamined", file.path, tree.first_error(), message, "warn", "syntax-error")


def _was_broken(changes: ChangeSet, side: object) -> bool:
    from code_adapter.syntax.changes import Side

    tree = changes.tree(side) if isinstance(side, Side) else None
    return tree is not None and tree.broken


def _is_blind(path: str) -> bool:
    """Whether not reading this file leaves a judge unwatched."""
    return is_test_code(path) or is_pipeline(path) or is_settings_file(path) or is_text_linter_file(path)
