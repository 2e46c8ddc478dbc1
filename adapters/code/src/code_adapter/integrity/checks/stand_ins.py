"""Find replacements of the code under test: a function in the test file, another module, or a mock.

A test that imported ``discount`` from the source, which still defines it, must import it from there or from a module
that re-exports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding
from code_adapter.integrity.languages import find_language
from code_adapter.integrity.roles import is_test_code
from code_adapter.syntax.moved_symbols import pair_moved
from verigate.sdk.languages.tree import line_of, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.integrity.languages.imports import Imported, Imports
    from code_adapter.syntax.changes import Side
    from verigate.sdk.languages.tree import Tree

_OWN = frozenset({"function_definition", "class_definition", "function_declaration", "class_declaration"})

_Origin = tuple[str, str]
"""A file of the source, and a name that it defines."""


def find_stand_ins(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find existing tests whose imported names now refer to something else."""
    for _, before, after in changes.sides():
        if before is None or after is None or not is_test_code(after.path) or before.content == after.content:
            continue
        language = find_language(after.path)
        if language is None or language.imports is None:
            continue
        old, new = changes.tree(before), changes.tree(after)
        if old is not None and new is not None:
            for name, line in _Reader(changes, language.imports).replaced(before, old, after, new):
                message = f"{name} is no longer what the source defines under this name, and tests go on using it"
                yield IntegrityFinding("test_tampered", after.path, line, message, "weakening", "stand-in")


def keeps_imports(changes: ChangeSet, path: str) -> bool:
    """Whether a test file imports some names from elsewhere, and all of them are what they were."""
    language = find_language(path)
    for _, before, after in changes.sides():
        if after is None or before is None or after.path != path or language is None or language.imports is None:
            continue
        if language.imports.parse_handing is not None:
            old, new = changes.tree(before), changes.tree(after)
            return (
                old is not None and new is not None and _Reader(changes, language.imports).keeps(before, old, path, new)
            )
    return False


