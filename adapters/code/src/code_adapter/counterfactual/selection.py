"""Choose the tests of a changed file that have to run: those with another form in base and subject.

A file can only be chosen from if nothing else that its tests use changed, and it is the same around its tests. Imports
around them may differ where no other part of the file names what they bring, and they bring it from where the file
imports already: an import runs code.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.counterfactual.forms import Forms
from code_adapter.counterfactual.mixed_sources import read_test_parts
from code_adapter.integrity.found_tests import FINDERS
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORTS = frozenset({"import_statement", "import_from_statement", "import_spec", "use_declaration"})
_WORD = re.compile(r"\w+")
_SOURCE = re.compile(r"^from\s+([\w.]+)\s+import|^(?:\w+\s+)?\"([^\"]+)\"$|^use\s+(\w+(?:::\w+)*)::")
_CHOSEN = frozenset({"python", "go", "rust"})
"""The languages whose runners take names of tests that can't be mistaken for those of others."""


@dataclass(frozen=True)
class Selection:
    """The tests to run of a file: in the form of the base, and in that of the subject."""

    base: frozenset[str]
    head: frozenset[str]

    def of(self, cell: str) -> frozenset[str]:
        """Return the tests whose form runs in a cell: the second letter names the form."""
        return self.base if cell.endswith("B") else self.head


@dataclass(frozen=True)
class _Around:
    """A file without its tests: the words of it, and its imports as text."""

    words: tuple[str, ...]
    imports: frozenset[str]


def select_tests(paths: Collection[str], mixed: Collection[str], base: Forms, head: Forms) -> dict[str, Selection]:
    """Return the tests to run of those ``paths`` that can be chosen from; of the others all tests run.

    Nothing else may differ that these tests use. ``mixed`` are sources of the code that hold tests.
    """
    found = {path: _select(path, base, head, is_mixed=path in mixed) for path in paths}
    return {path: selection for path, selection in found.items() if selection is not None}


def _select(path: str, base: Forms, head: Forms, *, is_mixed: bool) -> Selection | None:
    if language_of(path) not in _CHOSEN or not base.read(path) or not head.read(path):
        return None
    before, after = (_read_around(path, forms.read(path), is_mixed=is_mixed) for forms in (base, head))
    if before.words != after.words:
        return None
    was, now = ({name.name: forms.find(name) or "" for name in forms.list_tests(path)} for forms in (base, head))
    same = {name for name in was.keys() & now.keys() if was[name] == now[name]}
    differing = before.imports ^ after.imports
    if differing:
        brought = {word for text in differing for word in _WORD.findall(text)}
        kept = {word for text in before.imports & after.imports for word in _WORD.findall(text)}
        named = {*before.words, *(word for name in same for word in _WORD.findall(was[name]))}
        sources = [{_read_source(text) for text in around.imports} for around in (before, after)]
        if (brought - kept) & named or sources[0] != sources[1]:
            return None
    return Selection(frozenset(was.keys() - same), frozenset(now.keys() - same))


def _read_source(text: str) -> str:
    found = _SOURCE.search(text)
    return next((group for group in found.groups() if group), text) if found else text


def _read_around(path: str, text: str, *, is_mixed: bool) -> _Around:
    source = text.encode()
    if is_mixed:
        source = b"\n".join(read_test_parts(path, source).values())
    tree = parse(source, grammar_of(path) or "")
    spans = [_span(found.node, found.leading) for found in FINDERS[language_of(path) or ""](tree)]
    imports = [node for node in walk(tree.root) if node.type in _IMPORTS and not _is_inside(node, spans)]
    spans += [(node.start_byte, node.end_byte) for node in imports]
    out, at = [], 0
    for start, end in sorted(spans):
        out.append(source[at : max(start, at)])
        at = max(end, at)
    rest = b" ".join([*out, source[at:]]).decode("utf-8", "replace")
    return _Around(tuple(rest.split()), frozenset(" ".join(text_of(node).split()) for node in imports))


def _span(node: Node, leading: Collection[Node]) -> tuple[int, int]:
    return min([node.start_byte, *(each.start_byte for each in leading)]), node.end_byte


def _is_inside(node: Node, spans: Collection[tuple[int, int]]) -> bool:
    return any(start <= node.start_byte and node.end_byte <= end for start, end in spans)
