"""Open the records of which objects were verified."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from verigate.domain.ci import is_ci
from verigate.execution.evidence_cache import EvidenceCache
from verigate.user_folders import UserFolders

KEPT_FOR_S = 90 * 86_400
"""Seconds after which the record of a repository that isn't used any more is removed."""


def open_object_records(root: Path, environ: Mapping[str, str]) -> EvidenceCache | None:
    """Open them for the repository at ``root``; None in CI, and where the user has no folder for them."""
    if is_ci(environ):
        return None
    found = EvidenceCache.from_user(UserFolders(environ, str(root)), "objects")
    if found is not None:
        found.remove_older_than(KEPT_FOR_S)
    return found
