"""Where things stand in a JSON text: pointer -> place.

Only faults need places, so this runs after a document was refused, never on the fast path. It is our own because the
published source maps (json-source-map) recurse, copy every pointer once per level and don't unescape member names,
which a hostile document can turn against the gate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from verigate.domain import pointer

_SPACE = re.compile(r"[ \t\n\r]*")
_SPACES = frozenset(" \t\n\r")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,:\[\]{}\"]+")


class Place(NamedTuple):
    """One value; a tuple, because a hostile text has hundreds of thousands of them.

    ``offset`` (characters) is where its member name begins, or the value itself in an array;
    ``token`` is the text of a number or literal, empty for strings, arrays and objects; ``depth`` counts the containers
    around it, itself included; ``repeated`` marks a member name that its object already has.
    """

    pointer: str
    offset: int
    token: str
    depth: int
    repeated: bool


class _Container(Struct):
    path: str
    is_object: bool
    count: int = 0
    names: set[str] = field(default_factory=set)


def places(text: str) -> Iterator[Place]:
    """Every value of ``text`` in order, without recursion. Stops quietly where the text isn't JSON any more."""
    stack: list[_Container] = []
    position = _after_space(text, 0)
    while position < len(text):
        path, offset, repeated = "", position, False
        if stack:
            top = stack[-1]
            if text[position] == ("}" if top.is_object else "]"):
                stack.pop()
                position = _after_value(text, position + 1)
                continue
            if top.is_object:
                name, position = _name(text, position)
                if name is None:
                    return
                repeated = name in top.names
                top.names.add(name)
                position = _after_space(text, position)
                if text[position : position + 1] != ":":
                    return
                position = _after_space(text, position + 1)
                path = f"{top.path}/{pointer.escape(name)}"
            else:
                path = f"{top.path}/{top.count}"
                top.count += 1
        following, token, opened = _value(text, position)
        if following is None:
            return
        yield Place(path, offset, token, len(stack) + (1 if opened else 0), repeated)
        if opened:
            stack.append(_Container(path, opened == "{"))
            position = _after_space(text, following)
        elif stack:
            position = _after_value(text, following)
        else:
            return


def _name(text: str, position: int) -> tuple[str | None, int]:
    import json

    match = _STRING.match(text, position)
    if not match:
        return None, position
    try:
        return str(json.loads(match.group())), match.end()
    except ValueError:
        return None, position


def _value(text: str, position: int) -> tuple[int | None, str, str]:
    character = text[position : position + 1]
    if character in {"{", "["} and character:
        return position + 1, "", character
    if character == '"':
        string = _STRING.match(text, position)
        return (string.end() if string else None), "", ""
    match = _SCALAR.match(text, position)
    return (match.end(), match.group(), "") if match else (None, "", "")


def _after_space(text: str, position: int) -> int:
    if text[position : position + 1] not in _SPACES:
        return position
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _after_value(text: str, position: int) -> int:
    position = _after_space(text, position)
    return _after_space(text, position + 1) if text[position : position + 1] == "," else position


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Both from 1; the column counts characters."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def lines(text: str, pointers: Iterable[str]) -> Mapping[str, int]:
    """The line, from 1, of each of these pointers that the text holds."""
    wanted = set(pointers)
    found: dict[str, int] = {}
    for place in places(text):
        if not wanted:
            break
        if place.pointer in wanted:
            wanted.discard(place.pointer)
            found[place.pointer] = text.count("\n", 0, place.offset) + 1
    return found
