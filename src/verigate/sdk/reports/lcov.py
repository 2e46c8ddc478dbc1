"""LCOV tracefiles. Source: geninfo(1), section "FILES"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from verigate.sdk.reports.file_coverage import FileCoverage, Ratio, merge_by_path
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, reject_malformed

_Key = TypeVar("_Key")


@dataclass
class _Record:
    path: str
    lines: dict[int, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    branches: dict[tuple[str, ...], int] = field(default_factory=dict)
    stated: dict[str, int] = field(default_factory=dict)


@reject_malformed
def parse_lcov(raw: bytes, tool: str) -> tuple[FileCoverage, ...]:
    """Count lines, functions and branches of each source file from the entries. Raises ReportInvalid.

    A record's totals (LF, LH) must match its entries; records of one file from several tests are merged.
    """
    text = check_size(raw, tool).decode("utf-8", "backslashreplace")
    records: dict[str, _Record] = {}
    current: _Record | None = None
    for number, line in enumerate(text.splitlines(), 1):
        key, _, value = line.strip().partition(":")
        if key == "SF":
            if current is not None:
                raise ReportInvalid(f"line {number}: a record starts before the previous one has ended", where=tool)
            current = _Record(value)
        elif key == "end_of_record":
            if current is None:
                raise ReportInvalid(f"line {number}: end_of_record without a record", where=tool)
            _unite(records, current, tool)
            current = None
        elif current is not None:
            try:
                _read(current, key, value)
            except (ValueError, IndexError, OverflowError) as error:
                raise ReportInvalid(f"line {number} of the LCOV report can't be read: {error}", where=tool) from error
    if current is not None:
        raise ReportInvalid("the LCOV report ends in the middle of a record; it may be truncated", where=tool)
    return merge_by_path(map(_make_coverage, records.values()))


def _make_coverage(record: _Record) -> FileCoverage:
    reached = frozenset(line for line, count in record.lines.items() if count > 0)
    return FileCoverage(
        record.path,
        _hit(record.lines.values()),
        _hit(record.functions.values()),
        _hit(record.branches.values()),
        reached,
        frozenset(record.lines) - reached,
    )


def _read(record: _Record, key: str, value: str) -> None:
    fields = value.split(",")
    if key == "DA":
        line, count = int(fields[0]), _count(fields[1])
        record.lines[line] = record.lines.get(line, 0) + count
    elif key == "FN":
        record.functions.setdefault(f"{fields[0]}:{fields[-1]}", 0)
    elif key == "FNDA":
        _function_hit(record, ",".join(fields[1:]), _count(fields[0]))
    elif key == "BRDA":
        branch = tuple(fields[:-1])
        record.branches[branch] = record.branches.get(branch, 0) + (0 if fields[-1] == "-" else _count(fields[-1]))
    elif key in {"LF", "LH", "FNF", "FNH", "BRF", "BRH"}:
        record.stated[key] = int(value)


def _count(text: str) -> int:
    """Read a hit count; some writers give a negative number or a float, and only whether it is 0 matters."""
    return 1 if float(text) > 0 else 0


def _function_hit(record: _Record, name: str, count: int) -> None:
    matching = [key for key in record.functions if key.partition(":")[2] == name]
    # Functions of the same name have as many FN as FNDA entries, in the same order.
    free = next((key for key in matching if not record.functions[key]), matching[0] if matching else f":{name}")
    record.functions[free] = record.functions.get(free, 0) + count


def _unite(records: dict[str, _Record], record: _Record, tool: str) -> None:
    lines, stated = _hit(record.lines.values()), record.stated
    if (stated.get("LF", lines.total), stated.get("LH", lines.covered)) != (lines.total, lines.covered):
        raise ReportInvalid(
            f"{record.path}: the LCOV report states {stated.get('LH')} of {stated.get('LF')} lines,"
            f" but lists {lines.covered} of {lines.total}",
            where=tool,
        )
    seen = records.setdefault(record.path, _Record(record.path))
    _add_up(seen.lines, record.lines)
    _add_up(seen.functions, record.functions)
    _add_up(seen.branches, record.branches)


def _add_up(mine: dict[_Key, int], theirs: dict[_Key, int]) -> None:
    for key, count in theirs.items():
        mine[key] = mine.get(key, 0) + count


def _hit(counts: Iterable[int]) -> Ratio:
    listed = list(counts)
    return Ratio(sum(1 for count in listed if count > 0), len(listed))
