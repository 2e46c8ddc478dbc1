"""Find the file and line of a failed test of ava, which prints only its title, with the file's name before it.

Source: avajs/ava, lib/reporters/prefix-title.js.
"""

from __future__ import annotations

import re
from dataclasses import replace

from code_adapter.subject_files import SubjectFiles
from verigate.sdk.reports.outcomes import Case, Outcomes

_SEPARATOR = " › "
_SCRIPT = re.compile(r"\.[cm]?[jt]sx?$")
_AFFIXES = re.compile(r"\.spec|\.test|^test-")


def add_places(outcomes: Outcomes, files: SubjectFiles, folder: str) -> Outcomes:
    """Add the place to failed tests without one, where exactly one file below ``folder`` has the name and the title."""
    if not any(case.outcome == "failed" and case.path is None for case in outcomes.cases):
        return outcomes
    scripts = [path for path in files.below(folder) if _SCRIPT.search(path) and "node_modules" not in path.split("/")]
    cut = len(folder) + 1 if folder else 0
    cases = tuple(_add_place(case, files, scripts, cut) for case in outcomes.cases)
    return Outcomes(cases, outcomes.duration_ms)


def _add_place(case: Case, files: SubjectFiles, scripts: list[str], cut: int) -> Case:
    if case.outcome != "failed" or case.path is not None:
        return case
    parts = case.id.split(_SEPARATOR)
    found = []
    for path in scripts:
        names = _make_prefix(path)
        for count in range(len(parts)):
            title = _SEPARATOR.join(parts[count:])
            if parts[:count] == names[len(names) - count :] and (line := _find_line(files.text(path), title)):
                found.append((path[cut:], line))
    return replace(case, path=found[0][0], line=found[0][1]) if len(found) == 1 else case


def _make_prefix(path: str) -> list[str]:
    *folders, name = _SCRIPT.sub("", path).split("/")
    return [*(part for part in folders if part != "__tests__"), _AFFIXES.sub("", name)]


def _find_line(text: str, title: str) -> int | None:
    match = re.search(rf"""(["'`]){re.escape(title)}\1""", text)
    return text.count("\n", 0, match.start()) + 1 if match else None
