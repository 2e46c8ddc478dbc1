"""Strict JSON parser (RFC 8259; RFC 7493 where that leaves room).

Repeated member names, numbers that don't fit a double and lone surrogates mean different things to different parsers.
A text with any of them is rejected.
"""

from __future__ import annotations

import gc
import math
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from verigate.errors import Fault

if TYPE_CHECKING:
    from json import JSONDecoder

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100
MAX_MEMBERS = 3_000_000
MAX_NAME = 4096
"""Length limit of a member name in documents with our schemas: it is part of the pointer of each value below it."""

LARGEST_INTEGER = 2**53 - 1
"""Beyond it a double, and so RFC 8785, can't hold every integer."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DIGITS_THAT_ALWAYS_FIT = 15


class StrictJsonError(ValueError):
    """A text that isn't strict JSON. ``line`` and ``column`` count from 1 (characters)."""

    def __init__(self, message: str, line: int = 1, column: int = 1, pointer: str | None = None) -> None:
        super().__init__(f"{message} (line {line}, column {column})")
        self.message = message
        self.line = line
        self.column = column
        self.pointer = pointer

    def to_fault(self, file: str | None = None) -> Fault:
        """Return the error as a fault of ``file``."""
        return Fault(f"{self.message}, column {self.column}", file=file, pointer=self.pointer, line=self.line)


class _RefusedError(ValueError):
    """Raised inside the parser, which doesn't know the position; it is looked up afterwards."""


def loads(
    content: bytes,
    *,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    max_members: int = MAX_MEMBERS,
    max_name: int | None = None,
) -> Any:
    """Parse a JSON text.

    ``max_members`` limits the number of commas, and so the memory that a small text can expand to; ``max_name`` limits
    the characters of a member name. Raises StrictJsonError for anything but UTF-8 without a byte order mark, for NaN
    and infinities, repeated member names, integers beyond 2**53 - 1, lone surrogates, and for a text that is too large,
    too deep or has too many members.
    """
    if len(content) > max_bytes:
        raise StrictJsonError(f"it has {len(content)} bytes, more than the {max_bytes} that are read")
    if content.startswith(_BYTE_ORDER_MARK):
        raise StrictJsonError("it begins with a byte order mark; save it as UTF-8 without one")
    if content.count(b",") > max_members:
        # What isn't UTF-8 is said first.
        _decode(content)
        raise StrictJsonError(f"it has more than {max_members} members")
    collecting = gc.isenabled()
    # A parser makes no cycles; looking for some in half a million new arrays takes longer than all the rest.
    gc.disable()
    try:
        value = _read_own_writing(content)
        if value is None:
            _check(_decode(content), max_depth)
            value = _parse(content, max_depth)
        _refuse_depth(content, value, max_depth, max_name)
        return value
    finally:
        if collecting:
            gc.enable()


