"""Read the imports of JavaScript: ``import``, ``require`` and ``await import``, with subpaths of ``package.json``."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from posixpath import normpath
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.imports import Imported, Imports, Read
from verigate.sdk.languages.tree import line_of, string_value, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from verigate.sdk.languages.tree import Tree

_ENDS = (
    "",
    *(f"{stem}.{end}" for stem in ("", "/index") for end in ("js", "ts", "mjs", "cjs", "jsx", "tsx", "mts")),
)
_MOCKS = re.compile(r"\b(?:jest|vi)\.(?:mock|doMock|unstable_mockModule)\(\s*(?:import\(\s*)?['\"]([^'\"\n]+)['\"]")
_REQUIRED = re.compile(r"(?:await\s+import|require)\(\s*['\"]([^'\"]+)['\"]\s*\)$")


def _list_imports(tree: Tree) -> Iterator[tuple[str, Imported]]:
    for node in walk(tree.root):
        if node.type == "import_statement":
            module = string_value(node.child_by_field_name("source")) or ""
            yield from _list_clause(node, module)
        elif node.type == "variable_declarator":
            required = _REQUIRED.match(text_of(node.child_by_field_name("value")))
            if required:
                for item in re.findall(r"[\w$]+(?:\s*:\s*[\w$]+)?", text_of(node.child_by_field_name("name"))):
                    original, _, alias = (part.strip() for part in item.partition(":"))
                    yield alias or original, Imported(required[1], original, line_of(node))


def _list_clause(node: Node, module: str) -> Iterator[tuple[str, Imported]]:
    for item in walk(node):
        if item.type == "import_specifier":
            original = text_of(item.child_by_field_name("name"))
            name = text_of(item.child_by_field_name("alias")) or original
            yield name, Imported(module, original, line_of(node))
        elif item.type == "identifier" and item.parent is not None and item.parent.type == "import_clause":
            yield text_of(item), Imported(module, text_of(item), line_of(node))


def _find_module(paths: Collection[str], read: Read, path: str, module: str, _original: str) -> str | None:
    if module.startswith("#"):
        subpath = _read_subpath(read, module)
        module, path = f"./{normpath(subpath)}" if subpath else "", "package.json"
    if not module.startswith("."):
        return None
    plain = normpath(f"{PurePosixPath(path).parent.as_posix()}/{module}")
    stems = [plain, re.sub(r"\.[cm]?jsx?$", "", plain)]
    return next((f"{stem}{end}" for stem in stems for end in _ENDS if f"{stem}{end}" in paths), None)


def _read_subpath(read: Read, module: str) -> str:
    """What package.json's ``imports`` say for ``#name``."""
    try:
        target = json.loads(read("package.json") or b"{}")["imports"][module]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    target = target.get("default") or next(iter(target.values()), "") if isinstance(target, dict) else target
    return target if isinstance(target, str) else ""


def _is_alias(module: str, home: str) -> bool:
    alias = re.match(r"(?:@|~|\$lib)[\w-]*/(.+)$", module)
    return alias is not None and re.sub(r"\.\w+$", "", home).endswith(re.sub(r"\.\w+$", "", alias[1]))


IMPORTS = Imports(_list_imports, _find_module, list_mocks=_MOCKS.finditer, is_alias=_is_alias)
