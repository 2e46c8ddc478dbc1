"""Python: functions, classes, and which of them are stubs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages import python_routes
from verigate.sdk.languages.definition import Definition, Language
from verigate.sdk.languages.python_parts import does_nothing, is_never
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_DECLARING = frozenset(
    {"overload", "abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"}
)
_FILLED_BY_DECORATOR = frozenset({"group", "callback", "fixture"})
"""``@click.group() def cli(): pass`` is no stub: the decorator does the work."""

_TAKEN = re.compile(r"del\s+\(?\s*(\w+)\s*\)?|(\w+)\s*=\s*(?:lambda[^:\n]*:\s*)?(?:None|True|False|\.\.\.|0)")
_SHORT = 200


def define(node: Node) -> Iterator[Definition]:
    """The function or class that begins at this node."""
    inner = node
    if node.type == "decorated_definition":
        found = node.child_by_field_name("definition")
        if found is None:
            return
        inner = found
    elif node.type not in {"function_definition", "class_definition"} or _is_decorated(node):
        return
    name = text_of(inner.child_by_field_name("name"))
    if not name:
        return
    decorators = [_last_name(child) for child in node.children if child.type == "decorator"]
    if inner.type == "function_definition":
        declaration = bool(_DECLARING.intersection(decorators)) or _in_protocol(node)
        empty = does_nothing(inner.child_by_field_name("body"))
        yield Definition(
            name,
            "function",
            node,
            declaration=declaration,
            stub=empty and not declaration and not _FILLED_BY_DECORATOR.intersection(decorators),
            signature=text_of(inner.child_by_field_name("parameters")),
        )
    elif inner.type == "class_definition":
        bases = inner.child_by_field_name("superclasses")
        plain = (bases is None or not bases.named_children) and not decorators
        yield Definition(name, "class", node, stub=plain and does_nothing(inner.child_by_field_name("body")))


def _is_decorated(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "decorated_definition"


def find_discarded(root: Node) -> frozenset[int]:
    """Return the ids of functions that can't be called: dead code, or their name is rebound later in the same block.

    Rebound is: deleted, set to a constant or a lambda that returns one, or defined again without doing anything.
    """
    gone: set[int] = set()
    for block in walk(root):
        if block.type not in {"module", "block"}:
            continue
        dead = block.parent is not None and is_never(block.parent)
        last: dict[str, bool] = {}
        for child in reversed(block.named_children):
            inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
            if inner is not None and inner.type == "function_definition":
                name = text_of(inner.child_by_field_name("name"))
                if dead or last.get(name, False):
                    gone.add(child.id)
                if inner is child:
                    last.setdefault(name, does_nothing(inner.child_by_field_name("body")))
            elif child.type in {"delete_statement", "expression_statement"} and len(child.text or b"") <= _SHORT:
                match = _TAKEN.fullmatch(text_of(child))
                if match is not None:
                    last.setdefault(match[1] or match[2], True)
    return frozenset(gone)


def _last_name(decorator: Node) -> str:
    expression = decorator.named_children[0] if decorator.named_children else None
    if expression is not None and expression.type == "call":
        expression = expression.child_by_field_name("function")
    return text_of(expression).rpartition(".")[2]


def _in_protocol(node: Node) -> bool:
    block = node.parent
    owner = block.parent if block is not None else None
    if owner is None or owner.type != "class_definition":
        return False
    bases = text_of(owner.child_by_field_name("superclasses"))
    return "Protocol" in bases


LANGUAGE = Language("python", define, python_routes.find_routes)
