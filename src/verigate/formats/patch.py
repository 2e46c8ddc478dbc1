"""Lenient parser of ``git diff`` patches, also of truncated ones.

No library: those on offer reject a whole patch for one unexpected line, and reports get only the first million
characters of an untrusted patch. Source: git-diff(1), "Generating patch text with -p".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_OCTAL_DIGITS = 3
_QUOTED = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)
_NAMED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_IN_HUNK = frozenset({"+", "-", " ", "\\", ""})
_KINDS = {"+": "added", "-": "removed", " ": "same"}


class PatchLine(Struct, frozen=True):
    """``kind`` is ``added``, ``removed`` or ``same``; ``hunk`` or ``about`` for headers. Line numbers count from 1."""

    kind: str
    text: str
    old: int | None = None
    new: int | None = None


class FileDiff(Struct, frozen=True):
    """The changes of one file; ``path`` is the new name, the old name if the file was deleted."""

    path: str
    lines: tuple[PatchLine, ...]


def parse_patch(patch: str) -> tuple[FileDiff, ...]:
    """Parse a patch into files. Lines before the first ``diff --git`` or ``---`` line become a file without a name."""
    # Not splitlines(): only a line feed ends a line of a patch.
    lines = patch.removesuffix("\n").split("\n") if patch else []
    return tuple(FileDiff(_find_path(part), tuple(_parse_lines(part))) for part in _split_files(lines))


def _split_files(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    start = left_old = left_new = 0
    for number, line in enumerate(lines):
        if (left_old > 0 or left_new > 0) and line[:1] in _IN_HUNK:
            # Inside a hunk every such line belongs to the file, whatever it looks like.
            left_old -= line[:1] in {"-", " ", ""}
            left_new -= line[:1] in {"+", " ", ""}
        elif (hunk := _HUNK.match(line)) is not None:
            left_old, left_new = _read_count(hunk[2]), _read_count(hunk[4])
        elif line.startswith("diff --git "):
            left_old = left_new = 0
            if number > start:
                yield lines[start:number]
                start = number
    if lines:
        yield lines[start:]


def _read_count(text: str | None) -> int:
    return 1 if text is None else int(text)


def _parse_lines(lines: Sequence[str]) -> Iterator[PatchLine]:
    old = new = left_old = left_new = 0
    for line in lines:
        if (left_old <= 0 and left_new <= 0) or line[:1] not in _IN_HUNK:
            left_old = left_new = 0
            if (hunk := _HUNK.match(line)) is None:
                yield PatchLine("about", line)
                continue
            old, left_old, new, left_new = int(hunk[1]), _read_count(hunk[2]), int(hunk[3]), _read_count(hunk[4])
            yield PatchLine("hunk", line)
            continue
        kind = _KINDS.get(line[:1], "about" if line else "same")
        if kind == "about":
            yield PatchLine(kind, line)
            continue
        in_old, in_new = kind != "added", kind != "removed"
        yield PatchLine(kind, line[1:], old if in_old else None, new if in_new else None)
        old, left_old = old + in_old, left_old - in_old
        new, left_new = new + in_new, left_new - in_new


def _find_path(lines: Sequence[str]) -> str:
    names: dict[str, str] = {}
    for line in lines:
        if line.startswith("@@ "):
            break
        for head in ("--- ", "+++ ", "rename to ", "copy to "):
            if line.startswith(head):
                # git appends a tab to a name that contains a space.
                names.setdefault(head, _unquote(line.removeprefix(head).removesuffix("\t")))
    for head, side in (("+++ ", "b/"), ("--- ", "a/")):
        if names.get(head, "/dev/null") != "/dev/null":
            return names[head].removeprefix(side)
    for head in ("rename to ", "copy to "):
        if head in names:
            return names[head]
    return _path_from_header(lines[0].removeprefix("diff --git ")) if lines[0].startswith("diff --git ") else ""


def _path_from_header(names: str) -> str:
    """Return the name in ``a/NAME b/NAME``, where both are equal (a changed mode, an empty or a binary file)."""
    half = names[len(names) // 2 + 1 :]
    return _unquote(half).removeprefix("b/")


def _unquote(name: str) -> str:
    """Undo the C-style quoting that git applies to names with unusual bytes."""
    if len(name) < 2 or name[0] != '"' or name[-1] != '"':
        return name
    octal = False

    def unescape(found: re.Match[str]) -> str:
        nonlocal octal
        if len(found[1]) == _OCTAL_DIGITS:
            octal = True
            return chr(int(found[1], 8) & 0xFF)
        return _NAMED.get(found[1], found[1])

    inner = _QUOTED.sub(unescape, name[1:-1])
    if not octal or not all(ord(character) <= 0xFF for character in inner):
        return inner
    return inner.encode("latin-1").decode("utf-8", "surrogateescape")
