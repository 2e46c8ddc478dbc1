"""How much of an earlier commit a change takes back: its lines that go again, and those that come back.

Commits are named by who is judged, by their id or by their title: an id is checked before git sees it, and titles are
compared with those of the base's history.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from code_adapter.changes.changed_lines import split_changed_lines
from code_adapter.syntax.changes import read_files_between

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile
    from verigate.sdk.subject import Repository

MOST_COMMITS = 5000
"""Commits of the history whose titles are looked at."""

_MOST_ALIKE = 5
"""Commits of one title that are compared."""

_ID = re.compile(r"[0-9a-f]{7,64}")
_NUMBERED = re.compile(r" \(#\d+\)$")
_Lines = Counter[tuple[str, str]]


def compare_reverts(
    asked: Sequence[str], files: Sequence[ChangedFile], repository: Repository, base: str
) -> list[dict[str, Any]]:
    """Return an entry for each commit that is said to be reverted; ``commit`` is None where it isn't found."""
    gone, come = _count_lines(files) if asked else (Counter(), Counter())
    return [_compare(name, gone, come, repository, base) for name in asked]


def _compare(name: str, gone: _Lines, come: _Lines, repository: Repository, base: str) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": name, "commit": None, "lines": 0, "undone": 0, "other": 0}
    for commit in _find_commits(name, repository, base):
        taken, put = _count_lines(read_files_between(repository, f"{commit}^", commit))
        undone = (put & gone).total() + (taken & come).total()
        if entry["commit"] is None or undone > entry["undone"]:
            other = (gone - put).total() + (come - taken).total()
            lines = put.total() + taken.total()
            entry = {"name": name, "commit": commit, "lines": lines, "undone": undone, "other": other}
    return entry


def _count_lines(files: Sequence[ChangedFile]) -> tuple[_Lines, _Lines]:
    """Count the lines that go and those that come, by path; blank ones say nothing."""
    gone: _Lines = Counter()
    come: _Lines = Counter()
    for file in files:
        out, put = split_changed_lines(file)
        gone.update((file.path, line.strip()) for line in out if line.strip())
        come.update((file.path, line.strip()) for line in put if line.strip())
    return gone, come


def _find_commits(name: str, repository: Repository, base: str) -> Iterator[str]:
    """Find commits with a parent that is there: the one with this id, or the newest with this title."""
    if _ID.fullmatch(name) is not None:
        chosen = [name]
    else:
        found = repository.git("log", "--no-merges", "--format=%H %s", f"--max-count={MOST_COMMITS}", base, "--")
        titles = (line.partition(" ") for line in found.stdout.decode("utf-8", "replace").splitlines())
        chosen = [oid for oid, _, title in titles if _is_title(name, title)][:_MOST_ALIKE]
    for each in chosen:
        names = (f"{each}^{{commit}}", f"{each}^1^{{commit}}")
        runs = [repository.git("rev-parse", "--verify", "--quiet", name, check=False) for name in names]
        if all(run.exit_code == 0 for run in runs):
            yield runs[0].stdout.decode("ascii", "replace").strip()


def _is_title(name: str, title: str) -> bool:
    return name in {title, _NUMBERED.sub("", title)}
