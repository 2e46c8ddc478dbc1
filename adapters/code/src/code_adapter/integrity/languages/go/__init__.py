"""Go, with its own package testing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_call
from code_adapter.integrity.languages.go.helpers import find_settled_skips
from code_adapter.integrity.languages.platforms import is_about_platform
from code_adapter.integrity.languages.suites import find_suite
from code_adapter.integrity.languages.test_language import FoundTest, MadeMarker, TestLanguage, find_each
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_ELSEWHERE = re.compile(
    r".*_(?:windows|darwin|freebsd|netbsd|openbsd|dragonfly|plan9|solaris|illumos|android|ios|js|wasip1|aix|wasm)"
    r"(?:_[a-z0-9]+)?_test\.go"
)
"""Names that Go leaves out on Linux."""

_ON_LINUX = re.compile(r"//go:build(?:[\s&|]+(?:!(?!linux|unix|amd64|arm64)\w+|linux|unix|go1\.\d+))+")
"""A build constraint that holds there."""

_SKIPPED = (".*", "_*", "testdata", "vendor")


_MADE = re.compile(r"(?<![\w.])(?:t|tb|b)\s*:?=\s*(?:&testing\.[TB]\s*\{|new\(\s*testing\.[TB]\s*\))")
_DETECTION = re.compile(
    r"\btesting\.Testing\(\)|\bflag\.Lookup\(\s*[\"`]test\.|os\.Args\b[^;\n]{0,80}[\"`][^\"`\n]{0,20}\.?test\b"
)


def _is_left_out(path: str) -> bool:
    return _ELSEWHERE.fullmatch(path) is not None


def _find_tests(tree: Tree) -> Iterator[FoundTest]:
    for node in tree.root.named_children:
        name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
        declared = node.type in {"function_declaration", "method_declaration"} and body is not None
        if declared and body is not None and re.match(r"(?:Test|Fuzz|Example)(?:[^a-z]|$)", name):
            yield FoundTest(name, name, node, body)


def _read_marker(node: Node) -> MadeMarker | None:
    if node.type == "call_expression":
        function = text_of(node.child_by_field_name("function"))
        if re.fullmatch(r"(?:t|b|tb|f)\.Skip(?:f|Now)?", function):
            return MadeMarker("skip", text_of(node), is_about_platform(node))
    built = node.type == "comment" and text_of(node).startswith(("//go:build", "// +build"))
    return MadeMarker("skip", text_of(node), bool(_ON_LINUX.fullmatch(text_of(node)))) if built else None


def _read_assertion(node: Node) -> Assertion | None:
    """Read an assertion; testify's ``assert.New(t)`` makes what assertions are asked of, and is none."""
    found = read_call(node)
    return None if found is not None and _CONSTRUCTOR.match(found.text) else found


_CONSTRUCTOR = re.compile(r"(?:assert|require)\.New\(")


LANGUAGE = TestLanguage(
    "go",
    find_tests=_find_tests,
    find_markers=find_each(_read_marker),
    find_scope=find_suite,
    read_assertion=_read_assertion,
    skipped_folders=_SKIPPED,
    is_left_out=_is_left_out,
    find_settled_skips=find_settled_skips,
    find_replaced_parts=lambda source, _: _MADE.finditer(source),
    detection=_DETECTION,
)
