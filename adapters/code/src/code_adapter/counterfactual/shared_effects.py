"""Find what a test file does to the tests of other files: statements that act when it is loaded, and shared code of Go.

pytest and Mocha load all files in one process, and a hook of Mocha outside of every suite is one for all of them:
https://mochajs.org/#root-level-hooks. The test files of a folder are one package in Go, with each other's ``init``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages import LANGUAGES
from code_adapter.integrity.languages.suites import SUITES, TESTS, read_callee
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_BLOCKS = frozenset({"if_statement", "else_clause", "elif_clause", "try_statement", "except_clause", "finally_clause"})
_LOOPS = frozenset({"for_statement", "while_statement", "with_statement", "for_in_statement", "do_statement"})
_OWN_FILE = re.compile(r"(?:pytest\.)?(?:importorskip|skip|exit)\(|unittest\.main\(|main\(\)$")
_TITLED = TESTS | SUITES


def list_shared_effects(path: str, text: str) -> list[str]:
    """List the statements of a test file that may act on tests of other files, without layout."""
    language = language_of(path)
    if not text or language not in {"python", "javascript", "typescript", "go"}:
        return []
    tree = parse(text.encode(), grammar_of(path) or "")
    found = _list_package_parts(tree) if language == "go" else _list_acting(tree.root, python=language == "python")
    return [" ".join(text_of(node).split()) for node in found]


def _list_package_parts(tree: Tree) -> Iterator[Node]:
    tests = {found.node.id for found in LANGUAGES["go"].find_tests(tree) if found.name != "TestMain"}
    for node in tree.root.named_children:
        if node.id not in tests and node.type not in {"package_clause", "import_declaration"} and not is_comment(node):
            yield node


def _list_acting(around: Node, *, python: bool) -> Iterator[Node]:
    for node in around.named_children:
        if node.type in _BLOCKS or node.type in {"block", "statement_block"}:
            yield from _list_acting(node, python=python)
        elif node.type in _LOOPS or (node.type == "expression_statement" and _acts(node, python=python)):
            yield node


def _acts(statement: Node, *, python: bool) -> bool:
    inner = statement.named_children[0] if statement.named_children else None
    if inner is None or inner.type == "string" or _OWN_FILE.match(text_of(inner)):
        return False
    if inner.type in {"assignment", "augmented_assignment", "assignment_expression"}:
        target = inner.child_by_field_name("left")
        return target is not None and target.type != "identifier" and not text_of(target).startswith("module.exports")
    return python or inner.type != "call_expression" or read_callee(inner)[0] not in _TITLED
