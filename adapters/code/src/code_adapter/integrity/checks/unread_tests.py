"""Find changed test files in a language whose tests nothing here reads: whether they check less is unknown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages.unread import SHELL, name_unread
from code_adapter.integrity.roles import is_test_code
from code_adapter.integrity.tools.commands import join_lines, judges

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side


def find_unread_tests(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find test files that were changed or removed; a new one, and one that only moved, take nothing away."""
    for file in changes.files:
        old, new = _name(file.before), _name(file.after)
        if (old is None and new is None) or _is_same(file.before, file.after):
            continue
        if old == new == SHELL and file.after is not None and _starts_a_runner(file.before):
            continue  # what it runs is compared as that of any other script
        moved = new is not None and _is_moved(file.before, file.after)
        weight: Weight = "note" if old is None or moved else "weakening"
        what = "added" if old is None else "removed" if file.after is None else "moved" if moved else "changed"
        message = f"a test file was {what}, and nothing here reads tests in {old or new}"
        yield IntegrityFinding("unexamined", file.path, None, message, weight, "language-unread")


def _name(side: Side | None) -> str | None:
    return name_unread(side.path) if side is not None else None


def _starts_a_runner(side: Side | None) -> bool:
    """Whether a script that is in no folder of tests runs checks of other languages: ``ci/test_full.sh``."""
    return side is not None and not is_test_code(side.path) and bool(judges(join_lines(text(side))))


def _is_same(before: Side | None, after: Side | None) -> bool:
    """Whether only the mode of a file differs."""
    return before is not None and after is not None and before.path == after.path and _is_moved(before, after)


def _is_moved(before: Side | None, after: Side | None) -> bool:
    """Whether a file has another place alone: its name and its text are what they were."""
    if before is None or after is None or before.content is None:
        return False
    same_name = before.path.rpartition("/")[2] == after.path.rpartition("/")[2]
    return same_name and before.content == after.content
