"""Find the tests that a runner collects from a file as syntax tree nodes, by language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.uncalled import find_uncalled
from code_adapter.integrity.uncollected import find_uncollected
from verigate.sdk.languages.rust import attributes
from verigate.sdk.languages.tree import string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

JS_TESTS = frozenset({"it", "test", "specify", "xit", "xtest", "fit", "xspecify"})
JS_SUITES = frozenset({"describe", "suite", "context", "xdescribe", "fdescribe", "xcontext"})
_JS_MODIFIER = re.compile(
    r"(?P<base>\w+)(?:\.(?:skip|only|todo|fails|failing|concurrent|sequential|each|for|serial|fixme|skipIf|runIf))*"
)
_JAVA_TEST = re.compile(r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b")
JAVA_CLASSES = frozenset({"class_declaration", "record_declaration", "interface_declaration", "enum_declaration"})
_RUST_TEST = re.compile(r"#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b")


@dataclass(frozen=True, slots=True)
class FoundTest:
    """A test. ``qualified`` includes enclosing classes or suites; ``leading`` are decorators or attributes."""

    name: str
    qualified: str
    node: Node
    body: Node
    leading: tuple[Node, ...] = ()


def _python(tree: Tree) -> Iterator[FoundTest]:
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    none = find_uncollected(tree)
    while stack:
        node, around = stack.pop()
        for child in reversed([child for child in node.named_children if child.id not in none]):
            inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
            if inner is None:
                continue
            name = text_of(inner.child_by_field_name("name"))
            body = inner.child_by_field_name("body")
            if inner.type == "function_definition" and body is not None:
                if name.startswith("test"):
                    leading = tuple(n for n in child.children if n.type == "decorator")
                    yield FoundTest(name, f"{around}{name}", child, body, leading)
            elif inner.type == "class_definition" and body is not None:
                bases = text_of(inner.child_by_field_name("superclasses"))
                if name.startswith("Test") or "Test" in bases:
                    stack.append((body, f"{around}{name}."))
            elif inner.type in {"if_statement", "try_statement", "block", "with_statement", "else_clause"}:
                stack.append((inner, around))


def _javascript(tree: Tree) -> Iterator[FoundTest]:
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    none = find_uncalled(tree)
    while stack:
        node, around = stack.pop()
        inside = around
        if node.type == "call_expression" and not is_called(node):
            base, _ = read_js_callee(node)
            arguments = node.child_by_field_name("arguments")
            named = list(arguments.named_children) if arguments is not None else []
            if named and base in JS_TESTS | JS_SUITES and named[0].type not in {"arrow_function", "object"}:
                title = string_value(named[0]) or text_of(named[0])
                if base in JS_TESTS:
                    body = next(
                        (n for n in reversed(named) if n.type in {"arrow_function", "function_expression"}), None
                    )
                    yield FoundTest(title, f"{around}{title}", node, body if body is not None else node)
                else:
                    inside = f"{around}{title} > "
        stack.extend((child, inside) for child in reversed(node.children) if child.id not in none)


def is_called(node: Node) -> bool:
    """Whether the result is called: ``it.each(table)`` of ``it.each(table)(title, test)``."""
    function = node.parent.child_by_field_name("function") if node.parent is not None else None
    return function is not None and function.id == node.id


def read_js_callee(call: Node) -> tuple[str, str]:
    """``it.skip.each(...)("title", f)`` -> ("it", "it.skip.each"); ("", "") for any other call."""
    function = call.child_by_field_name("function")
    while function is not None and function.type == "call_expression":
        function = function.child_by_field_name("function")
    text = text_of(function)
    match = _JS_MODIFIER.fullmatch(text)
    return (match["base"], text) if match else ("", "")


def _go(tree: Tree) -> Iterator[FoundTest]:
    for node in tree.root.named_children:
        name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
        declared = node.type in {"function_declaration", "method_declaration"} and body is not None
        if declared and body is not None and re.match(r"(?:Test|Fuzz|Example)(?:[^a-z]|$)", name):
            yield FoundTest(name, name, node, body)


def _rust(tree: Tree) -> Iterator[FoundTest]:
    for node in walk(tree.root):
        body = node.child_by_field_name("body") if node.type == "function_item" else None
        if body is None:
            continue
        leading = attributes(node)
        if any(_RUST_TEST.match(text_of(attribute)) for attribute in leading):
            name = text_of(node.child_by_field_name("name"))
            yield FoundTest(name, f"{_modules(node)}{name}", node, body, leading)


def _modules(node: Node) -> str:
    """The modules around a test of Rust: two of them may have tests of one name."""
    names: list[str] = []
    above = node.parent
    while above is not None:
        if above.type == "mod_item":
            names.append(f"{text_of(above.child_by_field_name('name'))}::")
        above = above.parent
    return "".join(reversed(names))


def _java(tree: Tree) -> Iterator[FoundTest]:
    main = find_main_class(tree.root)
    for node in walk(tree.root):
        body = node.child_by_field_name("body") if node.type == "method_declaration" else None
        modifiers = next((child for child in node.children if child.type == "modifiers"), None)
        if body is not None and modifiers is not None and _JAVA_TEST.search(text_of(modifiers)):
            name = text_of(node.child_by_field_name("name"))
            around = "".join(f"{each}." for each in list_inner_classes(node, main))
            yield FoundTest(name, f"{around}{name}", node, body, (modifiers,))


def find_main_class(root: Node) -> Node | None:
    """Find the class after which a file of Java is named: the public one, else the first."""
    classes = [node for node in root.named_children if node.type in JAVA_CLASSES]
    return next((node for node in classes if re.match(r"[^{]*\bpublic\b", text_of(node))), next(iter(classes), None))


def list_inner_classes(node: Node, main: Node | None) -> list[str]:
    """List the names of the classes around a node of Java, the outermost first, without the file's ``main`` class."""
    names: list[str] = []
    above = node.parent
    while above is not None:
        if above.type in JAVA_CLASSES and (main is None or above.id != main.id):
            names.append(text_of(above.child_by_field_name("name")))
        above = above.parent
    return names[::-1]


FINDERS = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "go": _go,
    "rust": _rust,
    "java": _java,
}
