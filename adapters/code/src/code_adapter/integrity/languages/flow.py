"""Analyse the control flow of a test: statements that never run, may not run, or whose failure is dropped.

Here is what languages have in common; what one of them has alone stands with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from code_adapter.integrity.languages.platforms import PLATFORM
from verigate.sdk.languages.tree import is_comment, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

TRUE = frozenset({"True", "true", "1", "not False", "!false", "!0", "Boolean.TRUE"})
FALSE = frozenset(
    {
        "False",
        "false",
        "0",
        "None",
        "not True",
        "!true",
        "null",
        "not __debug__",
        "TYPE_CHECKING",
        "typing.TYPE_CHECKING",
    }
)
_EMPTY = frozenset({"[]", "()", "{}", "range(0)", "''", '""', "set()", "list()", "dict()", "tuple()"})
BLOCKS = frozenset({"block", "statement_block", "statement_list", "module", "program", "constructor_body"})
_ENDS = re.compile(r"(?:return|raise|throw)\b")
_LEAVES = frozenset({"return_statement", "break_statement", "continue_statement"})
CATCHES_ALL = re.compile(r"\b(?:Exception|BaseException|AssertionError|Throwable|Error|AssertionFailedError)\b")
FAILS_ANYWAY = re.compile(
    r"\braise\b|\bthrow\b|\bfail\w*\(|\bFail\w*\(|\bassert|\bexpect\(|\breject\(|\bdone\(\w|\b(?:raises|warns)\("
)
_FUNCTIONS = frozenset(
    {"function_definition", "function_declaration", "method_declaration", "function_item", "class_definition"}
)
_INNER = frozenset({"function_definition", "function_declaration", "arrow_function", "function_expression", "lambda"})


class FlowStep(NamedTuple):
    """A reachable node, with whether a failure in it is dropped, and whether it may not run."""

    node: Node
    caught: bool = False
    held: bool = False


def list_common_steps(node: Node) -> Iterator[FlowStep]:
    """List the reachable children of a node, by what most languages have: blocks, branches, loops, exceptions."""
    children = list_children(node)
    if node.type in BLOCKS:
        yield from list_in_turn(children)
    elif node.type == "if_statement":
        yield from _branches(node, children)
    elif node.type in {"while_statement", "for_statement", "for_in_statement"}:
        yield from _loop(node, children)
    elif node.type in {"try_statement", "try_with_resources_statement"}:
        yield from _guarded(node, children)
    else:
        yield from _in_expression(node, children)


def list_children(node: Node) -> list[Node]:
    """List the children of a node without comments."""
    return [child for child in node.children if not is_comment(child)]


def list_in_turn(children: Iterable[Node], is_apart: Callable[[Node], bool] = lambda _: False) -> Iterator[FlowStep]:
    """List statements one after the other: none after one that ends, and perhaps none after one that may leave.

    ``is_apart`` says that nobody hears of a failure in a statement.
    """
    held = False
    for child in children:
        yield FlowStep(child, is_apart(child), held)
        if child.is_named and child.type not in _FUNCTIONS and _ENDS.match(text_of(child)):
            return
        held = held or _may_leave(child)


def _may_leave(statement: Node) -> bool:
    """``if not ready: return`` where nothing fails instead, and no platform is asked for."""
    if statement.type != "if_statement":
        return False
    consequence = statement.child_by_field_name("consequence")
    if consequence is None or FAILS_ANYWAY.search(text_of(consequence)):
        return False
    last = consequence.named_children[-1] if consequence.type in BLOCKS and consequence.named_children else consequence
    return last.type in _LEAVES and not PLATFORM.search(text_of(statement.child_by_field_name("condition")))


def _branches(node: Node, children: list[Node]) -> Iterator[FlowStep]:
    condition = text_of(node.child_by_field_name("condition")).strip("() ")
    consequence = node.child_by_field_name("consequence")
    dead = consequence if condition in FALSE else None
    others = [child for child in children if child.type in {"else_clause", "elif_clause"}]
    certain = condition in TRUE or bool(PLATFORM.search(condition))
    whole = bool(others) and others[-1].type == "else_clause"
    certain = certain or (whole and all(FAILS_ANYWAY.search(text_of(part)) for part in (consequence, *others)))
    for child in children:
        if dead is None or child.id != dead.id:
            branch = consequence is not None and (child.id == consequence.id or child in others)
            yield FlowStep(child, held=branch and not certain and dead is None)


def _loop(node: Node, children: list[Node]) -> Iterator[FlowStep]:
    head = text_of(node.child_by_field_name("condition") or node.child_by_field_name("right")).strip()
    body = node.child_by_field_name("body")
    loops = node.type == "while_statement"
    never = (head.strip("() ") in FALSE) if loops else head in _EMPTY
    held = loops and head.strip("() ") not in TRUE
    for child in children:
        inside = body is not None and child.id == body.id
        if not (never and inside):
            yield FlowStep(child, held=held and inside)


def _guarded(node: Node, children: list[Node]) -> Iterator[FlowStep]:
    body = node.child_by_field_name("body")
    drops = any(drops_failure(child) for child in children)
    lost = any(leaves_last(child) for child in children)
    for child in children:
        guarded = body is not None and child.id == body.id
        yield FlowStep(child, (drops and guarded) or (lost and child.type != "finally_clause"))


def _in_expression(node: Node, children: list[Node]) -> Iterator[FlowStep]:
    kind, right = node.type, node.child_by_field_name("right")
    if kind in {"binary_expression", "boolean_operator"} and right is not None and is_statement(node):
        operator = text_of(node.child_by_field_name("operator"))
        yield from (
            FlowStep(child, held=child.id == right.id and operator in {"&&", "||", "??", "and", "or"})
            for child in children
        )
    elif (
        (kind in {"ternary_expression", "conditional_expression"} and is_statement(node))
        or kind == "switch_case"
        or (kind == "generator_expression" and is_statement(node))
    ):
        yield from (FlowStep(child, held=True) for child in children)
    else:
        yield from (FlowStep(child) for child in children)


def is_statement(node: Node) -> bool:
    """Whether an expression stands by itself."""
    above = node.parent
    while above is not None and above.type == "parenthesized_expression":
        above = above.parent
    return above is not None and above.type == "expression_statement"


def leaves_last(clause: Node) -> bool:
    """``finally: return``: what was raised is forgotten."""
    if clause.type != "finally_clause":
        return False
    stack = list(clause.named_children)
    while stack:
        node = stack.pop()
        if node.type in _LEAVES:
            return True
        if node.type not in _INNER | {"for_statement", "while_statement"}:
            stack.extend(node.named_children)
    return False


def drops_failure(clause: Node) -> bool:
    """Whether a clause catches every failure, and nothing fails instead."""
    if clause.type not in {"except_clause", "except_group_clause", "catch_clause"}:
        return False
    text = text_of(clause)
    blocks = [child for child in clause.named_children if child.type in BLOCKS]
    body = text_of(blocks[-1]) if blocks else ""
    head = text.removesuffix(body) if body else text
    typed = bool(re.search(r"\w", re.sub(r"^\s*(?:except|catch)\*?", "", head)))
    python = clause.type != "catch_clause"
    javascript = (
        clause.type == "catch_clause"
        and clause.child_by_field_name("body") is not None
        and (not any(child.type == "catch_formal_parameter" for child in clause.named_children))
    )
    everything = javascript or (python and not typed) or bool(CATCHES_ALL.search(head))
    return everything and not FAILS_ANYWAY.search(body)
