"""Find text that tools read differently from people: hidden line breaks, encodings that hide code.

Sources: the Python language reference, 2.1.2 and 2.1.4 (physical lines, encoding declarations); the Java language
specification, 3.3 (Unicode escapes); gitattributes(5), working-tree-encoding.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from code_adapter.integrity.finding import IntegrityFinding
from code_adapter.integrity.tools.settings import is_settings_file
from verigate.sdk import clean_text
from verigate.sdk.languages import language_of

if TYPE_CHECKING:
    from code_adapter.integrity.changeset import ChangeSet

_LONE_RETURN = re.compile(rb"\r(?!\n)")
_ESCAPED_CODE = re.compile(rb"(?<!\\)(?:\\\\)*\\u+00(?:0[aAdD]|22)")
"""A line break or a quote; in a string an honest one doesn't compile."""

_DECLARED = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_PLAIN = re.compile(r"utf-8(?:-sig)?|ascii|iso8859-\d+|cp125\d|koi8-[rut]|euc_\w+|gb2312")
"""Encodings, as codecs name them, in which each ASCII byte is that character and nothing else."""

_GIT_ENCODING = re.compile(rb"(?<!\S)working-tree-encoding=(\S+)")
_PLAIN_TO_GIT = re.compile(rb"UTF-?(?:8|16|32)(?:[LB]E)?(?:-BOM)?", re.IGNORECASE)


def find_disguises(changes: ChangeSet) -> Iterator[IntegrityFinding]:
    """Find disguises that the subject has more of than the base."""
    for file, before, after in changes.sides():
        if after is None or after.content is None:
            continue
        old = before.content or b"" if before is not None else b""
        for place, what in _found(after.path, after.content, old):
            line = after.content.count(b"\n", 0, place) + 1
            yield IntegrityFinding("hidden_text", file.path, line, what, "weakening", "disguise")


def _found(path: str, new: bytes, old: bytes) -> Iterator[tuple[int, str]]:
    """Where something begins, in bytes, and what it is."""
    language = language_of(path)
    if language is not None or is_settings_file(path):
        yield from _more(_LONE_RETURN, new, old, "a carriage return that some readers take for a line break")
    if language == "java":
        yield from _more(_ESCAPED_CODE, new, old, "a Unicode escape that is read as a line break or a quote")
    if language == "python" and (declared := _declared(new)) and declared != _declared(old):
        yield 0, f"it declares the encoding {clean_text(declared, 40)}, in which text can be other code than it seems"
    if path.rpartition("/")[2] == ".gitattributes":
        known = set(_GIT_ENCODING.findall(old))
        for match in _GIT_ENCODING.finditer(new):
            if match[1] not in known and not _PLAIN_TO_GIT.fullmatch(match[1]):
                yield match.start(), "git checks files out in another encoding than the one that is looked at"


def _more(pattern: re.Pattern[bytes], new: bytes, old: bytes, what: str) -> Iterator[tuple[int, str]]:
    places = [match.start() for match in pattern.finditer(new)]
    if len(places) > len(pattern.findall(old)):
        yield places[0], what


def _declared(source: bytes) -> str | None:
    """The encoding that one of the first two lines declares, if it isn't a plain one."""
    for line in source.removeprefix(codecs.BOM_UTF8).splitlines()[:2]:
        if match := _DECLARED.match(line):
            name = match[1].decode("ascii", "replace")
            try:
                return None if _PLAIN.fullmatch(codecs.lookup(name).name) else name
            except (LookupError, ValueError):
                return name
    return None
