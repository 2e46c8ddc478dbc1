"""Which of the files that a tool was given it has looked at, as far as it tells.

Many leave files out without a word in their report: what their own configuration excludes, what is hidden, binary or
can't be parsed. Counting these as examined would make a clean result of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tool_adapter.findings import values_at
from verigate.sdk import ToolRun, path_text
from verigate.sdk.normalised_texts import Texts
from verigate.tools.model import Report, ReportFormat


def looked_at(
    report: Report,
    given: Sequence[str],
    runs: Iterable[tuple[ToolRun, bytes]],
    listings: Iterable[bytes],
    texts: Texts,
) -> tuple[str, ...]:
    """The files of ``given`` that were looked at, in order: all of them where the tool says nothing of it.

    ``runs`` are the invocations with their reports, ``listings`` what those of ``report.lists`` printed. Raises
    ReportInvalid for a report that can't be read.
    """
    broken = tuple(path_text(path) for path in given if "\n" in path)
    runs = tuple(runs)
    seen = {path_text(path) for path in given}
    if report.lists:
        seen &= _paths((line for listing in listings for line in _lines(listing, broken)), texts)
    told = [line for run, _ in runs for line in _lines(_beside(report, run), broken)]
    if report.examined is not None:
        seen &= _paths(_matching(report.examined, told), texts)
    if report.skipped is not None:
        seen -= _paths(_skipped(report, report.skipped, told, runs), texts)
    return tuple(path for path in given if path_text(path) in seen)


def _skipped(report: Report, place: str, told: Sequence[str], runs: Iterable[tuple[ToolRun, bytes]]) -> Iterable[str]:
    if report.format is not ReportFormat.JSON or not place.startswith("/"):
        return _matching(place, told)
    found = [value for run, raw in runs for value in values_at(place, raw, run.argv[0])]
    return [value for value in found if isinstance(value, str)]


def _beside(report: Report, run: ToolRun) -> bytes:
    """What the tool said beside its report: no finding's text is taken for a word of the tool."""
    return run.stdout if report.source == "stderr" else run.stderr


def _lines(raw: bytes, broken: Iterable[str]) -> list[str]:
    """The lines of an output, without the names that have line ends: they could pass for lines of the tool's own."""
    text = raw.decode("utf-8", "backslashreplace")
    for name in broken:
        text = text.replace(name, "")
    return [line.rstrip("\r") for line in text.split("\n")]


def _matching(pattern: str, lines: Iterable[str]) -> list[str]:
    known = re.compile(pattern)
    return [match["path"] for line in lines if (match := known.fullmatch(line)) is not None and match["path"]]


def _paths(named: Iterable[str], texts: Texts) -> set[str]:
    return {path for name in named if (path := texts.path(name)) is not None}
