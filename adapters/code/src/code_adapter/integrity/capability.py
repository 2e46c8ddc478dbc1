"""``code:integrity``: run every check and checkwash on the change; write findings and examined files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import ChangeSet
from code_adapter.integrity.checks.brought_tools import find_brought_tools
from code_adapter.integrity.checks.check_scripts import find_weakened_scripts
from code_adapter.integrity.checks.checkwash_findings import read_entries
from code_adapter.integrity.checks.disguises import find_disguises
from code_adapter.integrity.checks.doctests import find_lost_doctests, read_patterns
from code_adapter.integrity.checks.dropped_doctests import find_dropped_doctests, find_skipped_doctests
from code_adapter.integrity.checks.eslint_settings import find_weakened_eslint
from code_adapter.integrity.checks.followed_settings import find_weakened_followed_settings
from code_adapter.integrity.checks.hook_runners import find_weakened_hooks
from code_adapter.integrity.checks.lost_tests import find_lost_tests
from code_adapter.integrity.checks.pipelines import find_weakened_pipelines
from code_adapter.integrity.checks.repeats import find_repeated_tests
from code_adapter.integrity.checks.runner_hooks import find_runner_hooks
from code_adapter.integrity.checks.runner_parts import find_replaced_parts
from code_adapter.integrity.checks.session_files import find_taken_failures
from code_adapter.integrity.checks.shadowed_imports import find_shadowed_imports
from code_adapter.integrity.checks.shadowed_sources import find_shadowed_sources
from code_adapter.integrity.checks.silenced_linters import find_silenced_linters
from code_adapter.integrity.checks.stand_ins import find_stand_ins
from code_adapter.integrity.checks.suppressions import find_new_suppressions
from code_adapter.integrity.checks.tables import find_lost_rows
from code_adapter.integrity.checks.test_detection import find_test_detection
from code_adapter.integrity.checks.unread_tests import find_unread_tests
from code_adapter.integrity.checks.weakened_settings import find_weakened_settings
from code_adapter.integrity.finding import KINDS, IntegrityFinding
from code_adapter.integrity.named_units import UnitReader
from code_adapter.integrity.pairing.paired_tests import PairedTests, find_removed_names, pair_tests
from code_adapter.integrity.pairing.reached import Walk
from code_adapter.integrity.roles import is_collected, is_test_code
from code_adapter.integrity.tools import pytest
from code_adapter.integrity.tools.checkwash_run import start_checkwash
from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.settings import is_settings_file, read_settings
from code_adapter.integrity.tools.text_linters import is_text_linter_file
from code_adapter.syntax.changes import read_changed_files
from verigate.sdk import clean_text, path_text, write_json
from verigate.sdk.pipelines import is_pipeline
from verigate.sdk.subject import open_repository, resolve_base

if TYPE_CHECKING:
    from code_adapter.syntax.changes import Side
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write integrity.json and integrity.meta.json. Raises AdapterError outside git, or if checkwash fails."""
    with open_repository(request) as repository:
        base = resolve_base(request, repository)
        files = read_changed_files(repository, base)
        paths = tuple(path_text(path) for path in repository.indexed_files())
        changes = ChangeSet(files, repository, base, paths)
        with start_checkwash(changes, request.environ) as wait:
            tests = pair_tests(changes, _of_pytest(changes, "python_files"), _walk(changes))
            own = frozenset(list_own_findings(changes, tests))
            report = wait()
        found = {*read_entries(report.entries, changes, tests), *own, *_not_shown(report.left_out)}
        entries = [*list_entries(changes, tests, found)]
    unread = {file.path: file.unread for file in files if file.unread}
    examined = [file.path for file in files if file.path not in unread]
    artifact = {
        "findings": [entry for _, entry in sorted(entries, key=lambda each: each[0])],
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


def list_entries(
    changes: ChangeSet, tests: PairedTests, findings: Iterable[IntegrityFinding]
) -> Iterator[tuple[tuple[object, ...], dict[str, Any]]]:
    """Yield how each finding is sorted, and how it is written."""
    reader, paired = UnitReader(changes), {(pair.after.path, pair.after.id) for pair in tests.pairs}
    added = {(case.path, case.id) for case in tests.added} - paired
    for finding in findings:
        placed, forms = reader.place(finding)
        # Nothing can be weaker in a test that is new; whether it replaces another one is asked here.
        if finding.source == "verigate" or (placed.path, placed.test) not in added:
            entry = placed.entry(forms)
            yield (*placed.sort_key, entry["id"]), entry


def list_own_findings(changes: ChangeSet, tests: PairedTests) -> Iterator[IntegrityFinding]:
    """List what the checks here find, not checkwash."""
    # Finding them takes longest of all, and few changes lose a test.
    gone_names = cache(partial(find_removed_names, changes))
    yield from find_lost_tests(changes, tests, _of_pytest(changes, "python_files"), gone_names)
    yield from find_lost_rows(changes, gone_names)
    yield from find_lost_doctests(changes, read_patterns(" ".join(_of_pytest(changes, "addopts"))), gone_names)
    yield from find_dropped_doctests(changes)
    yield from find_skipped_doctests(changes)
    yield from find_new_suppressions(changes)
    yield from find_silenced_linters(changes)
    yield from find_weakened_pipelines(changes)
    yield from find_weakened_scripts(changes)
    yield from find_taken_failures(changes)
    yield from find_weakened_settings(changes)
    yield from find_weakened_followed_settings(changes)
    yield from find_weakened_eslint(changes)
    yield from find_runner_hooks(changes)
    yield from find_weakened_hooks(changes)
    yield from find_replaced_parts(changes)
    yield from find_brought_tools(changes)
    yield from find_shadowed_imports(changes)
    yield from find_shadowed_sources(changes)
    yield from find_test_detection(changes)
    yield from find_repeated_tests(changes)
    yield from find_stand_ins(changes)
    yield from find_disguises(changes)
    yield from find_unread_tests(changes)
    yield from _unexamined(changes)


def _of_pytest(changes: ChangeSet, option: str) -> tuple[str, ...]:
    """The words of one of pytest's options in base, from the first file that has it."""
    for path in pytest.FILES:
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
        return any(changes.at_base(f"{folder}/{name}") is not None for name in (*pytest.FILES, "setup.py"))

    return Walk(_of_pytest(changes, "testpaths"), _of_pytest(changes, "norecursedirs"), is_project)


def _unexamined(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    for file in changes.files:
        if file.unread and any(_is_blind(side.path) for side in (file.before, file.after) if side is not None):
            message = f"could not be examined: {file.unread}"
            yield IntegrityFinding("unexamined", file.path, None, message, "weakening", "unread")
        after = file.after
        if after is None or not (is_collected(after.path) and is_test_code(after.path)):
            continue
        tree = changes.tree(after)
        if tree is not None and tree.broken and not _was_broken(changes, file.before):
            message = f"this test file has a syntax error in line {tree.first_error()}"
            yield IntegrityFinding("unexamined", file.path, tree.first_error(), message, "note", "syntax-error")


def _not_shown(paths: Iterable[str]) -> Iterator[IntegrityFinding]:
    """Tests that checkwash doesn't read have only been compared in part."""
    for path in filter(is_test_code, paths):
        message = "the assertions of this file were not compared: it is too large for that"
        yield IntegrityFinding("unexamined", clean_text(path), None, message, "weakening", "not-shown")


def _was_broken(changes: ChangeSet, side: Side | None) -> bool:
    tree = changes.tree(side)
    return tree is not None and tree.broken


def _is_blind(path: str) -> bool:
    """Whether not reading this file leaves a judge unwatched."""
    return is_test_code(path) or is_pipeline(path) or is_settings_file(path) or is_text_linter_file(path)
