"""Compare one file with its version at HEAD by text alone, while an agent works: what a check asks less than before.

No repository is asked, so that nothing is known of the files around: a test that moved elsewhere looks removed. What is
found is advice, and decides nothing.
"""

from __future__ import annotations

import base64
import json
import resource
import sys
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from code_adapter.integrity.capability import list_entries, list_own_findings
from code_adapter.integrity.changeset import ChangeSet
from code_adapter.integrity.pairing.paired_tests import pair_tests
from code_adapter.integrity.pairing.reached import Walk
from code_adapter.syntax.changes import MAX_BLOB_BYTES, ChangedFile, Side
from verigate.sdk.subject import Repository
from verigate.sdk.tools import ToolRun

CPU_S = 20
"""Seconds of processor time for one file."""

MEMORY_BYTES = 2 << 30
_MODE = "100644"


class _NoRepository(Repository, frozen=True):
    """Has nothing, and starts no git."""

    def git(self, *arguments: str, check: bool = True, stdin: bytes = b"", max_bytes: int = 0) -> ToolRun:  # noqa: ARG002 - as the protocol has it
        """Return what git says of something that isn't there."""
        return ToolRun(arguments, exit_code=1, signal=None, timed_out=False, stdout=b"", stderr=b"")

    def entries(self, *arguments: str) -> Iterator[bytes]:  # noqa: ARG002 - those of a repository
        """List nothing."""
        return iter(())


class _OneFile(ChangeSet):
    """A change of one file, with nothing around it."""

    @cached_property
    def base_paths(self) -> frozenset[str]:
        """The file, if it was there."""
        return frozenset(file.before.path for file in self.files if file.before is not None)

    def _show(self, name: str) -> bytes | None:
        tree, _, path = name.partition(":")
        file = self.files[0]
        side = file.before if tree else file.after
        return side.content if side is not None and side.path == path else None


def find_weaker(path: str, before: bytes | None, after: bytes | None) -> list[dict[str, Any]]:
    """Return the findings that count, as integrity.json holds them, worst first; None stands for no file."""
    if max(len(before or b""), len(after or b"")) > MAX_BLOB_BYTES:
        return []
    sides = [None if content is None else Side(path, _MODE, content) for content in (before, after)]
    repository = _NoRepository(Path("/"), {})
    changes = _OneFile((ChangedFile(*sides),), repository, "HEAD", (path,) if after is not None else ())
    tests = pair_tests(changes, (), Walk((), (), lambda _: False))
    entries = sorted(list_entries(changes, tests, set(list_own_findings(changes, tests))), key=lambda each: each[0])
    return [entry for _, entry in entries if entry["weight"] != "note" and entry["kind"] != "unexamined"]


def main() -> int:
    """Read one file's two versions as JSON from stdin, and print what is weaker."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    asked = json.load(sys.stdin)
    before, after = (None if asked[side] is None else base64.b64decode(asked[side]) for side in ("before", "after"))
    # stdout is a pipe, to which the limit of files doesn't apply.
    json.dump(find_weaker(asked["path"], before, after), sys.stdout)
    return 0
