"""Read which shared configurations a flat configuration of ESLint holds, in the words of the older ``extends``.

``extends: ["unjs", "plugin:vue/recommended"]`` becomes ``export default [...unjs(), vue.configs["flat/recommended"]]``.
Only what is an item of the export counts, not what other code may work on.
Source: ESLint's documentation, "Configuration Migration Guide".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.sdk.languages.tree import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_DEFINES = re.compile(r"(?:\w+\.)?(?:defineConfig|config)")
_IMPORT = re.compile(
    r"import\s+(?:\*\s+as\s+)?(\w+)\s+from\s+['\"]([^'\"]+)['\"]|"
    r"(?:const|let|var)\s+(\w+)\s*=\s*require\(\s*['\"]([^'\"]+)['\"]\s*\)\s*;?"
)
_MEMBER = re.compile(r"(\w+)\.configs(?:\.([\w$]+)|\[\s*['\"]([^'\"]+)['\"]\s*\])")
_PACKAGE = re.compile(r"(?:(?P<scope>@[\w.-]+)/)?eslint-config(?:-(?P<name>[\w.-]+))?")
_PLUGIN = re.compile(r"(?:(?P<scope>@[\w.-]+)/)?eslint-plugin(?:-(?P<name>[\w.-]+))?")


def list_extended(source: str, grammar: str) -> frozenset[str]:
    """List what the exported configuration extends, under each name that ``extends`` has for it."""
    root = parse(source.encode(), grammar).root
    sources = {name: package for name, package in _list_imports(root) if not _is_changed(root, name)}
    return frozenset(name for item in _list_items(_find_export(root)) for name in _name_set(item, sources))


def _list_imports(root: Node) -> Iterator[tuple[str, str]]:
    for node in root.named_children:
        match = _IMPORT.fullmatch(text_of(node).rstrip(";"))
        if match is not None:
            yield match[1] or match[3], match[2] or match[4]


def _is_changed(root: Node, name: str) -> bool:
    """Whether a name is anything but what was imported under it."""
    made = [node for node in walk(root) if node.type in {"variable_declarator", "assignment_expression"}]
    bound = [text_of(node.child_by_field_name("name") or node.child_by_field_name("left")) for node in made]
    required = sum(1 for node in made if text_of(node).replace(" ", "").startswith(f"{name}=require("))
    return sum(1 for each in bound if re.match(rf"{re.escape(name)}(?![\w$])", each)) > required or required > 1


def _find_export(root: Node) -> Node | None:
    for node in root.named_children:
        if node.type == "export_statement":
            return node.child_by_field_name("value")
        inner = node.named_children[0] if node.type == "expression_statement" else None
        if inner is not None and text_of(inner.child_by_field_name("left")) == "module.exports":
            return inner.child_by_field_name("right")
    return None


def _list_items(node: Node | None) -> Iterator[Node]:
    """List the items of arrays, of what is spread, and of ESLint's own function."""
    if node is None:
        return
    if node.type in {"array", "spread_element", "await_expression", "parenthesized_expression"}:
        for child in node.named_children:
            yield from _list_items(child)
        return
    function = text_of(node.child_by_field_name("function")) if node.type == "call_expression" else ""
    arguments = node.child_by_field_name("arguments")
    if _DEFINES.fullmatch(function) and arguments is not None:
        for child in arguments.named_children:
            yield from _list_items(child)
        return
    yield node


def _name_set(node: Node, sources: dict[str, str]) -> Iterator[str]:
    held = node.child_by_field_name("function") if node.type == "call_expression" else node
    text = text_of(held)
    member = _MEMBER.fullmatch(text)
    source = sources.get(member[1] if member is not None else text, "")
    if member is not None and held is node:
        yield from _name_of_plugin(source, (member[2] or member[3] or "").removeprefix("flat/"))
    elif member is None and (package := _PACKAGE.fullmatch(source)) is not None:
        yield source
        scope, name = package["scope"], package["name"]
        yield f"{scope}/{name}" if scope and name else scope or name or source


def _name_of_plugin(source: str, name: str) -> Iterator[str]:
    if source == "@eslint/js":
        yield f"eslint:{name}"
    elif (plugin := _PLUGIN.fullmatch(source)) is not None:
        short = "/".join(part for part in (plugin["scope"], plugin["name"]) if part)
        yield f"plugin:{short}/{name}"
