"""Read the commits of a range, for the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from verigate.domain.commit_text import CommitText
from verigate.errors import SubjectError
from verigate.subject.commit_messages import read_range
from verigate.subject.git import Git, is_git


def list_commits(root: Path, environ: Mapping[str, str], span: str, most: int) -> tuple[CommitText, ...]:
    """List at most ``most`` commits of a range that are no merges, the newest first. Raises SubjectError."""
    if not is_git(root):
        raise SubjectError("this is no git repository, so it has no commits", where=str(root), hint="cd to a clone")
    return read_range(Git.from_root(str(root), environ), span, most)


def name_week(moment: int) -> str:
    """Name the week of a moment, in seconds since 1970, by the date of its Monday in UTC."""
    day = datetime.fromtimestamp(moment, UTC).date()
    return (day - timedelta(days=day.weekday())).isoformat()
