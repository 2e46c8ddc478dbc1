"""The code that base and subject have in common, line by line: there a mutant is the same in both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from code_adapter.counterfactual.sides import Sides
from code_adapter.counterfactual.test_tree import MIXED, is_settings
from code_adapter.sensitivity.mutants import MUTATED, Mutant
from code_adapter.syntax.changes import read_blobs
from verigate.sdk.languages import language_of
from verigate.sdk.subject import Repository

MOST_FILES = 3000
_LINK = "120000"
_MOST_LINES = 20_000


@dataclass(frozen=True)
class SharedFile:
    """A file of the code of both. ``lines`` has the line of the subject for each line of base that is the same."""

    path: str
    base: bytes
    head: bytes
    lines: Mapping[int, int]

    def move(self, mutant: Mutant) -> Mutant | None:
        """Return the mutant of the subject that is the same as ``mutant`` of base; None if a line of it differs."""
        if self.base == self.head:
            return mutant
        first = self.base.count(b"\n", 0, mutant.start) + 1
        last = first + self.base.count(b"\n", mutant.start, mutant.end)
        wanted = [self.lines.get(line) for line in range(first, last + 1)]
        start = wanted[0]
        if start is None or wanted != list(range(start, start + len(wanted))):
            return None
        offset = mutant.start - (self.base.rfind(b"\n", 0, mutant.start) + 1)
        begins = _find_line(self.head, start) + offset
        ends = begins + mutant.end - mutant.start
        line = self.lines.get(mutant.line, start)
        return replace(mutant, start=begins, end=ends, line=line) if self.head[begins:ends] == mutant.was else None


def list_shared_paths(sides: Sides, folder: str) -> list[str]:
    """List the paths below ``folder`` of the code of both that can be mutated."""
    start = f"{folder}/" if folder else ""
    return [
        path
        for path in sides.code
        if path.startswith(start)
        and all(path in version.files and version.files[path].mode != _LINK for version in (sides.base, sides.head))
        and language_of(path) in MUTATED
        and not is_settings(path)
        and path.rpartition("/")[2] not in MIXED
    ]


def read_shared_files(repository: Repository, sides: Sides, paths: Iterable[str]) -> dict[str, SharedFile]:
    """Read files of both. Raises ToolFailed, or AdapterError for too many bytes."""
    chosen = list(paths)
    versions = (sides.base, sides.head)
    blobs = read_blobs(repository, {version.files[path].oid for version in versions for path in chosen})
    return {file.path: file for file in _pair(chosen, sides, blobs)}


def _pair(paths: Iterable[str], sides: Sides, blobs: Mapping[str, bytes | int]) -> Iterator[SharedFile]:
    for path in paths:
        before, after = (blobs.get(version.files[path].oid) for version in (sides.base, sides.head))
        if not isinstance(before, bytes) or not isinstance(after, bytes):
            continue
        old, new = before.split(b"\n"), after.split(b"\n")
        if len(old) <= _MOST_LINES and len(new) <= _MOST_LINES:
            yield SharedFile(path, before, after, dict(_match(old, new)))


def _match(old: list[bytes], new: list[bytes]) -> Iterator[tuple[int, int]]:
    if old == new:
        yield from ((line, line) for line in range(1, len(old) + 1))
        return
    for start, there, size in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks():
        yield from ((start + number + 1, there + number + 1) for number in range(size))


def _find_line(source: bytes, line: int) -> int:
    """Find the byte at which a line, from 1, begins."""
    at = 0
    for _ in range(line - 1):
        at = source.index(b"\n", at) + 1
    return at
