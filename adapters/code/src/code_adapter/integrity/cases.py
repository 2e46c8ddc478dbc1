"""The tests of one file: what a runner would collect from it, and what keeps tests from running or counting."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from code_adapter.integrity.assertions import Assertions, assertions_in
from code_adapter.integrity.flow import PLATFORM, dropping_managers
from code_adapter.integrity.reached import GO_ON_LINUX
from code_adapter.integrity.runner_names import plain_name, runner_names
from code_adapter.integrity.uncalled import skipping_name, uncalled
from code_adapter.integrity.uncollected import uncollected
from verigate.sdk.languages import language_of
from verigate.sdk.languages.rust import attributes
from verigate.sdk.languages.tree import fingerprint, line_of, string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

MarkerKind = Literal["skip", "xfail", "focus"]
_WORD = re.compile(r"[A-Za-z_$][\w$]*|\d[\w.]*|\"[^\"]*\"|'[^']*'")
_JS_TESTS = frozenset({"it", "test", "specify", "xit", "xtest", "fit", "xspecify"})
_JS_SUITES = frozenset({"describe", "suite", "context", "xdescribe", "fdescribe", "xcontext"})
_JS_MODIFIER = re.compile(
    r"(?P<base>\w+)(?:\.(?:skip|only|todo|fails|failing|concurrent|sequential|each|for|serial|fixme))*"
)
_JAVA_TEST = re.compile(r"@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b")
_RUST_TEST = re.compile(r"#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b")
_MULTI = re.compile(r"parametrize|\.each\b|\bsubTest\(|\bt\.Run\(|\bfor\b|@ParameterizedTest|#\[case|forEach\(|@given")


@dataclass(frozen=True, slots=True)
class Case:
    """A test. ``id`` is its name with classes or suites around it; ``words`` are its identifiers and literals."""

    id: str
    name: str
    path: str
    line: int
    digest: str
    assertions: Assertions
    words: frozenset[str]
    multi: bool


@dataclass(frozen=True, slots=True)
class Marker:
    """Something that skips tests, expects them to fail, or runs nothing else. ``case`` is the test it is about."""

    kind: MarkerKind
    text: str
    line: int
    path: str
    case: str | None
    conditional: bool = False


@dataclass(frozen=True, slots=True)
class Inventory:
    """The tests and markers of one version of one file."""

    cases: tuple[Case, ...] = ()
    markers: tuple[Marker, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class _Found:
    name: str
    qualified: str
    node: Node
    body: Node
    leading: tuple[Node, ...] = ()


def inventory(tree: Tree, path: str, elsewhere: Mapping[str, int]) -> Inventory:
    """The tests of a file that a runner collects. ``elsewhere`` are the helpers of the change's other test files."""
    language = language_of(path) or ""
    found = list(_FINDERS[language](tree))
    helpers = {**elsewhere, **helpers_in(tree, {item.body.id for item in found})}
    cases = tuple(_case(item, path, helpers) for item in found)
    return Inventory(cases, tuple(_markers(tree, path, language, found)))


def _case(item: _Found, path: str, helpers: Mapping[str, int]) -> Case:
    text = " ".join(text_of(node) for node in (*item.leading, item.node))
    return Case(
        id=item.qualified,
        name=item.name,
        path=path,
        line=line_of(item.node),
        digest=fingerprint(item.body),
        assertions=assertions_in(item.body, helpers),
        words=frozenset(_WORD.findall(text)) - {item.name},
        multi=bool(_MULTI.search(text)),
    )


def helpers_in(tree: Tree, tests: Collection[int] = ()) -> dict[str, int]:
    """Functions of this file that are no tests -> how many assertions that can fail they make, calls resolved twice.

    ``with NAME`` stands for a context manager that drops what is raised in it.
    """
    bodies: dict[str, Node] = {}
    for node in walk(tree.root):
        if node.type in {"function_definition", "function_declaration", "method_definition", "function_item"} or (
            node.type in {"method_declaration", "variable_declarator"}
        ):
            value = node.child_by_field_name("value")
            body = (value.child_by_field_name("body") if value is not None else None) or node.child_by_field_name(
                "body"
            )
            name = text_of(node.child_by_field_name("name"))
            if body is not None and body.id not in tests and name:
                bodies[name] = body
    counts: dict[str, int] = dict.fromkeys(bodies, 0)
    for _ in range(2):
        found = {name: assertions_in(body, counts) for name, body in bodies.items()}
        counts = {name: len(made.real) + len(made.delegated) for name, made in found.items()}
    return counts | dict.fromkeys(dropping_managers(tree.root), 1)


def _python(tree: Tree) -> Iterator[_Found]:
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    none = uncollected(tree)
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
                    yield _Found(name, f"{around}{name}", child, body, leading)
            elif inner.type == "class_definition" and body is not None:
                bases = text_of(inner.child_by_field_name("superclasses"))
                if name.startswith("Test") or "Test" in bases:
                    stack.append((body, f"{around}{name}."))
            elif inner.type in {"if_statement", "try_statement", "block", "with_statement", "else_clause"}:
                stack.append((inner, around))


def _javascript(tree: Tree) -> Iterator[_Found]:
    stack: list[tuple[Node, str]] = [(tree.root, "")]
    none = uncalled(tree)
    while stack:
        node, around = stack.pop()
        inside = around
        if node.type == "call_expression":
            base, _ = js_callee(node)
            arguments = node.child_by_field_name("arguments")
            named = list(arguments.named_children) if arguments is not None else []
            if named and base in _JS_TESTS | _JS_SUITES and named[0].type not in {"arrow_function", "object"}:
                title = string_value(named[0]) or text_of(named[0])
                if base in _JS_TESTS:
                    body = next(
                        (n for n in reversed(named) if n.type in {"arrow_function", "function_expression"}), None
                    )
                    yield _Found(title, f"{around}{title}", node, body if body is not None else node)
                else:
                    inside = f"{around}{title} > "
        stack.extend((child, inside) for child in reversed(node.children) if child.id not in none)


