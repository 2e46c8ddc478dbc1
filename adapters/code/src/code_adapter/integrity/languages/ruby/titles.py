"""Calls of RSpec and minitest/spec that define tests and suites by a title: ``it "adds" do``, ``describe Price do``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import string_value, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN_TESTS = frozenset({"it", "specify", "example", "scenario", "test", "its", "should"})
_PLAIN_SUITES = frozenset({"describe", "context", "feature", "example_group", "experiment"})
SKIPPED = frozenset({"xit", "xspecify", "xexample", "xscenario", "xdescribe", "xcontext", "xfeature", "xtest"})
FOCUSED = frozenset({"fit", "fspecify", "fexample", "fscenario", "fdescribe", "fcontext", "ffeature"})
TESTS = _PLAIN_TESTS | {name for name in SKIPPED | FOCUSED if name[1:] in _PLAIN_TESTS}
SUITES = _PLAIN_SUITES | {name for name in SKIPPED | FOCUSED if name[1:] in _PLAIN_SUITES}
SHARED = frozenset({"shared_examples", "shared_examples_for", "shared_context"})


def read_callee(node: Node) -> str:
    """``it`` or ``describe`` of a call that defines a test or a suite, also of ``RSpec.describe``; empty for others."""
    if node.type != "call":
        return ""
    receiver = node.child_by_field_name("receiver")
    name = text_of(node.child_by_field_name("method"))
    if receiver is not None and text_of(receiver) not in {"RSpec", "Minitest", "self"}:
        return ""
    return name if name in TESTS | SUITES | SHARED else ""


def list_arguments(call: Node) -> list[Node]:
    """List the arguments of a call."""
    arguments = call.child_by_field_name("arguments")
    return list(arguments.named_children) if arguments is not None else []


def read_title(call: Node) -> str:
    """The title of a test or a suite, without its options; that of a test without one is what it says."""
    named = [node for node in list_arguments(call) if node.type not in {"pair", "simple_symbol", "hash"}]
    if named:
        return " ".join(string_value(node) or text_of(node).strip("\"'") for node in named[:2])
    block = call.child_by_field_name("block")
    return " ".join(text_of(block).split())[:120]


def is_suite(node: Node) -> bool:
    """Whether a node is the call that defines a suite."""
    return read_callee(node) in SUITES | SHARED and node.child_by_field_name("block") is not None
