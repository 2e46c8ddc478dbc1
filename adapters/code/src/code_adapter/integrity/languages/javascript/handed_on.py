"""Tell what catches a failure and hands it on to the runner: ``catch (error) { reject(error); }``.

``done`` has to be what the runner gave the test, and ``reject`` that of a promise for which the test waits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import is_comment, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_FUNCTIONS = frozenset({"arrow_function", "function_expression"})
_TEST = re.compile(r"(?:it|test|specify)(?:\.\w+)*")
_WAITING = frozenset({"await_expression", "return_statement"})


def hands_failures_on(old: Tree | None, new: Tree) -> bool:
    """Whether each added clause that catches begins by handing on what it caught."""
    known = set(map(text_of, _list_catching(old)))
    added = [clause for clause in _list_catching(new) if text_of(clause) not in known]
    return bool(added) and all(_hands_on(clause, new.root) for clause in added)


def _list_catching(tree: Tree | None) -> Iterator[Node]:
    return (node for node in walk(tree.root) if node.type == "catch_clause") if tree is not None else iter(())


def _hands_on(clause: Node, root: Node) -> bool:
    caught, name = clause.child_by_field_name("parameter"), _find_called(clause)
    if caught is None or caught.type != "identifier" or name is None or _is_named_anew(root, name):
        return False
    function = clause.parent
    while function is not None and not (function.type in _FUNCTIONS and name in _list_parameters(function)):
        function = function.parent
    return function is not None and (_is_of_test(function) or _is_rejection(function, name))


def _find_called(clause: Node) -> str | None:
    """Find what the first statement calls with what was caught, and with nothing else."""
    caught, body = clause.child_by_field_name("parameter"), clause.child_by_field_name("body")
    statements = [child for child in body.named_children if not is_comment(child)] if body is not None else []
    call = statements[0].named_child(0) if statements and statements[0].type == "expression_statement" else None
    if call is None or call.type != "call_expression":
        return None
    called, given = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    alone = given is not None and [text_of(each) for each in given.named_children] == [text_of(caught)]
    return text_of(called) if alone and called is not None and called.type == "identifier" else None


def _is_named_anew(root: Node, name: str) -> bool:
    """Whether anything in the file gives this name to something else than a parameter."""
    fields = {"variable_declarator": "name", "function_declaration": "name", "assignment_expression": "left"}
    found = (node.child_by_field_name(fields[node.type]) for node in walk(root) if node.type in fields)
    return any(re.search(rf"\b{re.escape(name)}\b", text_of(each)) for each in found)


def _list_parameters(function: Node) -> list[str]:
    one, several = (function.child_by_field_name(field) for field in ("parameter", "parameters"))
    return [text_of(one)] if one is not None else list(map(text_of, several.named_children if several else ()))


def _find_receiver(function: Node, kind: str) -> Node | None:
    """Find the call, or the ``new``, that gets a function as an argument."""
    above = function.parent.parent if function.parent is not None and function.parent.type == "arguments" else None
    return above if above is not None and above.type == kind else None


def _is_of_test(function: Node) -> bool:
    call = _find_receiver(function, "call_expression")
    return call is not None and _TEST.fullmatch(text_of(call.child_by_field_name("function"))) is not None


def _is_rejection(function: Node, name: str) -> bool:
    """Whether it is how a promise is rejected for which the test waits."""
    made = _find_receiver(function, "new_expression")
    if made is None or text_of(made.child_by_field_name("constructor")) != "Promise":
        return False
    above = made.parent
    if above is None or _list_parameters(function).index(name) != 1:
        return False
    if above.type == "variable_declarator":
        promise, block = text_of(above.child_by_field_name("name")), above.parent and above.parent.parent
        return bool(re.search(rf"\b(?:await|return)\s+{re.escape(promise)}\s*(?:;|$)", text_of(block), re.MULTILINE))
    return above.type in _WAITING
