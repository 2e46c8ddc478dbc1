"""Parse configuration files: TOML, INI, JSON with comments, YAML, and object literals of JavaScript files.

All input comes from the subject: sizes and depths are bounded, and nothing is executed.
"""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from verigate.sdk.languages.tree import parse, string_value, text_of, walk
from verigate.sdk.yaml_documents import load_documents

if TYPE_CHECKING:
    from tree_sitter import Node


class Unreadable(Exception):  # noqa: N818 - it describes a document, not an accident
    """The text isn't valid in the format of its file name."""


def load_toml(source: str) -> dict[str, Any]:
    """Parse a TOML document. Raises Unreadable."""
    try:
        return tomllib.loads(source)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unreadable(f"no TOML: {error}") from error


def load_ini(source: str) -> dict[str, dict[str, str]]:
    """Parse an INI document as section -> option -> text, without interpolation. Raises Unreadable."""
    parser = configparser.RawConfigParser(strict=False, default_section="\0", allow_no_value=True)
    try:
        parser.read_string(source)
    except configparser.Error as error:
        raise Unreadable(f"no INI file: {error}") from error
    return {name: {key: value or "" for key, value in parser.items(name)} for name in parser.sections()}


def load_json(source: str) -> Any:
    """Parse a JSON document that may have comments and trailing commas. Raises Unreadable."""
    try:
        return json.loads(source)
    except (ValueError, RecursionError):
        pass
    plain = re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda match: match[1] or "", source, flags=re.DOTALL)
    plain = re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda match: match[1] or "", plain)
    try:
        return json.loads(plain)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"no JSON: {error}") from error


def load_yaml(source: str) -> Any:
    """Parse the first document of a YAML file without custom constructors. Raises Unreadable."""
    try:
        return next(iter(load_documents(source)), None)
    except ValueError as error:
        raise Unreadable(str(error)) from error


def load_javascript(
    source: str, grammar: str = "javascript", *, without: tuple[str, frozenset[int]] = ("", frozenset())
) -> dict[str, Any]:
    """Parse the literal settings of a JavaScript configuration file, merged into one object.

    Object literals at the top level, in the exports, and in arrays and calls around those are merged; computed values
    appear as their source text. ``without`` is a key that is left out of the objects that begin at these bytes.
    """
    merged: dict[str, Any] = {}
    key, left_out = without
    for node, value in read_objects(source, grammar):
        if node.start_byte in left_out:
            value.pop(key, None)
        _merge(merged, value)
    return merged


def read_objects(source: str, grammar: str) -> Iterator[tuple[Node, dict[str, Any]]]:
    """Read the object literals that ``load_javascript`` merges, in their order."""
    stack = [parse(source.encode(), grammar).root]
    while stack:
        node = stack.pop()
        if node.type == "object":
            yield node, _object(node, 0)
        elif node.type not in {"function_declaration", "class_declaration", "statement_block"}:
            stack.extend(reversed(node.named_children))


def _merge(into: dict[str, Any], value: dict[str, Any]) -> None:
    for key, item in value.items():
        known = into.get(key)
        if isinstance(known, dict) and isinstance(item, dict):
            _merge(known, item)
        elif isinstance(known, list) and isinstance(item, list):
            into[key] = [*known, *item]
        else:
            into[key] = item


_MAX_DEPTH = 40
_MAX_DIGITS = 1000
"""A longer number is refused by int(), and no threshold has it."""


def _object(node: Node, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for pair in node.named_children if depth < _MAX_DEPTH else ():
        if pair.type == "pair":
            key = pair.child_by_field_name("key")
            name = string_value(key)
            found[name if name is not None else text_of(key)] = _value(pair.child_by_field_name("value"), depth + 1)
        elif pair.type == "spread_element":
            found[f"...{text_of(pair).removeprefix('...')}"] = True
    return found


def _value(node: Node | None, depth: int) -> Any:
    if node is None or depth >= _MAX_DEPTH:
        return None
    if node.type == "object":
        return _object(node, depth)
    if node.type == "array":
        return [_value(child, depth + 1) for child in node.named_children]
    literal = string_value(node)
    return literal if literal is not None else _word(node, depth)


def _word(node: Node, depth: int) -> Any:
    text = text_of(node)
    if text in {"true", "false"}:
        return text == "true"
    if re.fullmatch(r"-?\d+(?:\.\d+)?", text):
        return float(text) if "." in text else int(text[:_MAX_DIGITS])
    wrapped = node.type in {"call_expression", "as_expression", "satisfies_expression"}
    nested = next((child for child in walk(node) if child.type == "object"), None) if wrapped else None
    return text if nested is None else _object(nested, depth)
