"""The values of an artifact's page."""

from __future__ import annotations

from msgspec import Struct

from verigate.serve.task_page.viewers import Viewer


class TextLine(Struct, frozen=True):
    """A line of a file, of visible characters; ``anchor`` is empty for lines that nothing leads to."""

    text: str
    anchor: str = ""


class CaseRow(Struct, frozen=True):
    """A test of a report."""

    outcome: str
    name: str
    place: str
    message: str


class DiffRow(Struct, frozen=True):
    """A line of a diff. ``kind`` is added, removed, same, hunk or about; ``note`` is what was found there."""

    kind: str
    text: str
    old: int | None = None
    new: int | None = None
    note: str = ""
    level: str = ""


class DiffFile(Struct, frozen=True):
    """The changes of one file; ``left_out`` counts lines that aren't shown."""

    path: str
    anchor: str
    rows: tuple[DiffRow, ...]
    left_out: int


class CoveredFile(Struct, frozen=True):
    """A file with its covered and all its lines; ``href`` leads to its changed lines, if they are shown."""

    path: str
    covered: int
    total: int
    share: float
    href: str


class ArtifactPage(Struct, frozen=True):
    """The page of a published file. What is filled depends on ``viewer``; ``cut`` says what isn't shown."""

    repository: str
    task_id: str
    path: str
    viewer: Viewer
    size: int
    sha256: str
    media_spec: str
    producer: str
    raw_href: str
    picture: str = ""
    lines: tuple[TextLine, ...] = ()
    summary: str = ""
    cases: tuple[CaseRow, ...] = ()
    files: tuple[DiffFile, ...] = ()
    covered: tuple[CoveredFile, ...] = ()
    cut: str = ""