def js_callee(call: Node) -> tuple[str, str]:
    """``it.skip.each(...)("title", f)`` -> ("it", "it.skip.each"); ("", "") for any other call."""
    function = call.child_by_field_name("function")
    while function is not None and function.type == "call_expression":
        function = function.child_by_field_name("function")
    text = text_of(function)
    match = _JS_MODIFIER.fullmatch(text)
    return (match["base"], text) if match else ("", "")


def _go(tree: Tree) -> Iterator[_Found]:
    for node in tree.root.named_children:
        name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
        declared = node.type in {"function_declaration", "method_declaration"} and body is not None
        if declared and body is not None and re.match(r"(?:Test|Fuzz|Example)(?:[^a-z]|$)", name):
            yield _Found(name, name, node, body)


def _rust(tree: Tree) -> Iterator[_Found]:
    for node in walk(tree.root):
        body = node.child_by_field_name("body") if node.type == "function_item" else None
        if body is None:
            continue
        leading = attributes(node)
        if any(_RUST_TEST.match(text_of(attribute)) for attribute in leading):
            name = text_of(node.child_by_field_name("name"))
            yield _Found(name, name, node, body, leading)


def _java(tree: Tree) -> Iterator[_Found]:
    for node in walk(tree.root):
        body = node.child_by_field_name("body") if node.type == "method_declaration" else None
        modifiers = next((child for child in node.children if child.type == "modifiers"), None)
        if body is not None and modifiers is not None and _JAVA_TEST.search(text_of(modifiers)):
            name = text_of(node.child_by_field_name("name"))
            yield _Found(name, name, node, body, (modifiers,))


_FINDERS = {
    "python": _python,
    "javascript": _javascript,
    "typescript": _javascript,
    "go": _go,
    "rust": _rust,
    "java": _java,
}

_PYTHON_SKIP = re.compile(
    r"^(?:@?(?:pytest\.)?mark\.(?P<mark>skipif|skip|xfail)\b|@?(?:unittest\.)?(?P<unit>skipUnless|skipIf|skip|expectedFailure)\b|"
    r"(?:pytest\.)(?P<call>skip|xfail|importorskip)\(|self\.(?P<self>skipTest)\(|raise\s+(?:[\w.]+\.)?(?P<raised>SkipTest|skip\.Exception)\b|"
    r"(?P<never>(?:[\w.]+\.)?(?:__test__\s*=\s*False|__unittest_(?:skip|expecting_failure)__\s*=))|[\w.]+\.(?:applymarker|add_marker)\(\s*['\"]?(?:pytest\.)?(?:mark\.)?(?P<added>skip|xfail)|"
    r"@(?:pytest\.)?mark\.(?P<empty>parametrize)\((?:[^\[\](),]|\([^()]*\)|\[[^\[\]]*\])*,\s*(?:argvalues\s*=\s*)?(?:\[\s*\]|\(\s*\)))"
)


def _markers(tree: Tree, path: str, language: str, found: list[_Found]) -> Iterator[Marker]:
    spans = [(item.node.start_byte, item.node.end_byte, item) for item in found]
    names = runner_names(tree.source) if language == "python" else {}
    for node in walk(tree.root):
        made = _python_marker(node, names) if language == "python" else _MARKERS[language](node)
        if made is None:
            continue
        kind, text, conditional = made
        inside = (item for start, end, item in spans if start <= node.start_byte < end)
        owner = next(inside, found[0] if found and node.type == "comment" else None)
        if owner is None:
            owner = next((item for item in found if node.id in {part.id for part in item.leading}), None)
        yield Marker(
            kind, " ".join(text.split())[:200], line_of(node), path, owner.qualified if owner else None, conditional
        )


_Made = tuple[MarkerKind, str, bool] | None


def _python_marker(node: Node, names: Mapping[str, str]) -> _Made:
    if node.type not in {"decorator", "call", "raise_statement", "assignment", "attribute"}:
        return None
    if node.type == "attribute" and not _stands_alone(node):
        return None
    if node.type == "call" and node.parent is not None and node.parent.type in {"decorator", "raise_statement"}:
        return None
    text = plain_name(text_of(node), names)
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
    """Whether it runs under a condition about the platform, a version or what is installed."""
    return _under_condition(node) and bool(PLATFORM.search(_with_condition(node)))


def _with_condition(node: Node) -> str:
    condition = _condition(node)
    head = text_of(condition.child_by_field_name("condition") or condition) if condition is not None else ""
    return f"{text_of(node)} {head}"


def _javascript_marker(node: Node) -> _Made:
    if node.type == "call_expression":
        return _javascript_call(node) or _javascript_skip(node)
    named = skipping_name(node)
    if named is not None:
        return "focus" if "only" in named else "skip", named, False
    return _javascript_option(node) if node.type == "pair" else None


def _javascript_call(node: Node) -> _Made:
    """``it.only(...)``, ``describe.skip(...)``, ``xit(...)``."""
    base, callee = js_callee(node)
    if base not in _JS_TESTS | _JS_SUITES:
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
    if js_callee(call)[0] not in _JS_TESTS | _JS_SUITES:
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
