"""Build the section of artifacts, with cited places marked, and of logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from verigate.domain.artifact import Artifact
from verigate.reporting.html.elements import Element, SpaceBudget, block, code, el, link, visible_line
from verigate.reporting.html.json_lines import json_lines
from verigate.reporting.report import MAX_TEXT_CHARACTERS, Report

_MAX_LINE = 2000
_MAX_PER_ARTIFACT = 100_000
"""Characters shown of one artifact."""

_MAX_TOTAL = 2_000_000
_MAX_ENTRIES = 500


class Places(Struct, frozen=True):
    """Page anchors of artifacts, by path, and of their cited places, by (path, pointer)."""

    artifacts: Mapping[str, str]
    pointers: Mapping[tuple[str, str], str]

    def of(self, artifact: str, pointer: str) -> str | None:
        """The anchor nearest to a citation."""
        return self.pointers.get((artifact, pointer)) or self.artifacts.get(artifact)


class Viewer(Struct, frozen=True):
    """The entries of the section, the number omitted, and the anchors."""

    entries: tuple[Element, ...]
    left_out: int
    places: Places


def build_viewer(report: Report, cited: Mapping[tuple[str, str], str]) -> Viewer:
    """Build an entry per artifact and log; ``cited`` maps (path, pointer) to the anchor of the check that cites it."""
    artifacts = report.artifacts
    paths = [*sorted(artifacts), *sorted(set(report.texts) - set(artifacts))]
    room = SpaceBudget(_MAX_ENTRIES, _MAX_TOTAL)
    entries: list[Element] = []
    places: dict[str, str] = {}
    pointers: dict[tuple[str, str], str] = {}
    wanted: dict[str, dict[str, str]] = {}
    for (path, pointer), check in cited.items():
        wanted.setdefault(path, {})[pointer] = check
    for number, path in enumerate(paths):
        if not room.left:
            break
        name = f"a{number}"
        places[path] = name
        marks = _Marks(name, wanted.get(path, {}))
        if path in artifacts:
            entry = _build_artifact(artifacts[path], name, report.texts.get(path), marks)
        else:
            entry = _build_text(path, name, report.texts[path], None, ())
        entries.append(room.take(entry))
        pointers.update({(path, pointer): mark for pointer, mark in marks.made.items()})
    return Viewer(tuple(entries), len(paths) - len(entries), Places(places, pointers))


class _Marks:
    """Marks the lines of one artifact that a check cites, with a link to the check."""

    def __init__(self, name: str, checks: Mapping[str, str]) -> None:
        self._name = name
        self._checks = checks
        self.made: dict[str, str] = {}

    def line(self, pointer: str, line: str) -> str | Element:
        if not pointer or pointer not in self._checks or pointer in self.made:
            return line
        self.made[pointer] = place = f"{self._name}-{len(self.made)}"
        indent = line[: len(line) - len(line.lstrip(" "))]
        return el("mark", indent, link(self._checks[pointer], line.lstrip(" ")), id=place)


def _build_artifact(artifact: Artifact, name: str, text: str | None, marks: _Marks) -> Element:
    about = (
        ("of", code(artifact.producer, limit=120)),
        ("is", code(artifact.media_spec, limit=200) if artifact.media_spec else None),
        ("bytes", el("span", f"{artifact.size:,}")),
        ("sha256", code(artifact.sha256, limit=64)),
    )
    facts = [part for label, value in about if value is not None for part in (el("dt", label), el("dd", value))]
    if artifact.is_json:
        lines: Iterable[str | Element] = (marks.line(*found) for found in json_lines(artifact.value))
        return _build_details(artifact.path, name, facts, lines, f"{artifact.size:,} bytes")
    if text is None:
        return _build_details(artifact.path, name, facts, ("(its text is not available)",), "")
    return _build_text(artifact.path, name, text, artifact.size, facts)


def _build_text(path: str, name: str, text: str, size: int | None, facts: Sequence[Element]) -> Element:
    more = "at least " if len(text) >= MAX_TEXT_CHARACTERS else ""
    whole = f"{size:,} bytes" if size is not None else f"{more}{len(text):,} characters"
    return _build_details(path, name, facts, _split_lines(text), whole)


def _split_lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield visible_line(text[start:end], limit=_MAX_LINE)
        start = end + 1


def _build_details(
    path: str, name: str, facts: Sequence[Element], lines: Iterable[str | Element], whole: str
) -> Element:
    shown: list[str | Element] = []
    room, cut = _MAX_PER_ARTIFACT, False
    for line in lines:
        if room <= 0:
            cut = True
            break
        shown.append(line)
        room -= len(line if isinstance(line, str) else "".join(line.itertext())) + 1
    note = (
        el("p", f"Cut here: only the first {len(shown):,} lines of {whole} are shown.", class_="warn") if cut else None
    )
    body = el("div", el("dl", *facts) if facts else None, id=name, class_="body")
    body.extend(
        part for part in (block(shown) if shown else el("p", "(empty)", class_="dim"), note) if part is not None
    )
    size = el("span", f" {whole}", class_="dim") if whole else None
    return el("details", el("summary", code(path, limit=400), size), body, class_="long")