def _decode(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        from verigate.formats.json_text import find_line_and_column

        before = content[: problem.start].decode("utf-8")
        line, column = find_line_and_column(before, len(before))
        raise StrictJsonError(f"byte 0x{content[problem.start]:02x} is not UTF-8", line, column) from None


def _read_own_writing(content: bytes) -> Any:
    """Read a text that is what orjson writes for its value, as most of what the gate and the SDK write is; else None.

    Nothing was lost then: a repeated name would be there once, a number that doesn't fit would be another one. To write
    a value again costs a tenth of looking through its text.
    """
    import orjson

    is_indented = content[1:2] == b"\n" and len(content) > 3
    options = orjson.OPT_STRICT_INTEGER | (orjson.OPT_INDENT_2 if is_indented else 0)
    try:
        value = orjson.loads(content)
        written = orjson.dumps(value, option=options)
    except (orjson.JSONDecodeError, orjson.JSONEncodeError, RecursionError):
        return None
    return value if written == content.rstrip(b"\n") else None


def _check(text: str, max_depth: int) -> None:
    """Check what orjson accepts leniently, by one pass of the standard library's parser. Builds no document."""
    import json

    try:
        _make_decoder().decode(text)
    except json.JSONDecodeError as problem:
        raise StrictJsonError(f"it is not JSON: {problem.msg}", problem.lineno, problem.colno) from None
    except RecursionError:
        _locate(text, max_depth)
    except _RefusedError:
        _locate(text, max_depth)


@cache
def _make_decoder() -> JSONDecoder:
    import json

    return json.JSONDecoder(
        object_pairs_hook=_reject_repeated_names,
        parse_int=_parse_exact_integer,
        parse_float=_reject_overflow,
        parse_constant=_reject_constant,
    )


def _parse(content: bytes, max_depth: int) -> Any:
    import orjson

    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as problem:
        if "depth limit" in problem.msg:
            # orjson's own, at 1,024 levels; the standard library reaches it first before Python 3.12.
            _locate(content.decode("utf-8"), max_depth)
        raise StrictJsonError(f"it is not JSON: {problem.msg}", problem.lineno, problem.colno) from None


def _refuse_depth(content: bytes, value: Any, max_depth: int, max_name: int | None) -> None:
    if content.count(b"{") + content.count(b"[") > max_depth and _is_deeper(value, max_depth):
        _locate(content.decode("utf-8"), max_depth)
    if max_name is not None and len(content) > max_name and _has_longer_name(value, max_name):
        _locate(content.decode("utf-8"), max_depth, max_name)


def _is_deeper(value: Any, max_depth: int) -> bool:
    level = [value] if isinstance(value, dict | list) else []
    depth = 0
    while level:
        depth += 1
        if depth > max_depth:
            return True
        level = [
            child
            for container in level
            for child in (container.values() if type(container) is dict else container)
            if type(child) is dict or type(child) is list
        ]
    return False


def _has_longer_name(value: Any, longest: int) -> bool:
    pending = [value]
    while pending:
        item = pending.pop()
        if type(item) is dict:
            if any(len(name) > longest for name in item):
                return True
            pending += item.values()
        elif type(item) is list:
            pending += item
    return False


def _reject_repeated_names(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1 and len(dict(pairs)) != len(pairs):
        raise _RefusedError


def _parse_exact_integer(digits: str) -> None:
    if len(digits) > _DIGITS_THAT_ALWAYS_FIT and not _is_exact(digits):
        raise _RefusedError


def _is_exact(digits: str) -> bool:
    return len(digits) <= 17 and abs(int(digits)) <= LARGEST_INTEGER


def _reject_overflow(number: str) -> None:
    if math.isinf(float(number)):
        raise _RefusedError


def _reject_constant(_name: str) -> None:
    raise _RefusedError


def _locate(text: str, max_depth: int, max_name: int | None = None) -> NoReturn:
    from verigate.formats.json_text import find_line_and_column, scan_places

    for place in scan_places(text):
        name = place.path.segment if place.path is not None else 0
        if max_name is not None and isinstance(name, str) and len(name) > max_name:
            message = f"a name has {len(name)} characters, more than the {max_name} that are read"
        elif place.depth > max_depth:
            message = f"it is nested more than {max_depth} levels deep"
        elif place.repeated:
            message = "its object already has a member of this name"
        elif place.token:
            message = _explain_number(place.token)
        else:
            continue
        if message:
            line, column = find_line_and_column(text, place.offset)
            raise StrictJsonError(message, line, column, place.pointer[:200])
    raise StrictJsonError(f"it is nested more than {max_depth} levels deep, has too long a name, or is not JSON")


def _explain_number(token: str) -> str:
    if len(token) <= _DIGITS_THAT_ALWAYS_FIT and token[-1].isdigit() and "e" not in token and "E" not in token:
        return ""
    if token in {"NaN", "Infinity", "-Infinity"}:
        return f"{token} is not JSON"
    if token.isascii() and token.lstrip("-").isdigit():
        shown = token if len(token) <= 30 else f"{token[:30]}..."
        hint = "is beyond 2^53 - 1 and can't be represented exactly; write it as a string"
        return "" if _is_exact(token) else f"{shown} {hint}"
    return "a number is too large for a double" if _overflows(token) else ""


def _overflows(token: str) -> bool:
    try:
        return token[-1].isdigit() and math.isinf(float(token))
    except ValueError:
        return False  # no number of JSON: the parser has its own words for it
