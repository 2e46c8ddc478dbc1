"""Build the page of a published file, by a viewer for what it is."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from verigate.errors import EvidenceError
from verigate.evidence.store import Published
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.reporting.html.elements import visible_line
from verigate.reporting.html.json_lines import json_lines
from verigate.serve.addresses import pointer_anchor, raw_address
from verigate.serve.repositories import ServedRepository
from verigate.serve.task_page.artifact_model import ArtifactPage, CaseRow, CoveredFile, TextLine
from verigate.serve.task_page.diff import MOST_TEXT, build_diff, find_missed
from verigate.serve.task_page.viewers import PATCH, Viewer, choose_viewer, find_picture_type
from verigate.serve.task_state import read_task

MOST_LINES = 10_000
MOST_CASES = 5_000
_LONGEST_LINE = 2000
_LARGEST_JSON = 64 * 1024 * 1024
_WORST_FIRST = {"failed": 0, "skipped": 1, "passed": 2}


class NotThereError(LookupError):
    """There is no such task, or its verdict has no such file."""


def open_published(repository: ServedRepository, task_id: str) -> Published:
    """Return what a task published, all digests checked. Raises NotThereError, and EvidenceError for a broken seal."""
    reading = read_task(repository.root, task_id)
    if reading.published is not None:
        return reading.published
    if reading.state.value == "open":
        raise NotThereError(f"the task {task_id} has no verdict yet")
    raise EvidenceError(reading.problem, where=task_id)


def read_artifact(published: Published, path: str) -> bytes:
    """Read a file by its path in the index, and by nothing else. Raises NotThereError and EvidenceError."""
    if path not in published.index:
        raise NotThereError(f"the verdict has no file {path!r}")
    return published.read(path)


def build_artifact_page(repository: ServedRepository, task_id: str, path: str) -> ArtifactPage:
    """Build the page. Raises NotThereError and EvidenceError."""
    published = open_published(repository, task_id)
    content = read_artifact(published, path)
    entry = published.index[path]
    spec = entry["media_spec"]
    page = ArtifactPage(
        repository.name,
        task_id,
        path,
        choose_viewer(path, spec),
        len(content),
        entry["sha256"],
        spec or "",
        entry["producer"] or "the gate",
        raw_address(repository.name, task_id, path),
    )
    try:
        shown = _VIEWERS[page.viewer](page, content, published, repository)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        shown = None  # evidence that was edited and sealed again may have any shape
    return shown if shown is not None else _show_text(replace(page, viewer=Viewer.TEXT), content)


def _show_text(page: ArtifactPage, content: bytes) -> ArtifactPage:
    text = content[: MOST_TEXT + 1].decode("utf-8", "replace")
    lines = text.removesuffix("\n").split("\n") if text else []
    shown = tuple(
        TextLine(visible_line(line, limit=_LONGEST_LINE), f"L{n}") for n, line in enumerate(lines[:MOST_LINES], 1)
    )
    cut = (
        f"only the first {len(shown):,} lines are shown" if len(lines) > MOST_LINES or len(content) > MOST_TEXT else ""
    )
    return replace(page, lines=shown, cut=cut)


def _show_json(
    page: ArtifactPage, content: bytes, _published: Published, _repository: ServedRepository
) -> ArtifactPage | None:
    value = _load(content)
    return None if value is _UNREADABLE else _with_json(page, value)


def _with_json(page: ArtifactPage, value: Any) -> ArtifactPage:
    lines: list[TextLine] = []
    cut, room = "", MOST_TEXT
    for pointer, line in json_lines(value):
        if len(lines) >= MOST_LINES or room <= 0:
            cut = f"only the first {len(lines):,} lines are shown"
            break
        # The lines that close a value have no pointer, and neither has the first, which is the whole.
        lines.append(TextLine(line, pointer_anchor(pointer) if pointer else ""))
        room -= len(line)
    return replace(page, lines=tuple(lines), cut=cut)


def _show_junit(
    page: ArtifactPage, content: bytes, _published: Published, _repository: ServedRepository
) -> ArtifactPage | None:
    if any(importlib.util.find_spec(name) is None for name in ("defusedxml", "junitparser")):
        return None  # the extra `code` reads JUnit; without it the text is shown
    from verigate.sdk.reports.junit import parse_junit
    from verigate.sdk.reports.untrusted import ReportInvalid

    try:
        outcomes = parse_junit(content, page.path)
    except ReportInvalid:
        return None
    cases = sorted(outcomes.cases, key=lambda case: _WORST_FIRST[case.outcome])
    rows = tuple(
        CaseRow(
            case.outcome,
            case.id,
            f"{case.path or ''}{f':{case.line}' if case.path and case.line else ''}",
            case.message[:_LONGEST_LINE],
        )
        for case in cases[:MOST_CASES]
    )
    summary = f"{outcomes.passed} passed, {outcomes.failed} failed, {outcomes.skipped} skipped"
    cut = f"only the first {MOST_CASES:,} tests are shown" if len(cases) > MOST_CASES else ""
    return replace(page, cases=rows, summary=summary, cut=cut)


def _show_diff(
    page: ArtifactPage, content: bytes, published: Published, repository: ServedRepository
) -> ArtifactPage | None:
    files, left_out = build_diff(content, published, repository)
    cut = f"{left_out:,} more files, or a part of the patch, are not shown" if left_out else ""
    return replace(page, files=files, cut=cut) if files else None


def _show_coverage(
    page: ArtifactPage, content: bytes, published: Published, repository: ServedRepository
) -> ArtifactPage | None:
    value = _load(content)
    if not isinstance(value, dict):
        return None
    missed = find_missed(value)
    patches = [path for path, entry in sorted(published.index.items()) if entry["media_spec"] == PATCH]
    files = build_diff(published.read(patches[0]), published, repository, only=missed)[0] if patches else ()
    anchors = {file.path: f"#{file.anchor}" for file in files}
    covered = tuple(sorted(_list_covered(value, anchors), key=lambda file: (file.share, file.path)))
    base = value.get("base")
    parts = [f"{value['lines']['covered']} of {value['lines']['total']} lines"]
    if isinstance(value.get("patch"), dict):
        lines = value["patch"]["lines"]
        parts.append(f"{lines['covered']} of {lines['total']} changed lines")
    if isinstance(base, dict):
        parts.append(f"before: {base['lines']['covered']} of {base['lines']['total']} lines")
    return replace(_with_json(page, value), covered=covered[:MOST_CASES], files=files, summary="; ".join(parts))


def _list_covered(value: Mapping[str, Any], anchors: Mapping[str, str]) -> Iterator[CoveredFile]:
    patch = value.get("patch") or {}
    for file in value.get("files") or patch.get("files") or ():
        covered, total, path = int(file.get("covered", 0)), int(file.get("total", 0)), str(file.get("path", ""))
        yield CoveredFile(path, covered, total, covered / total if total else 0.0, anchors.get(path, ""))


def _show_picture(
    page: ArtifactPage, content: bytes, _published: Published, _repository: ServedRepository
) -> ArtifactPage | None:
    kind = find_picture_type(content)
    return None if kind is None else replace(page, picture=kind)


def _show_plain(
    page: ArtifactPage, content: bytes, _published: Published, _repository: ServedRepository
) -> ArtifactPage | None:
    return _show_text(page, content)


_UNREADABLE = object()


def _load(content: bytes) -> Any:
    try:
        return loads(content, max_bytes=_LARGEST_JSON)
    except (StrictJsonError, RecursionError):
        return _UNREADABLE


_Show = Callable[[ArtifactPage, bytes, Published, ServedRepository], ArtifactPage | None]
_VIEWERS: Mapping[Viewer, _Show] = {
    Viewer.JSON: _show_json,
    Viewer.JUNIT: _show_junit,
    Viewer.COVERAGE: _show_coverage,
    Viewer.DIFF: _show_diff,
    Viewer.PICTURE: _show_picture,
    Viewer.TEXT: _show_plain,
}
"""What shows a file; None where it isn't what it was taken for."""
