"""Reading a report that hostile code may have written: bounded, no links followed, strict JSON."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

from verigate.sdk import ToolFailed, clean_text

MAX_REPORT_BYTES = 64 << 20


class ReportInvalid(ToolFailed):
    """A report is missing, too large, malformed, or contradicts itself."""

    code = "REPORT_INVALID"


def read_report(path: Path, tool: str) -> bytes:
    """The bytes of a regular file. Raises ReportInvalid where there is none, or more than MAX_REPORT_BYTES."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise ReportInvalid(f"{tool} left no report ({error.strerror})", where=clean_text(str(path.name))) from error
    with os.fdopen(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ReportInvalid(f"the report of {tool} is not a regular file", where=clean_text(str(path.name)))
        return within_bound(stream.read(MAX_REPORT_BYTES + 1), tool)


def within_bound(raw: bytes, tool: str) -> bytes:
    """``raw`` itself. Raises ReportInvalid if it is above MAX_REPORT_BYTES."""
    if len(raw) > MAX_REPORT_BYTES:
        raise ReportInvalid(f"the report of {tool} is larger than {MAX_REPORT_BYTES} bytes")
    return raw


def parse_json(raw: bytes, tool: str) -> Any:
    """``raw`` as strict JSON: no NaN, no duplicate keys, no bottomless nesting. Raises ReportInvalid."""
    try:
        return json.loads(within_bound(raw, tool), parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise ReportInvalid(f"the report of {tool} is not JSON: {error}") from error


def parse_json_object(raw: bytes, tool: str) -> dict[str, Any]:
    """``raw`` as a JSON object. Raises ReportInvalid."""
    value = parse_json(raw, tool)
    if not isinstance(value, dict):
        raise ReportInvalid(f"the report of {tool} is not a JSON object")
    return value


def count_of(value: Any, name: str, tool: str) -> int:
    """``value`` as a count. Raises ReportInvalid for anything but a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ReportInvalid(f"the report of {tool} has {value!r} as {name}")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object has the same key twice")
    return found
