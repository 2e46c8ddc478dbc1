"""Names that tests of the base import and the subject's code doesn't have any more.

One such import at the top of a file would keep all of its tests from running. So it is replaced: by an alias, where
the same definition stands under another name or in another module, else by an object that raises on use. Absence is
decided on the syntax trees of the subject, never by an exception.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from code_adapter.counterfactual.versions import Version

Read = Callable[[str], str]
_LEAST_BODY = 40
"""Characters of a definition below which two equal ones aren't taken for the same."""

_RAISES = (
    "{name} = type('Gone', (), {{key: (lambda self, *_, **__: (_ for _ in ()).throw(AttributeError('{full} is gone')))"
    " for key in ('__call__', '__getattr__', '__iter__', '__getitem__', '__enter__', '__bool__', '__eq__')}})()"
)


@dataclass(frozen=True)
class Patched:
    """A test file whose missing imports were replaced. ``gone`` maps names in it to those in the base."""

    source: str
    gone: Mapping[str, str] = field(default_factory=dict)


class Modules:
    """The Python modules of one version's code. ``read`` returns the source of a path."""

    def __init__(self, version: Version, read: Read) -> None:
        self._paths = [path for path in version.files if path.endswith(".py")]
        self._known = frozenset(self._paths)
        self._read = read
        self._names: dict[str, frozenset[str] | None] = {}

    def find(self, module: str) -> str | None:
        """Find the path of a module: the shortest that ends like its name."""
        tail = module.replace(".", "/")
        found = [path for path in self._paths if _ends(path, f"{tail}.py") or _ends(path, f"{tail}/__init__.py")]
        return min(found, key=lambda path: (path.count("/"), path), default=None)

    def has(self, module: str, name: str) -> bool | None:
        """Whether the module defines, imports or contains ``name``; None if that isn't known, or it isn't here."""
        path = self.find(module)
        if path is None:
            return None
        if self.find(f"{module}.{name}") is not None:
            return True
        if path not in self._names:
            self._names[path] = _list_names(self._read(path))
        names = self._names[path]
        return None if names is None else name in names

    def list_definitions(self) -> Iterator[tuple[str, str, str]]:
        """List the functions and classes of all modules: module, name, and body as text."""
        for path in self._paths:
            for name, body in _list_bodies(self._read(path)):
                yield _name_module(path), name, body

    def find_body(self, module: str, name: str) -> str:
        """Return the body of a definition; empty without one."""
        path = self.find(module)
        return dict(_list_bodies(self._read(path))).get(name, "") if path is not None else ""


def replace_gone(source: str, base: Modules, head: Modules) -> Patched | None:
    """Replace the imports of a test file that base has and head lacks; None if there are none, or it can't be read."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = source.split("\n")
    gone: dict[str, str] = {}
    changed = False
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and node.module:
            replaced = _replace(node, node.module, base, head, gone)
            if replaced is not None:
                changed = True
                indent = lines[node.lineno - 1][: node.col_offset]
                lines[node.lineno - 1] = f"{indent}{'; '.join(replaced)}"
                for number in range(node.lineno, node.end_lineno or node.lineno):
                    lines[number] = ""
    return Patched("\n".join(lines), gone) if changed else None


def _replace(node: ast.ImportFrom, module: str, base: Modules, head: Modules, gone: dict[str, str]) -> list[str] | None:
    kept: list[str] = []
    statements: list[str] = []
    for alias in node.names:
        written = alias.asname or alias.name
        if not base.has(module, alias.name) or head.has(module, alias.name) or _is_unsure(head, module, alias.name):
            kept.append(f"{alias.name} as {written}" if alias.asname else alias.name)
            continue
        moved = _find_moved(base.find_body(module, alias.name), head)
        if moved is not None:
            statements.append(f"from {moved[0]} import {moved[1]} as {written}")
        else:
            full = f"{module}.{alias.name}"
            gone[written] = full
            statements.append(_RAISES.format(name=written, full=full))
    if not statements:
        return None
    return [*([f"from {module} import {', '.join(kept)}"] if kept else []), *statements]


def _is_unsure(head: Modules, module: str, name: str) -> bool:
    return head.find(module) is not None and head.has(module, name) is None


def _find_moved(body: str, head: Modules) -> tuple[str, str] | None:
    if len(body) < _LEAST_BODY:
        return None
    found = [(module, name) for module, name, other in head.list_definitions() if other == body]
    return found[0] if len(found) == 1 else None


def _list_names(source: str) -> frozenset[str] | None:
    """List the names at a module's top; None if that isn't known: a star import, ``__getattr__``, a syntax error."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    names: set[str] = set()
    for node in _walk_top(tree.body):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            case ast.Name(ctx=ast.Store()):
                names.add(node.id)
    return None if {"*", "__getattr__"} & names else frozenset(names)


def _walk_top(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Walk statements without entering functions and classes."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _walk_top(ast.iter_child_nodes(node))


def _list_bodies(source: str) -> Iterator[tuple[str, str]]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, "\n".join(map(ast.dump, [*ast.iter_child_nodes(node)]))


def _name_module(path: str) -> str:
    pure = PurePosixPath(path)
    parts = pure.parent.parts if pure.name == "__init__.py" else (*pure.parent.parts, pure.stem)
    return ".".join(part for part in (parts[1:] if parts[:1] == ("src",) else parts))


def _ends(path: str, tail: str) -> bool:
    return path == tail or path.endswith(f"/{tail}")
