"""Find blocks of ESLint's flat configuration that switch rules off for files that are new with the change.

These rules never looked at such a file: a comment that says why the folder needs no such rule makes it a note, as a
suppression with a reason in new code is one. Source: ESLint's documentation, "Configuration Files", on ``files``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding
from code_adapter.integrity.tools.documents import load_javascript, read_objects
from code_adapter.integrity.tools.eslint import FLAT_NAME, list_alternatives, name_grammar, takes
from code_adapter.integrity.tools.options import Options, flatten
from code_adapter.integrity.tools.setting_values import rank_level
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet

_AROUND = frozenset({"array", "arguments", "call_expression", "export_statement", "program"})
_CALL = re.compile(r"(?:\w+\.)?(defineConfig|config)")
_PLAIN = re.compile(r"[\w./*{},@ -]+")
"""Patterns of which it is known what they take; no negation, no class of characters, no choice in parentheses."""

_REASON = re.compile(r"//[^\n]*\w{3}|/\*.*?\w{3}.*?\*/", re.DOTALL)


def find_rules_off_for_new_files(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find these blocks; none of them counts."""
    for _, before, after in changes.sides():
        if before is not None and after is not None:
            for _, value in _list_blocks(changes, after.path, text(before), text(after)):
                what = f"eslint: off for the new files {', '.join(value['files'])}: {', '.join(value['rules'])}"
                yield IntegrityFinding("lint_config_weakened", after.path, None, what[:400], "note", "eslint-new-files")


def read_flat_settings(changes: ChangeSet, path: str, source: str) -> Options | None:
    """Read the settings of the subject without the rules of these blocks; None for a file that has none of them."""
    before = next((old for _, old, new in changes.sides() if new is not None and new.path == path), None)
    blocks = [] if before is None else list(_list_blocks(changes, path, text(before), source))
    if not blocks:
        return None
    left_out = frozenset(node.start_byte for node, _ in blocks)
    return flatten(load_javascript(source, name_grammar(path), without=("rules", left_out)))


def _list_blocks(changes: ChangeSet, path: str, before: str, after: str) -> Iterator[tuple[Node, dict[str, Any]]]:
    """List the blocks of the root's flat configuration that the base doesn't have."""
    if FLAT_NAME.fullmatch(path):
        grammar = name_grammar(path)
        known = [value for _, value in read_objects(before, grammar)]
        for node, value in read_objects(after, grammar):
            if value not in known and _switches_off(value) and _is_about_new_files(changes, node, value):
                yield node, value


def _switches_off(value: dict[str, Any]) -> bool:
    """Whether a block does nothing but name files and switch rules off."""
    rules = value.get("rules")
    off = isinstance(rules, dict) and bool(rules) and all(rank_level(level) == 0 for level in rules.values())
    return off and set(value) <= {"files", "rules", "name"}


def _is_about_new_files(changes: ChangeSet, node: Node, value: dict[str, Any]) -> bool:
    patterns = value.get("files")
    if not isinstance(patterns, list) or not _stands_by_itself(node) or not _has_reason(node):
        return False
    if not all(isinstance(pattern, str) and _PLAIN.fullmatch(pattern) for pattern in patterns):
        return False
    added = {file.path for file in changes.files if file.before is None}
    gone = [file.before.path for file in changes.files if file.before is not None and file.after is None]
    taken = [list(_list_taken(changes, pattern)) for pattern in patterns]
    moved = any(language_of(path) is not None for path in gone)
    return not moved and all(paths and added.issuperset(paths) for paths in taken) and bool(taken)


def _list_taken(changes: ChangeSet, pattern: str) -> Iterator[str]:
    forms = list(list_alternatives(pattern.removeprefix("./")))
    return (path for path in changes.subject_paths if takes(forms, path))


def _stands_by_itself(node: Node) -> bool:
    """Whether the block is an item of what is exported, and no value that other code may work on."""
    above = node.parent
    while above is not None:
        if above.type not in _AROUND:
            return False
        if above.type == "call_expression" and not _is_plain_call(above):
            return False
        above = above.parent
    return True


def _is_plain_call(call: Node) -> bool:
    """Whether it is ESLint's own function, and none of the file."""
    found = _CALL.fullmatch(text_of(call.child_by_field_name("function")))
    root = call
    while root.parent is not None:
        root = root.parent
    return found is not None and not re.search(rf"\b(?:function|const|let|var)\s+{found[1]}\b", text_of(root))


def _has_reason(node: Node) -> bool:
    above = node.prev_sibling
    comments = [child for child in walk(node) if child.type == "comment"]
    comments += [above] if above is not None and above.type == "comment" else []
    return any(_REASON.search(text_of(comment)) for comment in comments)
