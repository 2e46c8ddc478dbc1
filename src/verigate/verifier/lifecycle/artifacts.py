"""Collect what a run wrote below ``artifacts``: regular files alone, bounded, with their digests."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from verigate.domain.engine import RunArtifact
from verigate.errors import ExecutionError
from verigate.verifier.lifecycle.skill_keys import ArtifactKey, check_json_file

_MOST_FILES = 1000
_MOST_BYTES = 256 * 1024 * 1024
_LONGEST_PATH = 1000


class MissingArtifactError(ExecutionError):
    """A required artifact wasn't written."""

    code = "MISSING_ARTIFACT"


def collect_artifacts(folder: Path, declared: Mapping[str, ArtifactKey]) -> tuple[RunArtifact, ...]:
    """List the files below ``folder`` by path, and check those that are declared.

    A link is none: a program could have pointed it anywhere. Raises MissingArtifactError, InvalidValueError, and
    ExecutionError for more than 1000 files or 256 MiB.
    """
    found: list[RunArtifact] = []
    total = 0
    for path in _list_files(folder):
        size = path.lstat().st_size
        total += size
        if len(found) == _MOST_FILES or total > _MOST_BYTES:
            raise ExecutionError("the run wrote more than 1000 artifacts, or 256 MiB", where=str(folder))
        shown = os.fsencode(path.relative_to(folder)).decode("utf-8", "backslashreplace")
        if len(shown) > _LONGEST_PATH:
            raise ExecutionError("the path of an artifact is longer than 1000 characters", where=str(folder))
        found.append(RunArtifact(shown, size, _digest(path)))
    written = {artifact.path for artifact in found}
    for name, key in declared.items():
        if name in written:
            check_json_file(folder / name, key.schema, f"the artifact {name!r}")
        elif key.required:
            hint = "see the run's logs for what the program did in its place"
            raise MissingArtifactError(f"the artifact {name!r} wasn't written", where=str(folder), hint=hint)
    return tuple(found)


def _list_files(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(root) / name
            if stat.S_ISREG(path.lstat().st_mode):
                yield path


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
