"""Reading a report that hostile code may have written: bounded, no links followed, strict JSON."""

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


def of_shape(reader: Callable[[bytes, str], Read]) -> Callable[[bytes, str], Read]:
    """Make a reader of (report, tool) raise ReportInvalid where the report's parts are not of the types they should be.

    The report comes from hostile code, and asking each of its parts for its type would bury what the reader reads.
    """

    @wraps(reader)
    def guarded(raw: bytes, tool: str) -> Read:
        try:
            return reader(raw, tool)
        except (TypeError, AttributeError, LookupError, ValueError, ArithmeticError, RecursionError) as error:
            raise ReportInvalid(f"the report of {tool} is not of its format's shape: {error}") from error

    return guarded


@contextmanager
def told_with(run: ToolRun) -> Iterator[None]:
    """Add how the tool ended and the end of what it printed to what is said about its report."""
    try:
        yield
    except ReportInvalid as error:
        said = run.tails()
        printed = f" and printed:\n{said}" if said else ""
        message = f"{error.message}; it ended with {run.ended}{printed}"
        raise ReportInvalid(message, where=error.where, hint=error.hint) from error


def read_report(path: Path, tool: str) -> bytes:
    """The bytes of a regular file. Raises ReportInvalid where there is none, or more than MAX_REPORT_BYTES."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise ReportInvalid(f"{tool} left no report ({error.strerror})", where=clean_text(str(path.name))) from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise ReportInvalid(f"the report of {tool} is not a regular file", where=clean_text(str(path.name)))
    with os.fdopen(handle, "rb") as stream:
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
