"""Read findings from JSON of any shape and from lines of text, as the tool's file describes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, parse_json
from verigate.sdk.scopes import pointer as json_pointer
from verigate.tools.model import Report

COMPILER_LINE = (
    r"(?P<path>[^\n]+?):(?P<line>\d+):(?:(?P<column>\d+):)?\s*(?:(?P<severity>error|warning|note|info|style)\b:?\s*)?"
    r"(?P<message>[^\n]*)"
)
"""``path:line:column: severity: message``, the format of compilers, which most linters support."""

_MILD = frozenset({"warning", "warn", "note", "info", "information", "informational", "style", "suggestion", "hint"})
_PLACEHOLDER = "name"
_RELATIVE = re.compile(r"(?P<up>[0-9]+)?(?P<rest>#|(?:/.*)?)", re.DOTALL)
_Place = tuple[tuple[str | int, Any], ...]
"""The path to a value from the root: (name or index, value)."""


def read_json_findings(report: Report, raw: bytes, tool: str) -> tuple[LintFinding, ...]:
    """Read every value at the pointer ``report.findings``, in which ``*`` means every member. Raises ReportInvalid."""
    document = parse_json(raw, tool)
    return tuple(_read_finding(report, place, tool) for place in _at(document, json_pointer.split(report.findings)))


def find_values(place: str, raw: bytes, tool: str) -> tuple[Any, ...]:
    """Find every value at a pointer in which ``*`` means every member. Raises ReportInvalid."""
    return tuple(found[-1][1] for found in _at(parse_json(raw, tool), json_pointer.split(place)))


def read_line_findings(report: Report, raw: bytes, tool: str, files: Collection[str] = ()) -> tuple[LintFinding, ...]:
    """Read one finding per line. Raises ReportInvalid for a line that is neither a finding nor matches ``skip``.

    ``files`` are those that the tool was given. A finding in one of them is never skipped, whatever its name begins
    with. A file name with line breaks is joined again from lines that match nothing else.
    """
    reading = _Lines(report, tool, files)
    lines = check_size(raw, tool).decode("utf-8", "backslashreplace").split("\n")
    found: list[LintFinding] = []
    at = 0
    while at < len(lines):
        finding, at = reading.next(lines, at)
        found += [finding] if finding is not None else []
    return tuple(found)


class _Lines:
    def __init__(self, report: Report, tool: str, files: Collection[str]) -> None:
        self._report = report
        self._tool = tool
        self._pattern = re.compile(report.pattern or COMPILER_LINE)
        self._skip = re.compile(report.skip) if report.skip else None
        # Decode names as the output is decoded.
        self._files = frozenset(os.fsencode(file).decode("utf-8", "backslashreplace") for file in files)
        broken = sorted((file for file in self._files if "\n" in file), key=lambda file: (-len(file), file))
        self._broken: dict[str, list[str]] = {}
        for file in broken:
            self._broken.setdefault(file.partition("\n")[0], []).append(file)

    def next(self, lines: list[str], at: int) -> tuple[LintFinding | None, int]:
        """Return the finding at line ``at`` (None for a skipped line) and the index of the next line."""
        line = lines[at].removesuffix("\r")
        if not line.strip():
            return None, at + 1
        match = self._pattern.fullmatch(line)
        skipped = self._skip is not None and self._skip.search(line) is not None
        if skipped and (match is None or match.groupdict().get("path") not in self._files):
            return None, at + 1
        if match is not None:
            return _make_finding(self._report, match.groupdict(), self._tool), at + 1
        for file in self._broken.get(line, ()):
            count = file.count("\n")
            whole = "\n".join(lines[at : at + count + 1]).removesuffix("\r")
            # The pattern matches no line breaks in names, so replace the name by a placeholder.
            match = self._pattern.fullmatch(_PLACEHOLDER + whole[len(file) :]) if whole.startswith(file) else None
            if match is not None and match.groupdict().get("path") == _PLACEHOLDER:
                return _make_finding(self._report, {**match.groupdict(), "path": file}, self._tool), at + count + 1
        raise ReportInvalid(f"{self._tool} printed a line that isn't a finding: {line[:200]!r}")


def _at(document: Any, pattern: tuple[str, ...]) -> Iterator[_Place]:
    pending: list[_Place] = [(("", document),)]
    for segment in pattern:
        pending = [(*place, member) for place in pending for member in _members(place[-1][1], segment)]
    return iter(pending)


def _members(value: Any, segment: str) -> Iterator[tuple[str | int, Any]]:
    if segment == "*" and isinstance(value, dict | list):
        yield from value.items() if isinstance(value, dict) else enumerate(value)
    elif isinstance(value, dict) and segment in value:
        yield segment, value[segment]
    elif isinstance(value, list) and segment.isdigit() and int(segment) < len(value):
        yield int(segment), value[int(segment)]


def _read_finding(report: Report, place: _Place, tool: str) -> LintFinding:
    return _make_finding(
        report, {name: _resolve_relative(place, pointer) for name, pointer in report.fields.items()}, tool
    )


def _resolve_relative(place: _Place, pointer: str) -> Any:
    """Resolve a relative JSON pointer (draft-bhutton-relative-json-pointer) from a finding; a missing number is 0."""
    match = _RELATIVE.fullmatch(pointer)
    up = int(match["up"] or 0) if match else len(place)
    if match is None or up >= len(place):
        return None
    name, value = place[len(place) - 1 - up]
    if match["rest"] == "#":
        return name
    for segment in json_pointer.split(match["rest"]):
        value = next((member for _, member in _members(value, segment)), None) if segment != "*" else None
    return value


def _make_finding(report: Report, parts: Mapping[str, Any], tool: str) -> LintFinding:
    return LintFinding(
        _text(parts.get("path")),
        _number(parts.get("line")),
        _number(parts.get("column")),
        _text(parts.get("rule")),
        "error" if _is_error(report, parts.get("severity")) else "warning",
        _text(parts.get("message")),
        tool,
    )


def _is_error(report: Report, severity: Any) -> bool:
    level = _text(severity).lower()
    if report.errors:
        return level in {each.lower() for each in report.errors}
    return level not in _MILD


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _number(value: Any) -> int:
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
