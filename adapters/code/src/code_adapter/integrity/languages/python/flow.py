"""Analyse the control flow of a test of Python: ``with`` and ``match``, functions that run elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.flow import (
    BLOCKS,
    CATCHES_ALL,
    FlowStep,
    drops_failure,
    leaves_last,
    list_children,
    list_common_steps,
    list_in_turn,
)
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_ELSEWHERE = re.compile(
    r"(?:Thread|Timer|Process|submit|register|finalize|call_soon|call_later|create_task|ensure_future|start_new_thread)"
    r"\([^\n]{0,300}(?<!\w)\0(?!\w)(?!\()|^[ \t]*(?:map|filter)\(\s*\0(?!\w)|"
    r"^[ \t]*\([^\n]{0,300}(?<!\w)\0\([^\n]{0,300}\bfor\b",
    re.MULTILINE,
)
"""Places, each in one line, where a function is handed on that nobody hears of; NUL stands for its name."""

_ALONE = re.compile(r"^[ \t]*\0\([^\n]*\)[ \t]*$", re.MULTILINE)
_WORD = re.compile(r"\w+")


def list_steps(node: Node, dropping: Collection[str]) -> Iterator[FlowStep]:
    """List the reachable children. ``dropping`` contains ``with NAME`` for context managers that drop exceptions."""
    if node.type in BLOCKS:
        yield from list_in_turn(list_children(node), lambda child: _is_left_alone(child, node))
    elif node.type == "with_statement":
        drops = _drops(node, dropping)
        yield from (FlowStep(child, drops) for child in list_children(node))
    elif node.type == "case_clause":
        above = text_of(node.parent) if node.parent is not None else ""
        held = not re.search(r"^\s*case _:(?s:.){0,400}(?:\braise\b|\bassert|fail\()", above, re.MULTILINE)
        yield from (FlowStep(child, held=held) for child in list_children(node))
    else:
        yield from list_common_steps(node)


def _drops(statement: Node, dropping: Collection[str]) -> bool:
    """Whether a ``with`` drops what is raised in it."""
    head = text_of(statement).partition("\n")[0]
    names = re.findall(r"(?:\bwith\s+|,\s*)(?:\w+\.)*(\w+)\s*[(:,]", head)
    suppresses = "suppress(" in head and bool(CATCHES_ALL.search(head))
    return suppresses or any(f"with {name}" in dropping for name in names)


def is_never_called(node: Node, body: Node) -> bool:
    """Whether it is a function inside a test that nothing else in the test names."""
    if node.type != "function_definition" or (node.parent is not None and node.parent.type == "decorated_definition"):
        return False
    name = text_of(node.child_by_field_name("name"))
    return _count_words(text_of(body))[name] <= _count_words(text_of(node))[name]


@lru_cache(maxsize=8)
def _count_words(text: str) -> Mapping[str, int]:
    """Count the words of a text once, however many of them are asked for."""
    return Counter(_WORD.findall(text))


def _is_left_alone(child: Node, body: Node) -> bool:
    """A function in a test that runs elsewhere, where nobody hears of its failure, or is never begun."""
    if child.type != "function_definition":
        return False
    name = text_of(child.child_by_field_name("name"))
    around = text_of(body).replace(text_of(child), "")
    # Lines without the name say nothing of it, and are most of a test.
    named = "\n".join(line for line in around.split("\n") if name in line)
    marked = _WORD.sub(lambda word: "\0" if word[0] == name else word[0], named.replace("\0", " "))
    uses = marked.count("\0")
    if not uses:
        return False
    apart = len(_ELSEWHERE.findall(marked))
    if text_of(child).startswith("async ") or any(node.type == "yield" for node in walk(child)):
        apart += len(_ALONE.findall(marked))
    return uses == apart


def find_dropping_managers(root: Node) -> Iterator[str]:
    """Return ``with NAME`` for each context manager of a file that drops exceptions."""
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
            if any(drops_failure(child) or leaves_last(child) for n in tries for child in n.children):
                yield f"with {name}"


def _name(function: Node) -> str:
    return text_of(function.child_by_field_name("name"))
