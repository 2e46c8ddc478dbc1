"""Find code that replaces parts of a test runner or modules that tests import.

This covers code under test, start-up files and helpers: only what honest code outside tests never does.
``runner_hooks`` checks test support for more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import IntegrityFinding, Weight
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.roles import is_test_code
from verigate.sdk import clean_text
from verigate.sdk.languages.tree import is_comment, walk

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_LOADS = re.compile(r"sys\.(?:meta_path|path_hooks)|module['\"]|Module\._extensions")
"""Hooks into loading have honest uses too: compilers, and tests of importers."""


def find_replaced_parts(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find parts that the subject replaces and the base didn't."""
    for _, after, (line, shown) in changes.newly(partial(_places, changes)):
        message = f"this replaces a part of the test runner, or what tests load: {shown}"
        weight: Weight = "weakening" if _LOADS.search(shown) else "tampering"
        yield IntegrityFinding("test_tampered", after.path, line, message, weight, "runner-part-replaced")


def _places(changes: ChangeSet, side: Side | None) -> Iterator[tuple[int, str]]:
    """Line and text of each place, those in comments and strings left out."""
    language = find_language(side.path) if side is not None else None
    if side is None or language is None or language.find_replaced_parts is None:
        return
    tree = changes.tree(side)
    if tree is None:
        return
    # One character per byte, so that the tree's offsets fit.
    source = tree.source.decode("latin-1")
    found = [*language.find_replaced_parts(source, is_test_code(side.path))]
    quiet = [
        (node.start_byte, node.end_byte)
        for node in (walk(tree.root) if found else ())
        if is_comment(node) or node.type in {"string", "template_string"}
    ]
    lines = tree.source.splitlines()
    for at in sorted({match.start() for match in found}):
        if not any(start <= at < end for start, end in quiet):
            line = source.count("\n", 0, at) + 1
            yield line, clean_text(lines[line - 1].strip(), 120)
