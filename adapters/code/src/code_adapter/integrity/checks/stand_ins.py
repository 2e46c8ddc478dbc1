"""Find replacements of the code under test: a function in the test file, another module, or a mock.

A test that imported ``discount`` from the source, which still defines it, must import it from there or from a module
that re-exports it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING

from code_adapter.integrity.changeset import text
from code_adapter.integrity.finding import IntegrityFinding
from code_adapter.integrity.roles import is_test_code
from verigate.sdk.languages import language_of
from verigate.sdk.languages.tree import line_of, parse, string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.integrity.changeset import ChangeSet
    from code_adapter.syntax.changes import Side
    from verigate.sdk.languages.tree import Tree

_JS_ENDS = (
    "",
    *(f"{stem}.{end}" for stem in ("", "/index") for end in ("js", "ts", "mjs", "cjs", "jsx", "tsx", "mts")),
)
_OWN = frozenset({"function_definition", "class_definition", "function_declaration", "class_declaration"})
_MOCKS = re.compile(r"\b(?:jest|vi)\.(?:mock|doMock|unstable_mockModule)\(\s*(?:import\(\s*)?['\"]([^'\"\n]+)['\"]")


def find_stand_ins(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find existing tests whose imported names now refer to something else."""
    for _, before, after in changes.sides():
        if before is None or after is None or not is_test_code(after.path):
            continue
        language = language_of(after.path)
        if language not in {"python", "javascript", "typescript"} or before.content == after.content:
            continue
        old, new = changes.tree(before), changes.tree(after)
        if old is not None and new is not None:
            for name, line in _Reader(changes, language == "python").replaced(before, old, after, new):
                message = f"{name} is no longer what the source defines under this name, and tests go on using it"
                yield IntegrityFinding("test_tampered", after.path, line, message, "weakening", "stand-in")


def keeps_imports(changes: ChangeSet, path: str) -> bool:
    """Whether a test file of Python imports some names from elsewhere, and all of them are what they were."""
    for _, before, after in changes.sides():
        if after is not None and before is not None and after.path == path and language_of(path) == "python":
            old, new = changes.tree(before), changes.tree(after)
            return old is not None and new is not None and _Reader(changes, True).keeps(before, old, path, new)
    return False


