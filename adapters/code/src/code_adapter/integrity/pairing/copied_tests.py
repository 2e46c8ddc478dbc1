"""Find tests that are gone from one file, and stand word for word in another one as they did before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.pairing.cases import Case, list_tests
from code_adapter.integrity.roles import is_collected
from verigate.sdk import path_text
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import parse

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.integrity.pairing.reached import Walk

_MOST_TESTS, _MOST_FILES = 50, 20


def drop_copied(removed: Iterable[Case], changes: ChangeSet, patterns: Collection[str], walk: Walk) -> Iterator[Case]:
    """Leave out the tests of which the runner still collects a copy: same name, decorators and body.

    A copy in a file with a marker for all of its tests doesn't count. Only files that the change leaves alone are
    asked: what is new elsewhere was paired before.
    """
    for turn, case in enumerate(removed):
        if turn >= _MOST_TESTS or not any(_is_copy(case, other) for other in _namesakes(case, changes, patterns, walk)):
            yield case


def _is_copy(one: Case, other: Case) -> bool:
    same = one.id == other.id and one.digest == other.digest
    return same and one.source.split() == other.source.split()


def _namesakes(case: Case, changes: ChangeSet, patterns: Collection[str], walk: Walk) -> Iterator[Case]:
    """The tests of unchanged files that have the name of the test in them."""
    changed = {side.path for file in changes.files for side in (file.before, file.after) if side is not None}
    run = changes.repository.git("grep", "--cached", "-l", "-z", "-F", "-e", case.name, check=False)
    paths = [path_text(path) for path in run.stdout.split(b"\0") if path]
    same = [path for path in paths if language_of(path) == language_of(case.path) and path not in changed]
    for path in [path for path in same if is_collected(path, patterns) and walk.reaches(path)][:_MOST_FILES]:
        content, grammar = changes.at_subject(path), grammar_of(path)
        if content is None or grammar is None:
            continue
        found = list_tests(parse(content, grammar), path, {})
        if all(marker.case is not None for marker in found.markers):
            yield from found.cases
