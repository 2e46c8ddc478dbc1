"""Leave out the files that a change only moves: whole packages are moved at once, and none of it is another text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.roles import is_collected, is_test_code

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side


def list_edited(
    changes: ChangeSet, python_files: Collection[str] = (), reached: Callable[[str], bool] = bool
) -> Iterator[tuple[Side | None, Side | None]]:
    """List both sides of each file, but for those whose text is the same and whose new name means what the old meant.

    ``python_files`` are pytest's patterns, and ``reached`` is whether it comes to a path. Only for checks that compare
    what stands in files, not where they are.
    """

    def read_meaning(path: str) -> tuple[object, ...]:
        return PurePosixPath(path).suffix, is_test_code(path), is_collected(path, python_files), reached(path)

    for _, before, after in changes.sides():
        if (
            before is None
            or after is None
            or before.content != after.content
            or read_meaning(before.path) != read_meaning(after.path)
        ):
            yield before, after
