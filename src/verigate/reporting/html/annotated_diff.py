"""Build the section of the diff, with each finding below its line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from verigate.formats.patch import FileDiff, PatchLine, parse_patch
from verigate.reporting.escape import escape
from verigate.reporting.finding_headline import format_headline
from verigate.reporting.findings import Level, ReportFinding, ReportFindings
from verigate.reporting.html.elements import (
    Element,
    SpaceBudget,
    append_children,
    code,
    el,
    line_cell,
    link,
    paragraph,
    visible_line,
)
from verigate.reporting.report import MAX_TEXT_CHARACTERS, Report

PATCH = "verigate:diffs-patch.v1"

_LONGEST_LINE = 1000
_LINES_OF_ONE = 3000
_CHARACTERS_OF_ONE = 100_000
_FINDINGS_OF_ONE = 300
_FILES = 1000
_OF_ALL = 2_000_000
_OPEN = 20
"""Diffs with at most this many files start unfolded."""

_SIGN = {"added": "+", "removed": "-", "same": " "}
_WORD = {Level.ERROR: ("✗ refuted", "bad"), Level.WARNING: ("? undecided", "warn"), Level.NOTE: ("noted", "dim")}


class Diff(Struct, frozen=True):
    """The entries of files, the number omitted, and anchors of findings by fingerprint."""

    entries: tuple[Element, ...]
    left_out: int
    cut: bool
    places: Mapping[str, str]


def annotate_diff(report: Report, found: ReportFindings, checks: Mapping[str, str]) -> Diff:
    """Annotate the published patch with the findings; ``checks`` maps check ids to their anchors."""
    patches = [artifact for path, artifact in sorted(report.artifacts.items()) if artifact.media_spec == PATCH]
    texts = [report.texts[artifact.path] for artifact in patches if artifact.path in report.texts]
    files = [file for text in texts for file in parse_patch(text)]
    by_path: dict[str, list[ReportFinding]] = {}
    for finding in found.listed:
        if finding.path is not None:
            by_path.setdefault(finding.path, []).append(finding)
    room, maker = SpaceBudget(_FILES, _OF_ALL), _DiffBuilder(checks)
    entries: list[Element] = []
    for number, file in enumerate(files):
        if not room.left:
            break
        here = by_path.get(file.path, [])
        entries.append(room.take(maker.file(number, file, here, unfolded=bool(here) or len(files) <= _OPEN)))
    cut = any(len(text) >= MAX_TEXT_CHARACTERS for text in texts)
    return Diff(tuple(entries), len(files) - len(entries), cut, maker.places)


class _DiffBuilder:
    def __init__(self, checks: Mapping[str, str]) -> None:
        self.places: dict[str, str] = {}
        self._checks = checks

    def file(self, number: int, file: FileDiff, here: Sequence[ReportFinding], *, unfolded: bool) -> Element:
        shown = _limit_lines(file)
        there = {line.new for line in shown if line.new is not None}
        by_line: dict[int, list[ReportFinding]] = {}
        above: list[ReportFinding] = []
        for finding in here[:_FINDINGS_OF_ONE]:
            if finding.line in there and finding.line is not None:
                by_line.setdefault(finding.line, []).append(finding)
            else:
                above.append(finding)
        rows = list(self._rows(f"d{number}", shown, by_line))
        body = el("div", class_="body", id=f"d{number}")
        if above:
            append_children(body, el("p", "Found in this file, in lines that the diff doesn't show:"))
            append_children(
                body,
                el(
                    "ul",
                    *(el("li", *self._describe(finding, (el("bdi", format_headline(finding)),))) for finding in above),
                ),
            )
            self.places.update({finding.fingerprint: f"d{number}" for finding in above})
        append_children(body, _build_table(rows))
        for left, what in (
            (len(file.lines) - len(shown), "lines"),
            (len(here) - _FINDINGS_OF_ONE, "findings"),
        ):
            if left > 0:
                append_children(body, el("p", f"Cut here: {left:,} more {what} of this file.", class_="warn"))
        counts = " ".join(
            f"{_SIGN[kind]}{sum(line.kind == kind for line in file.lines)}" for kind in ("added", "removed")
        )
        noun = "finding" if len(here) == 1 else "findings"
        count = el("strong", f" {len(here)} {noun}") if here else None
        name = code(file.path, limit=400) if file.path else el("span", "(before the first file)")
        summary = el("summary", name, " ", el("span", counts, class_="dim"), count)
        return el("details", summary, body, open="" if unfolded else None)

    def _rows(
        self, name: str, lines: Iterable[PatchLine], by_line: Mapping[int, Sequence[ReportFinding]]
    ) -> Iterator[Element]:
        for line in lines:
            here = by_line.get(line.new, ()) if line.new is not None else ()
            place = f"{name}-{line.new}" if here else None
            yield _build_row(line, place)
            for finding in here:
                if place is not None:
                    self.places[finding.fingerprint] = place
                rule = f"{escape(finding.rule, limit=100)}: " if finding.rule else ""
                text = paragraph(finding.message, limit=1000, before=rule)
                cell = el("td", *self._describe(finding, text), colspan="3")
                yield el("tr", cell, class_=f"finding {finding.level.value}")

    def _describe(self, finding: ReportFinding, text: tuple[Element, ...]) -> tuple[Element | str, ...]:
        word, style = _WORD[finding.level]
        about = link(self._checks.get(finding.check.id), code(finding.check.id, limit=150))
        first, *others = text
        return el("span", word, class_=f"mark {style}"), " ", first, " (", about, ")", *others


def _limit_lines(file: FileDiff) -> Sequence[PatchLine]:
    room = _CHARACTERS_OF_ONE
    for number, line in enumerate(file.lines[:_LINES_OF_ONE]):
        if room <= 0:
            return file.lines[:number]
        room -= min(len(line.text), _LONGEST_LINE)
    return file.lines[:_LINES_OF_ONE]


def _build_table(rows: Sequence[Element]) -> Element:
    head = el("tr", *(el("th", word, scope="col") for word in ("old", "new", "line")))
    return el("table", el("thead", head), el("tbody", *rows), class_="diff")


def _build_row(line: PatchLine, place: str | None) -> Element:
    text = _SIGN.get(line.kind, "") + visible_line(line.text, limit=_LONGEST_LINE)
    if line.kind in {"hunk", "about"}:
        cell = line_cell("td", text)
        cell.set("colspan", "3")
        return el("tr", cell, class_="hunk")
    numbers = (el("td", "" if number is None else str(number)) for number in (line.old, line.new))
    return el("tr", *numbers, line_cell("td", text), id=place, class_=line.kind if line.kind != "same" else None)