class _Reader:
    """The names of test files in one language, and the files of the subject that they come from."""

    def __init__(self, changes: ChangeSet, imports: Imports) -> None:
        self._changes = changes
        self._imports = imports
        self._paths = frozenset(changes.subject_paths)

    def replaced(self, before: Side, old: Tree, after: Side, new: Tree) -> Iterator[tuple[str, int]]:
        """Names and lines."""
        was, now = dict(self._imports.list_imports(old)), dict(self._imports.list_imports(new))
        origins = {name: self._origin(before.path, module, original) for name, (module, original, _) in was.items()}
        tested = {name: origin[0] for name, origin in origins.items() if origin is not None}
        if not tested:
            return
        known, source = {name for name, _ in self._bound(old)}, text(after)
        for name in sorted(tested):
            if (
                name in now
                and now[name][:2] != was[name][:2]
                and not self._is_same(after.path, now[name], origins[name])
            ):
                yield name, now[name][2]
        for name, line in self._bound(new):
            if name in tested and name not in known:
                known.add(name)
                yield name, line
        yield from self._starred(new, tested)
        for match in self._imports.list_mocks(source):
            there = self._home(after.path, match[1], "")
            mocked = [name for name, home in tested.items() if home == there and _is_asked(name, source)]
            if mocked and match[0] not in text(before):
                yield mocked[0], source.count("\n", 0, match.start()) + 1

    def _home(self, path: str, module: str, original: str) -> str | None:
        """The file of the source that a module is; None for test code and for what isn't of the subject."""
        found = self._imports.find_module(self._paths, self._changes.at_subject, path, module, original)
        return None if found is None or is_test_code(found) else found

    def _source(self, path: str) -> str:
        return (self._changes.at_subject(path) or b"").decode("utf-8", "replace")

    def _defines(self, path: str, name: str) -> bool:
        """Whether the file itself defines the name, and doesn't only hand it on."""
        if not name or not re.fullmatch(r"[\w$]+", name):
            return False
        start = r"^[ \t]*(?:export[ \t]+)?"
        own = rf"{start}(?:default[ \t]+)?(?:async[ \t]+)?(?:def|class|function\*?)[ \t]+{re.escape(name)}\b"
        held = rf"{start}(?:(?:const|let|var)[ \t]+)?{re.escape(name)}[ \t]*(?::[^=\n]*)?=[^=]"
        return bool(re.search(f"{own}|{held}", self._source(path), re.MULTILINE))

    def _origin(self, path: str, module: str, original: str, most: int = 5) -> _Origin | None:
        """The file of the source that defines what is imported, and its name there, through ``most`` modules."""
        home = self._home(path, module, original)
        if home is None or most == 0:
            return None
        if self._defines(home, original):
            return home, original
        parse = self._imports.parse_handing
        tree = parse(self._changes.at_subject(home) or b"") if parse is not None else None
        handed = dict(self._imports.list_imports(tree)).get(original) if tree is not None else None
        return self._origin(home, handed[0], handed[1], most - 1) if handed is not None else None

    def keeps(self, before: Side, old: Tree, path: str, new: Tree) -> bool:
        """Whether every import that the subject has otherwise leads to what it led to."""
        was, now = dict(self._imports.list_imports(old)), dict(self._imports.list_imports(new))
        changed = {name: found for name, found in now.items() if name in was and found[:2] != was[name][:2]}
        return bool(changed) and all(
            self._leads_to(self._origin(path, *found[:2]), before, was[name]) for name, found in changed.items()
        )

    def _leads_to(self, origin: _Origin | None, before: Side, was: Imported) -> bool:
        """Whether ``origin`` is what a test of base imported, or that moved there with not a line changed."""
        if origin is None:
            return False
        module, original, _ = was
        if self._origin(before.path, module, original) == origin:
            return True
        find, changes = self._imports.find_module, self._changes
        home = find(changes.base_paths, changes.at_base, before.path, module, original)
        return home is not None and self._moved.get(origin) == (home, original)

    @cached_property
    def _moved(self) -> Mapping[_Origin, _Origin]:
        """Where what moved to another file of the source stood in base, by where it stands now."""
        return {
            (pair.new.path, pair.new.name): (pair.old.path, pair.old.name)
            for pair in pair_moved(self._changes.files)
            if pair.same
            and not is_test_code(pair.new.path)
            and not is_test_code(pair.old.path)
            and self._is_still_used(pair.old.name, pair.new.name)
        }

    def _is_still_used(self, old: str, new: str) -> bool:
        """Whether code that isn't a test uses what moved as often as before: a copy for tests alone is no move."""
        sides = [(before, after) for _, before, after in self._changes.sides()]
        before = sum(self._count_uses(side, old) for side, _ in sides)
        return before <= sum(self._count_uses(side, new) for _, side in sides)

    def _count_uses(self, side: Side | None, name: str) -> int:
        tree = None if side is None or is_test_code(side.path) else self._changes.tree(side)
        nodes = walk(tree.root) if tree is not None else ()
        return sum(node.type == "identifier" and text_of(node) == name and not _is_imported(node) for node in nodes)

    def _is_same(self, path: str, imported: Imported, origin: _Origin | None) -> bool:
        """Whether a new import still leads to the origin of the old one."""
        module, original, _ = imported
        if origin is None or self._origin(path, module, original) == origin:
            return origin is not None
        home, was = origin
        there = self._home(path, module, original)
        if there == home:
            return original == was
        if there is not None:
            return (
                not self._defines(there, original)
                and re.search(rf"\b{re.escape(original)}\b", self._source(there)) is not None
            )
        return self._imports.is_alias(module, home)

    def _bound(self, tree: Tree) -> Iterator[tuple[str, int]]:
        """Names that functions, classes, defaults of parameters and loops of the file bind."""
        for node in walk(tree.root):
            if (node.type in _OWN and not _is_member(node)) or node.type in {
                "default_parameter",
                "typed_default_parameter",
            }:
                yield text_of(node.child_by_field_name("name")), line_of(node)
            elif node.type in {"assignment_pattern", "for_statement"}:
                yield text_of(node.child_by_field_name("left")), line_of(node)
            elif node.type == "variable_declarator" and re.match(
                r"(?:async\b|\(|function\b|[\w$]+\s*=>|class\b|(?:jest|vi|mock)\.fn)", _value(node)
            ):
                yield text_of(node.child_by_field_name("name")), line_of(node)

    def _starred(self, tree: Tree, tested: Mapping[str, str]) -> Iterator[tuple[str, int]]:
        for plain, line in self._imports.list_starred(tree):
            for path in (p for p in self._paths if p in {f"{plain}.py", f"src/{plain}.py", f"tests/{plain}.py"}):
                for name, home in tested.items():
                    if path != home and self._defines(path, name):
                        yield name, line


def _is_member(node: Node) -> bool:
    above = node.parent.parent if node.parent is not None else None
    if above is not None and above.type == "decorated_definition":
        above = above.parent
    return above is not None and above.type == "class_definition"


def _is_imported(node: Node) -> bool:
    return node.parent is not None and node.parent.type in {"dotted_name", "aliased_import"}


def _value(node: Node) -> str:
    return text_of(node.child_by_field_name("value"))


def _is_asked(name: str, source: str) -> bool:
    """Whether an assertion is about what the name returns."""
    return bool(re.search(rf"(?:expect|assert[\w.]*|\w+[eE]qual)\(\s*(?:await\s+)?{re.escape(name)}\(", source))
