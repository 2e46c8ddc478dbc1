"""Python, with pytest and unittest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from code_adapter.integrity.languages.asserted import Assertion, read_assert_statement, read_plain
from code_adapter.integrity.languages.named_conditions import names_platform
from code_adapter.integrity.languages.python.claims import keeps_claims
from code_adapter.integrity.languages.python.detection import DETECTION, equals_everything
from code_adapter.integrity.languages.python.flow import find_dropping_managers, is_never_called, list_steps
from code_adapter.integrity.languages.python.found_tests import find_tests, list_statements
from code_adapter.integrity.languages.python.imports import IMPORTS
from code_adapter.integrity.languages.python.markers import find_markers, find_scope, is_repeating
from code_adapter.integrity.languages.python.runner_parts import find_replaced_parts, find_support_parts
from code_adapter.integrity.languages.test_language import TestLanguage
from verigate.sdk.languages.tree import line_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node


def _read_assertion(node: Node) -> Assertion | None:
    if node.type != "call":
        return read_assert_statement(node)
    name = text_of(node.child_by_field_name("function")).rpartition(".")[2]
    known = name.startswith("assert") or name in {"raises", "warns", "fail", "deprecated_call", "expect"}
    return Assertion(read_plain(node), line_of(node)) if known else None


LANGUAGE = TestLanguage(
    "python",
    find_tests=find_tests,
    find_markers=find_markers,
    find_scope=find_scope,
    read_assertion=_read_assertion,
    list_steps=list_steps,
    has_own_assertions=True,
    is_never_called=is_never_called,
    find_dropping_managers=find_dropping_managers,
    list_statements=list_statements,
    keeps_claims=keeps_claims,
    names_platform=names_platform,
    is_repeating=is_repeating,
    foreign_silencers=frozenset({"eslint", "typescript", "nolint", "gosec"}),
    find_replaced_parts=find_replaced_parts,
    find_support_parts=find_support_parts,
    imports=IMPORTS,
    detection=DETECTION,
    equals_everything=equals_everything,
)
