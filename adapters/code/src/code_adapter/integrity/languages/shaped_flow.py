"""Analyse the control flow of tests by the types of a language's statements: one ``Shape`` for each language."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.flow import FALSE, TRUE, FlowStep, list_children
from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NEVER = FALSE | {"nil", "$false"}
_FAILS = re.compile(r"(?i)\braise\b|\bthrow\b|\bfail\w*\b|\bflunk\b|assert|\bexpect|should|\bTODO\(")
"""What fails instead: words of all of these languages."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What one language calls its statements, by types of nodes.

    blocks      statements one after the other
    branches    a condition, and what runs under it; ``inverted`` are those of them that run if it is false
    loops       what may run no time
    cases       one branch among several
    tries       what is guarded, with its clauses
    catches     a clause that catches; ``finals`` one that always runs
    ends        a statement after which nothing of its block runs
    leaves      one of them that fails nothing
    functions   what a search for the statements around a node ends at
    drops       whether the head of a clause (its text without its body) catches the failures of assertions
    platform    conditions on the platform, a version or what is installed
    """

    blocks: frozenset[str]
    branches: frozenset[str]
    loops: frozenset[str]
    cases: frozenset[str]
    tries: frozenset[str]
    catches: frozenset[str]
    finals: frozenset[str]
    ends: frozenset[str]
    leaves: frozenset[str]
    functions: frozenset[str]
    drops: re.Pattern[str]
    platform: re.Pattern[str]
    inverted: frozenset[str] = frozenset()
    ending_calls: re.Pattern[str] = re.compile(r"(?!)")

    def list_steps(self, node: Node, _: Collection[str] = ()) -> Iterator[FlowStep]:
        """List the reachable children of a node."""
        children = list_children(node)
        if node.type in self.tries and any(child.type in self.catches | self.finals for child in children):
            yield from self._list_guarded(children)
        elif node.type in self.blocks:
            yield from self._list_in_turn(children)
        elif node.type in self.branches:
            yield from self._list_branches(node, children)
        elif node.type in self.loops:
            yield from self._list_loop(node, children)
        elif node.type in self.cases:
            yield from (FlowStep(child, held=True) for child in children)
        else:
            yield from self._list_operands(node, children)

    def _list_guarded(self, children: list[Node]) -> Iterator[FlowStep]:
        drops = any(child.type in self.catches and self._drops_failure(child) for child in children)
        lost = any(child.type in self.finals and self._leaves(child) for child in children)
        clauses = self.catches | self.finals
        guarded = [child for child in children if child.type not in clauses]
        for step in self._list_in_turn(guarded):
            yield FlowStep(step.node, drops or lost, step.held)
        for child in children:
            if child.type in clauses:
                yield FlowStep(child, lost and child.type not in self.finals)

    def _list_in_turn(self, children: list[Node]) -> Iterator[FlowStep]:
        held = False
        for child in children:
            yield FlowStep(child, held=held)
            if self._ends(child):
                return
            held = held or self._may_leave(child)

    def _ends(self, statement: Node) -> bool:
        if statement.type == "expression_statement" and statement.named_children:
            statement = statement.named_children[0]
        if statement.is_named and statement.type in self.ends:
            return True
        return statement.type in {"call", "identifier"} and bool(self.ending_calls.match(text_of(statement)))

    def _leaves(self, node: Node) -> bool:
        stack = list(node.named_children)
        while stack:
            inner = stack.pop()
            if inner.type in self.leaves:
                return True
            if inner.type not in self.functions:
                stack.extend(inner.named_children)
        return False

    def _may_leave(self, statement: Node) -> bool:
        """``if (!$ready) return;`` where nothing fails instead, and no platform is asked for."""
        if statement.type == "expression_statement" and statement.named_children:
            statement = statement.named_children[0]
        if statement.type not in self.branches:
            return False
        condition, parts = self._read_branch(statement)
        return (
            any(part.type in self.leaves or self._leaves(part) for part in parts)
            and not _FAILS.search(" ".join(text_of(part) for part in parts))
            and not self.platform.search(condition)
        )

    def _read_branch(self, node: Node) -> tuple[str, list[Node]]:
        """The condition, and what may run under it or instead, in the order of the source."""
        condition = node.child_by_field_name("condition")
        parts = [child for child in list_children(node) if child.is_named]
        if condition is None:
            return "", parts
        return text_of(condition).strip("() "), [part for part in parts if part.id != condition.id]

    def _list_branches(self, node: Node, children: list[Node]) -> Iterator[FlowStep]:
        condition, parts = self._read_branch(node)
        never, always = (TRUE, _NEVER) if node.type in self.inverted else (_NEVER, TRUE)
        dead = parts[0].id if condition in never and parts else None
        certain = condition in always | never or bool(self.platform.search(condition))
        certain = certain or (len(parts) > 1 and all(_FAILS.search(text_of(part)) for part in parts))
        branches = {part.id for part in parts}
        for child in children:
            if child.id != dead:
                yield FlowStep(child, held=child.id in branches and not certain)

    def _list_loop(self, node: Node, children: list[Node]) -> Iterator[FlowStep]:
        condition = node.child_by_field_name("condition")
        head = text_of(condition).strip("() ")
        never, always = (TRUE, _NEVER) if node.type in self.inverted else (_NEVER, TRUE)
        for child in children:
            inside = child.is_named and condition is not None and child.id != condition.id
            if not (inside and head in never):
                yield FlowStep(child, held=inside and head not in always)

    def _list_operands(self, node: Node, children: list[Node]) -> Iterator[FlowStep]:
        """``ready && assert_equal(1, price)`` as a statement: the right side need not run."""
        right = node.child_by_field_name("right")
        above = node.parent
        alone = above is not None and above.type in self.blocks | {"expression_statement"}
        operator = text_of(node.child_by_field_name("operator"))
        short = right is not None and alone and operator in {"&&", "||", "and", "or", "??", "?:"}
        for child in children:
            yield FlowStep(child, held=short and right is not None and child.id == right.id)

    def _drops_failure(self, clause: Node) -> bool:
        """Whether a clause catches every failure, and nothing fails instead."""
        body = clause.child_by_field_name("body") or next(
            (child for child in reversed(clause.named_children) if child.type in self.blocks), None
        )
        text, inside = text_of(clause), text_of(body)
        head = text[: text.rfind(inside)] if inside else text
        return bool(self.drops.search(head)) and not _FAILS.search(inside)

    def is_for_platform(self, node: Node) -> bool:
        """Whether a node runs under a condition on the platform, a version or what is installed."""
        above: Node | None = node
        while above is not None and above.type not in self.functions:
            if above.type in self.branches and self.platform.search(self._read_branch(above)[0]):
                return True
            above = above.parent
        return False
