"""Open what the gate remembers of the commits that it has verified on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from verigate import __version__
from verigate.domain.ci import is_ci
from verigate.execution.evidence_cache import EvidenceCache
from verigate.subject.git_query import read_git_line
from verigate.usecases.verified_commits import VerifiedCommits
from verigate.user_folders import UserFolders


def open_verified_commits(root: Path, environ: Mapping[str, str]) -> VerifiedCommits | None:
    """Open the commits that were verified; None in CI, outside git, and where the user has no folder for them.

    Linked working trees share their commits.
    """
    if is_ci(environ):
        return None
    cache = EvidenceCache.from_user(UserFolders(environ, str(root)), "commits")
    common = read_git_line(root, environ, "rev-parse", "--path-format=absolute", "--git-common-dir")
    return None if cache is None or common is None else VerifiedCommits(cache, common, __version__, _now)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
