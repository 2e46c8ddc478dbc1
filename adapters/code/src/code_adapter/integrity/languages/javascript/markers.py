"""Find calls and options of JavaScript's runners that skip tests, expect them to fail, or run some alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.javascript.uncalled import find_skipping_name
from code_adapter.integrity.languages.platforms import PLATFORM, is_about_platform
from code_adapter.integrity.languages.suites import SUITES, TESTS, is_repeating_option, is_suite, read_callee
from code_adapter.integrity.languages.test_language import MadeMarker, find_following
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_REPEATS = re.compile(
    r"jest\.retryTimes\((?!\s*0\s*[,)])|(?:this|describe\([^\n]*\)|it\([^\n]*\))\.retries\((?!\s*0\s*\))"
)


def is_repeating(node: Node, _in_tests: bool) -> bool:
    """Whether it says that tests which fail are run again."""
    if node.type == "call_expression":
        return _REPEATS.match(text_of(node)) is not None
    return is_repeating_option(node)


def find_scope(node: Node) -> Node | None:
    """Find what a marker stands on: what it decorates, or the class or suite around it."""
    above: Node | None = node
    while above is not None:
        if above.type == "decorator" and above.parent is not None:
            return find_following(above)
        if above.type == "class_declaration" or is_suite(above):
            return above
        above = above.parent
    return None


def read_marker(node: Node) -> MadeMarker | None:
    """Read a node as a marker."""
    if node.type == "call_expression":
        return _read_call(node) or _read_skip(node)
    named = find_skipping_name(node)
    if named is not None:
        return MadeMarker("focus" if "only" in named else "skip", named)
    return _read_option(node) if node.type == "pair" else None


def _read_call(node: Node) -> MadeMarker | None:
    """``it.only(...)``, ``describe.skip(...)``, ``xit(...)``."""
    base, callee = read_callee(node)
    if base not in TESTS | SUITES:
        return None
    parts = callee.split(".")
    if "only" in parts or base in {"fit", "fdescribe"}:
        return MadeMarker("focus", _head(node))
    if {"skip", "todo", "fixme"}.intersection(parts) or base.startswith("x"):
        return MadeMarker("skip", _head(node))
    return MadeMarker("xfail", _head(node)) if {"fails", "failing"}.intersection(parts) else None


def _read_skip(node: Node) -> MadeMarker | None:
    """``t.skip()`` inside a test, and vitest's ``it.skipIf(condition)``."""
    text = text_of(node.child_by_field_name("function"))
    if re.fullmatch(r"(?:this|t|ctx|context|test|it)\.(?:skip|todo)|pending", text):
        return MadeMarker("skip", text_of(node), is_about_platform(node))
    if re.fullmatch(r"(?:it|test|describe)\.(?:skipIf|runIf)", text):
        return MadeMarker("skip", text_of(node), bool(PLATFORM.search(text_of(node))))
    return None


def _read_option(node: Node) -> MadeMarker | None:
    """``test("title", { skip: true }, ...)``."""
    key = text_of(node.child_by_field_name("key")).strip("'\"")
    options = node.parent
    call = options.parent.parent if options is not None and options.parent is not None else None
    if key not in {"skip", "todo", "only"} or call is None or call.type != "call_expression":
        return None
    if read_callee(call)[0] not in TESTS | SUITES:
        return None
    if text_of(node.child_by_field_name("value")) in {"false", "undefined", "null"}:
        return None
    return MadeMarker("focus" if key == "only" else "skip", f"{_head(call)} {text_of(node)}")


def _head(call: Node) -> str:
    arguments = call.child_by_field_name("arguments")
    title = text_of(arguments.named_children[0]) if arguments is not None and arguments.named_children else ""
    return f"{text_of(call.child_by_field_name('function'))}({title})"
