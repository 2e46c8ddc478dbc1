"""Find the offsets and lines of values in a JSON text.

Only faults need them, so this runs after a document was rejected, never on the fast path. It is our own because the
published source maps (json-source-map) recurse, copy every pointer once per level and don't unescape member names,
which a hostile document can exploit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct, field

from verigate.formats import pointer
from verigate.formats.json_path import JsonPath

_SPACE = re.compile(r"[ \t\n\r]*")
_SPACES = frozenset(" \t\n\r")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,:\[\]{}\"]+")


class Place(NamedTuple):
    """The place of one value; a tuple, because a hostile text has hundreds of thousands of values.

    ``offset`` (characters) is the start of its member name, or of the value itself in an array; ``token`` is the text
    of a number or literal, empty for strings, arrays and objects; ``depth`` counts the containers around it, itself
    included; ``repeated`` marks a member name that its object already has.
    """

    path: JsonPath | None
    offset: int
    token: str
    depth: int
    repeated: bool

    @property
    def pointer(self) -> str:
        """The JSON pointer, "" for the document."""
        return self.path.pointer if self.path is not None else ""


class _Container(Struct):
    path: JsonPath | None
    is_object: bool
    count: int = 0
    names: set[str] = field(default_factory=set)


def scan_places(text: str) -> Iterator[Place]:
    """Yield every value of ``text`` in order, without recursion. Stops silently where the text isn't JSON any more."""
    stack: list[_Container] = []
    position = _skip_space(text, 0)
    while position < len(text):
        path: JsonPath | None = None
        offset, repeated = position, False
        if stack:
            top = stack[-1]
            if text[position] == ("}" if top.is_object else "]"):
                stack.pop()
                position = _skip_separator(text, position + 1)
                continue
            if top.is_object:
                name, position = _read_name(text, position)
                if name is None:
                    return
                repeated = name in top.names
                top.names.add(name)
                position = _skip_space(text, position)
                if text[position : position + 1] != ":":
                    return
                position = _skip_space(text, position + 1)
                path = JsonPath(top.path, name)
            else:
                path = JsonPath(top.path, top.count)
                top.count += 1
        following, token, opened = _read_value(text, position)
        if following is None:
            return
        yield Place(path, offset, token, len(stack) + (1 if opened else 0), repeated)
        if opened:
            stack.append(_Container(path, opened == "{"))
            position = _skip_space(text, following)
        elif stack:
            position = _skip_separator(text, following)
        else:
            return


def _read_name(text: str, position: int) -> tuple[str | None, int]:
    import json

    match = _STRING.match(text, position)
    if not match:
        return None, position
    try:
        return str(json.loads(match.group())), match.end()
    except ValueError:
        return None, position


def _read_value(text: str, position: int) -> tuple[int | None, str, str]:
    character = text[position : position + 1]
    if character in {"{", "["} and character:
        return position + 1, "", character
    if character == '"':
        string = _STRING.match(text, position)
        return (string.end() if string else None), "", ""
    match = _SCALAR.match(text, position)
    return (match.end(), match.group(), "") if match else (None, "", "")


def _skip_space(text: str, position: int) -> int:
    if text[position : position + 1] not in _SPACES:
        return position
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _skip_separator(text: str, position: int) -> int:
    position = _skip_space(text, position)
    return _skip_space(text, position + 1) if text[position : position + 1] == "," else position


def find_line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of an offset, both counted from 1; the column counts characters."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def find_lines(text: str, pointers: Iterable[str]) -> Mapping[str, int]:
    """Return the line, counted from 1, of each pointer that the text contains."""
    root = _PointerTree()
    left = sum(root.add(each) for each in set(pointers))
    found: dict[str, int] = {}
    line, counted = 1, 0
    for place in scan_places(text):
        if not left:
            break
        here: _PointerTree | None = root
        if place.path is not None:
            around = place.path.parent.mark if place.path.parent is not None else root
            here = place.path.mark = around.below.get(str(place.path.segment)) if around is not None else None
        if here is not None and here.pointer is not None and here.pointer not in found:
            line, counted = line + text.count("\n", counted, place.offset), place.offset
            found[here.pointer] = line
            left -= 1
    return found


class _PointerTree(Struct):
    """A prefix tree of pointers: the pointer that ends here, and the subtrees by segment."""

    pointer: str | None = None
    below: dict[str, _PointerTree] = field(default_factory=dict)

    def add(self, text: str) -> bool:
        """Add a pointer; return False if ``text`` isn't one."""
        try:
            segments = pointer.split(text)
        except ValueError:
            return False
        node = self
        for segment in segments:
            node = node.below.setdefault(segment, _PointerTree())
        node.pointer = text
        return True
