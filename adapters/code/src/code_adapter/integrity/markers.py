"""Find markers that keep tests from running or counting: skips, expected failures, ``.only``."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from code_adapter.integrity.flow import PLATFORM
from code_adapter.integrity.found_tests import JS_SUITES, JS_TESTS, is_called, read_js_callee
from code_adapter.integrity.reached import GO_ON_LINUX
from code_adapter.integrity.runner_names import find_runner_names, resolve_name
from code_adapter.integrity.uncalled import find_skipping_name
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.found_tests import FoundTest
    from verigate.sdk.languages.tree import Tree

MarkerKind = Literal["skip", "xfail", "focus"]


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that skips tests, expects them to fail, or runs only some. ``case`` is its test.

    Without ``case`` it is about all tests of a class, a suite, a module or the file: ``covered`` are their names.
    ``named`` is one of Python that gets a name, which the file uses in decorators alone: these are its markers.
    """

    kind: MarkerKind
    text: str
    line: int
    path: str
    case: str | None
    conditional: bool = False
    named: bool = False
    covered: tuple[str, ...] = ()


_PYTHON_SKIP = re.compile(
    r"^(?:@?(?:pytest\.)?mark\.(?P<mark>skipif|skip|xfail)\b|@?(?:unittest\.)?(?P<unit>skipUnless|skipIf|skip|expectedFailure)\b|"
    r"(?:pytest\.)(?P<call>skip|xfail|importorskip)\(|self\.(?P<self>skipTest)\(|raise\s+(?:[\w.]+\.)?(?P<raised>SkipTest|skip\.Exception)\b|"
    r"(?P<never>(?:[\w.]+\.)?(?:__test__\s*=\s*False|__unittest_(?:skip|expecting_failure)__\s*=))|[\w.]+\.(?:applymarker|add_marker)\(\s*['\"]?(?:pytest\.)?(?:mark\.)?(?P<added>skip|xfail)|"
    r"@(?:pytest\.)?mark\.(?P<empty>parametrize)\((?:[^\[\](),]|\([^()]*\)|\[[^\[\]]*\])*,\s*(?:argvalues\s*=\s*)?(?:\[\s*\]|\(\s*\)))"
)


def find_markers(tree: Tree, path: str, language: str, found: Sequence[FoundTest]) -> Iterator[Marker]:
    """Find the markers of a file with their tests. ``found`` are the file's tests."""
    spans = [(item.node.start_byte, item.node.end_byte, item) for item in found]
    names = find_runner_names(tree.source) if language == "python" else {}
    marks = _find_named_marks(tree, names) if language == "python" else {}
    in_decorators = {**marks, **names}
    for node in walk(tree.root):
        known = in_decorators if node.type == "decorator" else names
        made = _python_marker(node, known) if language == "python" else _MARKERS[language](node)
        if made is None:
            continue
        kind, text, conditional = made
        inside = (item for start, end, item in spans if start <= node.start_byte < end)
        owner = next(inside, found[0] if found and node.type == "comment" else None)
        if owner is None:
            owner = next((item for item in found if node.id in {part.id for part in item.leading}), None)
        yield Marker(
            kind,
            " ".join(text.split())[:200],
            line_of(node),
            path,
            owner.qualified if owner else None,
            conditional,
            named=owner is None and text in marks.values() and node.type == "call",
            covered=() if owner else _list_covered(node, found),
        )


def _list_covered(node: Node, found: Sequence[FoundTest]) -> tuple[str, ...]:
    """List the tests in the class, suite or module that a marker stands on, or else all of the file."""
    scope = _find_scope(node)
    start, end = (scope.start_byte, scope.end_byte) if scope is not None else (0, sys.maxsize)
    return tuple(item.qualified for item in found if start <= item.node.start_byte and item.node.end_byte <= end)


