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

from verigate.formats import pointer
from verigate.formats.json_path import Way

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

    way: Way | None
    offset: int
    token: str
    depth: int
    repeated: bool

    @property
    def pointer(self) -> str:
        """The JSON pointer, "" for the document."""
        return self.way.pointer if self.way is not None else ""


class _Container(Struct):
    way: Way | None
    is_object: bool
    count: int = 0
    names: set[str] = field(default_factory=set)


def places(text: str) -> Iterator[Place]:
    """Every value of ``text`` in order, without recursion. Stops quietly where the text isn't JSON any more."""
    stack: list[_Container] = []
    position = _after_space(text, 0)
    while position < len(text):
        way: Way | None = None
        offset, repeated = position, False
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
                way = Way(top.way, name)
            else:
                way = Way(top.way, top.count)
                top.count += 1
        following, token, opened = _value(text, position)
        if following is None:
            return
        yield Place(way, offset, token, len(stack) + (1 if opened else 0), repeated)
        if opened:
            stack.append(_Container(way, opened == "{"))
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
    root = _Wanted()
    left = sum(root.add(each) for each in set(pointers))
    found: dict[str, int] = {}
    line, counted = 1, 0
    for place in places(text):
        if not left:
            break
        here: _Wanted | None = root
        if place.way is not None:
            around = place.way.before.mark if place.way.before is not None else root
            here = place.way.mark = around.below.get(str(place.way.segment)) if around is not None else None
        if here is not None and here.pointer is not None and here.pointer not in found:
            line, counted = line + text.count("\n", counted, place.offset), place.offset
            found[here.pointer] = line
            left -= 1
    return found


class _Wanted(Struct):
    """The pointers that begin alike: the one that ends here, and how the others go on."""

    pointer: str | None = None
    below: dict[str, _Wanted] = field(default_factory=dict)

    def add(self, text: str) -> bool:
        """Whether ``text`` is a pointer; then it is wanted."""
        try:
            segments = pointer.split(text)
        except ValueError:
            return False
        node = self
        for segment in segments:
            node = node.below.setdefault(segment, _Wanted())
        node.pointer = text
        return True
