"""Read the lines of an AsciiDoc document that can have links: no comments, no verbatim blocks, attributes replaced.

Source: https://docs.asciidoctor.org/asciidoc/latest/ (blocks, attributes, comments). No other file is included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, MutableMapping

from msgspec import Struct

_VERBATIM = "-.+/"
"""Four or more of one of them delimit a listing, a literal, a passthrough or a comment block."""

_STYLES = ("source", "listing", "literal", "stem", "latexmath", "asciimath", "comment", "pass", "verse-pass")
_ENTRY = re.compile(r":(!?)(\w[\w-]*)(!?):(?:\s+(.*))?")
_REFERENCE = re.compile(r"(\\?)\{(\w[\w-]*)\}")
_LIST_ITEM = re.compile(r"\s+(?:[*.-]+|\d+\.|[a-zA-Z]\.|<\d+>)\s|\s+\S.*::(?:\s|$)")
_LARGEST = 1 << 16
"""Length limit of a line after its attributes are replaced, since attributes can have attributes."""

_LONG = 1 << 12
"""A longer line is read in parts, so that no line takes long."""


class Line(Struct, frozen=True):
    """A line: its number from 1, its text as written, and its text with attributes replaced."""

    number: int
    written: str
    text: str


class Attributes:
    """The attributes of a document up to a line; names are in lower case."""

    def __init__(self) -> None:
        self.values: MutableMapping[str, str] = {"empty": "", "sp": " ", "nbsp": "\u00a0", "imagesdir": ""}

    def replace(self, text: str) -> str:
        """Replace the references to known attributes; unknown ones stay."""

        def value(match: re.Match[str]) -> str:
            known = self.values.get(match[2].lower())
            return match[0] if match[1] or known is None else known

        return _REFERENCE.sub(value, text)[:_LARGEST] if "{" in text else text

    def read_entry(self, line: str) -> bool:
        """Read an attribute entry such as ``:name: value``; False for any other line."""
        match = _ENTRY.fullmatch(line)
        if match is None:
            return False
        name = match[2].lower()
        if match[1] or match[3]:
            self.values.pop(name, None)
        else:
            self.values[name] = self.replace((match[4] or "").strip())
        return True


def read_lines(text: str, attributes: Attributes) -> Iterator[Line]:
    """Yield the lines that can have links or anchors; ``attributes`` are those before the yielded line."""
    delimiter, style, skipping, after_blank = "", False, False, True
    for number, raw in enumerate(_join_entries(text), 1):
        line = raw.rstrip()
        if delimiter:
            delimiter = "" if line == delimiter else delimiter
            continue
        if not line:
            skipping, after_blank = False, True
            continue
        if skipping:
            continue
        fence = _delimiter(line, verbatim_style=style)
        if fence:
            delimiter, style = fence, False
            continue
        if line.startswith("//") and not line.startswith("///"):
            continue
        if line.startswith("[") and line.endswith("]"):
            style = style or _is_verbatim_style(line)
            yield from _parts(number, line, attributes)
            continue
        literal = line[0] in " \t" and after_blank and not _LIST_ITEM.match(line)
        skipping, style = style or literal, False
        after_blank = False
        if not skipping and not attributes.read_entry(line):
            yield from _parts(number, line, attributes)


def _parts(number: int, line: str, attributes: Attributes) -> Iterator[Line]:
    text = attributes.replace(line)
    if len(text) <= _LONG:
        yield Line(number, line, text)
        return
    while text:
        end = text.rfind(" ", 0, _LONG) + 1 or _LONG
        yield Line(number, line, text[:end])
        text = text[end:]


def _join_entries(text: str) -> Iterator[str]:
    """Yield each line; an attribute entry that goes on is joined, and its other lines are empty comments."""
    entry, left = "", 0
    for line in text.split("\n"):
        goes_on = (entry or line.startswith(":")) and line.rstrip().endswith(" \\")
        if goes_on:
            entry += line.rstrip()[:-1].lstrip() if entry else line.rstrip()[:-1]
            left += 1
            yield "// continued"
            continue
        yield f"{entry}{line.lstrip()}" if entry else line
        entry, left = "", 0


def _delimiter(line: str, *, verbatim_style: bool) -> str:
    if line.startswith("```"):
        return "`" * (len(line) - len(line.lstrip("`")))
    if len(line) >= 4 and line[0] in _VERBATIM and not line.strip(line[0]):
        return line
    # Any other delimited block is verbatim only by its style.
    other = line == "--" or (len(line) >= 4 and line[0] in "=*_" and not line.strip(line[0]))
    return line if verbatim_style and other else ""


def _is_verbatim_style(line: str) -> bool:
    first = line[1:-1].partition(",")[0].partition("%")[0].partition("#")[0].partition(".")[0].strip().lower()
    return first in _STYLES
