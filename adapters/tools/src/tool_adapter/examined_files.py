"""Determine which of the given files a tool has examined, as far as it reports them.

Many tools silently skip files: those that their configuration excludes, hidden or binary ones, those with syntax
errors. Counting these as examined would report a clean result for unexamined files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tool_adapter.findings import find_values
from verigate.sdk import ToolRun, path_text
from verigate.sdk.normalised_texts import Texts
from verigate.tools.model import Report, ReportFormat


def select_examined(
    report: Report,
    given: Sequence[str],
    runs: Iterable[tuple[ToolRun, bytes]],
    listings: Iterable[bytes],
    texts: Texts,
) -> tuple[str, ...]:
    """Select the examined files of ``given``, in order; all of them if the tool reports nothing about it.

    ``runs`` are the invocations with their reports, ``listings`` the output of those with ``report.lists``. Raises
    ReportInvalid for an invalid report.
    """
    broken = tuple(path_text(path) for path in given if "\n" in path)
    runs = tuple(runs)
    seen = {path_text(path) for path in given}
    if report.lists:
        seen &= _normalise_paths((line for listing in listings for line in _split_lines(listing, broken)), texts)
    messages = [line for run, _ in runs for line in _split_lines(_other_stream(report, run), broken)]
    if report.examined is not None:
        seen &= _normalise_paths(_match_paths(report.examined, messages), texts)
    if report.skipped is not None:
        seen -= _normalise_paths(_find_skipped(report, report.skipped, messages, runs), texts)
    return tuple(path for path in given if path_text(path) in seen)


def _find_skipped(
    report: Report, place: str, messages: Sequence[str], runs: Iterable[tuple[ToolRun, bytes]]
) -> Iterable[str]:
    if report.format is not ReportFormat.JSON or not place.startswith("/"):
        return _match_paths(place, messages)
    found = [value for run, raw in runs for value in find_values(place, raw, run.argv[0])]
    return [value for value in found if isinstance(value, str)]


def _other_stream(report: Report, run: ToolRun) -> bytes:
    """Return the stream without the report, so that no text of a finding is mistaken for a message of the tool."""
    return run.stdout if report.source == "stderr" else run.stderr


def _split_lines(raw: bytes, broken: Iterable[str]) -> list[str]:
    """Split output into lines, without file names that contain line breaks, which could imitate lines of the tool."""
    text = raw.decode("utf-8", "backslashreplace")
    for name in broken:
        text = text.replace(name, "")
    return [line.rstrip("\r") for line in text.split("\n")]


def _match_paths(pattern: str, lines: Iterable[str]) -> list[str]:
    known = re.compile(pattern)
    return [match["path"] for line in lines if (match := known.fullmatch(line)) is not None and match["path"]]


def _normalise_paths(named: Iterable[str], texts: Texts) -> set[str]:
    return {path for name in named if (path := texts.path(name)) is not None}
