"""Analyse the control flow of a test: statements that never run, may not run, or whose failure is dropped.

In Go, Rust and Java, assertions are usually conditional (``if got != want { t.Error() }``), so statements that may not
run count only in Python, JavaScript and TypeScript.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from verigate.sdk.languages.tree import is_comment, text_of, walk

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
PLATFORM = re.compile(
    r"sys\.platform|sys\.version_info|sys\.implementation|os\.name|platform\.|find_spec|shutil\.which|importorskip|hasattr\(|GOOS|process\.platform|"
    r"testing\.Short|runtime\.|is_installed|HAS_|has_|_AVAILABLE|process\.version"
)
_EMPTY = frozenset({"[]", "()", "{}", "range(0)", "''", '""', "set()", "list()", "dict()", "tuple()"})
_BLOCKS = frozenset({"block", "statement_block", "statement_list", "module", "program", "constructor_body"})
_ENDS = re.compile(r"(?:return|raise|throw)\b")
_LEAVES = frozenset({"return_statement", "break_statement", "continue_statement"})
_CATCHES_ALL = re.compile(r"\b(?:Exception|BaseException|AssertionError|Throwable|Error|AssertionFailedError)\b")
_FAILS_ANYWAY = re.compile(
    r"\braise\b|\bthrow\b|\bfail\w*\(|\bFail\w*\(|\bassert|\bexpect\(|\breject\(|\bdone\(\w|\b(?:raises|warns)\("
)
_FUNCTIONS = frozenset(
    {"function_definition", "function_declaration", "method_declaration", "function_item", "class_definition"}
)
_INNER = frozenset({"function_definition", "function_declaration", "arrow_function", "function_expression", "lambda"})
_LATER = re.compile(r"(?:setTimeout|setInterval|setImmediate|queueMicrotask|process\.nextTick|requestAnimationFrame)$")
_WAITED = re.compile(r"\bdone\(|\bresolve\(|\bawait\b")
_ELSEWHERE = (
    r"(?:Thread|Timer|Process|submit|register|finalize|call_soon|call_later|create_task|ensure_future|start_new_thread)"
    r"\([^\n]{0,300}(?<!\w){name}(?!\w)(?!\()|^[ \t]*(?:map|filter)\(\s*{name}\b|"
    r"^[ \t]*\([^\n]{0,300}(?<!\w){name}\([^\n]{0,300}\bfor\b"
)


class FlowStep(NamedTuple):
    """A reachable node, with whether a failure in it is dropped, and whether it may not run."""

    node: Node
    caught: bool = False
    held: bool = False


def has_own_assertions(body: Node) -> bool:
    """Whether the node is Python, JavaScript or TypeScript, where a condition is not part of an assertion."""
    root = body
    while root.parent is not None:
        root = root.parent
    return root.type == "module" or (root.type == "program" and body.type not in {"block", "constructor_body"})


def list_steps(node: Node, dropping: Collection[str], *, own: bool) -> Iterator[FlowStep]:
    """List the reachable children; ``own`` is the result of ``has_own_assertions``, without which none is held.

    ``dropping`` contains ``with NAME`` for context managers that drop exceptions.
    """
    for step in _steps(node, dropping):
        yield step if own else step._replace(held=False)


def _steps(node: Node, dropping: Collection[str]) -> Iterator[FlowStep]:
    children = [child for child in node.children if not is_comment(child)]
    kind = node.type
    if kind in _BLOCKS:
        yield from _in_turn(node, children)
    elif kind == "if_statement":
        yield from _branches(node, children)
    elif kind in {"while_statement", "for_statement", "for_in_statement"}:
        yield from _loop(node, children)
    elif kind in {"try_statement", "try_with_resources_statement"}:
        body = node.child_by_field_name("body")
        drops = any(_drops(child) for child in children)
        lost = any(_leaves_last(child) for child in children)
        for child in children:
            guarded = body is not None and child.id == body.id
            yield FlowStep(child, (drops and guarded) or (lost and child.type != "finally_clause"))
    elif kind == "with_statement":
        head = text_of(node).partition("\n")[0]
        names = re.findall(r"(?:\bwith\s+|,\s*)(?:\w+\.)*(\w+)\s*[(:,]", head)
        drops = "suppress(" in head and bool(_CATCHES_ALL.search(head))
        drops = drops or any(f"with {name}" in dropping for name in names)
        yield from (FlowStep(child, drops) for child in children)
    else:
        yield from _in_expression(node, children)


def _in_turn(block: Node, children: list[Node]) -> Iterator[FlowStep]:
    """Statements one after the other: none after one that ends, and perhaps none after one that may leave."""
    held = False
    for child in children:
        yield FlowStep(child, _is_left_alone(child, block), held)
        if child.is_named and child.type not in _FUNCTIONS and _ENDS.match(text_of(child)):
            return
        held = held or _may_leave(child)


def _may_leave(statement: Node) -> bool:
    """``if not ready: return`` where nothing fails instead, and no platform is asked for."""
    if statement.type != "if_statement":
        return False
    consequence = statement.child_by_field_name("consequence")
    if consequence is None or _FAILS_ANYWAY.search(text_of(consequence)):
        return False
    last = consequence.named_children[-1] if consequence.type in _BLOCKS and consequence.named_children else consequence
    return last.type in _LEAVES and not PLATFORM.search(text_of(statement.child_by_field_name("condition")))


def _branches(node: Node, children: list[Node]) -> Iterator[FlowStep]:
    condition = text_of(node.child_by_field_name("condition")).strip("() ")
    consequence = node.child_by_field_name("consequence")
    dead = consequence if condition in FALSE else None
    others = [child for child in children if child.type in {"else_clause", "elif_clause"}]
    certain = condition in TRUE or bool(PLATFORM.search(condition))
    whole = bool(others) and others[-1].type == "else_clause"
    certain = certain or (whole and all(_FAILS_ANYWAY.search(text_of(part)) for part in (consequence, *others)))
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


def _in_expression(node: Node, children: list[Node]) -> Iterator[FlowStep]:
    kind, right = node.type, node.child_by_field_name("right")
    if kind in {"binary_expression", "boolean_operator"} and right is not None and _is_statement(node):
        operator = text_of(node.child_by_field_name("operator"))
        yield from (
            FlowStep(child, held=child.id == right.id and operator in {"&&", "||", "??", "and", "or"})
            for child in children
        )
    elif kind in {"ternary_expression", "conditional_expression"} and _is_statement(node):
        yield from (FlowStep(child, held=True) for child in children)
    elif kind == "case_clause":
        above = text_of(node.parent) if node.parent is not None else ""
        held = not re.search(r"^\s*case _:(?s:.){0,400}(?:\braise\b|\bassert|fail\()", above, re.MULTILINE)
        yield from (FlowStep(child, held=held) for child in children)
    elif kind == "switch_case" or (kind == "generator_expression" and _is_statement(node)):
        yield from (FlowStep(child, held=True) for child in children)
    elif kind == "call_expression":
        yield from _callbacks(node, children)
    else:
        yield from (FlowStep(child) for child in children)


def _callbacks(call: Node, children: list[Node]) -> Iterator[FlowStep]:
    """JavaScript: functions that are handed on to be called later, or never, or whose rejection is caught."""
    function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    name, given = text_of(function), text_of(arguments)
    if function is None or arguments is None or re.match(r"\[\s*\]\.", name):
        return
    caught = name.endswith(".catch") and "=>" in given and not _FAILS_ANYWAY.search(given)
    later = bool(_LATER.search(name)) and not _WAITED.search(given)
    alone = name.endswith((".then", ".finally")) and _is_statement(call) and not _WAITED.search(given)
    for child in children:
        yield FlowStep(child, caught and child.id == function.id, (later or alone) and child.id == arguments.id)


def _is_left_alone(child: Node, body: Node) -> bool:
    """A function in a test that runs elsewhere, where nobody hears of its failure, or is never begun."""
    if child.type != "function_definition":
        return False
    name = re.escape(text_of(child.child_by_field_name("name")))
    around = text_of(body).replace(text_of(child), "")
    uses = len(re.findall(rf"(?<!\w){name}(?!\w)", around))
    lazy = text_of(child).startswith("async ") or any(node.type == "yield" for node in walk(child))
    apart = len(re.findall(_ELSEWHERE.replace("{name}", name), around, re.MULTILINE))
    if lazy:
        apart += len(re.findall(rf"^[ \t]*{name}\([^\n]*\)[ \t]*$", around, re.MULTILINE))
    return uses > 0 and uses == apart


def _is_statement(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type == "parenthesized_expression":
        above = above.parent
    return above is not None and above.type == "expression_statement"


def _leaves_last(clause: Node) -> bool:
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


def _drops(clause: Node) -> bool:
    if clause.type not in {"except_clause", "except_group_clause", "catch_clause"}:
        return False
    text = text_of(clause)
    blocks = [child for child in clause.named_children if child.type in _BLOCKS]
    body = text_of(blocks[-1]) if blocks else ""
    head = text.removesuffix(body) if body else text
    typed = bool(re.search(r"\w", re.sub(r"^\s*(?:except|catch)\*?", "", head)))
    python = clause.type != "catch_clause"
    javascript = (
        clause.type == "catch_clause"
        and clause.child_by_field_name("body") is not None
        and (not any(child.type == "catch_formal_parameter" for child in clause.named_children))
    )
    everything = javascript or (python and not typed) or bool(_CATCHES_ALL.search(head))
    return everything and not _FAILS_ANYWAY.search(body)


def find_dropping_managers(root: Node) -> Iterator[str]:
    """Return ``with NAME`` for each context manager of a Python file that drops exceptions."""
    for node in root.children:
        inner = node.child_by_field_name("definition") if node.type == "decorated_definition" else node
        if inner is None or inner.type not in {"class_definition", "function_definition"}:
            continue
        name = text_of(inner.child_by_field_name("name"))
        if inner.type == "class_definition":
            exits = [
                n for n in walk(inner) if n.type == "function_definition" and _name(n) in {"__exit__", "__aexit__"}
            ]
            ends = [text_of(n) for exit_ in exits for n in walk(exit_) if n.type == "return_statement"]
            if ends and set(ends) == {"return True"}:
                yield f"with {name}"
        elif "contextmanager" in text_of(node).partition("def ")[0]:
            tries = [n for n in walk(inner) if n.type == "try_statement" and any(c.type == "yield" for c in walk(n))]
            if any(_drops(child) or _leaves_last(child) for n in tries for child in n.children):
                yield f"with {name}"


def _name(function: Node) -> str:
    return text_of(function.child_by_field_name("name"))
