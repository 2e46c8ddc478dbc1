"""Java, with JUnit, TestNG and jqwik."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_assert_statement, read_plain
from code_adapter.integrity.languages.silencers import Silencer
from code_adapter.integrity.languages.test_language import FoundTest, MadeMarker, TestLanguage, find_each
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_TEST = re.compile(r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b")
CLASSES = frozenset({"class_declaration", "record_declaration", "interface_declaration", "enum_declaration"})
_ASSERTS = re.compile(r"(?:\w+\.)?(?:assert\w*|verify\w*|fail|expect\w*|then)\(")

_DETECTION = re.compile(
    r"\bgetProperty\s*\(\s*\"(?:surefire\.[\w.]*|org\.gradle\.test\.worker)\"|"
    r"\b(?:forName|loadClass)\s*\(\s*\"(?:org\.junit|junit\.framework|org\.testng|org\.apache\.maven\.surefire)\."
)
_SUPPRESS = re.compile(r"@SuppressWarnings\s*\((?P<codes>.*)\)|@SuppressFBWarnings\b(?P<rest>.*)", re.DOTALL)


def _find_tests(tree: Tree) -> Iterator[FoundTest]:
    main = find_main_class(tree.root)
    for node in walk(tree.root):
        body = node.child_by_field_name("body") if node.type == "method_declaration" else None
        modifiers = next((child for child in node.children if child.type == "modifiers"), None)
        if body is not None and modifiers is not None and _TEST.search(text_of(modifiers)):
            name = text_of(node.child_by_field_name("name"))
            around = "".join(f"{each}." for each in list_inner_classes(node, main))
            yield FoundTest(name, f"{around}{name}", node, body, (modifiers,))


def find_main_class(root: Node) -> Node | None:
    """Find the class after which a file of Java is named: the public one, else the first."""
    classes = [node for node in root.named_children if node.type in CLASSES]
    return next((node for node in classes if re.match(r"[^{]*\bpublic\b", text_of(node))), next(iter(classes), None))


def list_inner_classes(node: Node, main: Node | None) -> list[str]:
    """List the names of the classes around a node of Java, the outermost first, without the file's ``main`` class."""
    names: list[str] = []
    above = node.parent
    while above is not None:
        if above.type in CLASSES and (main is None or above.id != main.id):
            names.append(text_of(above.child_by_field_name("name")))
        above = above.parent
    return names[::-1]


def _read_marker(node: Node) -> MadeMarker | None:
    if node.type in {"annotation", "marker_annotation"}:
        name = text_of(node.child_by_field_name("name")).rpartition(".")[2]
        if name in {"Disabled", "Ignore"}:
            return MadeMarker("skip", text_of(node))
        if re.fullmatch(r"(?:Disabled|Enabled)(?:On|If|For)\w+", name):
            return MadeMarker("skip", text_of(node), True)
    if node.type == "method_invocation" and re.match(
        r"(?:Assumptions?\.)?assum(?:e|ing)\w*\(\s*(?:false|true)\b", text_of(node)
    ):
        return MadeMarker("skip", text_of(node))
    return None


def _find_scope(node: Node) -> Node | None:
    """The class around a marker."""
    above: Node | None = node
    while above is not None and above.type != "class_declaration":
        above = above.parent
    return above


def _read_assertion(node: Node) -> Assertion | None:
    if node.type == "method_invocation" and _ASSERTS.match(read_plain(node)):
        return Assertion(read_plain(node), line_of(node))
    return read_assert_statement(node)


def _read_silencer(node: Node) -> Silencer | None:
    annotation = text_of(node) if node.type in {"annotation", "marker_annotation"} else ""
    match = _SUPPRESS.match(annotation)
    if match is None:
        return None
    codes = tuple(sorted(set(re.findall(r'"([^"]+)"', match["codes"] or ""))))
    return Silencer("java", codes, match["rest"] or "", " ".join(annotation.split())[:160])


LANGUAGE = TestLanguage(
    "java",
    find_tests=_find_tests,
    find_markers=find_each(_read_marker),
    find_scope=_find_scope,
    read_assertion=_read_assertion,
    read_silencer=_read_silencer,
    detection=_DETECTION,
)
