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
from code_adapter.integrity.roles import is_collected, is_test_code
from verigate.sdk import clean_text
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_CALLS = re.compile(
    r"jest\.retryTimes\((?!\s*0\s*[,)])|(?:this|describe\([^\n]*\)|it\([^\n]*\))\.retries\((?!\s*0\s*\))"
)
_OPTION = re.compile(r"['\"]?(?:retry|retries)['\"]?\s*:\s*(?!0\b|undefined|false)")
_TESTS = re.compile(r"(?:it|test|describe|suite)\b[\w.]*$")
_MARKS = re.compile(r"@(?:pytest\.)?(?:mark\.)?flaky(?:\.flaky)?\b")


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
    language, tree = language_of(side.path), changes.tree(side)
    if tree is None or language not in {"python", "javascript", "typescript"}:
        return
    for node in walk(tree.root):
        source = text_of(node)
        if node.type == "decorator" and language == "python" and is_test_code(side.path):
            found = _MARKS.match(source) is not None
        elif node.type == "call_expression":
            found = _CALLS.match(source) is not None
        elif (
            node.type == "pair" and _OPTION.match(source) and node.parent is not None and node.parent.parent is not None
        ):
            call = node.parent.parent.parent
            found = call is not None and _TESTS.match(text_of(call.child_by_field_name("function"))) is not None
        else:
            found = False
        if found:
            yield line_of(node), clean_text(" ".join(source.split()), 120)
