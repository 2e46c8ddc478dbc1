"""Build artifacts.json, the index of a task's files with size and sha256, by which a verdict can be checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact

INDEX_SCHEMA = "verigate:artifacts.v1"


def build_index(task_id: str, artifacts: Iterable[Artifact], others: Mapping[str, bytes]) -> dict[str, Any]:
    """Build the index document. ``others`` are files of the gate itself (run.json, logs, inputs) by path."""
    entries = [
        {
            "path": artifact.path,
            "size": artifact.size,
            "sha256": artifact.sha256,
            "digest": artifact.digest,
            "media_spec": artifact.media_spec,
            "volatile": list(artifact.volatile),
            "is_json": artifact.is_json,
            "producer": artifact.producer,
        }
        for artifact in artifacts
    ]
    entries += [
        {
            "path": path,
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
            "digest": None,
            "media_spec": None,
            "volatile": [],
            "is_json": False,
            "producer": None,
        }
        for path, content in others.items()
    ]
    return {"schema": INDEX_SCHEMA, "task_id": task_id, "files": sorted(entries, key=lambda entry: str(entry["path"]))}


def format_checksums(index: Mapping[str, Any]) -> bytes:
    """Format the index for ``sha256sum --check``."""
    lines = [f"{entry['sha256']}  {entry['path']}\n" for entry in index["files"]]
    return "".join(lines).encode("utf-8", "surrogatepass")
