"""Open what the hook pre-commit remembers for the hook commit-msg, without what a verification needs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from verigate import __version__
from verigate.execution.evidence_cache import EvidenceCache
from verigate.usecases.judged_indexes import JudgedIndexes
from verigate.user_folders import UserFolders


def open_judged_indexes(root: Path, environ: Mapping[str, str]) -> JudgedIndexes | None:
    """Open the indexes that were judged; None where the user has no folder for them."""
    cache = EvidenceCache.from_user(UserFolders(environ, str(root)), "indexes")
    return None if cache is None else JudgedIndexes(cache, __version__, _now)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