def _find_scope(node: Node) -> Node | None:
    above: Node | None = node
    while above is not None:
        if above.type in {"attribute_item", "decorator"} and above.parent is not None:
            following = above.next_named_sibling
            while following is not None and following.type in {"attribute_item", "decorator", "comment"}:
                following = following.next_named_sibling
            return following
        if above.type in {"class_declaration", "class_definition"}:
            return above
        if above.type == "call_expression" and read_js_callee(above)[0] in JS_SUITES and not is_called(above):
            return above
        above = above.parent
    return None


_Made = tuple[MarkerKind, str, bool] | None


def _python_marker(node: Node, names: Mapping[str, str]) -> _Made:
    if node.type not in {"decorator", "call", "raise_statement", "assignment", "attribute"}:
        return None
    if node.type == "attribute" and not _stands_alone(node):
        return None
    if node.type == "call" and node.parent is not None and node.parent.type in {"decorator", "raise_statement"}:
        return None
    text = resolve_name(text_of(node), names)
    match = _PYTHON_SKIP.match(text)
    if match is None:
        return None
    what = match[match.lastgroup or 0]
    arguments = text.partition("(")[2]
    conditional = what in {"skipif", "skipIf", "skipUnless", "importorskip"} or (
        what == "xfail" and bool(re.match(r"\s*(?:sys\.|condition\s*=)", arguments))
    )
    constant = bool(re.match(r"\s*(?:True|1|not False)\b", arguments)) or bool(
        re.match(r"\s*condition\s*=\s*True", arguments)
    )
    if what in {"skip", "skipTest", "SkipTest"} and node.type != "decorator":
        conditional = _under_condition(node)
    kind: MarkerKind = "xfail" if what in {"xfail", "expectedFailure"} else "skip"
    return kind, text, conditional and not constant and bool(PLATFORM.search(_with_condition(node)))


def _find_named_marks(tree: Tree, names: Mapping[str, str]) -> dict[str, str]:
    """Map the names of marks that a module makes once, and uses in nothing but decorators, to their text."""
    made: dict[str, str] = {}
    used: Counter[str] = Counter()
    for node in walk(tree.root):
        if node.type != "identifier":
            continue
        above = node.parent
        if above is None or above.type != "decorator":
            used[text_of(node)] += 1
        if above is None or above.type != "assignment" or above.child_by_field_name("left") != node:
            continue
        right, statement = above.child_by_field_name("right"), above.parent
        at_top = statement is not None and statement.parent is not None and statement.parent.type == "module"
        if at_top and right is not None and right.type == "call":
            text = resolve_name(text_of(right), names)
            if _PYTHON_SKIP.match(text):
                made[text_of(node)] = text
    return {name: text for name, text in made.items() if used[name] == 1 and name != "pytestmark"}


def _stands_alone(node: Node) -> bool:
    """``pytestmark = pytest.mark.skip``, also in a list: a mark that isn't called."""
    above = node.parent
    while above is not None and above.type in {"list", "tuple"}:
        above = above.parent
    return above is not None and above.type == "assignment"


def _under_condition(node: Node) -> bool:
    return _condition(node) is not None


def _condition(node: Node) -> Node | None:
    above = node.parent
    while above is not None and above.type not in {
        "function_definition",
        "function_declaration",
        "module",
        "arrow_function",
    }:
        if above.type in {"if_statement", "except_clause", "conditional_expression"}:
            return above
        above = above.parent
    return None


def is_about_platform(node: Node) -> bool:
    """Whether the marker depends on the platform, a version or installed packages."""
    return _under_condition(node) and bool(PLATFORM.search(_with_condition(node)))


def _with_condition(node: Node) -> str:
    condition = _condition(node)
    head = text_of(condition.child_by_field_name("condition") or condition) if condition is not None else ""
    return f"{text_of(node)} {head}"


def _javascript_marker(node: Node) -> _Made:
    if node.type == "call_expression":
        return _javascript_call(node) or _javascript_skip(node)
    named = find_skipping_name(node)
    if named is not None:
        return "focus" if "only" in named else "skip", named, False
    return _javascript_option(node) if node.type == "pair" else None


