"""Find tests that are skipped from outside their file: by a fixture, a helper or the code under test.

Any function that a test calls can skip it. A skip in code outside tests is a finding. For a new function of test
support that skips, the findings are the existing tests that now use it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import IntegrityFinding
from code_adapter.integrity.languages.platforms import is_about_platform
from code_adapter.integrity.languages.python.let_offs import HINT, list_let_offs
from code_adapter.integrity.roles import is_collected, is_test_code
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_AUTOMATIC = re.compile(
    r"pytest_\w+|(?:setup|teardown)(?:_(?:module|class|method|function))?|setUp\w*|tearDown\w*|__\w+__"
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Function:
    """A function of test support. ``automatic`` ones are called though no test names them."""

    name: str
    path: str
    line: int
    words: frozenset[str]
    automatic: bool


def find_external_skips(
    changes: ChangeSet, python_files: Collection[str]
) -> tuple[tuple[IntegrityFinding, ...], frozenset[str]]:
    """Return the findings, and the names of new functions of test support that skip their callers."""
    findings: list[IntegrityFinding] = []
    skipping: set[str] = set()
    before, after = _functions(changes, python_files, old=True), _functions(changes, python_files, old=False)
    for _, new, (node, shown) in changes.newly(lambda side: _places(changes, side, python_files)):
        around = _outermost(node)
        function = after.get((new.path, around)) if around else None
        fresh = function is not None and not function.automatic and (new.path, around) not in before
        if fresh and around:
            skipping.add(around)
        severe = not fresh and not (is_test_code(new.path) and is_about_platform(node))
        where = "test support" if is_test_code(new.path) else "code that is no test"
        message = f"{where} lets tests off that call it: {shown[:160]}"
        findings.append(
            IntegrityFinding(
                "test_skipped", new.path, line_of(node), message, "weakening" if severe else "note", "test-let-off"
            )
        )
    findings += _callers(before, after, skipping)
    return tuple(findings), frozenset(skipping)


def _callers(
    before: Mapping[tuple[str, str], _Function], after: Mapping[tuple[str, str], _Function], skipping: set[str]
) -> Iterator[IntegrityFinding]:
    """Support that was there, or that nobody has to call, and now calls what skips. New callers join ``skipping``."""
    grown = True
    reported: set[tuple[str, str]] = set()
    while grown:
        grown = False
        for key, function in after.items():
            was = before[key].words if key in before else frozenset()
            called = sorted((function.words - was - {function.name}) & skipping)
            if not called or key in reported or function.name in skipping:
                continue
            if key in before or function.automatic:
                reported.add(key)
                message = f"{function.name} now calls {called[0]}, which skips tests"
                yield IntegrityFinding(
                    "test_skipped", function.path, function.line, message, "weakening", "test-let-off"
                )
            else:
                skipping.add(function.name)
                grown = True


def _outermost(node: Node) -> str:
    """Name of the outermost function around the node; empty at the top of a module."""
    name = ""
    above = node.parent
    while above is not None:
        if above.type == "function_definition":
            name = text_of(above.child_by_field_name("name"))
        above = above.parent
    return name


def _is_outside(side: Side | None, python_files: Collection[str]) -> bool:
    """Whether it is Python that the inventory of tests doesn't read."""
    return side is not None and language_of(side.path) == "python" and not is_collected(side.path, python_files)


def _places(changes: ChangeSet, side: Side | None, python_files: Collection[str]) -> Iterator[tuple[Node, str]]:
    """Each place that lets a test off, with its text."""
    if side is None or not _is_outside(side, python_files):
        return
    tree = changes.tree(side) if HINT.search(side.content or b"") else None
    if tree is not None:
        yield from list_let_offs(tree, support=is_test_code(side.path))


def _functions(changes: ChangeSet, python_files: Collection[str], *, old: bool) -> dict[tuple[str, str], _Function]:
    """The outermost functions and methods of test support, by path and name."""
    found: dict[tuple[str, str], _Function] = {}
    for _, one, other in changes.sides():
        side = one if old else other
        if side is None or not _is_outside(side, python_files) or not is_test_code(side.path):
            continue
        tree = changes.tree(side)
        for node in walk(tree.root) if tree is not None else ():
            if node.type != "function_definition" or _outermost(node):
                continue
            name = text_of(node.child_by_field_name("name"))
            above = node.parent
            leading = text_of(above).partition("def ")[0] if above and above.type == "decorated_definition" else ""
            automatic = "autouse" in leading or "hookimpl" in leading or bool(_AUTOMATIC.fullmatch(name))
            words = frozenset(_WORD.findall(text_of(node)))
            found[side.path, name] = _Function(name, side.path, line_of(node), words, automatic)
    return found
