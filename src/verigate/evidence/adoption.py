"""Publish a copy of a task folder that was sealed elsewhere and read back intact."""

from __future__ import annotations

import hashlib
from pathlib import Path

from verigate.domain.task_folder import CHECKSUMS_FILE, INDEX_FILE, LASTING_FILES, VERDICT_FILE
from verigate.errors import EvidenceError
from verigate.evidence.store import Published, encode_json, publish
from verigate.formats.strict_json import loads

_NEVER = frozenset({*LASTING_FILES, VERDICT_FILE, INDEX_FILE, CHECKSUMS_FILE})
"""Top-level names that no index has: a stranger's commitment or claim must not become this repository's."""

_LONGEST_PATH = 512


class _SealedFiles:
    """The files of a sealed folder, each read against its digest."""

    def __init__(self, published: Published) -> None:
        self._published = published

    def copy(self, path: str, target: Path) -> None:
        """Write a file to ``target``, which must not exist."""
        with target.open("xb") as file:
            file.write(self._published.read(path))


def publish_copy(folder: Path, published: Published) -> str:
    """Replace the content of the task folder ``folder`` by what is sealed; return the sha256 of its verdict.json.

    Raises EvidenceError for a file that no run publishes, and for one that has changed since it was read.
    """
    for path in published.index:
        if path in _NEVER or len(path) > _LONGEST_PATH or not path.isprintable() or "\\" in path:
            raise EvidenceError(f"it has {ascii(path)[:200]}, which no run publishes", where=str(published.folder))
    content = (published.folder / INDEX_FILE).read_bytes()
    index = loads(content)
    seal = published.verdict["metadata"]["index_sha256"]
    if hashlib.sha256(content).hexdigest() != seal or encode_json(index) != content:
        raise EvidenceError("its index isn't the one that was sealed", where=str(published.folder / INDEX_FILE))
    return publish(folder, _SealedFiles(published), own={}, index=index, verdict=published.verdict)
