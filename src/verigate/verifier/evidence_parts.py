"""Split evidence into parts that can be cited: hunks of a patch, JSON values by pointer, lines of a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from verigate.domain.artifact import Artifact, Evidence
from verigate.formats import pointer
from verigate.formats.patch import FileDiff, PatchLine, parse_patch
from verigate.formats.visible import escape_invisible, format_json_line

PATCH_SPEC = "verigate:diffs-patch.v1"

_LINES = 60
"""Limit of the lines in one part."""

_MAX_VALUES = 20_000
"""Limit of the values, or lines, of one artifact that are used: it may have millions."""

_MAX_LINE = 2000
"""Length limit of one line. A longer one is cut and can't be cited as a whole."""

_SIGNS = {"added": "+", "removed": "-", "same": " "}


class EvidencePart(Struct, frozen=True):
    """A part of an artifact. ``lines`` are visible characters only, each with the pointer or number to cite it by.

    ``kind`` is ``patch``, ``json`` or ``text``.
    """

    kind: str
    lines: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of characters, with two more for the prefix and the end of each line."""
        return sum(len(line) + 3 for line in self.lines)


def split_evidence(evidence: Evidence, texts: Mapping[str, str]) -> tuple[EvidencePart, ...]:
    """Split all evidence, the patch first, then the artifacts by path. ``texts`` are those that aren't JSON."""
    ordered = sorted(evidence.artifacts.values(), key=lambda item: (item.media_spec != PATCH_SPEC, item.path))
    return tuple(piece for artifact in ordered for piece in _split_artifact(artifact, texts.get(artifact.path)))


def _split_artifact(artifact: Artifact, text: str | None) -> Iterator[EvidencePart]:
    if artifact.is_json:
        value = pointer.copy_without(artifact.value, artifact.volatile)
        yield from _chunk(
            "json", [_heading(artifact)], [_shorten(line) for line in islice(_list_values(value), _MAX_VALUES)]
        )
    elif text is not None and artifact.media_spec == PATCH_SPEC:
        for part in parse_patch(text):
            yield from _split_file(artifact, part)
    elif text is not None and "\0" not in text:
        numbered = enumerate(islice(text.removesuffix("\n").split("\n"), _MAX_VALUES), start=1)
        yield from _chunk("text", [_heading(artifact)], [_shorten(f"{number}: {line}") for number, line in numbered])


def _heading(artifact: Artifact) -> str:
    return _shorten(f"artifact: {artifact.path}")


def _split_file(artifact: Artifact, part: FileDiff) -> Iterator[EvidencePart]:
    """Split a file of a patch into its hunks; its header lines come first."""
    head = [_heading(artifact), _shorten(f"file: {part.path}")]
    about: list[str] = []
    hunk: list[str] = []
    for line in part.lines[:_MAX_VALUES]:
        if line.kind == "about":
            about.append(_shorten(f"about the file: {line.text}"))
        elif line.kind == "hunk":
            if hunk:
                yield from _chunk("patch", head, [*about, *hunk])
                about = []
            hunk = [_shorten(f"hunk: {line.text}")]
        else:
            hunk.append(_shorten(_render_hunk_line(line)))
    yield from _chunk("patch", head, [*about, *hunk])


def _render_hunk_line(line: PatchLine) -> str:
    """Render ``12 + text``, with the line's number in the new version; a removed line has none and can't be cited."""
    number = "" if line.new is None else str(line.new)
    return f"{number:>6} {_SIGNS[line.kind]} {line.text}"


def _chunk(kind: str, head: Sequence[str], lines: Sequence[str]) -> Iterator[EvidencePart]:
    for start in range(0, len(lines), _LINES):
        yield EvidencePart(kind, (*head, *lines[start : start + _LINES]))


def _list_values(value: Any) -> Iterator[str]:
    """Yield ``pointer = value`` for everything but non-empty containers, breadth first: totals before details."""
    level: list[tuple[str, Any]] = [("", value)]
    while level:
        deeper: list[tuple[str, Any]] = []
        for place, item in level:
            if isinstance(item, dict | list) and item:
                members = item.items() if isinstance(item, dict) else enumerate(item)
                room = islice(members, max(0, _MAX_VALUES - len(deeper)))
                deeper += [(f"{place}/{pointer.escape(key)}", member) for key, member in room]
            else:
                yield f"{escape_invisible(place)} = {format_json_line(item)}"
        level = deeper


def _shorten(line: str) -> str:
    shown = escape_invisible(line[:_MAX_LINE]).replace("\n", "\\n")
    return shown if len(line) <= _MAX_LINE else f"{shown}… (cut)"
