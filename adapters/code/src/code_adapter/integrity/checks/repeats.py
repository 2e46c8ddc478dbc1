"""Find test code that retries failed tests until they pass, which hides flaky failures.

Retries in settings and command lines are compared elsewhere. Sources: jest's ``retryTimes``, vitest's ``retry``,
mocha's ``retries``, the marks of pytest-rerunfailures and flaky.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.roles import is_collected, is_test_code
from verigate.sdk import clean_text
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side


def find_repeated_tests(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find tests, and start-up files of tests, that retry failures and didn't in base."""
    for before, after, (line, shown) in changes.newly(partial(_places, changes)):
        fresh = before is None and is_collected(after.path) and not shown.startswith("jest.")
        message = f"tests that fail are run again until they pass: {shown}"
        weight: Weight = "note" if fresh else "weakening"
        yield IntegrityFinding("assertion_swallowed", after.path, line, message, weight, "test-repeated")


def _places(changes: ChangeSet, side: Side | None) -> Iterator[tuple[int, str]]:
    if side is None or not re.search(rb"retr|flaky", side.content or b""):
        return
    language, tree = find_language(side.path), changes.tree(side)
    if tree is None or language is None:
        return
    in_tests = is_test_code(side.path)
    for node in walk(tree.root):
        if language.is_repeating(node, in_tests):
            yield line_of(node), clean_text(" ".join(text_of(node).split()), 120)
