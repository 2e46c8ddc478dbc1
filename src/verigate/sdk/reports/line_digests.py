"""Digest the line of a finding, so that the finding can be recognised after lines have moved."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container
from typing import Protocol

_ENDS = re.compile(r"\r\n|\n")
_DISPUTED = re.compile(r"\r(?!\n)|[\u2028\u2029]")
"""Line ends for some tools (ruff, eslint) and not for others."""


class Files(Protocol):
    """The subject's files: their paths and texts. The text of an unreadable file is empty."""

    @property
    def known(self) -> Container[str]:
        """Their paths."""

    def text(self, path: str) -> str:
        """Return the content of a file."""

    def is_empty(self, path: str) -> bool:
        """Whether a file can be read and has no bytes."""


class LineDigests:
    """Computes digests of lines; reads each file once."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._read: dict[str, list[str]] = {}

    def of(self, path: str, line: int) -> str | None:
        """The sha256 of a line's UTF-8 without its end, in hex; ``line`` counts from 1.

        None if the line is ambiguous: it isn't in the file, the file isn't text or has line ends that tools count
        differently, or it is a notebook, whose line numbers are those of a cell. An empty file has one empty line, of
        which linters report what a file lacks.
        """
        if path not in self._read:
            self._read[path] = self._lines(path)
        lines = self._read[path]
        return hashlib.sha256(lines[line - 1].encode()).hexdigest() if 0 < line <= len(lines) else None

    def _lines(self, path: str) -> list[str]:
        if path.endswith(".ipynb") or path not in self._files.known:
            return []
        text = self._files.text(path)
        if not text:
            return [""] if self._files.is_empty(path) else []
        # All bytes that aren't UTF-8 become the same replacement character, so different contents would share a digest.
        if "\ufffd" in text or _DISPUTED.search(text):
            return []
        return _ENDS.split(text)