class _Reader:
    """The names of test files in one language, and the files of the subject that they come from."""

    def __init__(self, changes: ChangeSet, python: bool) -> None:
        self._changes = changes
        self._python = python
        self._paths = frozenset(changes.subject_paths)

    def replaced(self, before: Side, old: Tree, after: Side, new: Tree) -> Iterator[tuple[str, int]]:
        """Names and lines."""
        was, now = dict(self._imports(old)), dict(self._imports(new))
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
        for match in _MOCKS.finditer(source) if not self._python else ():
            there = self._script(after.path, match[1])
            mocked = [name for name, home in tested.items() if home == there and _is_asked(name, source)]
            if mocked and match[0] not in text(before):
                yield mocked[0], source.count("\n", 0, match.start()) + 1

    def _imports(self, tree: Tree) -> Iterator[tuple[str, tuple[str, str, int]]]:
        """Name -> module, name there (empty for the module itself), line; the last one of a name counts."""
        for node in walk(tree.root):
            if self._python and node.type == "import_from_statement":
                module = text_of(node.child_by_field_name("module_name"))
                for item in node.children_by_field_name("name"):
                    original = text_of(item.child_by_field_name("name") or item)
                    yield text_of(item.child_by_field_name("alias")) or original, (module, original, line_of(node))
            elif not self._python and node.type == "import_statement":
                module = string_value(node.child_by_field_name("source")) or ""
                yield from self._clause(node, module)
            elif not self._python and node.type == "variable_declarator":
                required = re.match(r"(?:await\s+import|require)\(\s*['\"]([^'\"]+)['\"]\s*\)$", _value(node))
                if required:
                    for item in re.findall(r"[\w$]+(?:\s*:\s*[\w$]+)?", text_of(node.child_by_field_name("name"))):
                        original, _, alias = (part.strip() for part in item.partition(":"))
                        yield alias or original, (required[1], original, line_of(node))

    @staticmethod
    def _clause(node: Node, module: str) -> Iterator[tuple[str, tuple[str, str, int]]]:
        for item in walk(node):
            if item.type == "import_specifier":
                original = text_of(item.child_by_field_name("name"))
                yield text_of(item.child_by_field_name("alias")) or original, (module, original, line_of(node))
            elif item.type == "identifier" and item.parent is not None and item.parent.type == "import_clause":
                yield text_of(item), (module, text_of(item), line_of(node))

    def _home(self, path: str, module: str, original: str) -> str | None:
        """The file of the source that a module is; None for test code and for what isn't of the subject."""
        if not self._python:
            return self._script(path, module)
        above = len(module) - len(module.lstrip("."))
        folder = (
            PurePosixPath(path).parents[above - 1].as_posix() if 0 < above <= len(PurePosixPath(path).parts) else ""
        )
        parts = [part for part in module.strip(".").split(".") if part]
        for names in ([*parts, original], parts):
            plain = "/".join([*([folder] if folder not in {"", "."} else []), *names])
            for end in (".py", "/__init__.py"):
                found = next(
                    (p for p in (f"{plain}{end}", f"src/{plain}{end}", f"lib/{plain}{end}") if p in self._paths), None
                )
                if found is not None:
                    return None if is_test_code(found) else found
        return None

    def _script(self, path: str, module: str) -> str | None:
        if module.startswith("#"):
            module = f"./{normpath(self._subpath(module))}" if self._subpath(module) else ""
            path = "package.json"
        if not module.startswith("."):
            return None
        plain = normpath(f"{PurePosixPath(path).parent.as_posix()}/{module}")
        stems = [plain, re.sub(r"\.[cm]?jsx?$", "", plain)]
        found = next((f"{stem}{end}" for stem in stems for end in _JS_ENDS if f"{stem}{end}" in self._paths), None)
        return None if found is None or is_test_code(found) else found

    def _subpath(self, module: str) -> str:
        """What package.json's ``imports`` say for ``#name``."""
        try:
            target = json.loads(self._changes.at_subject("package.json") or b"{}")["imports"][module]
        except (ValueError, LookupError, TypeError, RecursionError):
            return ""
        target = target.get("default") or next(iter(target.values()), "") if isinstance(target, dict) else target
        return target if isinstance(target, str) else ""

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

    def _origin(self, path: str, module: str, original: str, most: int = 5) -> tuple[str, str] | None:
        """The file of the source that defines what is imported, and its name there, through ``most`` modules."""
        home = self._home(path, module, original)
        if home is None or most == 0:
            return None
        if self._defines(home, original):
            return home, original
        tree = parse(self._changes.at_subject(home) or b"", "python") if self._python else None
        handed = dict(self._imports(tree)).get(original) if tree is not None else None
        return self._origin(home, handed[0], handed[1], most - 1) if handed is not None else None

    def keeps(self, before: Side, old: Tree, path: str, new: Tree) -> bool:
        """Whether every import that the subject has otherwise leads to what it led to."""
        was, now = dict(self._imports(old)), dict(self._imports(new))
        changed = {name: found for name, found in now.items() if name in was and found[:2] != was[name][:2]}
        origins = {name: self._origin(before.path, *was[name][:2]) for name in changed}
        return bool(changed) and all(
            origins[name] is not None and self._origin(path, *found[:2]) == origins[name]
            for name, found in changed.items()
        )

    def _is_same(self, path: str, imported: tuple[str, str, int], origin: tuple[str, str] | None) -> bool:
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
        alias = re.match(r"(?:@|~|\$lib)[\w-]*/(.+)$", module)
        stem = re.sub(r"\.\w+$", "", home)
        return alias is not None and not self._python and stem.endswith(re.sub(r"\.\w+$", "", alias[1]))

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
        for node in walk(tree.root):
            if node.type != "import_from_statement" or not any(c.type == "wildcard_import" for c in node.children):
                continue
            plain = text_of(node.child_by_field_name("module_name")).strip(".").replace(".", "/")
            for path in (p for p in self._paths if p in {f"{plain}.py", f"src/{plain}.py", f"tests/{plain}.py"}):
                for name, home in tested.items():
                    if path != home and self._defines(path, name):
                        yield name, line_of(node)


def _is_member(node: Node) -> bool:
    above = node.parent.parent if node.parent is not None else None
    if above is not None and above.type == "decorated_definition":
        above = above.parent
    return above is not None and above.type == "class_definition"


def _value(node: Node) -> str:
    return text_of(node.child_by_field_name("value"))


def _is_asked(name: str, source: str) -> bool:
    """Whether an assertion is about what the name returns."""
    return bool(re.search(rf"(?:expect|assert[\w.]*|\w+[eE]qual)\(\s*(?:await\s+)?{re.escape(name)}\(", source))
