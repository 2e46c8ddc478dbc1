"""Read the imports of Python: ``from shop.price import total as t``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from code_adapter.integrity.languages.imports import Imported, Imports, Read
from verigate.sdk.languages.tree import line_of, parse, text_of, walk

if TYPE_CHECKING:
    from verigate.sdk.languages.tree import Tree


def _list_imports(tree: Tree) -> Iterator[tuple[str, Imported]]:
    for node in walk(tree.root):
        if node.type == "import_from_statement":
            module = text_of(node.child_by_field_name("module_name"))
            for item in node.children_by_field_name("name"):
                original = text_of(item.child_by_field_name("name") or item)
                name = text_of(item.child_by_field_name("alias")) or original
                yield name, Imported(module, original, line_of(node))


def _find_module(paths: Collection[str], _read: Read, path: str, module: str, original: str) -> str | None:
    above = len(module) - len(module.lstrip("."))
    folder = PurePosixPath(path).parents[above - 1].as_posix() if 0 < above <= len(PurePosixPath(path).parts) else ""
    parts = [part for part in module.strip(".").split(".") if part]
    for names in ([*parts, original], parts):
        plain = "/".join([*([folder] if folder not in {"", "."} else []), *names])
        for end in (".py", "/__init__.py"):
            places = (f"{plain}{end}", f"src/{plain}{end}", f"lib/{plain}{end}")
            found = next((place for place in places if place in paths), None)
            if found is not None:
                return found
    return None


def _list_starred(tree: Tree) -> Iterator[tuple[str, int]]:
    for node in walk(tree.root):
        if node.type == "import_from_statement" and any(c.type == "wildcard_import" for c in node.children):
            yield text_of(node.child_by_field_name("module_name")).strip(".").replace(".", "/"), line_of(node)


IMPORTS = Imports(
    _list_imports,
    _find_module,
    parse_handing=lambda source: parse(source, "python"),
    list_starred=_list_starred,
)
