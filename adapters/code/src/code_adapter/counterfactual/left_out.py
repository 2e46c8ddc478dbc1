"""Leave out, in what is checked out, the test functions that don't compile, so that the others of the file can run.

Which functions these are the compiler says, by lines; where they begin and end the syntax tree. Lines keep their
numbers. Names that a compiler misses count as gone only if no source of the code has them. Of Java, where a compiler
says what is wrong with a whole class at its first line, and where frameworks call more than tests, a whole file may be
left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.java_parts import is_separate, list_imported
from code_adapter.counterfactual.mixed_sources import drop_test_parts, is_in_test_part
from code_adapter.integrity.languages import LANGUAGES
from code_adapter.subject_files import SubjectFiles
from verigate.sdk.languages import grammar_of, language_of
from verigate.sdk.languages.rust import attributes
from verigate.sdk.languages.tree import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

MOST_ROUNDS = 8
"""How often the rest is compiled again: an import that is left out makes its users the next ones."""

_FUNCTIONS = frozenset({"function_item", "function_declaration", "method_declaration", "macro_invocation"})
_IMPORTS = frozenset({"use_declaration", "import_declaration"})
_MISSED = (
    re.compile(r"(?:undefined: |undefined \(type \S+ has no field or method )(?:\w+\.)?(\w+)"),
    re.compile(r"cannot find (?:\w+ )+`(\w+)`|no `(\w+)` in|unresolved import `(?:[\w:]*::)?(\w+)`"),
    re.compile(
        r"(?:no (?:method|field|function or associated item|variant|associated item)(?: or \w+)*) (?:named )?`(\w+)`"
    ),
    re.compile(r"symbol: +(?:static )?(?:class|interface|enum|method|variable|record) (\w+)"),
    re.compile(r"[Uu]nresolved reference(?::? '(\w+)'|: (\w+))"),
    re.compile(r"use of (?:undeclared|unresolved) (?:\w+ )+`(\w+)`|struct `\w+` has no field named `(\w+)`"),
)
_LANGUAGES = frozenset({"go", "rust", "java", "kotlin"})
_WITH_FRAMEWORKS = frozenset({"java", "kotlin"})
"""Languages in which frameworks call more of a file than its tests."""

_UNUSED = re.compile(r"imported(?: as \w+)? and not used")


class CompileError(NamedTuple):
    """An error of a compiler: path in the repository, line and column from 1."""

    path: str
    line: int
    column: int
    message: str


@dataclass
class LeftOut:
    """What was left out: tests and whole files, each with its error; the names that the compiler missed, by path."""

    tests: dict[TestName, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    missed: dict[str, set[str]] = field(default_factory=dict)
    originals: dict[Path, bytes] = field(default_factory=dict)

    def leave_out(self, root: Path, errors: Iterable[CompileError], tests: frozenset[str]) -> bool:
        """Leave out what doesn't compile; False if an error isn't in a test, or there is none.

        ``tests`` are the files of the test tree. Other sources aren't touched outside of the tests in them.
        """
        by_path: dict[str, list[CompileError]] = {}
        for error in errors:
            by_path.setdefault(error.path, []).append(error)
        return bool(by_path) and all(self._edit(root, path, found, tests) for path, found in by_path.items())

    def _edit(self, root: Path, path: str, errors: list[CompileError], whole: frozenset[str]) -> bool:
        place = root / path
        if language_of(path) not in LANGUAGES or place.is_symlink() or not place.is_file():
            return False
        source = place.read_bytes()
        tree = parse(source, grammar_of(path) or "")
        tests = {found.node.id: found.qualified for found in LANGUAGES[language_of(path) or ""].find_tests(tree)}
        edits: dict[tuple[int, int], bytes] = {}
        of_java = language_of(path) in _WITH_FRAMEWORKS and path in whole
        for error in errors:
            node = _find_part(tree.root, error)
            if of_java and not _is_alone(node, tree.root, tests):
                self.files[path] = error.message
                edits = {(0, len(source)): b""}
                self._note_missed(path, node, error)
                break
            if node is None:
                return False
            if path not in whole and not is_in_test_part(path, source, node.start_byte, node.end_byte):
                return False
            edits |= _edit_import(node, error) if node.type in _IMPORTS else {(_find_start(node), node.end_byte): b""}
            self._note_missed(path, node, error)
            for inside in walk(node):
                if inside.id in tests:
                    self.tests[TestName(path, tests[inside.id])] = error.message
        self.originals.setdefault(place, source)
        place.write_bytes(_apply(source, edits))
        return True

    def _note_missed(self, path: str, node: Node | None, error: CompileError) -> None:
        missed = set(_list_missed(error.message))
        if node is not None and node.type in _IMPORTS and language_of(path) == "java":
            missed.update(list_imported(node))
        if missed:
            self.missed.setdefault(path, set()).update(missed)

    def restore(self) -> None:
        """Write the files back."""
        for place, content in self.originals.items():
            place.write_bytes(content)

    def list_gone(self, files: SubjectFiles, tests: frozenset[str]) -> Mapping[str, Mapping[str, str]]:
        """Map the paths to the missed names that no source of the code has; ``tests`` are the paths of the tests."""
        if not self.missed:
            return {}
        words = _list_identifiers(files, tests)
        return {path: {name: name for name in sorted(names - words)} for path, names in self.missed.items()}


@contextmanager
def open_left_out() -> Iterator[LeftOut]:
    """Collect what is left out, and write the files back at the end."""
    found = LeftOut()
    try:
        yield found
    finally:
        found.restore()


def _find_part(root: Node, error: CompileError) -> Node | None:
    """Find the smallest import, or the outermost function, that holds the place of the error."""
    row = error.line - 1
    for node in walk(root):
        if node.type in _FUNCTIONS | _IMPORTS and node.start_point[0] <= row <= node.end_point[0]:
            return node
    return None


def _is_alone(node: Node | None, root: Node, tests: Mapping[int, str]) -> bool:
    """Whether a part of a file of Java can be left out without the rest of it; of Kotlin only a test can."""
    if node is not None and node.type == "function_declaration":
        return node.id in tests
    return node is not None and (node.type in _IMPORTS or is_separate(node, root, is_test=node.id in tests))


def _find_start(node: Node) -> int:
    """Where a function begins with its attributes, in bytes."""
    return min([node.start_byte, *(attribute.start_byte for attribute in attributes(node))])


def _edit_import(node: Node, error: CompileError) -> dict[tuple[int, int], bytes]:
    """Leave out the name of an import that doesn't exist, or keep Go from asking that it is used."""
    row, column = error.line - 1, error.column - 1
    inside = [child for child in walk(node) if child.start_point[0] <= row <= child.end_point[0]]
    if node.type == "import_declaration":
        spec = next((child for child in inside if child.type == "import_spec"), None)
        path = spec.child_by_field_name("path") if spec is not None else None
        if spec is not None and path is not None:
            return {
                (spec.start_byte, spec.end_byte): b"_ " + text_of(path).encode()
                if _UNUSED.search(error.message)
                else b""
            }
    listed = [
        child
        for child in inside
        if child.parent is not None
        and child.parent.type == "use_list"
        and child.start_point[1] <= column < child.end_point[1]
    ]
    if listed:
        last = listed[-1]
        follower = last.next_sibling
        end = follower.end_byte if follower is not None and follower.type == "," else last.end_byte
        return {(last.start_byte, end): b""}
    return {(node.start_byte, node.end_byte): b""}


def _apply(source: bytes, edits: Mapping[tuple[int, int], bytes]) -> bytes:
    """Replace the spans, outermost first; line feeds stay."""
    out, at = [], 0
    for (start, end), text in sorted(edits.items(), key=lambda edit: (edit[0][0], -edit[0][1])):
        if start >= at:
            out += [source[at:start], text, b"\n" * source[start:end].count(b"\n")]
            at = end
    return b"".join([*out, source[at:]])


def _list_missed(message: str) -> Iterator[str]:
    for pattern in _MISSED:
        for found in pattern.finditer(message):
            yield from (name for name in found.groups() if name)


def _list_identifiers(files: SubjectFiles, tests: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    for path in files.paths:
        if path not in tests and language_of(path) in _LANGUAGES:
            tree = parse(drop_test_parts(path, files.text(path).encode()), grammar_of(path) or "")
            found.update(text_of(node) for node in walk(tree.root) if node.type.endswith("identifier"))
    return frozenset(found)
