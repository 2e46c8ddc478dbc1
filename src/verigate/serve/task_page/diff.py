"""The published patch, line by line, with what was found there and which lines no test runs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from verigate.domain.verdict import parse_verdict
from verigate.errors import EvidenceError
from verigate.evidence.store import Published
from verigate.formats.patch import FileDiff, PatchLine, parse_patch
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.reporting.finding_headline import format_headline
from verigate.reporting.findings import ReportFinding, collect_findings
from verigate.reporting.html.elements import visible_line
from verigate.reporting.report import Report
from verigate.serve.addresses import name_anchor
from verigate.serve.repositories import ServedRepository
from verigate.serve.task_page.artifact_model import DiffFile, DiffRow
from verigate.serve.task_page.viewers import COVERAGE
from verigate.usecases.replay import restore_facts

MOST_TEXT = 2_000_000
"""Characters shown of one file."""

_MOST_FILES = 300
_MOST_LINES = 2000
_MOST_NOTES = 20
_LONGEST_LINE = 1000
_NOT_RUN = "no test runs this line"

Notes = Mapping[tuple[str, int], list[tuple[str, str]]]
"""(path, line) -> level and text of what is noted there."""


def build_diff(
    content: bytes,
    published: Published,
    repository: ServedRepository,
    only: Mapping[str, Collection[int]] | None = None,
) -> tuple[tuple[DiffFile, ...], int]:
    """Build the files of a patch, and count what is left out.

    With ``only``, path -> lines that no test runs, there are those files, and nothing else is noted.
    """
    text = content[:MOST_TEXT].decode("utf-8", "replace")
    files = [file for file in parse_patch(text) if only is None or file.path in only]
    notes: Notes = _note_findings(published, repository) if only is None else {}
    missed = _read_missed(published) if only is None else only
    shown = tuple(_describe(file, notes, missed.get(file.path, ())) for file in files[:_MOST_FILES])
    return shown, max(0, len(files) - _MOST_FILES) + (len(content) > MOST_TEXT)


def find_missed(coverage: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Find the changed lines that no test runs, by path, in coverage.json; files without one are named as well."""
    patch = coverage.get("patch")
    files = patch.get("files", ()) if isinstance(patch, dict) else ()
    return {str(file["path"]): tuple(file["missed"]) for file in files}


def _read_missed(published: Published) -> Mapping[str, Collection[int]]:
    for path, entry in sorted(published.index.items()):
        if entry["media_spec"] == COVERAGE:
            try:
                return find_missed(loads(published.read(path)))
            except (AttributeError, KeyError, StrictJsonError, TypeError):
                return {}
    return {}


def _note_findings(published: Published, repository: ServedRepository) -> Notes:
    try:
        facts = restore_facts(repository.root, published)
        report = Report(parse_verdict(published.verdict), facts.runs, {}, baseline=facts.baseline)
    except (EvidenceError, KeyError, TypeError, ValueError):
        return {}
    found: dict[tuple[str, int], list[tuple[str, str]]] = {}
    for finding in collect_findings(report).listed:
        if finding.path is not None and finding.line is not None:
            found.setdefault((finding.path, finding.line), []).append(_note(finding))
    return found


def _note(finding: ReportFinding) -> tuple[str, str]:
    return finding.level.value, f"{format_headline(finding)} ({finding.check.id})"


def _describe(file: FileDiff, notes: Notes, missed: Collection[int]) -> DiffFile:
    lines = file.lines[:_MOST_LINES]
    rows = tuple(row for line in lines for row in _rows(file.path, line, notes, missed))
    name = file.path or "(before the first file)"
    return DiffFile(name, name_anchor("file", name), rows, len(file.lines) - len(lines))


def _rows(path: str, line: PatchLine, notes: Notes, missed: Collection[int]) -> Iterator[DiffRow]:
    is_missed = line.new in missed and line.kind != "removed"
    note, level = (_NOT_RUN, "warning") if is_missed else ("", "")
    yield DiffRow(line.kind, visible_line(line.text, limit=_LONGEST_LINE), line.old, line.new, note, level)
    if line.new is not None and line.kind != "removed":
        for level, text in notes.get((path, line.new), ())[:_MOST_NOTES]:
            yield DiffRow("note", "", None, None, text, level)
