"""Conditions about the platform, a version or installed packages: what is skipped under one is run elsewhere."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import text_of

if TYPE_CHECKING:
    from tree_sitter import Node

PLATFORM = re.compile(
    r"sys\.platform|sys\.version_info|sys\.implementation|os\.name|platform\.|find_spec|shutil\.which|importorskip|hasattr\(|GOOS|process\.platform|"
    r"testing\.Short|runtime\.|is_installed|HAS_|has_|_AVAILABLE|process\.version"
)


def is_under_condition(node: Node) -> bool:
    """Whether a condition decides whether the node runs."""
    return _condition(node) is not None


def _condition(node: Node) -> Node | None:
    above = node.parent
    while above is not None and above.type not in {
        "function_definition",
        "function_declaration",
        "module",
        "arrow_function",
    }:
        if above.type in {"if_statement", "except_clause", "conditional_expression"}:
            return above
        above = above.parent
    return None


def is_about_platform(node: Node) -> bool:
    """Whether the marker depends on the platform, a version or installed packages."""
    return is_under_condition(node) and bool(PLATFORM.search(read_with_condition(node)))


def read_with_condition(node: Node) -> str:
    """The text of the node and of the condition that it stands under."""
    condition = _condition(node)
    head = text_of(condition.child_by_field_name("condition") or condition) if condition is not None else ""
    return f"{text_of(node)} {head}"
