"""Say that a task passed and was committed, where the work after it is judged as its own."""

from __future__ import annotations

import os
import re
from pathlib import Path

from verigate.composition.history import list_commits
from verigate.composition.verified_commits import open_verified_commits
from verigate.errors import GateError


def describe_committed(root: Path, task_id: str) -> str | None:
    """Return a hint if the commit that is checked out is this task's and passed by itself; None otherwise.

    What comes after it is new work, which people forget to begin: it is judged by the task's old claim.
    """
    known = open_verified_commits(root, os.environ)
    if known is None:
        return None
    try:
        commits = list_commits(root, os.environ, "HEAD", 1)
    except GateError:
        return None
    if not commits or known.find_unknown(commits):
        return None
    own = re.search(rf"(?m)^Gate-Task:[ \t]*{re.escape(task_id)}[ \t]*$", commits[0].message)
    if own is None:
        return None
    return f"{task_id} passed and is committed as {commits[0].id[:12]}; new work is a task of its own: gate start ID"
