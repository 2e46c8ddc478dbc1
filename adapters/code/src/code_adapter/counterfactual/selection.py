"""Choose the tests of a changed file that have to run on the code of base: those with another form in both versions.

On the code of the subject the whole file runs in both forms: a test may leave something behind by which others pass.

A file can only be chosen from if nothing else that its tests use changed, and it is the same around its tests. Imports
around them may differ where no other part of the file names what they bring, and they bring it from where the file
imports already: an import runs code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from code_adapter.counterfactual.forms import Forms
from code_adapter.counterfactual.mixed_sources import read_test_parts
from code_adapter.integrity.languages import LANGUAGES
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.tree import is_comment, parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_IMPORTS = frozenset({"import_statement", "import_from_statement", "import_spec", "use_declaration"})
_WORD = re.compile(r"\w+")
_END = ";"
"""What stands after the call that makes a test is no part of it, and does nothing by itself."""

_ACTS = re.compile(r"^//[/!]|^#.*coding|@|\bgo:|\+build|\bexport\b")
"""A comment that some program may read: of documentation with examples, an encoding, a pragma, a line for go."""

_SOURCE = re.compile(
    r"^import\s+(?:.*?\s+from\s+)?('[^']+'|\"[^\"]+\")|^from\s+([\w.]+)\s+import|"
    r"^(?:\w+\s+)?\"([^\"]+)\"$|^use\s+(\w+(?:::\w+)*)::"
)
_CHOSEN = frozenset({"python", "go", "rust", "javascript", "typescript"})


@dataclass(frozen=True)
class Selection:
    """The tests of a file that differ: in the form of the base, and in that of the subject."""

    base: frozenset[str]
    head: frozenset[str]

    def of(self, cell: str) -> frozenset[str]:
        """Return the tests that differ in a cell's form: the second letter names it."""
        return self.base if cell.endswith("B") else self.head


@dataclass(frozen=True)
class _Around:
    """A file without its tests: the words of it, its imports as text, and the number of tests."""

    words: tuple[str, ...]
    imports: frozenset[str]
    tests: int


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
    if (before.tests, after.tests) != (len(was), len(now)):
        return None  # two tests of one name
    same = {name for name in was.keys() & now.keys() if was[name] == now[name]}
    if before.imports != after.imports:
        brought = _list_brought(path, before.imports, after.imports)
        named = {*before.words, *(word for name in same for word in _WORD.findall(was[name]))}
        if brought is None or brought & {word for text in named for word in _WORD.findall(text)}:
            return None
    return Selection(frozenset(was.keys() - same), frozenset(now.keys() - same)) if same else None


def _list_brought(path: str, before: frozenset[str], after: frozenset[str]) -> frozenset[str] | None:
    """List the names that two sets of imports bring differently; None if they run other code, or it isn't known."""
    if {_read_source(text) for text in before} != {_read_source(text) for text in after}:
        return None
    if language_of(path) == "python":
        was, now = _read_bindings(before), _read_bindings(after)
    elif language_of(path) in {"javascript", "typescript"}:
        was, now = (_read_script_bindings(path, imports) for imports in (before, after))
    else:
        return frozenset(word for text in before ^ after for word in _WORD.findall(text))
    if was is None or now is None:
        return None
    return frozenset(name for name in was.keys() | now.keys() if was.get(name) != now.get(name))


def _read_source(text: str) -> str:
    found = _SOURCE.search(text)
    return next((group for group in found.groups() if group), text) if found else text


def _read_bindings(imports: Collection[str]) -> dict[str, str] | None:
    """Map the names that imports of Python bind to what they are; None if one binds all, or one is bound twice."""
    found: dict[str, str] = {}
    try:
        nodes = [node for text in imports for node in ast.parse(text).body]
    except SyntaxError:
        return None
    for node in nodes:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            return None
        source = f"{'.' * node.level}{node.module}:" if isinstance(node, ast.ImportFrom) else ""
        for alias in node.names:
            name = alias.asname or (alias.name if source else alias.name.split(".")[0])
            if name == "*" or found.setdefault(name, f"{source}{alias.name}") != f"{source}{alias.name}":
                return None
    return found


def _read_script_bindings(path: str, imports: Collection[str]) -> dict[str, str] | None:
    """Map the names that imports of JavaScript and TypeScript bind to what they are; None if one can't be read."""
    tree = parse("\n".join(sorted(imports)).encode(), grammar_of(path) or "")
    found: dict[str, str] = {}
    for statement in tree.root.named_children:
        source = statement.child_by_field_name("source")
        if tree.broken or source is None:
            return None
        clauses = [node for node in statement.named_children if node.type != "string"]
        if [node.type for node in clauses] not in ([], ["import_clause"]):
            return None
        for node in clauses[0].named_children if clauses else ():
            parts = node.named_children if node.type == "named_imports" else [node]
            for part in parts:
                bound = part.child_by_field_name("alias") or part.child_by_field_name("name") or part
                name = text_of(bound).split()[-1]
                taken = "default" if part.type == "identifier" else text_of(part.child_by_field_name("name") or part)
                meaning = f"{text_of(source)} {taken}"
                if found.setdefault(name, meaning) != meaning:
                    return None
    return found


def _read_around(path: str, text: str, *, is_mixed: bool) -> _Around:
    source = text.encode()
    if is_mixed:
        source = b"\n".join(read_test_parts(path, source).values())
    tree = parse(source, grammar_of(path) or "")
    spans = [_span(found.node, found.leading) for found in LANGUAGES[language_of(path) or ""].find_tests(tree)]
    tests = len(spans)
    imports = [node for node in walk(tree.root) if node.type in _IMPORTS and not _is_inside(node, spans)]
    comments = (node for node in walk(tree.root) if is_comment(node) and not _is_inside(node, spans))
    silent = [node for node in comments if b'"C"' not in source and not _ACTS.search(text_of(node))]
    spans += [(node.start_byte, node.end_byte) for node in (*imports, *silent)]
    out, at = [], 0
    for start, end in sorted(spans):
        out.append(source[at : max(start, at)])
        at = max(end, at)
    rest = b" ".join([*out, source[at:]]).decode("utf-8", "replace")
    words = (word for word in rest.split() if word != _END)
    return _Around(tuple(words), frozenset(" ".join(text_of(node).split()) for node in imports), tests)


def _span(node: Node, leading: Collection[Node]) -> tuple[int, int]:
    return min([node.start_byte, *(each.start_byte for each in leading)]), node.end_byte


def _is_inside(node: Node, spans: Collection[tuple[int, int]]) -> bool:
    return any(start <= node.start_byte and node.end_byte <= end for start, end in spans)
