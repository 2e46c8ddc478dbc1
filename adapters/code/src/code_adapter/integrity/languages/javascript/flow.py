"""Analyse the control flow of a test of JavaScript: functions that are called later, or never."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_call, read_plain
from code_adapter.integrity.languages.flow import FAILS_ANYWAY, FlowStep, is_statement, list_children, list_common_steps
from code_adapter.integrity.languages.javascript.uncalled import is_never_called as is_never_called_around
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_LATER = re.compile(r"(?:setTimeout|setInterval|setImmediate|queueMicrotask|process\.nextTick|requestAnimationFrame)$")
_WAITED = re.compile(r"\bdone\(|\bresolve\(|\bawait\b")
_FAILS = re.compile(r"(?:[\w.]+\.)?(?:fail|unreachable)\(")
"""What says that a place isn't to be reached asks nothing of what was computed."""


def list_steps(node: Node, _dropping: Collection[str]) -> Iterator[FlowStep]:
    """List the reachable children."""
    return _callbacks(node, list_children(node)) if node.type == "call_expression" else list_common_steps(node)


def _callbacks(call: Node, children: list[Node]) -> Iterator[FlowStep]:
    """Functions that are handed on to be called later, or never, or whose rejection is caught."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    name, given = text_of(function), text_of(arguments)
    if function is None or arguments is None or re.match(r"\[\s*\]\.", name):
        return
    caught = name.endswith(".catch") and "=>" in given and not FAILS_ANYWAY.search(given)
    later = bool(_LATER.search(name)) and not _WAITED.search(given)
    alone = name.endswith((".then", ".finally")) and is_statement(call) and not _WAITED.search(given)
    for child in children:
        yield FlowStep(child, caught and child.id == function.id, (later or alone) and child.id == arguments.id)


def is_never_called(node: Node, body: Node) -> bool:
    """Whether it is a function that nothing else in the test names."""
    return is_never_called_around(node, text_of(body))


def is_not_awaited(call: Node) -> bool:
    """``expect(promise).resolves.toBe(1);`` as a statement: nobody waits for it."""
    text = read_plain(call)
    above = call.parent
    return (
        call.type == "call_expression"
        and bool(re.search(r"\)\.(?:resolves|rejects)\.|^assert\.(?:rejects|doesNotReject)\(", text))
        and above is not None
        and above.type == "expression_statement"
    )


def list_expected_failures(call: Node) -> Iterator[Assertion]:
    """List the assertions in a function that is expected to throw."""
    if call.type != "call_expression" or not re.search(r"\bthrows\(|\.toThrow|\brejects\b", text_of(call)):
        return
    for node in walk(call):
        if node.type in {"arrow_function", "function_expression"}:
            for inner in walk(node):
                found = read_call(inner)
                if found is not None and inner.type == "call_expression" and not _FAILS.match(found.text):
                    yield found
            return
