"""Read a report that hostile code may have written: bounded size, no symbolic links, strict JSON."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from verigate.sdk.artifacts import clean_text
from verigate.sdk.errors import ToolFailed
from verigate.sdk.tools import ToolRun

MAX_REPORT_BYTES = 64 << 20

Read = TypeVar("Read")


class ReportInvalid(ToolFailed):
    """A report is missing, too large, malformed, or contradicts itself."""

    code = "REPORT_INVALID"


def reject_malformed(reader: Callable[[bytes, str], Read]) -> Callable[[bytes, str], Read]:
    """Make ``reader(raw, tool)`` raise ReportInvalid for parts of a wrong type.

    Reports come from hostile code; checking the type of each part would clutter every reader.
    """

    @wraps(reader)
    def read_or_refuse(raw: bytes, tool: str) -> Read:
        try:
            return reader(raw, tool)
        except (TypeError, AttributeError, LookupError, ValueError, ArithmeticError, RecursionError) as error:
            raise ReportInvalid(f"the report of {tool} does not match its format: {error}") from error

    return read_or_refuse


@contextmanager
def add_tool_output(run: ToolRun) -> Iterator[None]:
    """Add the tool's exit, the cause that it printed, and its output to a ReportInvalid raised in this context."""
    try:
        yield
    except ReportInvalid as error:
        message = run.add_cause(f"{error.message}; it ended with {run.ended}")
        raise ReportInvalid(message, where=error.where, hint=error.hint, output=run.output) from error


def read_report(path: Path, tool: str) -> bytes:
    """Read a regular file. Raises ReportInvalid if there is none or it exceeds MAX_REPORT_BYTES."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise ReportInvalid(f"{tool} left no report ({error.strerror})", where=clean_text(str(path.name))) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ReportInvalid(f"the report of {tool} is not a regular file", where=clean_text(str(path.name)))
    with os.fdopen(handle, "rb") as stream:
        return check_size(stream.read(MAX_REPORT_BYTES + 1), tool)


def check_size(raw: bytes, tool: str) -> bytes:
    """Return ``raw``. Raises ReportInvalid if it exceeds MAX_REPORT_BYTES."""
    if len(raw) > MAX_REPORT_BYTES:
        raise ReportInvalid(f"the report of {tool} is larger than {MAX_REPORT_BYTES} bytes")
    return raw


def parse_json(raw: bytes, tool: str) -> Any:
    """Parse strict JSON: no NaN, no duplicate keys, bounded nesting. Raises ReportInvalid."""
    try:
        return json.loads(check_size(raw, tool), parse_constant=_no_constant, object_pairs_hook=_no_duplicates)
    except (ValueError, RecursionError) as error:
        raise ReportInvalid(f"the report of {tool} is not JSON: {error}") from error


def parse_json_object(raw: bytes, tool: str) -> dict[str, Any]:
    """Parse a strict JSON object. Raises ReportInvalid."""
    value = parse_json(raw, tool)
    if not isinstance(value, dict):
        raise ReportInvalid(f"the report of {tool} is not a JSON object")
    return value


def count_of(value: Any, name: str, tool: str) -> int:
    """Return ``value`` as a count. Raises ReportInvalid unless it is an integer of at least 0."""
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
