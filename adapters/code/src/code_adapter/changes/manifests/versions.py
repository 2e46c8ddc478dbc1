"""The project's own version where no manifest has it: an assignment in a source file, or a file of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from code_adapter.changes.manifests.pin import Pin, Read

_ASSIGNED = re.compile(
    r"""^\s*(?:(?:export\s+|static\s+|final\s+|public\s+|const\s+|var\s+|let\s+)*(?:String\s+)?)"""
    r"""(?:__version__|VERSION|version|Version|release)\s*(?::\s*\w+\s*)?:?=\s*["']v?(\d+(?:\.\d+)+[\w.+-]*)["']""",
    re.MULTILINE,
)


def _read_assignment(source: str) -> Iterator[Pin]:
    for version in _ASSIGNED.findall(source[:200_000]):
        yield Pin("own", "", version, "own")


def _read_file(source: str) -> Iterator[Pin]:
    if found := re.fullmatch(r"\s*v?(\d+(?:\.\d+)+[\w.+-]*)\s*", source):
        yield Pin("own", "", found[1], "own")


READERS: tuple[tuple[str, Read], ...] = (
    ("*version*.py", _read_assignment),
    ("__init__.py", _read_assignment),
    ("__about__.py", _read_assignment),
    ("setup.py", _read_assignment),
    ("conf.py", _read_assignment),
    ("*version*.go", _read_assignment),
    ("*version*.ts", _read_assignment),
    ("*version*.js", _read_assignment),
    ("VERSION", _read_file),
    ("VERSION.txt", _read_file),
    ("version.txt", _read_file),
    (
        "gradle.properties",
        lambda source: (Pin("own", "", v, "own") for v in re.findall(r"(?m)^version(?:Name)?\s*=\s*(\d\S*)", source)),
    ),
)
