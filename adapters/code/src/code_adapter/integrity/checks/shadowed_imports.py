"""Find folders that a change puts first on ``sys.path`` with a module that tests imported from elsewhere.

A folder on the path alone is usual (``pythonpath = ["src"]``). It is a finding if the same change adds a second module
with the name of the tested one or of an installed one. Source: pytest's reference on ``pythonpath``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING, NamedTuple

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding
from code_adapter.integrity.roles import is_test_code
from code_adapter.integrity.tools.documents import Unreadable
from code_adapter.integrity.tools.setting_values import split_words
from code_adapter.integrity.tools.settings import is_settings_file, read_settings
from verigate.sdk.languages.tree import text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side

_PUTS = re.compile(
    r"(?:(?:sys\.)?path\.(?:insert|append|extend)|(?:site\.)?addsitedir|[\w.]*\.syspath_prepend)\(|"
    r"sys\.path(?:\[[^\]\n]*\])?\s*\+?=(?!=)"
)
_TEXT = re.compile(r"['\"]([^'\"\n]*)['\"]")


class _Entry(NamedTuple):
    """One folder that is new on the path: the whole of it, its last name, or (both None) any."""

    where: str
    whole: str | None
    names: frozenset[str]
    above: tuple[str, ...] = ()

    def takes(self, folder: str) -> bool:
        if self.whole is not None:
            return folder == self.whole
        if self.names:
            return PurePosixPath(folder).name in self.names
        return folder in self.above if self.above else True


def find_shadowed_imports(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find modules added by the change that tests import instead of others with the same name."""
    entries = [*_entries(changes)]
    if not entries:
        return
    reader = _Modules(changes)
    for name, folder, path in reader.brought():
        entry = next((entry for entry in entries if entry.takes(folder)), None)
        if entry is not None and reader.is_another(name, path):
            message = f"tests import {name} from here instead of where it was: {entry.where} puts {folder or '.'} first"
            yield IntegrityFinding("checks_shadowed", path, None, message, "tampering", "import-shadowed")


def _entries(changes: ChangeSet) -> Iterator[_Entry]:
    for _, before, after in changes.sides():
        if after is None:
            continue
        if is_settings_file(after.path):
            known = _pythonpath(before)
            folder = PurePosixPath(after.path).parent.as_posix()
            for entry in _pythonpath(after):
                if entry not in known:
                    yield _Entry(f"pythonpath in {after.path}", _plain(f"{folder}/{entry}"), frozenset())
        elif after.path.endswith(".py") and is_test_code(after.path):
            there = {text_of(node) for node in _puts(changes, before)}
            for node in _puts(changes, after):
                if text_of(node) not in there:
                    yield _of_statement(changes, after, node)


def _plain(path: str) -> str:
    plain = normpath(path)
    return "" if plain == "." else plain


def _pythonpath(side: Side | None) -> list[str]:
    if side is None:
        return []
    try:
        value = read_settings(side.path, text(side)).get("pytest", {}).get("pythonpath")
    except Unreadable:
        return []
    return [str(item) for item in value] if isinstance(value, list) else split_words(value) if value else []


def _puts(changes: ChangeSet, side: Side | None) -> Iterator[Node]:
    if side is None or not re.search(rb"path|addsitedir", side.content or b""):
        return
    tree = changes.tree(side)
    for node in walk(tree.root) if tree is not None else ():
        if node.type in {"call", "assignment", "augmented_assignment"} and _PUTS.match(text_of(node)):
            yield node


def _of_statement(changes: ChangeSet, side: Side, node: Node) -> _Entry:
    """The folder by the texts of the statement and of the names that it uses; without any, one above the file."""
    source = _with_values(changes, side, node)
    parts = {part for found in _TEXT.findall(source) for part in re.split(r"[/\\{}]", found) if part.strip(".")}
    folders = {part for path in changes.subject_paths for part in PurePosixPath(path).parts[:-1]}
    if parts and parts <= folders:
        return _Entry(side.path, None, frozenset(parts))
    above = tuple(_plain(str(folder)) for folder in PurePosixPath(side.path).parents)
    return _Entry(side.path, None, frozenset(), above if "__file__" in source and not parts else ())