def _javascript_call(node: Node) -> _Made:
    """``it.only(...)``, ``describe.skip(...)``, ``xit(...)``."""
    base, callee = read_js_callee(node)
    if base not in JS_TESTS | JS_SUITES:
        return None
    parts = callee.split(".")
    if "only" in parts or base in {"fit", "fdescribe"}:
        return "focus", _head(node), False
    if {"skip", "todo", "fixme"}.intersection(parts) or base.startswith("x"):
        return "skip", _head(node), False
    return ("xfail", _head(node), False) if {"fails", "failing"}.intersection(parts) else None


def _javascript_skip(node: Node) -> _Made:
    """``t.skip()`` inside a test, and vitest's ``it.skipIf(condition)``."""
    text = text_of(node.child_by_field_name("function"))
    if re.fullmatch(r"(?:this|t|ctx|context|test|it)\.(?:skip|todo)|pending", text):
        return "skip", text_of(node), _under_condition(node) and bool(PLATFORM.search(_with_condition(node)))
    if re.fullmatch(r"(?:it|test|describe)\.(?:skipIf|runIf)", text):
        return "skip", text_of(node), bool(PLATFORM.search(text_of(node)))
    return None


def _javascript_option(node: Node) -> _Made:
    """``test("title", { skip: true }, ...)``."""
    key = text_of(node.child_by_field_name("key")).strip("'\"")
    options = node.parent
    call = options.parent.parent if options is not None and options.parent is not None else None
    if key not in {"skip", "todo", "only"} or call is None or call.type != "call_expression":
        return None
    if read_js_callee(call)[0] not in JS_TESTS | JS_SUITES:
        return None
    if text_of(node.child_by_field_name("value")) in {"false", "undefined", "null"}:
        return None
    return "focus" if key == "only" else "skip", f"{_head(call)} {text_of(node)}", False


def _head(call: Node) -> str:
    arguments = call.child_by_field_name("arguments")
    title = text_of(arguments.named_children[0]) if arguments is not None and arguments.named_children else ""
    return f"{text_of(call.child_by_field_name('function'))}({title})"


def _go_marker(node: Node) -> _Made:
    if node.type == "call_expression":
        function = text_of(node.child_by_field_name("function"))
        if re.fullmatch(r"(?:t|b|tb|f)\.Skip(?:f|Now)?", function):
            return "skip", text_of(node), is_about_platform(node)
    built = node.type == "comment" and text_of(node).startswith(("//go:build", "// +build"))
    return ("skip", text_of(node), bool(GO_ON_LINUX.fullmatch(text_of(node)))) if built else None


def _rust_marker(node: Node) -> _Made:
    if node.type in {"attribute_item", "inner_attribute_item"}:
        text = text_of(node)
        if re.match(r"#!?\[\s*ignore\b", text) or re.match(r"#!?\[\s*cfg\(\s*(?:any\(\)|FALSE|not\(test\))\s*\)", text):
            return "skip", text, False
        if re.match(r"#\[\s*should_panic\b", text):
            return "xfail", text, False
    return None


def _java_marker(node: Node) -> _Made:
    if node.type in {"annotation", "marker_annotation"}:
        name = text_of(node.child_by_field_name("name")).rpartition(".")[2]
        if name in {"Disabled", "Ignore"}:
            return "skip", text_of(node), False
        if re.fullmatch(r"(?:Disabled|Enabled)(?:On|If|For)\w+", name):
            return "skip", text_of(node), True
    if node.type == "method_invocation" and re.match(
        r"(?:Assumptions?\.)?assum(?:e|ing)\w*\(\s*(?:false|true)\b", text_of(node)
    ):
        return "skip", text_of(node), False
    return None


_MARKERS = {
    "javascript": _javascript_marker,
    "typescript": _javascript_marker,
    "go": _go_marker,
    "rust": _rust_marker,
    "java": _java_marker,
}
