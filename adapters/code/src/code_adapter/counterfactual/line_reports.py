"""Read reports of which lines ran: contexts of tests in Python, go's cover profiles, V8's counts and Istanbul's."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from code_adapter.counterfactual.cell_runs import TestName
from code_adapter.counterfactual.changed_lines import ChangedFile

_PROFILE = re.compile(r"^(?P<file>.+):(?P<first>\d+)\.\d+,(?P<last>\d+)\.\d+ \d+ (?P<count>\d+)$", re.MULTILINE)

_MOST_DIGITS = 7
"""Digits of a line's number; files with more lines aren't read."""


def find_contexts(
    folder: Path, reports: Sequence[Mapping[str, Any]], test: TestName
) -> Iterator[tuple[str, frozenset[int]]]:
    """Find the lines of files in ``folder`` that ran in a test, or outside of all of them: when modules are loaded.

    ``reports`` are ``{file: {line: [test]}}``; what is set up for tests is outside of them as well.
    """
    root = Path(os.path.realpath(folder))
    lines: dict[str, set[int]] = {}
    for report in reports:
        for name, noted in report.items():
            path = Path(os.path.realpath(name))
            if isinstance(noted, dict) and path.is_relative_to(root):
                ran = (int(line) for line, tests in noted.items() if any(_is_of(each, test) for each in tests))
                lines.setdefault(path.relative_to(root).as_posix(), set()).update(ran)
    return ((path, frozenset(ran)) for path, ran in lines.items())


def _is_of(context: str, test: TestName) -> bool:
    """Whether a context is that of a test: an inherited one has the name of the class that defines it."""
    return not context or context.rpartition(".")[2] == test.name.rpartition(".")[2]


def read_profile(text: str, module: str, folder: str) -> tuple[dict[str, frozenset[int]], dict[str, frozenset[int]]]:
    """Read a cover profile: the lines that ran, and all that are counted. Source: cmd/cover."""
    ran: dict[str, set[int]] = {}
    every: dict[str, set[int]] = {}
    for found in _PROFILE.finditer(text):
        path = f"{folder}/{found['file'].removeprefix(module).strip('/')}".strip("/")
        lines = _list_lines(found["first"], found["last"])
        every.setdefault(path, set()).update(lines)
        if int(found["count"]):
            ran.setdefault(path, set()).update(lines)
    frozen = [{path: frozenset(lines) for path, lines in each.items()} for each in (ran, every)]
    return frozen[0], frozen[1]


def _list_lines(first: str, last: str) -> range:
    """List the lines of a block; none of one that no file can have, as a test may write the profile."""
    if max(len(first), len(last)) > _MOST_DIGITS:
        return range(0)
    return range(int(first), int(last) + 1)


def read_v8(root: Path, reports: Sequence[Any], files: Sequence[ChangedFile]) -> tuple[dict[str, frozenset[int]], str]:
    """Read V8's counts: the lines on which a changed statement ran, and a file that wasn't loaded as it is written.

    Source: https://chromedevtools.github.io/devtools-protocol/v8/Profiler/#type-ScriptCoverage.
    """
    lines: dict[str, frozenset[int]] = {}
    unread = ""
    for file in files:
        text = file.source.decode("utf-8", "replace")
        scripts = [script for report in reports for script in _list_scripts(report, root / file.path)]
        plain = [ranges for ranges in scripts if ranges and max(end for _, end, _ in ranges) == _count_units(text)]
        if not plain:
            unread = file.path
        ran = {
            statement.first
            for ranges in plain
            for statement in file.statements
            if _has_run(ranges, _count_units(file.source[: statement.start].decode("utf-8", "replace")))
        }
        lines[file.path] = frozenset(ran)
    return lines, unread


def read_istanbul(
    root: Path, report: Mapping[str, Any], files: Sequence[ChangedFile]
) -> tuple[dict[str, frozenset[int]], str]:
    """Read Istanbul's counts: the lines on which a statement starts that ran, and a file that isn't there.

    Source: https://github.com/istanbuljs/istanbuljs, coverage objects.
    """
    lines: dict[str, frozenset[int]] = {}
    unread = ""
    known = {os.path.realpath(path): entry for path, entry in report.items() if isinstance(entry, dict)}
    for file in files:
        entry = known.get(os.path.realpath(root / file.path), {})
        counts, places = entry.get("s"), entry.get("statementMap")
        if not isinstance(counts, dict) or not isinstance(places, dict):
            unread = file.path
            continue
        try:
            ran = frozenset(int(places[key]["start"]["line"]) for key, count in counts.items() if count)
        except (LookupError, TypeError, ValueError, OverflowError):
            unread = file.path
            continue
        lines[file.path] = ran
    return lines, unread


def _list_scripts(report: Any, path: Path) -> Iterator[list[tuple[int, int, int]]]:
    scripts = report.get("result") if isinstance(report, dict) else None
    for script in scripts if isinstance(scripts, list) else ():
        if isinstance(script, dict) and script.get("url") in {path.as_uri(), Path(os.path.realpath(path)).as_uri()}:
            yield [
                (int(each["startOffset"]), int(each["endOffset"]), int(each["count"]))
                for function in script["functions"]
                for each in function["ranges"]
            ]


def _has_run(ranges: Sequence[tuple[int, int, int]], offset: int) -> bool:
    around = [each for each in ranges if each[0] <= offset < each[1]]
    return bool(around) and min(around, key=lambda each: each[1] - each[0])[2] > 0


def _count_units(text: str) -> int:
    """Count the UTF-16 code units by which V8 counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
