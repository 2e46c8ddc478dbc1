"""``code:changes``: what a change does to dependencies, versions and names, and of which kind each of its files is."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from code_adapter.changes.code_equality import compare_code
from code_adapter.changes.content_equality import compare_content
from code_adapter.changes.documentation_readers import find_asked, list_rust_examples
from code_adapter.changes.kinds import classify
from code_adapter.changes.manifests.reading import compare_pins
from code_adapter.changes.names import count_names
from code_adapter.changes.product_texts import find_product_texts
from code_adapter.changes.reverts import compare_reverts
from code_adapter.changes.spelling import classify_edit
from code_adapter.changes.words import find_words
from code_adapter.counterfactual.mixed_sources import may_hold_tests, read_test_parts
from code_adapter.syntax.changes import read_changed_files
from code_adapter.syntax.moved_symbols import find_moved
from verigate.sdk import write_json
from verigate.sdk.asked_names import is_layout_asked, read_asked_names, read_asked_reverts, read_asked_words
from verigate.sdk.languages import language_of
from verigate.sdk.subject import open_repository, resolve_base

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile
    from verigate.sdk import Request


def run(request: Request) -> None:
    """Write changes.json and changes.meta.json. Raises AdapterError outside git."""
    named, asks_layout = read_asked_names(request.claim), is_layout_asked(request.claim)
    with open_repository(request) as repository:
        base = resolve_base(request, repository)
        files = read_changed_files(repository, base)
        names = count_names(named, files, repository)
        asked = find_asked(files, repository)
        product = find_product_texts(files, repository)
        reverts = compare_reverts(read_asked_reverts(request.claim), files, repository, base)
    pins, unread = compare_pins(files)
    unread += [{"path": file.path, "why": file.unread} for file in files if file.unread]
    changes = {
        "files": [_entry(file, asked, product, asks_layout=asks_layout) for file in files],
        "pins": pins,
        "moved": find_moved(files),
        "names": names,
        "reverts": reverts,
        "words": find_words(read_asked_words(request.claim), files),
        "unread": sorted(unread, key=lambda each: (each["path"], each["why"])),
        "total": len(files),
    }
    failed = {each["path"] for each in unread}
    meta = {
        "expected": [file.path for file in files],
        "examined": [file.path for file in files if file.path not in failed],
        "skipped": changes["unread"],
    }
    write_json(request.task_dir, "changes.meta.json", meta)
    write_json(request.task_dir, "changes.json", changes)


def _entry(file: ChangedFile, asked: Collection[str], product: Collection[str], *, asks_layout: bool) -> dict[str, Any]:
    kind = "other" if file.path in product else classify(file.path)
    change = "added" if file.before is None else "deleted" if file.after is None else "modified"
    entry: dict[str, Any] = {
        "path": file.path,
        "from": file.before.path if file.renamed and file.before is not None else None,
        "change": "renamed" if file.renamed else change,
        "kind": kind,
        "code": compare_code(file, asked),
        "edit": classify_edit(file),
    }
    tests = _compare_tests(file)
    layout = {"content": compare_content(file)} if asks_layout else {}
    return entry | ({"tests": tests} if tests is not None else {}) | layout


def _compare_tests(file: ChangedFile) -> str | None:
    """Compare the tests within a source; None if it has none, or a version of it can't be read.

    Sources of Rust have tests as a rule. In other languages they are reported only where they differ.
    """
    if not may_hold_tests(file.path):
        return None
    sides = [side for side in (file.before, file.after) if side is not None]
    parts = [read_test_parts(side.path, side.content) for side in sides if side.content is not None]
    if len(parts) < len(sides) or not any(parts):
        return None
    same = len(parts) > 1 and parts[0] == parts[1]
    if language_of(file.path) != "rust":
        return "differ" if len(parts) > 1 and not same else None
    same = same and len({tuple(list_rust_examples(side.content or b"")) for side in sides}) == 1
    return "same" if same else "differ"
