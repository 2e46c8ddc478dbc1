"""Hand on static methods from a class of Java: a method of the same head that calls the other one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from code_adapter.counterfactual.handed_on.java_imports import PACKAGE
from verigate.sdk.languages import grammar_of
from verigate.sdk.languages.tree import parse, text_of, walk

if TYPE_CHECKING:
    from tree_sitter import Node

    from code_adapter.counterfactual.handed_on.code import Code
    from code_adapter.counterfactual.handed_on.moves import Handed
    from code_adapter.syntax.symbols import Symbol

_IMPORT = re.compile(rb"^\s*import\s+[^;]+;", re.MULTILINE)


def hand_on(code: Code, other: Code, place: str, origins: Mapping[str, Iterable[Handed]]) -> None:
    """Give a class of ``place`` the static methods that classes of ``origins`` have in this version."""
    for origin, handed in origins.items():
        source = code.read(origin) or b""
        whole = {each.known.qualified for each in handed if each.symbol.kind == "class"}
        for each in handed:
            owner = each.known.qualified.rpartition(".")[0]
            method = _find_method(origin, source, each.symbol)
            if method is None or "." in owner or owner in whole:
                continue
            if code.read(place) is None and code.can_add(place):
                package = PACKAGE.search(other.read(place) or b"")
                head = [package[0].decode().strip() if package else "", *map(bytes.decode, _IMPORT.findall(source))]
                code.append(place, "\n".join([*head, f"public class {owner} {{", "}", ""]))
            _add(code, place, owner, _delegate(source, method, each.symbol))


def _find_method(path: str, source: bytes, symbol: Symbol) -> Node | None:
    """Find a static method that can be called from everywhere in its package."""
    for node in walk(parse(source, grammar_of(path) or "").root):
        if (
            node.type == "method_declaration"
            and symbol.line - 1 <= node.start_point[0] < symbol.end_line
            and text_of(node.child_by_field_name("name")) == symbol.name
        ):
            words = {child.type for each in node.children if each.type == "modifiers" for child in each.children}
            return node if "static" in words and "private" not in words else None
    return None


def _delegate(source: bytes, method: Node, symbol: Symbol) -> str:
    body, parameters = method.child_by_field_name("body"), method.child_by_field_name("parameters")
    head = source[method.start_byte : body.start_byte if body is not None else method.end_byte].decode(
        "utf-8", "replace"
    )
    names = [
        text_of(each.child_by_field_name("name")) or text_of(each.named_children[-1].child_by_field_name("name"))
        for each in (parameters.named_children if parameters is not None else ())
        if each.type in {"formal_parameter", "spread_parameter"}
    ]
    package = PACKAGE.search(source)
    owner = symbol.qualified.rpartition(".")[0]
    full = f"{package[1].decode()}.{owner}" if package else owner
    gives = "" if text_of(method.child_by_field_name("type")) == "void" else "return "
    return f"\n    {head.strip()} {{\n        {gives}{full}.{symbol.name}({', '.join(names)});\n    }}\n"


def _add(code: Code, place: str, owner: str, method: str) -> None:
    """Write a method at the end of a class that extends no other."""
    source = code.read(place) or b""
    for node in walk(parse(source, grammar_of(place) or "").root):
        if node.type == "class_declaration" and text_of(node.child_by_field_name("name")) == owner:
            body = node.child_by_field_name("body")
            if body is not None and node.child_by_field_name("superclass") is None:
                end = body.end_byte - 1
                code.written[place] = source[:end] + method.encode() + source[end:]
            return
