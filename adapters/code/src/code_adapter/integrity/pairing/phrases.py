"""Whether ``expect`` of a test file is that of Unexpected, in which words name what it asks.

``expect(a, "to equal", 1)`` asks nothing with Vitest or Chai: the second argument is what a failure says.
Source: https://unexpected.js.org
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.tools.documents import Unreadable, load_json
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet
    from verigate.sdk.languages.tree import Tree

_LIBRARY = "unexpected"
_OTHERS = frozenset({"vitest", "jest", "bun-types", "@types/bun"})
"""Runners that give a file their own ``expect`` without a word."""

_SCRIPTS = frozenset({"javascript", "typescript"})
_NAMED = re.compile(
    r"\bexpect\b[^;\n]{0,200}?\b(?:from|require\()\s*['\"](?P<source>[^'\"]+)['\"]|"
    r"\b(?:function|class)\s+expect\b|\bexpect\s*=(?!=|\s*require\()|[(,]\s*\{?\s*expect\s*\}?\s*[,)]\s*(?:=>|\{)"
)


def takes_phrases(changes: ChangeSet, path: str, tree: Tree) -> bool:
    """Whether the base has Unexpected and no runner with its own ``expect``, and the file has no other one."""
    if language_of(path) not in _SCRIPTS or b"expect(" not in tree.source:
        return False
    sources = [match["source"] for match in _NAMED.finditer(tree.source.decode("utf-8", "replace"))]
    if not all(source == _LIBRARY for source in sources):
        return False
    needed = _list_needed(changes, path)
    return _LIBRARY in needed and not _OTHERS & needed


def _list_needed(changes: ChangeSet, path: str) -> frozenset[str]:
    """List what the base's nearest manifest needs."""
    for folder in PurePosixPath(path).parents:
        content = changes.at_base(str(folder / "package.json"))
        if content is not None:
            try:
                manifest = load_json(content.decode("utf-8", "replace"))
            except Unreadable:
                return frozenset()
            parts = [manifest.get(key) for key in ("dependencies", "devDependencies")] if _is_table(manifest) else []
            return frozenset(str(name) for part in parts if isinstance(part, dict) for name in part)
    return frozenset()


def _is_table(manifest: object) -> bool:
    return isinstance(manifest, dict)
