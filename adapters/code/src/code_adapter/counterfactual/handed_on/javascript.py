"""Hand on names from a module of JavaScript or TypeScript, as it exports them: ES modules and CommonJS."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.counterfactual.handed_on.code import Code
    from code_adapter.counterfactual.handed_on.moves import Handed

_RELATIVE = re.compile(rb"(?:from\s*|import\s*\(?\s*|require\(\s*)['\"](\.{1,2}/[^'\"\n]*)['\"]")
_COMPILED = {".ts": ".js", ".tsx": ".js", ".mts": ".mjs", ".cts": ".cjs"}
_INDEX = "index"


@dataclass(frozen=True, slots=True)
class _Exports:
    """What a module exports: local names by the names outside, where it is known.

    ``whole`` is the local name that is the CommonJS module itself. ``others`` is whether there may be more.
    """

    esm: bool
    names: Mapping[str, str]
    whole: str = ""
    others: bool = False

    def find(self, local: str) -> str | None:
        """Find the name outside of a local one."""
        return next((outside for outside, inside in self.names.items() if inside == local), None)


def hand_on(code: Code, other: Code, place: str, origins: Mapping[str, Iterable[Handed]]) -> None:
    """Let the module at ``place`` export what the modules of ``origins`` export in this version."""
    source = code.read(place)
    if source is None and not code.can_add(place):
        return
    here = _read_exports(place, source) if source is not None else None
    before = _read_exports(place, other.read(place) or b"")
    lines = []
    for origin, handed in origins.items():
        there = _read_exports(origin, code.read(origin) or b"")
        specifier = json.dumps(_name(code, other, place, origin))
        for each in handed:
            name, known = each.symbol.name, each.known.name
            inside, outside = there.find(name), before.find(known)
            outside = name if outside == known else outside
            if inside is None and there.whole != name:
                continue
            taken = f"require({specifier})" + ("" if inside is None else f"[{json.dumps(inside)}]")
            if here is None and before.whole == known:
                lines.append(f"module.exports = {taken};")
            elif outside is None or (here is not None and (outside in here.names or here.others)):
                continue
            elif not (here or before).esm:
                lines.append(_define(outside, taken))
            elif inside is not None:
                lines.append(f"export {{ {inside} as {outside} }} from {specifier};")
    if lines:
        code.append(place, "\n".join([*lines, ""]))


def _define(outside: str, taken: str) -> str:
    name = json.dumps(outside)
    how = f"{{ configurable: true, enumerable: true, get: () => {taken} }}"
    return f"if (!({name} in module.exports)) Object.defineProperty(module.exports, {name}, {how});"


def _name(code: Code, other: Code, place: str, origin: str) -> str:
    """Name ``origin`` as imports of ``place`` do: TypeScript's have the suffix of what it becomes, its own, or none."""
    path = posixpath.relpath(origin, posixpath.dirname(place) or ".")
    path = path if path.startswith(".") else f"./{path}"
    stem, suffix = posixpath.splitext(path)
    if suffix not in _COMPILED:
        return path
    sources = (code.read(place), other.read(place), code.read(origin), *code.list_tests())
    for written in (found[1] for source in sources for found in _RELATIVE.finditer(source or b"")):
        end = posixpath.splitext(written.decode("utf-8", "replace"))[1]
        if end in _COMPILED:
            return path
        if end in _COMPILED.values():
            return stem + _COMPILED[suffix]
    return stem.removesuffix(f"/{_INDEX}") if stem != f"./{_INDEX}" else stem


def _read_exports(path: str, source: bytes) -> _Exports:
    tree = parse(source, grammar_of(path) or "")
    names: dict[str, str] = {}
    esm = others = False
    whole = ""
    for node in walk(tree.root):
        if node.type in {"import_statement", "export_statement"}:
            esm = True
        if node.type == "export_statement":
            others = others or any(child.type in {"*", "namespace_export"} for child in node.children)
            names |= dict(_list_exported(node))
        elif node.type == "assignment_expression":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            target = text_of(left)
            if target == "module.exports" and right is not None and right.type == "object":
                names |= dict(_list_properties(right))
                others = others or any(child.type == "spread_element" for child in right.named_children)
            elif target in {"module.exports", "exports = module.exports", "exports"}:
                whole = _name_value(right)
            elif found := re.fullmatch(r"(?:module\.)?exports\.([\w$]+)", target):
                names[found[1]] = _name_value(right) or found[1]
    return _Exports(esm or posixpath.splitext(path)[1] in {".mjs", ".mts"}, names, whole, others)


def _list_exported(node: Node) -> Iterator[tuple[str, str]]:
    for child in node.named_children:
        if child.type == "export_clause":
            for each in child.named_children:
                local, alias = each.child_by_field_name("name"), each.child_by_field_name("alias")
                yield text_of(alias or local), text_of(local)
    declared, value = node.child_by_field_name("declaration"), node.child_by_field_name("value")
    if any(child.type == "default" for child in node.children):
        yield "default", _name_value(declared or value)
    elif declared is not None:
        name = declared.child_by_field_name("name")
        if name is not None:
            yield text_of(name), text_of(name)
        for each in declared.named_children:
            if each.type == "variable_declarator":
                bound = text_of(each.child_by_field_name("name"))
                yield bound, bound


def _list_properties(node: Node) -> Iterator[tuple[str, str]]:
    for each in node.named_children:
        if each.type == "shorthand_property_identifier":
            yield text_of(each), text_of(each)
        elif each.type == "pair":
            key = text_of(each.child_by_field_name("key")).strip("'\"")
            yield key, _name_value(each.child_by_field_name("value")) or key
        elif each.type == "method_definition":
            name = text_of(each.child_by_field_name("name"))
            yield name, name


def _name_value(node: Node | None) -> str:
    """Return the name of what is exported: that of a variable, or the one that a function or class has."""
    if node is None:
        return ""
    return text_of(node) if node.type == "identifier" else text_of(node.child_by_field_name("name"))
