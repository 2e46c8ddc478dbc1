"""Reload artifacts from published files, and compute their digests again."""

from __future__ import annotations

from verigate.domain.artifact import Artifact
from verigate.errors import EvidenceError
from verigate.evidence.artifact_validation import MAX_ARTIFACT_BYTES, ArtifactInvalidError, canonical_digest
from verigate.evidence.store import Published
from verigate.formats.strict_json import StrictJsonError, loads


def reload_artifacts(published: Published) -> dict[str, Artifact]:
    """Reload the adapters' artifacts of a published task, by path. Raises EvidenceError for unreadable ones."""
    found = {}
    for path, entry in published.index.items():
        if entry.get("producer") is None:
            continue
        content = published.read(path)
        is_json = bool(entry["is_json"])
        raw = str(entry["sha256"])  # as read: it was checked
        volatile = tuple(entry["volatile"])
        try:
            value = loads(content, max_bytes=MAX_ARTIFACT_BYTES) if is_json else None
            digest = canonical_digest(path, value, volatile) if is_json else raw
        except (StrictJsonError, ArtifactInvalidError) as problem:
            raise EvidenceError(f"not verified: {problem}", where=str(published.folder / path)) from problem
        found[path] = Artifact(
            path=path,
            producer=str(entry["producer"]),
            size=len(content),
            sha256=raw,
            digest=digest,
            media_spec=entry["media_spec"],
            volatile=volatile,
            is_json=is_json,
            value=value,
        )
    return found
