"""Open the policy that ``gate verify`` would judge by, for commands that judge nothing themselves."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from verigate.domain.policy_source import POLICY_FILE, PolicySource, PolicyWanted
from verigate.domain.subject import SubjectKind
from verigate.subject.git import is_git
from verigate.subject.git_query import read_git_line
from verigate.usecases.policy_ref import find_policy_ref

_COMMITS = ("HEAD", "refs/remotes/origin/HEAD")
"""Where a setting of the repository may stand that the working tree doesn't have."""


@contextmanager
def open_policy(root: Path, environ: Mapping[str, str]) -> Iterator[tuple[Path, PolicySource | None, tuple[str, ...]]]:
    """Yield the folder with the policy, the ref that it is of, and warnings about that.

    Without a policy ref it is the repository itself. Raises GateError for a ref that can't be read.
    """
    wanted = PolicyWanted(find_policy_ref(str(root), environ))
    if wanted.ref is None and not _may_name_ref(root, environ):
        yield root, None, ()
        return
    from verigate.subject.workspace import open_workspace  # few repositories name a ref

    with open_workspace(root, kind=SubjectKind.WORKTREE, environ=environ, policy=wanted) as workspace:
        source = workspace.policy_source
        yield (root if source is None else Path(workspace.policy_root)), source, workspace.policy_warnings


def _may_name_ref(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether the repository has a setting anywhere; what it says is another question."""
    if not is_git(root):
        return False
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    return os.path.lexists(root / POLICY_FILE) or any(
        read_git_line(root, environ, *asked, f"{commit}:{POLICY_FILE}") for commit in _COMMITS
    )
