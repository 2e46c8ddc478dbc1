"""Analyse the control flow of a test of JavaScript: functions that are called later, or never."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_call, read_plain
from code_adapter.integrity.languages.flow import FAILS_ANYWAY, FlowStep, is_statement, list_children, list_common_steps
from code_adapter.integrity.languages.javascript.uncalled import is_never_called as is_never_called_around
from verigate.sdk.languages.tree import is_comment, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_LATER = re.compile(r"(?:setTimeout|setInterval|setImmediate|queueMicrotask|process\.nextTick|requestAnimationFrame)$")
_WAITED = re.compile(r"\bdone\(|\bresolve\(|\bawait\b")
_HANDED_TO = frozenset({"reject", "done"})
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


def hands_failures_on(old: Tree | None, new: Tree) -> bool:
    """Whether each added clause that catches begins by giving what it caught to ``reject`` or ``done``."""
    known = set(map(text_of, _list_catching(old)))
    added = [clause for clause in _list_catching(new) if text_of(clause) not in known]
    return bool(added) and all(map(_hands_on, added))


def _list_catching(tree: Tree | None) -> Iterator[Node]:
    return (node for node in walk(tree.root) if node.type == "catch_clause") if tree is not None else iter(())


def _hands_on(clause: Node) -> bool:
    caught, body = clause.child_by_field_name("parameter"), clause.child_by_field_name("body")
    statements = [child for child in body.named_children if not is_comment(child)] if body is not None else []
    call = statements[0].named_child(0) if statements and statements[0].type == "expression_statement" else None
    if caught is None or caught.type != "identifier" or call is None or call.type != "call_expression":
        return False
    given = call.child_by_field_name("arguments")
    return text_of(call.child_by_field_name("function")) in _HANDED_TO and (
        given is not None and [text_of(each) for each in given.named_children] == [text_of(caught)]
    )


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
