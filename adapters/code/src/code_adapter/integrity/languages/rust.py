"""Rust, with the tests of cargo."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_call, read_plain
from code_adapter.integrity.languages.silencers import Silencer, split_codes
from code_adapter.integrity.languages.test_language import (
    FoundTest,
    MadeMarker,
    TestLanguage,
    find_each,
    find_following,
)
from verigate.sdk.languages.rust import attributes
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_TEST = re.compile(r"#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b")
_ASSERTS = re.compile(r"(?:\w+::)*(?:debug_)?(?:prop_)?assert\w*!|panic!|unreachable!")

_ALLOW = re.compile(r"#!?\[\s*(?:cfg_attr\(.*,\s*)?(?:allow|expect)\s*\((?P<codes>[^)]*)\)", re.DOTALL)
_COVERAGE_OFF = re.compile(r"#!?\[\s*(?:cfg_attr\(.*,\s*)?coverage\(off\)")

_MACROS = re.compile(r"\bmacro_rules!\s+(?:debug_)?(?:assert(?:_eq|_ne)?|panic|unreachable)\b")
_DETECTION = re.compile(r"\bcfg!\s*\(\s*(?:not\s*\(\s*)?test\b")


def _find_tests(tree: Tree) -> Iterator[FoundTest]:
    for node in walk(tree.root):
        body = node.child_by_field_name("body") if node.type == "function_item" else None
        if body is None:
            continue
        leading = attributes(node)
        if any(_TEST.match(text_of(attribute)) for attribute in leading):
            name = text_of(node.child_by_field_name("name"))
            yield FoundTest(name, f"{_modules(node)}{name}", node, body, leading)


def _modules(node: Node) -> str:
    """The modules around a test: two of them may have tests of one name."""
    names: list[str] = []
    above = node.parent
    while above is not None:
        if above.type == "mod_item":
            names.append(f"{text_of(above.child_by_field_name('name'))}::")
        above = above.parent
    return "".join(reversed(names))


def _read_marker(node: Node) -> MadeMarker | None:
    if node.type in {"attribute_item", "inner_attribute_item"}:
        text = text_of(node)
        if re.match(r"#!?\[\s*ignore\b", text) or re.match(r"#!?\[\s*cfg\(\s*(?:any\(\)|FALSE|not\(test\))\s*\)", text):
            return MadeMarker("skip", text)
        if re.match(r"#\[\s*should_panic\b", text):
            return MadeMarker("xfail", text)
    return None


def _find_scope(node: Node) -> Node | None:
    """What the attribute stands on."""
    above: Node | None = node
    while above is not None:
        if above.type == "attribute_item" and above.parent is not None:
            return find_following(above)
        above = above.parent
    return None


def _read_assertion(node: Node) -> Assertion | None:
    if node.type == "macro_invocation" and _ASSERTS.match(text_of(node)):
        return Assertion(read_plain(node), line_of(node))
    return read_call(node)


def _read_silencer(node: Node) -> Silencer | None:
    attribute = text_of(node) if node.type in {"attribute_item", "inner_attribute_item"} else ""
    match = _ALLOW.match(attribute)
    if match is not None:
        names, _, reason = match["codes"].partition("reason")
        return Silencer("allow", split_codes(names), reason.strip(' ="'), attribute[:160])
    return Silencer("coverage", (), "", attribute[:160]) if _COVERAGE_OFF.match(attribute) else None


LANGUAGE = TestLanguage(
    "rust",
    find_tests=_find_tests,
    find_markers=find_each(_read_marker),
    find_scope=_find_scope,
    read_assertion=_read_assertion,
    read_silencer=_read_silencer,
    find_replaced_parts=lambda source, _: _MACROS.finditer(source),
    detection=_DETECTION,
)