def _with_values(changes: ChangeSet, side: Side, statement: Node) -> str:
    """The statement's text, and the right side of each assignment in the file to a name that it uses."""
    tree = changes.tree(side)
    values: dict[str, list[str]] = {}
    for node in walk(tree.root) if tree is not None else ():
        if node.type in {"assignment", "named_expression"}:
            name = text_of(node.child_by_field_name("left") or node.child_by_field_name("name"))
            values.setdefault(name, []).append(text_of(node.child_by_field_name("right") or node))
    source, used, wanted = text_of(statement), set[str](), [text_of(statement)]
    while wanted:
        for name in set(re.findall(r"[A-Za-z_]\w*", wanted.pop())) & values.keys() - used:
            used.add(name)
            wanted += values[name]
            source += "".join(f"\n{value}" for value in values[name])
    return source


class _Modules:
    """Modules at the top of a folder, by the subject's paths, and which of them tests of the base imported."""

    def __init__(self, changes: ChangeSet) -> None:
        self._changes = changes
        self._homes: dict[str, set[str]] = {}
        packages = {
            path.removesuffix("/__init__.py") for path in changes.subject_paths if path.endswith("/__init__.py")
        }
        for path in changes.subject_paths:
            name, folder = _module(path)
            if name and folder not in packages:
                self._homes.setdefault(name, set()).add(path)

    def brought(self) -> Iterator[tuple[str, str, str]]:
        """Name, folder and path of each that is new, or has another content than in base."""
        for _, before, after in self._changes.sides():
            if after is None or (before is not None and before.content == after.content):
                continue
            name, folder = _module(after.path)
            if name and after.path in self._homes.get(name, ()):
                yield name, folder, after.path

    def is_another(self, name: str, path: str) -> bool:
        """Whether tests of the base imported the name, and meant the source's or what was installed."""
        others = {other for other in self._homes.get(name, ()) if other != path}
        in_base = [other for other in self._in_base if _module(other)[0] == name]
        if path in in_base:
            return False  # it existed and is only rewritten
        if in_base and not any(other in others and not is_test_code(other) for other in in_base):
            return False  # the only one moved, or it serves tests
        return self._is_imported(name)

    @cached_property
    def _in_base(self) -> tuple[str, ...]:
        listed = self._changes.repository.entries("ls-tree", "-r", "--name-only", "-z", self._changes.base)
        return tuple(path.decode("utf-8", "replace") for path in listed if path.endswith(b".py"))

    def _is_imported(self, name: str) -> bool:
        if "\n" in name:
            return False  # no statement names it, and git would read two patterns
        plain = re.escape(name)
        imported = rf"^[[:space:]]*(import|from)[[:space:]]+([^#]*,[[:space:]]*)?{plain}([^[:alnum:]_]|$)"
        called = rf"(importorskip|import_module|__import__)\(.{plain}[^[:alnum:]_]"
        pattern = f"{imported}|{called}"
        arguments = ("grep", "-l", "-z", "-E", "-e", pattern, self._changes.base, "--", "*.py")
        run = self._changes.repository.git(*arguments, check=False)
        if run.exit_code not in {0, 1} or run.truncated:
            raise run.as_failure(f"git grep ended with {run.ended}", where=str(self._changes.repository.root))
        found = run.stdout.decode("utf-8", "replace").split("\0")
        return any(is_test_code(path.partition(":")[2]) for path in found if path)


def _module(path: str) -> tuple[str, str]:
    """``fakes/calc/__init__.py`` -> ("calc", "fakes"); two empty texts for what is no module."""
    pure = PurePosixPath(path)
    if pure.suffix != ".py":
        return "", ""
    module = pure.parent if pure.name == "__init__.py" else pure.with_suffix("")
    return module.name, _plain(module.parent.as_posix())
