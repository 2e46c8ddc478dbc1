"""The code of one version, as a cell has it: its files, and those that were changed or added to hand something on."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from code_adapter.syntax.changes import read_blobs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from code_adapter.counterfactual.versions import Version
    from verigate.sdk.subject import Repository

_FILES = frozenset({"100644", "100755"})
_MOST_TESTS = 20


class Code:
    """The code of a version. ``written`` are the files that were changed or added, by path."""

    def __init__(self, repository: Repository, version: Version) -> None:
        self._repository = repository
        self._version = version
        self._read: dict[str, bytes | None] = {}
        self.written: dict[str, bytes] = {}

    @property
    def paths(self) -> Mapping[str, object]:
        """The paths of the version's files."""
        return self._version.files

    def read(self, path: str) -> bytes | None:
        """Read a file as it is now; None if it isn't there, or is no regular file of a moderate size."""
        if path in self.written:
            return self.written[path]
        if path not in self._read:
            entry = self._version.files.get(path)
            blob = None
            if entry is not None and entry.mode in _FILES:
                blob = read_blobs(self._repository, {entry.oid}).get(entry.oid)
            self._read[path] = blob if isinstance(blob, bytes) else None
        return self._read[path]

    def append(self, path: str, text: str) -> None:
        """Write ``text`` after the end of a file, which is made if it isn't there."""
        before = self.read(path) or b""
        self.written[path] = before + (b"" if not before or before.endswith(b"\n") else b"\n") + text.encode()

    def can_add(self, path: str) -> bool:
        """Whether nothing stands at a path or below it, and it is no test's."""
        inside = f"{posixpath.splitext(path)[0]}/"
        return (
            path not in self._version.files
            and path not in self._version.tests
            and not any(known.startswith((f"{path}/", inside)) for known in self._version.files)
        )

    def list_tests(self) -> Iterator[bytes]:
        """Read some test files."""
        for path in sorted(self._version.tests)[:_MOST_TESTS]:
            source = self.read(path)
            if source is not None:
                yield source
